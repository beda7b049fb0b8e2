//! Short documents for all that a table of tree construction says: one that reaches each arm, step and answer to a question, and
//! one that notices if a step, an answer or a member of a list were another.
//!
//! The documents are those of the search of [`tree_diff`](crate::tree_diff), for tables with one change.

mod items;
mod mutants;
mod search;
mod suite;
mod unreached;

pub use items::{Item, Kind, items};
pub use search::{Found, Progress, Test, measure, search};
pub use suite::{is_suite, write};
pub use unreached::{Unreached, unreached};
