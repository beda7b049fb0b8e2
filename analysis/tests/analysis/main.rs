//! Machines interpreted, traced and compared, as other crates see it: one program, which is linked once.

mod common;
mod effects;
mod errors;
mod form;
mod interpreter;
mod jsonl;
mod positions;
mod references;
mod tables;
mod tree;
