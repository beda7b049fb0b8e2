//! What is known on every way through a body: values that are set, an element that has been created, what the token has.

use super::Checker;
use crate::diagnostic::{Code, Span};
use crate::tree::facts::{Fact, Facts};
use crate::tree::machine::{BlockId, Body, BodyId, CHARACTER, END_OF_FILE, Exit, Part, Tokens};
use std::collections::BTreeSet;

/// How many steps a procedure may have with those of the procedures that it runs, and how deep these may be nested.
const MOST_STEPS: usize = 10_000;
const MOST_NESTING: usize = 50;

/// What a caller must know of a procedure.
#[derive(Clone, Debug, Default)]
struct Summary {
    needs: BTreeSet<Part>,
    needs_character: bool,
    /// Whether there is a new element after it on every way.
    creates: bool,
    /// Whether it uses a new element that it has not created.
    uses_new: bool,
    steps: usize,
    nesting: usize,
}

/// What is known where a block begins.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    created: bool,
    /// Whether other rules have had the token.
    delegated: bool,
    set: Vec<bool>,
}

impl Known {
    fn meet(&mut self, other: &Self) -> bool {
        let before = self.clone();
        self.created &= other.created;
        self.delegated &= other.delegated;
        self.set
            .iter_mut()
            .zip(&other.set)
            .for_each(|(one, other)| *one &= other);
        *self != before
    }
}

/// Whose body it is.
#[derive(Clone, Copy)]
enum Owner<'k> {
    Procedure,
    /// An arm, with the kinds that it takes.
    Arm(&'k [usize]),
    /// Steps outside of arms, where there may be no token.
    Other,
}

impl Checker<'_, '_> {
    pub(super) fn flow(&mut self) {
        let procedures = self.table.procedures.len();
        let mut summaries: Vec<Option<Summary>> = vec![None; procedures];
        let mut open: Vec<BodyId> = (0..procedures).collect();
        // Callees first; those that are left run themselves, or are nested too deep.
        for _ in 0..=MOST_NESTING + 1 {
            let before = open.len();
            open.retain(|&body| {
                let all_known =
                    calls(&self.machine.bodies[body]).all(|callee| summaries[callee].is_some());
                if all_known {
                    let summary = self.walk(body, Owner::Procedure, &summaries);
                    self.size(body, &summary);
                    summaries[body] = Some(summary);
                }
                !all_known
            });
            if open.len() == before {
                break;
            }
        }
        let is_deep = open.iter().any(|&body| {
            calls(&self.machine.bodies[body]).all(|callee| summaries[callee].is_some())
        });
        for &body in open.iter().take(if is_deep { 1 } else { open.len() }) {
            if is_deep {
                self.too_many_steps(body);
                continue;
            }
            let message = format!("`{}` runs itself", self.machine.bodies[body].name);
            let help = "a procedure comes to its end: say what is done with the steps themselves";
            self.phrases
                .faults
                .add(Code::RecursiveName, self.places[body].whole, message)
                .help(help);
        }
        if !open.is_empty() {
            return;
        }
        let mut others: BTreeSet<BodyId> = (procedures..self.machine.bodies.len()).collect();
        for mode in 0..self.machine.modes.len() {
            let whole = self.whole_kinds(mode);
            for arm in 0..self.machine.modes[mode].arms.len() {
                let kinds = self.kinds_of(mode, arm, &whole);
                let body = self.machine.modes[mode].arms[arm].body;
                others.remove(&body);
                self.walk(body, Owner::Arm(&kinds), &summaries);
            }
        }
        for body in others {
            self.walk(body, Owner::Other, &summaries);
        }
    }

    /// The kinds of tokens all of which arms of an insertion mode take by their kinds.
    fn whole_kinds(&self, mode: usize) -> BTreeSet<usize> {
        let takes = self.machine.modes[mode]
            .arms
            .iter()
            .flat_map(|arm| &arm.takes);
        let takes = takes.filter(|takes| takes.guard.is_none());
        let kinds = takes.filter_map(|takes| match takes.tokens {
            Tokens::Kind(kind) | Tokens::AnyOther(kind) => Some(kind),
            _ => None,
        });
        kinds.collect()
    }

    /// The kinds of tokens that come to an arm.
    fn kinds_of(&self, mode: usize, arm: usize, whole: &BTreeSet<usize>) -> Vec<usize> {
        let rules = &self.machine.modes[mode];
        let all = 0..self.phrases.declared.kinds.len();
        let mut kinds: Vec<usize> = Vec::new();
        for takes in &rules.arms[arm].takes {
            match takes.tokens {
                Tokens::Kind(kind) | Tokens::Named(kind, _) | Tokens::AnyOther(kind) => {
                    kinds.push(kind)
                }
                Tokens::Characters(_) => kinds.push(CHARACTER),
                Tokens::AnythingElse => {
                    kinds.extend(all.clone().filter(|&kind| !whole.contains(&kind)))
                }
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    fn size(&mut self, body: BodyId, summary: &Summary) {
        if summary.nesting > MOST_NESTING || summary.steps > MOST_STEPS {
            self.too_many_steps(body);
        }
    }

    fn too_many_steps(&mut self, body: BodyId) {
        let message = format!("`{}` runs too many steps", self.machine.bodies[body].name);
        let help = format!(
            "a procedure has at most {MOST_STEPS} steps, with those of the procedures that it runs, which are nested at most \
             {MOST_NESTING} deep"
        );
        let faults = &mut *self.phrases.faults;
        faults
            .add(Code::TooLarge, self.places[body].whole, message)
            .help(help);
    }

    /// Walks all ways through a body until nothing new is known, then checks each step once.
    fn walk(&mut self, number: BodyId, owner: Owner<'_>, summaries: &[Option<Summary>]) -> Summary {
        let body = self.machine.bodies[number].clone();
        let slots = body.slots.len();
        let start = Known {
            created: false,
            delegated: false,
            set: (0..slots).map(|slot| slot < body.parameters).collect(),
        };
        let mut at: Vec<Option<Known>> = vec![None; body.blocks.len()];
        let mut todo: Vec<BlockId> = Vec::new();
        if let Some(first) = at.first_mut() {
            *first = Some(start);
            todo.push(0);
        }
        while let Some(block) = todo.pop() {
            let Some(mut known) = at[block].clone() else {
                continue;
            };
            let it = &body.blocks[block];
            let mut note = |fact| advance(&mut known, fact, summaries);
            it.steps.iter().for_each(|step| step.facts(&mut note));
            it.exit.facts(&mut note);
            for next in successors(&it.exit) {
                let is_new = match &mut at[next] {
                    Some(before) => before.meet(&known),
                    empty => {
                        *empty = Some(known.clone());
                        true
                    }
                };
                if is_new {
                    todo.push(next);
                }
            }
        }
        let mut summary = Summary {
            creates: true,
            ..Summary::default()
        };
        for (block, known) in at.into_iter().enumerate() {
            let Some(mut known) = known else { continue };
            let it = &body.blocks[block];
            let (spans, exit) = self.places[number].blocks[block].clone();
            for (step, span) in it.steps.iter().zip(spans) {
                summary.steps += 1;
                step.facts(&mut |fact| {
                    self.check(&body, owner, &known, fact, span, summaries, &mut summary);
                    advance(&mut known, fact, summaries);
                });
            }
            it.exit.facts(&mut |fact| {
                self.check(&body, owner, &known, fact, exit, summaries, &mut summary);
                advance(&mut known, fact, summaries);
            });
            if matches!(it.exit, Exit::Done | Exit::Return(_)) {
                summary.creates &= known.created;
                if let Owner::Arm(kinds) = owner
                    && kinds.contains(&END_OF_FILE)
                    && !known.delegated
                {
                    let message = "no token follows the end-of-file token, but parsing goes on";
                    let at = if exit == Span::default() {
                        self.places[number].whole
                    } else {
                        exit
                    };
                    self.phrases
                        .faults
                        .add(Code::MissingSuccessor, at, message)
                        .label("this arm does not end the parsing")
                        .help("say `stop parsing`, or hand the token on, in every branch");
                }
            }
        }
        summary
    }

    #[allow(clippy::too_many_arguments)]
    fn check(
        &mut self,
        body: &Body,
        owner: Owner<'_>,
        known: &Known,
        fact: Fact,
        span: Span,
        summaries: &[Option<Summary>],
        summary: &mut Summary,
    ) {
        match fact {
            Fact::Reads(slot) if !known.set.get(slot).copied().unwrap_or(true) => {
                let name = body.slots.get(slot).map_or("", |slot| &slot.name);
                let message = format!("`{name}` is not set on every way here");
                let help = format!("say `let {name} be …` first");
                self.phrases
                    .faults
                    .add(Code::UnsetVariable, span, message)
                    .help(help);
            }
            Fact::UsesNew if !known.created => match owner {
                Owner::Procedure => summary.uses_new = true,
                _ => self.no_new_element(span),
            },
            Fact::Needs(part) => self.needs(owner, &[part], false, span, summary),
            Fact::NeedsCharacter => self.needs(owner, &[], true, span, summary),
            Fact::Calls(callee) => {
                let Some(callee) = summaries.get(callee).and_then(Option::as_ref) else {
                    return;
                };
                if callee.uses_new && !known.created {
                    match owner {
                        Owner::Procedure => summary.uses_new = true,
                        _ => self.no_new_element(span),
                    }
                }
                summary.steps = summary.steps.saturating_add(callee.steps);
                summary.nesting = summary.nesting.max(callee.nesting + 1);
                let parts: Vec<Part> = callee.needs.iter().copied().collect();
                self.needs(owner, &parts, callee.needs_character, span, summary);
            }
            _ => {}
        }
    }

    fn no_new_element(&mut self, span: Span) {
        let message = "no element has been created before this";
        let help = "insert or create an element first";
        self.phrases
            .faults
            .add(Code::MisplacedPhrase, span, message)
            .help(help);
    }

    /// Refuses what the token does not have.
    fn needs(
        &mut self,
        owner: Owner<'_>,
        parts: &[Part],
        character: bool,
        span: Span,
        summary: &mut Summary,
    ) {
        let kinds = match owner {
            Owner::Arm(kinds) => kinds,
            Owner::Other => return,
            Owner::Procedure => {
                summary.needs.extend(parts);
                summary.needs_character |= character;
                return;
            }
        };
        for &kind in kinds {
            let of = &self.phrases.declared.kinds[kind];
            let name = of.name.clone();
            let missing = parts
                .iter()
                .find(|part| of.field(**part).is_none())
                .copied();
            let (code, message) = if character && kind != CHARACTER {
                (
                    Code::MisplacedPhrase,
                    format!("the {name} token is no character"),
                )
            } else if let Some(part) = missing {
                (
                    Code::UnknownField,
                    format!(
                        "the {name} token has no {}, which this needs",
                        part.as_str()
                    ),
                )
            } else {
                continue;
            };
            self.phrases
                .faults
                .add(code, span, message)
                .help("give the token an arm of its own");
        }
    }
}

fn advance(known: &mut Known, fact: Fact, summaries: &[Option<Summary>]) {
    match fact {
        Fact::Writes(slot) => {
            if let Some(set) = known.set.get_mut(slot) {
                *set = true;
            }
        }
        Fact::CreatesNew => known.created = true,
        Fact::Delegates(_) | Fact::Runs(..) => known.delegated = true,
        Fact::Calls(callee) => {
            let callee = summaries.get(callee).and_then(Option::as_ref);
            known.created |= callee.is_some_and(|it| it.creates);
        }
        _ => {}
    }
}

fn successors(exit: &Exit) -> Vec<BlockId> {
    match exit {
        Exit::Go(next) => vec![*next],
        Exit::If { yes, no, .. } => vec![*yes, *no],
        _ => Vec::new(),
    }
}

/// The procedures that a body runs.
fn calls(body: &Body) -> impl Iterator<Item = BodyId> {
    let mut calls = Vec::new();
    let mut note = |fact| {
        if let Fact::Calls(callee) = fact {
            calls.push(callee);
        }
    };
    for block in &body.blocks {
        block.steps.iter().for_each(|step| step.facts(&mut note));
        block.exit.facts(&mut note);
    }
    calls.into_iter()
}
