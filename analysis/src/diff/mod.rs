//! What is different between two tables, where it shows, and the shortest input that proves it.
//!
//! [`compare`] has two parts. The *structure* compares the tables state by state and arm by arm. The *search*
//! runs both machines side by side on all inputs at once, as far as they can be told apart: a situation is
//! what both remember without the letters that neither looks at (module `key`). When no new situation is
//! left, what was not found is not there; what the search did not follow is counted and said. Every witness
//! is an input that was run in the interpreter.

mod acts;
mod alphabet;
mod cases;
mod cause;
mod choices;
pub(crate) mod codes;
mod facts;
mod found;
mod holds;
mod html;
mod key;
mod key_names;
mod key_parts;
mod liveness;
mod matching;
mod names;
mod outlook;
mod pair;
mod pair_arms;
mod references;
mod replay;
mod report;
mod runner;
mod search;
mod show;
mod side;
mod steps;
mod structure;
mod tables;
mod text;
mod verdict;
mod witness;

pub use cases::Case;
pub use cause::{Cause, Causes};
pub use found::Gap;
pub use html::{Address, html};
pub use pair::Kind;
pub(crate) use replay::first_place;
pub use replay::{Setup, difference};
pub use report::{Report, kind_name};
pub(crate) use show::error_line as show_error;
pub use show::token as show_token;
pub use structure::{ArmRow, OnlyState, Renamed, Structure};
pub use tables::{Part, TableRow};
pub(crate) use text::one_or_both;
pub use text::text;
pub use verdict::{Behaviour, Diff, Status, compare, first_difference};
pub use witness::{Searched, Unknown, Witness};
