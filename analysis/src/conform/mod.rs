//! Tokenizers and tree builders of others beside a table: which arms they do not do as the table says.
//!
//! [`inputs`] makes inputs that reach every arm. [`run`] sends each to a [`Foreign`] tokenizer in the form of the batch protocol
//! ([`jsonl`](crate::jsonl)), compares the answer with what the interpreter does, and blames one arm for each deviation.

mod answer;
mod arms;
mod asking;
mod blame;
mod closing;
mod input;
mod judge;
mod random;
mod report;
mod run;
mod text;
mod trees;

pub use answer::Shown;
pub use asking::Foreign;
pub use blame::Difference;
pub use input::{Input, Source, inputs};
pub use report::{Deviation, Example, Inputs, Report, TreeExample};
pub use run::{Progress, run};
pub use text::{Shows, text};
pub use trees::{TreeInput, run_trees, tree_inputs};
