//! What the tests share: where test data is, seeded random numbers, tables by name.

/// The code in the pages compiles and does what it says.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../docs/pages.md")]
mod pages {}

pub mod alphabet;
pub mod cases;
mod data;
pub mod each_text;
pub mod fuzz;
pub mod mutations;
pub mod outside;
#[cfg(feature = "fuzz")]
pub mod prove;
pub mod published_arms;
pub mod published_prose;
pub mod random;
pub mod random_documents;
pub mod refactorings;
pub mod revision;
pub mod runs;
pub mod side_by_side;
pub mod splits;
pub mod test_lines;
pub mod tree_cases;
pub mod xml5lib;

pub use data::{SHARED, files, shared, workspace};
