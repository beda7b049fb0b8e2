//! The table as people read it: for documentation, diagrams and audits.

use crate::written::{Body, Entry, Procedure, State, Step, Steps, Table};

/// The states as written, procedures last.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Outline {
    /// In the order of the table.
    pub states: Vec<WrittenState>,
}

/// One state as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenState {
    /// Its name.
    pub name: String,
    /// The procedure it belongs to.
    pub procedure: Option<String>,
    /// Its blocks: `first`, `consume`, `leaving`, ...
    pub blocks: Vec<WrittenBlock>,
}

/// One block of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenBlock {
    /// The guards of the state-level branches it is in, outermost first.
    pub branches: Vec<String>,
    /// `consume`, `look ahead`, `steps`, ...
    pub key: String,
    /// Key and phrases of each arm; one with an empty key for a list of steps.
    pub arms: Vec<(String, Vec<WrittenStep>)>,
}

/// A phrase or a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenStep {
    /// A phrase.
    Phrase(String),
    /// `if GUARD` or `otherwise`, and its steps.
    Branch(String, Vec<WrittenStep>),
}

/// A remark on a place where the text is ambiguous or has a slip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erratum {
    /// The procedure of the state.
    pub procedure: Option<String>,
    /// The state; `None` when it concerns a key of the table.
    pub state: Option<String>,
    /// The key of an arm, `state`, or another key, as written.
    pub key: String,
    /// What is written.
    pub says: String,
    /// What is to be read in its place, if that can be said in the text's words.
    pub reads: Option<String>,
    /// What the table does.
    pub does: String,
    /// Why.
    pub why: String,
}

pub(crate) fn outline(table: &Table) -> Outline {
    let states = all_states(table)
        .map(|(procedure, state)| WrittenState {
            name: state.name.text.clone(),
            procedure,
            blocks: blocks(state),
        })
        .collect();
    Outline { states }
}

pub(crate) fn errata(table: &Table) -> Vec<Erratum> {
    let text =
        |t: &Option<crate::written::Text>| t.as_ref().map(|t| t.text.clone()).unwrap_or_default();
    let one =
        |procedure, state, (key, erratum): &(crate::written::Text, crate::written::Erratum)| {
            Erratum {
                procedure,
                state,
                key: key.text.clone(),
                says: text(&erratum.says),
                reads: erratum.reads.as_ref().map(|reads| reads.text.clone()),
                does: text(&erratum.does),
                why: text(&erratum.why),
            }
        };
    let of_states = all_states(table).flat_map(|(procedure, state)| {
        state
            .errata
            .iter()
            .map(move |erratum| one(procedure.clone(), Some(state.name.text.clone()), erratum))
    });
    let of_table = table.errata.iter().map(|erratum| one(None, None, erratum));
    of_table.chain(of_states).collect()
}

/// Sentences of the text that no table can hold: how they begin, and why.
pub(crate) fn remarks(table: &Table) -> Vec<(String, String)> {
    let remarks = table.remarks.iter();
    let of = remarks.filter_map(|entry| Some((entry.name.text.clone(), entry.value.as_ref()?)));
    of.map(|(begins, why)| (begins, why.text.clone())).collect()
}

fn all_states(table: &Table) -> impl Iterator<Item = (Option<String>, &State)> {
    let of_procedures = |entry: &'_ Entry<Procedure>| match &entry.value {
        Some(Procedure::States { .. }) => Some(entry.name.text.clone()),
        _ => None,
    };
    let own = table.states.iter().map(|state| (None, state));
    let procedures = table.procedures.iter().flat_map(move |entry| {
        let name = of_procedures(entry);
        let states = match &entry.value {
            Some(Procedure::States { states, .. }) => states.as_slice(),
            _ => &[],
        };
        states.iter().map(move |state| (name.clone(), state))
    });
    own.chain(procedures)
}

fn blocks(state: &State) -> Vec<WrittenBlock> {
    let mut list = Vec::new();
    let block = |key: &str, steps: &Steps| WrittenBlock {
        branches: Vec::new(),
        key: key.to_owned(),
        arms: vec![(String::new(), written_steps(steps))],
    };
    list.extend(state.first.iter().map(|steps| block("first", steps)));
    if let Some(body) = &state.body {
        body_blocks(body, &[], &mut list);
    }
    list.extend(state.leaving.iter().map(|steps| block("leaving", steps)));
    list
}

fn body_blocks(body: &Body, branches: &[String], list: &mut Vec<WrittenBlock>) {
    let (key, arms) = match body {
        Body::Consume(arms) => ("consume", arms),
        Body::LookAhead(arms) => ("look ahead", arms),
        Body::Match { arms, .. } => ("match a named character reference", arms),
        Body::Steps(steps) => {
            list.push(WrittenBlock {
                branches: branches.to_vec(),
                key: "steps".to_owned(),
                arms: vec![(String::new(), written_steps(steps))],
            });
            return;
        }
        Body::Branches(inner) => {
            for (branch, body) in inner {
                let mut within = branches.to_vec();
                within.push(branch.key.text.clone());
                body_blocks(body, &within, list);
            }
            return;
        }
    };
    list.push(WrittenBlock {
        branches: branches.to_vec(),
        key: key.to_owned(),
        arms: arms
            .iter()
            .map(|arm| (arm.key.text.clone(), written_steps(&arm.steps)))
            .collect(),
    });
}

fn written_steps(steps: &Steps) -> Vec<WrittenStep> {
    let one = |step: &Step| match step {
        Step::Phrase(text) => Some(WrittenStep::Phrase(text.text.clone())),
        Step::Branch(branch, steps) => {
            let key = branch.key.text.clone();
            Some(WrittenStep::Branch(key, written_steps(steps)))
        }
        Step::Fault => None,
    };
    steps.list.iter().filter_map(one).collect()
}
