//! `cargo xtask prove`: every single change of every table is planted, and `diff` is asked about it. What it says is
//! checked by other means. See docs/proofs.md.

mod aimed;
mod compiled;
mod planted;
mod refactorings;
mod report;

pub use planted::{Part, Sample, Verdict, parts, prove};
pub use report::{FILE, Summary};
