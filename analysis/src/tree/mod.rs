//! Tree construction: tables run over the tokens of a tokenizer, and what they build.

mod arena;
pub mod builder;
mod dump;
pub mod errors;
mod json;
mod sink;

pub use arena::{Event, Events, Node, NodeId, Tree};
pub use builder::Builder;
pub use sink::{Doctype, TreeError, TreeSink};

use speclex_codegen::tree::TreeMachine;

use crate::token::Output;

/// Builds the tree of a tokenizer's whole output; the errors in it are those of tree construction alone.
///
/// `end` is where the end-of-file token is: the length of the input.
pub fn construct(machine: &TreeMachine, output: &Output, end: u64) -> Tree {
    let mut builder = Builder::new(machine, Tree::default());
    for emitted in &output.tokens {
        builder.token(emitted);
    }
    builder.end(end)
}
