//! What is known about a machine without generating code: an interpreter that runs it (the executable
//! reference), its output in the form of html5lib-tests, and the batch protocol.

pub mod cover;
pub mod diff;
pub mod engine;
mod escapes;
pub mod graph;
pub mod html5lib;
pub mod interpreter;
pub mod jsonl;
pub mod position;
mod say;
pub mod starts;
pub mod survey;
pub mod text;
pub mod token;
pub mod trace;
pub mod tree;
mod walk;
mod ways;
