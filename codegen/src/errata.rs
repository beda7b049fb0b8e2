//! What a table says of its text: where it is ambiguous or has a slip, what no table can hold, and under which terms it
//! may be quoted.

use crate::written::{Entry, Procedure, State, Table};

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

/// Under which terms a text may be quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Where the text is published.
    pub link: String,
    /// Whose words they are, and the licence.
    pub licence: String,
    /// Where the licence is published.
    pub licence_link: String,
    /// The first section that may be quoted.
    pub from: Option<String>,
}

/// The file of the text, and under which terms it may be quoted.
pub(crate) fn text(table: &Table) -> (Option<String>, Option<Terms>) {
    let of = |key: &str| {
        let mut pairs = table.text.iter();
        pairs.find_map(|(name, value)| (name.text == key).then(|| value.text.clone()))
    };
    let terms = || {
        Some(Terms {
            link: of("link")?,
            licence: of("licence")?,
            licence_link: of("licence link")?,
            from: of("quoted from"),
        })
    };
    (of("file"), terms())
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
