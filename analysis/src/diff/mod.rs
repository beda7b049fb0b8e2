//! What is different between two tables, where it shows, and short inputs that show it.
//!
//! [`compare`] has two parts. The *structure* compares the tables state by state and arm by arm. The *search*
//! runs both machines side by side on all inputs at once, as far as they can be told apart: a situation is
//! what both remember without the letters that neither looks at (module `key`). When no new situation is
//! left, what was not found is not there; what the search did not follow is counted and said. Every witness
//! is an input that was run in the interpreter.

mod arms;
mod base;
mod beyond;
mod causes;
mod choices;
mod documents;
mod facts;
mod first_difference;
mod flow;
mod gap;
mod hybrid;
mod key;
mod legend;
mod liveness;
mod matching;
mod outside;
mod page;
mod passage;
mod product;
mod render;
mod replay;
mod report;
mod runner;
mod search;
mod structure;
mod trial;
mod union;
mod verdict;
mod witness;
mod wording;

pub use crate::error_comparison::ErrorComparison;
pub use crate::paths::ArmIndex;
pub use arms::Case;
pub use causes::{Cause, Reason, Role};
pub use documents::{Blame, Blamed, Finder};
#[doc(hidden)]
pub use first_difference::{Neighbours, first_difference, reference_difference};
pub use gap::Gap;
pub use outside::{Part, TableRow};
pub use product::Kind;
pub use render::{Address, cause_text, html, markdown, text};
pub(crate) use replay::first_place;
pub use replay::{Setup, difference};
pub use report::{Report, kind_name};
pub use structure::{ArmRow, OnlyState, Structure};
pub use trial::Examples;
pub use verdict::{Behaviour, Diff, compare, compare_telling};
#[doc(hidden)]
pub use verdict::{searched_twice, without_effect};
pub use witness::{Searched, Unknown, Witness};
pub(crate) use wording::error_line as show_error;
pub(crate) use wording::one_or_both;
pub use wording::token as show_token;
