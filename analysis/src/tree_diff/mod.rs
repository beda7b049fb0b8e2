//! Two tables of tree construction compared: what they say differently, by arm, and for each change a short document from which
//! they build different trees. The search only finds: where it finds nothing, nothing is proven.

mod aim;
mod alike;
mod changes;
mod errata;
mod hybrid;
mod page;
mod pieces;
mod search;
mod sides;
mod ways;
mod witness;

use speclex_codegen::tree::TreeErratum;

pub use changes::{Change, changes};
pub use page::{markdown, text};
pub(crate) use pieces::of_table as pieces_of_table;
pub(crate) use search::search_from;
pub use search::{Progress, search};
pub use sides::{Load, Side};
pub(crate) use ways::Ways;
pub(crate) use witness::CONTEXTS;
pub use witness::{Outcome, Witness};

/// What two tables say differently, and what shows it.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The names and titles of the tables.
    pub tables: [(String, String); 2],
    /// Each change, and a document that shows it, if one was found.
    pub changes: Vec<(Change, Option<Witness>)>,
    /// The errata that differ: what each is about, and its lines in each table.
    pub errata: Vec<(String, Vec<String>, Vec<String>)>,
}

/// Compares two tables with their tokenizers and errata. `load` loads the text of a table that extends the first or second one.
pub fn compare(
    sides: [Side<'_>; 2],
    errata: [&[TreeErratum]; 2],
    load: Load<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Comparison {
    let found = changes(sides[0].tree, sides[1].tree);
    let witnesses = search(sides, &found, load, progress);
    Comparison {
        tables: sides.map(|side| (side.tree.name.clone(), side.tree.title.clone())),
        changes: found.into_iter().zip(witnesses).collect(),
        errata: errata::differing(errata),
    }
}
