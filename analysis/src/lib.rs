//! What is known about a machine without generating code: an interpreter that runs it (the executable
//! reference), its output in the form of html5lib-tests, and the batch protocol.
//!
//! No features.

mod body;
mod character_classes;
pub mod conform;
pub mod cover;
pub mod diff;
pub mod document_order;
pub mod engine;
pub mod entry_states;
mod error_comparison;
pub mod graph;
pub mod html5lib;
pub mod interpreter;
mod json_escapes;
pub mod jsonl;
mod paths;
pub mod position;
pub mod prove;
mod renumber;
mod spelling;
pub mod survey;
#[doc(hidden)]
pub mod testing;
pub mod text;
pub mod token;
pub mod token_stream;
pub mod token_text;
pub mod trace;
pub mod tree;
pub mod tree_cover;
pub mod tree_diff;
