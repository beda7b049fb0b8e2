//! A comparison as data: what JSON, text and HTML are made of. `docs/diffing.md` describes it.

use serde::Serialize;

use super::errors::ErrorComparison;
use super::product::Kind;
use super::replay::Setup;
use super::verdict::{Behaviour, Diff, Status};
use super::witness::{Searched, Witness};
use super::wording;

/// A comparison.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The names of the tables.
    pub tables: [String; 2],
    /// Their titles.
    pub titles: [String; 2],
    /// `proven equal`, `different`, `no difference found`, or `structure only`.
    pub verdict: &'static str,
    /// On what the two were compared: `tokens`, `error codes` or `presence of errors`, `positions`.
    pub compared: [&'static str; 3],
    /// How many of what.
    pub counts: Counts,
    /// What the search covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<Search>,
    /// Inputs that show differences; the first one for each cause.
    pub witnesses: Vec<WitnessRow>,
    /// States of one table only.
    pub only: Vec<OnlyRow>,
    /// States with two names.
    pub renamed: Vec<[String; 2]>,
    /// Arms that differ.
    pub arms: Vec<ArmsRow>,
    /// Differences outside the states.
    pub others: Vec<OtherRow>,
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
    /// Causes that change tokens.
    pub tokens: usize,
    /// Causes that only change errors.
    pub errors: usize,
    /// Causes that only change positions.
    pub positions: usize,
    /// Structural differences with a witness.
    pub witnessed: usize,
    /// Structural differences that were proven not to show.
    pub proven: usize,
    /// Structural differences that were proven to begin no difference.
    pub begin_none: usize,
    /// Structural differences without a witness with which a difference may begin.
    pub not_decided: usize,
    /// Structural differences for which no witness was found.
    pub not_found: usize,
}

/// What a search covered.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Search {
    /// Whether nothing was left out.
    pub closed: bool,
    /// Situations of both machines side by side.
    pub situations: usize,
    /// All inputs up to this length were tried.
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
    pub start: Start,
    /// The input.
    pub input: String,
    /// The arms at fault.
    pub arms: [String; 2],
    /// What comes out on each side: tokens, then errors, a line each.
    pub outputs: [Vec<String>; 2],
}

/// What an input starts with.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Start {
    /// The content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The last start tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_start_tag: Option<String>,
    /// Whether questions are answered with yes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub answer: bool,
}

/// A state of one side.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OnlyRow {
    /// The table.
    pub table: String,
    /// The state.
    pub state: String,
    /// Its section.
    pub section: String,
    /// The other table's state that it is like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split_from: Option<String>,
    /// Whether it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<StatusText>,
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

/// Arms that differ.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArmsRow {
    /// The states.
    pub states: [String; 2],
    /// Their sections.
    pub sections: [String; 2],
    /// The input.
    pub on: String,
    /// What each side does: a line for each case.
    pub sides: [Vec<String>; 2],
    /// Whether it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<StatusText>,
}

/// A difference outside the states.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OtherRow {
    /// Which part of the table.
    pub part: &'static str,
    /// What it is about.
    pub what: String,
    /// What each side says.
    pub sides: [String; 2],
    /// Whether it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<StatusText>,
}

/// What differs, in a word.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Tokens => "tokens",
        Kind::Errors => "errors",
        Kind::Positions => "positions",
    }
}

fn status_text(status: Status) -> StatusText {
    let (text, witness) = match status {
        Status::Shows(index) => ("witness found".to_owned(), Some(index + 1)),
        Status::Behind(index) => (
            "witness found, behind another difference that shows first".to_owned(),
            Some(index + 1),
        ),
        Status::Proven => ("proven not to show".to_owned(), None),
        Status::BeginsNone => ("proven to begin no difference".to_owned(), None),
        Status::Undecided => (
            "not decided: not all that follows from it was looked at".to_owned(),
            None,
        ),
        Status::NotFound(length) => (format!("not found up to length {length}"), None),
        Status::Declared => (
            "a matter of the vocabulary, not of an input".to_owned(),
            None,
        ),
    };
    StatusText { text, witness }
}

fn start_row(setup: &Setup) -> Start {
    Start {
        content: setup.content.clone(),
        last_start_tag: setup.last_start_tag.clone(),
        answer: setup.answer,
    }
}

fn witness_row(witness: &Witness) -> WitnessRow {
    WitnessRow {
        differs: kind_name(witness.kind),
        start: start_row(&witness.setup),
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
        let status = |list: fn(&Behaviour) -> &Vec<Status>, index: usize| {
            behaviour
                .and_then(|b| list(b).get(index))
                .map(|status| status_text(*status))
        };
        let structure = &diff.structure;
        let only = structure
            .only
            .iter()
            .enumerate()
            .map(|(index, state)| OnlyRow {
                table: diff.names[state.side].clone(),
                state: state.name.clone(),
                section: state.section.clone(),
                split_from: state.split_from.clone(),
                status: status(|b| &b.only, index),
            });
        let arms = structure
            .arms
            .iter()
            .enumerate()
            .map(|(index, row)| ArmsRow {
                states: row.states.clone(),
                sections: row.sections.clone(),
                on: row.on.clone(),
                sides: row
                    .cases
                    .each_ref()
                    .map(|cases| cases.iter().map(wording::case_line).collect()),
                status: status(|b| &b.arms, index),
            });
        let others = diff.tables.iter().enumerate().map(|(index, row)| OtherRow {
            part: row.part.name(),
            what: row.what.clone(),
            sides: row.sides.clone(),
            status: status(|b| &b.tables, index),
        });
        let witnesses = behaviour.into_iter().flat_map(|b| &b.searched.witnesses);
        Self {
            tables: diff.names.clone(),
            titles: diff.titles.clone(),
            verdict: match behaviour {
                None => "structure only",
                Some(_) if diff.differs() => "different",
                Some(_) if diff.proven_equal() => "proven equal",
                Some(_) => "no difference found",
            },
            compared: [
                "tokens",
                match diff.compared {
                    ErrorComparison::Codes => "error codes",
                    ErrorComparison::Presence => "presence of errors",
                },
                "positions",
            ],
            counts: counts(diff),
            search: behaviour.map(|b| Search {
                closed: b.searched.closed(),
                situations: b.searched.situations,
                length: b.searched.length,
                unknown: unknown(&b.searched),
            }),
            witnesses: witnesses.map(witness_row).collect(),
            only: only.collect(),
            renamed: structure
                .renamed
                .iter()
                .map(|renamed| renamed.names.clone())
                .collect(),
            arms: arms.collect(),
            others: others.collect(),
        }
    }
}

/// Why a search is no proof, and how often it met that.
fn unknown(searched: &Searched) -> Vec<(String, usize)> {
    let gaps = searched.unknown.iter();
    let gaps = gaps.map(|unknown| (unknown.gap.to_string(), unknown.times));
    let unconfirmed = "the search met a difference that the inputs it tried do not show";
    let unconfirmed = (unconfirmed.to_owned(), searched.unconfirmed);
    let unconfirmed = [unconfirmed].into_iter().filter(|(_, times)| *times > 0);
    gaps.chain(unconfirmed).collect()
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
    let Some(behaviour) = &diff.behaviour else {
        return counts;
    };
    for witness in behaviour.searched.witnesses.iter().take(behaviour.causes) {
        match witness.kind {
            Kind::Tokens => counts.tokens += 1,
            Kind::Errors => counts.errors += 1,
            Kind::Positions => counts.positions += 1,
        }
    }
    for status in behaviour
        .arms
        .iter()
        .chain(&behaviour.only)
        .chain(&behaviour.tables)
    {
        match status {
            Status::Shows(_) | Status::Behind(_) => counts.witnessed += 1,
            Status::Proven => counts.proven += 1,
            Status::BeginsNone => counts.begin_none += 1,
            Status::Undecided => counts.not_decided += 1,
            Status::NotFound(_) => counts.not_found += 1,
            Status::Declared => {}
        }
    }
    counts
}
