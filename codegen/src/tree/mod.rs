//! Tree construction as data: a table of insertion modes beside the table of the tokenizer. `docs/tree-language.md`
//! describes its language.
//!
//! A table is read with the same nodes, steps and diagnostics as a tokenizer's and becomes a
//! [`machine::TreeMachine`], which `analysis` runs, and [`emit`] prints as a builder.

mod arm_key;
mod check;
mod effects;
pub mod emit;
mod extend;
mod facts;
pub mod find;
mod hosts;
mod keys;
mod limits;
mod load;
pub mod machine;
mod phrase;
pub mod shortcuts;
mod verify;
mod vocabulary;
pub mod ways;
mod written;

pub(crate) use phrase::{looks_like_a_phrase, rows};
pub(crate) use written::{FRAGMENTS, MODE, TOP};

pub use effects::Effects;
pub use load::{LoadedTree, TreeErratum, is_tokenizer, is_tree, load, tokenizer};
pub use machine::TreeMachine;
pub use vocabulary::Vocabulary;
