//! `cargo xtask prove`: every single change of every table is planted, and `diff` is asked about it. What it says is
//! checked by other means. See docs/proofs.md.

mod aimed;
mod compiled;
mod documents;
mod planted;
mod report;
mod trees;
mod verdict;

pub use compiled::compile;
pub use documents::{Documents, comparisons, read};
pub use planted::{Part, Sample, parts, prove};
pub use report::{FILE, Summary};
pub use trees::{Trees, prove_trees};
