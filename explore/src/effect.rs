//! What a change of a table does: short inputs that show it, or that it is proven to do nothing.

use serde::Serialize;
use speclex_analysis::diff::{self, Report};
use speclex_analysis::tree_diff::{self, Side};
use speclex_codegen::Either;
use speclex_codegen::files::FoundTree;

use crate::case::Table;
use crate::examples::{Example, of_states, of_trees};
use crate::library::{Library, Refused};

/// What a change does.
#[derive(Clone, Debug, Serialize)]
pub struct Effect {
    /// In a sentence.
    pub verdict: String,
    /// Inputs that show it, each with what it shows.
    pub examples: Vec<Example>,
}

/// How far a search is: so many of so many.
pub type Progress<'p> = dyn FnMut(usize, usize) + 'p;

/// Compares two tables of one language.
pub(crate) fn effect(
    library: &Library,
    tables: [&Table; 2],
    progress: &mut Progress<'_>,
) -> Result<Effect, Refused> {
    let [one, other] = [library.load(tables[0])?, library.load(tables[1])?];
    match (&*one, &*other) {
        (Either::States(one), Either::States(other)) => {
            let machines = [&one.loaded.machine, &other.loaded.machine];
            let diff = diff::compare_telling(machines[0], machines[1], true, progress);
            let report = Report::new(&diff);
            let examples = of_states(&report);
            let verdict = match report.verdict {
                "proven equal" => "It is proven that no input shows the change.".to_owned(),
                "different" => format!("The change shows, {}.", count(examples.len())),
                _ => "No input was found that shows the change; that there is none is not proven."
                    .to_owned(),
            };
            Ok(Effect { verdict, examples })
        }
        (Either::Tree(one), Either::Tree(other)) => {
            let found = [&**one, &**other];
            let sides = found.map(|it| Side {
                tokenizer: &it.tokenizer.machine,
                tree: &it.tree.machine,
            });
            let load =
                |changes: &str, side: usize| library.extended(tables[side], found[side], changes);
            let mut told = |it: tree_diff::Progress| progress(it.documents, it.most);
            let errata = found.map(|it: &FoundTree| &it.tree.errata[..]);
            let comparison = tree_diff::compare(sides, errata, &load, &mut told);
            let examples = of_trees(&comparison);
            let all_alike = comparison.changes.iter().all(|(change, _)| change.is_alike);
            let verdict = match (examples.len(), all_alike) {
                (0, true) => {
                    "Both tables do the same, in other words or in another order.".to_owned()
                }
                (0, false) => {
                    "No document was found that shows the change; that proves nothing.".to_owned()
                }
                (many, _) => format!("The change shows, {}.", count(many)),
            };
            Ok(Effect { verdict, examples })
        }
        _ => Err(Refused::Other(
            "One table is of a tokenizer, and the other of tree construction.".to_owned(),
        )),
    }
}

fn count(examples: usize) -> String {
    match examples {
        1 => "in one way".to_owned(),
        many => format!("in {many} ways"),
    }
}
