//! A comparison as data: what JSON, text and Markdown are made of. `docs/diffing.md` describes it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use speclex_codegen::errata::Terms;

use super::causes::{Cause, Role};
use super::legend::Legend;
use super::outside::{Part, TableRow};
use super::replay::Kind;
use super::replay::Setup;
use super::structure::{ArmRow, OnlyState};
use super::verdict::Diff;
use super::witness::{Searched, Witness};
use super::wording;
use crate::error_comparison::ErrorComparison;
use crate::prove::Unproved;

/// A comparison.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// What the tables are called.
    pub tables: [String; 2],
    /// What they call themselves.
    #[serde(skip)]
    pub(super) own_names: [String; 2],
    /// Their titles.
    pub titles: [String; 2],
    /// `proven equal`, `different`, `no difference found`, or `structure only`.
    pub verdict: &'static str,
    /// Why they are not proven equal, where no difference was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unproved: Option<Unproved>,
    /// On what the two were compared: `tokens`, `error codes` or `presence of errors`, `positions`.
    pub compared: [&'static str; 3],
    /// How many of what.
    pub counts: Counts,
    /// What the search covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<Search>,
    /// All changes; those that show come first, the gravest before others.
    pub causes: Vec<CauseRow>,
    /// Inputs that show differences: the examples of all causes.
    pub witnesses: Vec<WitnessRow>,
    /// States of one table only.
    pub only: Vec<Row<OnlyState>>,
    /// States with two names.
    pub renamed: Vec<[String; 2]>,
    /// Arms that differ.
    pub arms: Vec<Row<ArmRow>>,
    /// Differences outside the states.
    pub others: Vec<Row<TableRow>>,
    #[serde(skip)]
    pub(super) errors: ErrorComparison,
    #[serde(skip)]
    pub(super) legend: Legend,
    /// Under which terms the sentences of the arms are quoted.
    #[serde(skip)]
    pub terms: [Option<Terms>; 2],
}

/// How many of what.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// States that both have.
    pub common_states: usize,
    /// States of one side only.
    pub only: [usize; 2],
    /// States with two names.
    pub renamed: usize,
    /// Arms that differ.
    pub arms: usize,
    /// Differences outside the states.
    pub others: usize,
    /// Changes: rows that need each other are one.
    pub changes: usize,
    /// Causes that change tokens.
    pub tokens: usize,
    /// Causes that only change errors.
    pub errors: usize,
    /// Causes that only change positions.
    pub positions: usize,
    /// Causes: changes that an input shows.
    pub witnessed: usize,
    /// Of the causes those that need other changes.
    pub with_others: usize,
    /// Changes that alter something where the tables do not differ because of it: they need others, or others hide it.
    pub companions: usize,
    /// Changes that no input shows.
    pub proven: usize,
    /// Changes of which it is not known whether they show.
    pub not_decided: usize,
}

/// A change, and what it does.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CauseRow {
    /// `cause`, `cause with others`, `companion`, `no effect`, `not decided`.
    pub role: &'static str,
    /// The gravest difference that it makes: `tokens`, `errors` or `positions`; `None` where no input shows one.
    pub differs: Option<&'static str>,
    /// Why it is not decided, or shows nowhere by itself though the tables are not proven equal.
    pub reason: Option<String>,
    /// Whether the search for it ended at a limit.
    #[serde(skip)]
    pub(super) is_cut: bool,
    /// The numbers of its examples among the witnesses, from 1, the gravest first.
    pub examples: Vec<usize>,
    /// Which of `arms` it consists of, from 1.
    pub arms: Vec<usize>,
    /// Which of `only` belong to it, from 1.
    pub only: Vec<usize>,
    /// Which of `others` it consists of, from 1.
    pub others: Vec<usize>,
    /// The numbers of witnesses that go through its states of one table only.
    pub passing: Vec<usize>,
    /// The change under which it is shown, by its number, from 1: it makes the same edit in another rule, or is a row of the
    /// same list.
    pub shown_with: Option<usize>,
}

/// What a search covered.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Search {
    /// Whether it ended at no limit, and every change is decided.
    pub closed: bool,
    /// Inputs that were continued.
    pub situations: usize,
    /// The length of the longest.
    pub length: usize,
    /// What was not followed to the end, and how often.
    pub unknown: Vec<(String, usize)>,
}

/// A witness.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WitnessRow {
    /// `tokens`, `errors` or `positions`.
    pub differs: &'static str,
    /// What it starts with.
    pub start: Setup,
    /// The input.
    pub input: String,
    /// The arms at fault.
    pub arms: [String; 2],
    /// What comes out on each side: tokens, then errors, a line each.
    pub outputs: [Vec<String>; 2],
}

/// A difference, and whether it shows.
#[derive(Clone, Debug, Serialize)]
pub struct Row<R> {
    /// The difference.
    #[serde(flatten)]
    pub row: R,
    /// The number of the witness that goes through one of two arms, from 1.
    #[serde(skip)]
    pub(super) shown_by: Option<usize>,
    /// Whether it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<StatusText>,
}

impl<R> std::ops::Deref for Row<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.row
    }
}

/// Whether a difference shows.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusText {
    /// In words.
    pub text: String,
    /// The number of the witness, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<usize>,
}

/// What differs, in a word.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Tokens => "tokens",
        Kind::Errors => "errors",
        Kind::Positions => "positions",
    }
}

/// The part of a change, in a few words.
fn role_name(role: &Role) -> &'static str {
    match role {
        Role::Cause => "cause",
        Role::WithOthers => "cause with others",
        Role::Companion => "companion",
        Role::NoEffect => "no effect",
        Role::Undecided(_) => "not decided",
    }
}

/// Why it is not known whether a change shows; of one that shows by itself nowhere, why the tables are not proven equal.
fn reason_text(diff: &Diff, role: &Role) -> Option<String> {
    let why = match role {
        Role::Undecided(why) => why.as_ref(),
        Role::Companion => Some(diff.unproved()?),
        Role::Cause | Role::WithOthers | Role::NoEffect => return None,
    };
    let tried = "no input was found that shows it, and it is not proven that there is none";
    Some(why.map_or_else(|| tried.to_owned(), |why| format!("not proven: {why}")))
}

fn witness_row(witness: &Witness) -> WitnessRow {
    WitnessRow {
        differs: kind_name(witness.kind),
        start: witness.setup.clone(),
        input: witness.input.clone(),
        arms: witness.labels.clone(),
        outputs: witness
            .outputs
            .each_ref()
            .map(|output| wording::output(output, witness.kind)),
    }
}

impl Report {
    /// The report of a comparison.
    pub fn new(diff: &Diff) -> Self {
        let behaviour = diff.behaviour.as_ref();
        let causes = behaviour.map_or(&[][..], |behaviour| &behaviour.causes);
        let structure = &diff.structure;
        let none = behaviour.map(|_| StatusText {
            text: "a matter of the vocabulary, not of an input".to_owned(),
            witness: None,
        });
        fn rows<R: Clone>(rows: &[R], status: Option<&StatusText>) -> Vec<Row<R>> {
            let row = |row: &R| Row {
                row: row.clone(),
                shown_by: None,
                status: status.cloned(),
            };
            rows.iter().map(row).collect()
        }
        let mut only = rows(&structure.only, none.as_ref());
        for state in &mut only {
            state.row.table.clone_from(&diff.names[state.side]);
        }
        let mut arms = rows(&structure.arms, none.as_ref());
        let mut others = rows(&diff.tables, none.as_ref());
        for cause in causes {
            let reason = reason_text(diff, &cause.role).map(|reason| format!(": {reason}"));
            let text = format!("{}{}", role_name(&cause.role), reason.unwrap_or_default());
            let status = |own: Option<usize>| {
                let witness = own.or_else(|| cause.examples.first().copied());
                Some(StatusText {
                    text: text.clone(),
                    witness: witness.map(|index| index + 1),
                })
            };
            for (at, &row) in cause.arms.iter().enumerate() {
                let own = cause.through.get(at).copied().flatten();
                arms[row].status = status(own);
                arms[row].shown_by = own.map(|index| index + 1);
            }
            for (at, &row) in cause.only.iter().enumerate() {
                only[row].status = status(cause.passing.get(at).and_then(|it| it.first().copied()));
            }
            for &row in &cause.tables {
                others[row].status = status(None);
            }
        }
        let witnesses = behaviour.into_iter().flat_map(|b| &b.searched.witnesses);
        let counts = counts(diff);
        let are_decided = counts.not_decided == 0;
        Self {
            tables: diff.names.clone(),
            own_names: diff.own_names.clone(),
            titles: diff.titles.clone(),
            verdict: match behaviour {
                None => "structure only",
                Some(_) if diff.differs() => "different",
                Some(_) if diff.proven_equal() => "proven equal",
                Some(_) => "no difference found",
            },
            unproved: diff.unproved().cloned(),
            compared: [
                "tokens",
                match diff.compared {
                    ErrorComparison::Codes => "error codes",
                    ErrorComparison::Presence => "presence of errors",
                },
                "positions",
            ],
            counts,
            search: behaviour.map(|b| Search {
                closed: b.searched.closed() && are_decided,
                situations: b.searched.situations,
                length: b.searched.length,
                unknown: unknown(&b.searched),
            }),
            causes: cause_rows(diff, causes),
            witnesses: witnesses.map(witness_row).collect(),
            only,
            renamed: structure.renamed.clone(),
            arms,
            others,
            errors: diff.compared,
            legend: diff.legend.clone(),
            terms: [None, None],
        }
    }
}

/// Why a search did not finish, and how often it met that.
fn unknown(searched: &Searched) -> Vec<(String, usize)> {
    let gaps = searched.unknown.iter();
    let gaps = gaps.map(|unknown| (unknown.gap.to_string(), unknown.times));
    gaps.collect()
}

fn counts(diff: &Diff) -> Counts {
    let structure = &diff.structure;
    let on_side = |side| {
        structure
            .only
            .iter()
            .filter(|state| state.side == side)
            .count()
    };
    let mut counts = Counts {
        common_states: structure.common,
        only: [on_side(0), on_side(1)],
        renamed: structure.renamed.len(),
        arms: structure.arms.len(),
        others: diff.tables.len(),
        ..Counts::default()
    };
    let causes = diff
        .behaviour
        .iter()
        .flat_map(|behaviour| &behaviour.causes);
    for cause in causes {
        counts.changes += 1;
        counts.with_others += usize::from(cause.role == Role::WithOthers);
        match (&cause.role, cause.kind) {
            (Role::Companion, _) => counts.companions += 1,
            (Role::NoEffect, _) => counts.proven += 1,
            (Role::Undecided(_), _) => counts.not_decided += 1,
            (Role::Cause | Role::WithOthers, kind) => match kind {
                Some(Kind::Tokens) => counts.tokens += 1,
                Some(Kind::Errors) => counts.errors += 1,
                Some(Kind::Positions) | None => counts.positions += 1,
            },
        }
    }
    counts.witnessed = counts.tokens + counts.errors + counts.positions;
    counts
}

/// All changes. Those that make the same edit are shown with the first of them.
fn cause_rows(diff: &Diff, causes: &[Cause]) -> Vec<CauseRow> {
    let numbers = |all: &[usize]| all.iter().map(|index| index + 1).collect();
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let rows = (1..).zip(causes).map(|(number, cause)| {
        let shown = matches!(cause.role, Role::Cause | Role::WithOthers);
        let edit = edit(diff, cause).filter(|_| shown);
        let first = edit.map(|edit| *first.entry(edit).or_insert(number));
        CauseRow {
            role: role_name(&cause.role),
            differs: cause.kind.map(kind_name),
            reason: reason_text(diff, &cause.role),
            is_cut: cause.is_cut,
            examples: numbers(&cause.examples),
            arms: numbers(&cause.arms),
            only: numbers(&cause.only),
            others: numbers(&cause.tables),
            passing: numbers(&cause.passing.concat()),
            shown_with: first.filter(|first| *first != number),
        }
    });
    rows.collect()
}

/// The edit that a change makes, if others may make it too: what a rule does no longer and what it does in addition, which
/// characters fall under another rule, or which list has another row.
fn edit(diff: &Diff, cause: &Cause) -> Option<String> {
    let arms: Vec<&ArmRow> = cause
        .arms
        .iter()
        .map(|&it| &diff.structure.arms[it])
        .collect();
    let rows: Vec<&TableRow> = cause.tables.iter().map(|&it| &diff.tables[it]).collect();
    match (&arms[..], &rows[..]) {
        ([arm], []) if arm.moved.is_some() => Some(format!("{} {:?}", arm.on, arm.moved)),
        ([arm], []) => {
            let lines = arm.cases.each_ref().map(|cases| {
                let lines = cases
                    .iter()
                    .map(|case| [case.when.clone(), case.steps()].concat());
                lines.collect::<Vec<_>>()
            });
            let own = [0, 1].map(|side| {
                let theirs = lines[1 - side].concat();
                let lines = lines[side].iter();
                let lines = lines.flat_map(|own| wording::beside(own, &theirs, diff.compared));
                let own = lines.filter(|(_, both)| !both).map(|(line, _)| line);
                own.collect::<BTreeSet<&str>>()
            });
            (own != [BTreeSet::new(), BTreeSet::new()]).then(|| format!("{own:?}"))
        }
        ([], [row]) => match row.part {
            // A new name and another meaning of a name are not the same.
            Part::References => Some(format!("{} {}", row.part.name(), row.sides[0].is_empty())),
            Part::Numbers | Part::Elements => Some(format!("{} {:?}", row.part.name(), row.sides)),
            _ => None,
        },
        _ => None,
    }
}
