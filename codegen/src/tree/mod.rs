//! Tree construction as data: a table of phases beside the table of the tokenizer. `docs/tree-language.md`
//! describes its language.
//!
//! A table is read with the same nodes, steps and diagnostics as a tokenizer's and becomes a
//! [`TreeMachine`], which is run directly; no code is generated from it.

mod check;
mod extend;
mod keys;
mod load;
mod machine;
pub(crate) mod phrase;
mod verify;
mod written;

pub use load::{LoadedTree, TreeErratum, is_tree, load, tokenizer};
pub use machine::{Action, Branch, CHARACTER, END_OF_FILE, Guard, Phase, Place, Step, TreeMachine};
