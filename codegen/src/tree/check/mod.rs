//! Names looked up, phrases read: a table of phases becomes a machine.

mod fields;
mod lower;
mod steps;

use self::fields::Fields;
use self::steps::Parsed;
use super::keys::{self, ANYTHING_ELSE};
use super::machine::{Phase, TreeMachine};
use super::phrase::PHRASES;
use super::written::{self, TOP, Table};
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::normal;
use crate::machine::Vocabulary;
use crate::read::At;
use crate::suggest::{did_you_mean, one_of, which_of};
use crate::written::{Erratum, Text, names};
use std::collections::{HashMap, HashSet};

/// A machine, and how tokens go from phase to phase in it.
pub(super) struct Checked {
    pub(super) machine: TreeMachine,
    pub(super) moves: Vec<Move>,
    /// Where the phases are named.
    pub(super) names: Vec<At>,
}

/// A phrase that leads to a phase.
pub(super) struct Move {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kind: usize,
    /// Whether the token goes along.
    pub(super) reprocesses: bool,
    pub(super) span: Span,
}

/// Checks a table. The machine is sound only if there are no faults.
pub(super) fn check(
    table: &Table,
    vocabulary: &dyn Fn(&str) -> Option<Vocabulary>,
    faults: &mut Faults,
) -> Checked {
    for key in ["tree", "tokenizer", "initial phase", "phases"] {
        if !table.keys.iter().any(|k| k == key) {
            let message = format!("the table has no `{key}`");
            faults
                .add(Code::MissingKey, table.at, message)
                .help(about(key));
        }
    }
    if table.phases.is_empty() && !faults.any_error() {
        faults.add(Code::MissingBody, table.at, "the table has no phases");
    }
    let tokenizer = table.tokenizer.as_ref();
    let vocabulary = tokenizer.and_then(|name| {
        let found = vocabulary(&name.text);
        if found.is_none() {
            faults
                .unknown(
                    Code::UnknownTokenizer,
                    name.at,
                    "tokenizer table",
                    &name.text,
                )
                .help("it is named as its file is, beside this table or as a relative path");
        }
        found
    });
    let fields = vocabulary.map(Fields::new);
    let mut checker = Checker {
        table,
        numbers: numbers(table),
        moves: Vec::new(),
        faults,
    };
    let phases = (0..table.phases.len())
        .map(|number| checker.phase(number, fields.as_ref()))
        .collect();
    let keys = names(TOP);
    let keys = keys.chain(PHRASES.iter().map(|p| p.pattern));
    checker.errata(&table.errata, keys, "a top-level key or a phrase");
    let initial = table
        .initial
        .as_ref()
        .and_then(|name| checker.named(&normal(&name.text), name.span()));
    let text = |text: &Option<Text>| text.as_ref().map(|t| t.text.clone()).unwrap_or_default();
    Checked {
        moves: checker.moves,
        names: table.phases.iter().map(|phase| phase.name.at).collect(),
        machine: TreeMachine {
            name: text(&table.name),
            title: text(&table.title),
            section: text(&table.section),
            tokenizer: text(&table.tokenizer),
            kinds: fields.map(Fields::into_kinds).unwrap_or_default(),
            phases,
            initial: initial.unwrap_or(0),
        },
    }
}

fn about(key: &str) -> &'static str {
    let of = TOP.iter().find(|of| of.key.name == key);
    of.map_or("", |of| of.key.about)
}

/// The phases by name.
fn numbers(table: &Table) -> HashMap<&str, usize> {
    let names = table.phases.iter().map(|phase| phase.name.text.as_str());
    names.zip(0..).collect()
}

struct Checker<'t, 'f> {
    table: &'t Table,
    numbers: HashMap<&'t str, usize>,
    moves: Vec<Move>,
    faults: &'f mut Faults,
}

impl Checker<'_, '_> {
    /// The number of a phase.
    fn named(&mut self, name: &str, span: Span) -> Option<usize> {
        if let Some(&number) = self.numbers.get(name) {
            return Some(number);
        }
        let names = self.table.phases.iter().map(|p| p.name.text.as_str());
        let help = did_you_mean(name, names.clone(), || one_of(names.take(12)));
        self.faults
            .unknown(Code::UnknownPhase, span, "phase", name)
            .help(help);
        None
    }

    fn phase(&mut self, number: usize, fields: Option<&Fields>) -> Phase {
        let written = &self.table.phases[number];
        let parsed: Vec<(Vec<Parsed>, bool)> = written
            .arms
            .iter()
            .map(|arm| match &arm.steps {
                Some(steps) => self.steps(steps),
                None => (Vec::new(), false),
            })
            .collect();
        let arms = written.arms.iter().map(|arm| arm.key.text.as_str());
        let keys = arms.chain([keys::PHASE]);
        self.errata(&written.errata, keys, "an arm's key, or by `phase`");
        let mut arms = Vec::new();
        if let Some(fields) = fields {
            let chosen = self.choose(written, fields);
            for (kind, arm) in chosen.into_iter().enumerate() {
                let steps = arm.and_then(|arm| parsed.get(arm));
                let mut created = false;
                arms.push(steps.map_or_else(Vec::new, |(steps, _)| {
                    let mut lowering = lower::Lowering {
                        from: number,
                        kind,
                        fields,
                        checker: self,
                    };
                    lowering.steps(steps, &mut created)
                }));
            }
        }
        for (arm, (_, ends)) in written.arms.iter().zip(&parsed) {
            let is_end = arm.kinds.iter().any(|kind| kind.text == keys::END_OF_FILE);
            if is_end && !ends {
                let message = "no token follows the end-of-file token, but parsing goes on";
                self.faults
                    .add(Code::MissingSuccessor, arm.key.at, message)
                    .label("this arm does not end the parsing")
                    .help("say `stop parsing` or `reprocess the token in PHASE`, in every branch");
            }
        }
        Phase {
            name: written.name.text.clone(),
            arms,
        }
    }

    /// The number of the arm for each kind of token.
    fn choose(&mut self, phase: &written::Phase, fields: &Fields) -> Vec<Option<usize>> {
        let mut chosen: Vec<Option<usize>> = vec![None; fields.kinds().len()];
        let mut anything_else = None;
        for (number, arm) in phase.arms.iter().enumerate() {
            for kind in &arm.kinds {
                let slot = if kind.text == ANYTHING_ELSE {
                    &mut anything_else
                } else if let Some(kind) = fields.number(&kind.text) {
                    &mut chosen[kind]
                } else {
                    let names = fields.kinds().iter().map(String::as_str);
                    let names = names.chain([ANYTHING_ELSE]);
                    let help = which_of(&kind.text, names);
                    self.faults
                        .unknown(Code::UnknownKind, kind.span, "kind of token", &kind.text)
                        .help(help);
                    continue;
                };
                if slot.is_some() {
                    let message = format!("the phase has an arm for `{}` already", kind.text);
                    self.faults
                        .add(Code::OverlappingArms, kind.span, message)
                        .help("join the two arms or remove one");
                } else {
                    *slot = Some(number);
                }
            }
        }
        self.complete(phase, fields, &chosen, anything_else);
        for slot in &mut chosen {
            *slot = slot.or(anything_else);
        }
        chosen
    }

    /// Every token has an arm, and every arm a token.
    fn complete(
        &mut self,
        phase: &written::Phase,
        fields: &Fields,
        chosen: &[Option<usize>],
        anything_else: Option<usize>,
    ) {
        let without = |kind: &usize| chosen.get(*kind).is_some_and(Option::is_none);
        let missing: Vec<usize> = (0..chosen.len()).filter(without).collect();
        if missing.contains(&super::END_OF_FILE) {
            let message = format!("the phase has no arm for `{}`", keys::END_OF_FILE);
            self.faults
                .add(Code::MissingArm, phase.name.at, message)
                .help("say what ends the parsing: `end-of-file: stop parsing`");
        }
        let others = missing.iter().filter(|&&kind| kind != super::END_OF_FILE);
        let others: Vec<&str> = others.map(|&kind| fields.kinds()[kind].as_str()).collect();
        match (
            anything_else.and_then(|arm| phase.arms.get(arm)),
            &others[..],
        ) {
            (Some(arm), []) => {
                let message = "every kind of token has an arm of its own";
                self.faults
                    .add(Code::NeverMatches, arm.key.at, message)
                    .help("remove it");
            }
            (None, [_, ..]) => {
                let message = format!("the phase has no arm for `{ANYTHING_ELSE}`");
                self.faults
                    .add(Code::MissingArm, phase.name.at, message)
                    .help(format!(
                        "these kinds have no arm: `{}`",
                        others.join("`, `")
                    ));
            }
            _ => {}
        }
    }

    /// Every erratum is about something: one of the top-level keys or phrases, or one of a phase's arms.
    fn errata<'n>(
        &mut self,
        errata: &[(Text, Erratum)],
        keys: impl Iterator<Item = &'n str> + Clone,
        what: &str,
    ) {
        let known: HashSet<&str> = keys.clone().collect();
        for (key, _) in errata {
            if known.contains(key.text.as_str()) {
                continue;
            }
            let help = did_you_mean(&key.text, keys.clone(), || {
                format!("an erratum here is keyed by {what}")
            });
            let message = format!(
                "there is no `{}` here that an erratum could be about",
                key.text
            );
            self.faults
                .add(Code::UnknownArm, key.at, message)
                .help(help);
        }
    }
}
