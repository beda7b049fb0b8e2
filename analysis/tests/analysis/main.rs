//! Machines interpreted, traced and compared, as other crates see it: one program, which is linked once.

mod common;
mod interpreter;
mod jsonl;
mod tables;
mod tree;
