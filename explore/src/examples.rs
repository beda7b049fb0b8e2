//! Inputs that show what differs between two tables, each with a sentence: those of the comparisons in `docs/diffs`.

use serde::{Deserialize, Serialize};
use speclex_analysis::diff::{self, Report};
use speclex_analysis::tree_diff::Comparison;

use crate::case::Start;

// `FILES`: what the build script finds in `examples`.
include!(concat!(env!("OUT_DIR"), "/examples.rs"));

/// An input that shows a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// What it shows: `a processing instruction instead of a comment`.
    pub sentence: String,
    /// The input.
    pub input: String,
    /// How it starts.
    pub start: Start,
}

/// One for each change of a tokenizer that shows.
pub fn of_states(report: &Report) -> Vec<Example> {
    let examples = diff::examples(report).into_iter();
    let example = |(sentence, witness): (String, &diff::WitnessRow)| Example {
        sentence,
        input: witness.input.clone(),
        start: Start::from(&witness.start),
    };
    examples.map(example).collect()
}

/// One for each change of tree construction that shows in a tree or in errors.
pub fn of_trees(comparison: &Comparison) -> Vec<Example> {
    let changes = comparison.changes.iter();
    let example = |(change, witness): &(_, Option<_>)| {
        let change: &speclex_analysis::tree_diff::Change = change;
        let witness: &speclex_analysis::tree_diff::Witness = witness.as_ref()?;
        let [before, after] = &witness.outcomes;
        // A host step shows in neither.
        if (&before.tree, &before.errors) == (&after.tree, &after.errors) {
            return None;
        }
        Some(Example {
            sentence: format!("{}: {}", change.place, change.what),
            input: witness.input.clone(),
            start: Start::from(witness),
        })
    };
    changes.filter_map(example).collect()
}

/// Two tables, and the examples of their comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparable {
    /// Their names.
    pub tables: [&'static str; 2],
    /// What differs.
    pub examples: Vec<Example>,
}

/// Those that ship.
pub(crate) fn shipped() -> Vec<Comparable> {
    let files = FILES.iter();
    let read = |(tables, text): &([&'static str; 2], &str)| Comparable {
        tables: *tables,
        // A test reads them all.
        examples: serde_json::from_str(text).unwrap_or_default(),
    };
    files.map(read).collect()
}
