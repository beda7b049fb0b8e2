//! What the tests share: where test data is, seeded random numbers, tables by name.

/// The code in the pages compiles and does what it says.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../docs/pages.md")]
mod pages {}

/// So does that in the pages of the crates.
#[cfg(doctest)]
#[doc = include_str!("../../codegen/README.md")]
#[doc = include_str!("../../runtime/README.md")]
#[doc = include_str!("../../spec-tables/README.md")]
#[doc = include_str!("../../tokenizers/README.md")]
mod packaged {}

pub mod alphabet;
pub mod between;
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
pub mod xml5lib;

pub use data::{SHARED, files, shared, workspace};
pub use speclex_analysis::html5lib::trees as tree_cases;
