//! What is different between two tables, where it shows, and short inputs that show it.
//!
//! [`compare`] has two parts. The *structure* compares the tables state by state and arm by arm. The *search* runs both tables in the
//! interpreter, from inputs that meet a change (module `base`), and continues an input if the two stand to each other as on no
//! shorter one (module `key`). It only finds: what it did not find may be there nevertheless. That nothing is there says
//! [`prove`](crate::prove::prove).

mod arms;
mod base;
mod causes;
mod choices;
mod documents;
mod edits;
mod facts;
mod first_difference;
mod gap;
mod hybrid;
mod key;
mod legend;
mod matching;
mod model;
mod outside;
mod page;
mod passage;
mod render;
mod replay;
mod report;
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
pub use causes::{Cause, Role};
pub use documents::{Blame, Blamed, Finder};
#[doc(hidden)]
pub use first_difference::{Neighbours, first_difference, reference_difference};
pub use gap::Gap;
pub use outside::{Part, TableRow};
pub use page::examples;
pub use render::{Address, cause_text, markdown, text};
pub use replay::{Kind, Setup, difference};
pub(crate) use replay::{agree, first_place};
pub use report::{Report, WitnessRow, kind_name};
pub use structure::{ArmRow, OnlyState, Structure};
pub use verdict::{Behaviour, Diff, compare, compare_telling};
pub use witness::{Searched, Unknown, Witness};
pub(crate) use wording::error_line as show_error;
pub(crate) use wording::one_or_both;
pub use wording::token as show_token;
