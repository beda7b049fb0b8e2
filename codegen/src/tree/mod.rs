//! Tree construction as data: a table of insertion modes beside the table of the tokenizer. `docs/tree-language.md`
//! describes its language.
//!
//! A table is read with the same nodes, steps, rows of phrases and diagnostics as a tokenizer's and becomes a
//! [`TreeMachine`], which is run directly; no code is generated from it.

mod check;
mod effects;
mod extend;
mod keys;
mod load;
mod machine;
mod verify;
mod written;

pub(crate) use check::{GUARDS, PHRASES};
pub(crate) use written::TOP;

pub use load::{LoadedTree, TreeErratum, is_tree, load, tokenizer};
pub use machine::{
    Block, BlockId, Body, BodyId, CHARACTER, Content, END_OF_FILE, Elements, Exit, Guard, Kind,
    Location, Mode, ModeId, Part, Step, TreeMachine, Type, Variable, VariableId,
};
