//! The tables that are compared.

use speclex_codegen::machine::Machine;
use speclex_codegen::tree::TreeMachine;

/// A table with its tokenizer.
#[derive(Clone, Copy, Debug)]
pub struct Side<'m> {
    /// The machine of the tokenizer.
    pub tokenizer: &'m Machine,
    /// The machine of tree construction.
    pub tree: &'m TreeMachine,
}

/// Loads the text of a table that extends one of the two sides.
pub type Load<'l> = &'l dyn Fn(&str, usize) -> Option<TreeMachine>;
