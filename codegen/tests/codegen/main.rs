//! Tables checked, lowered and emitted, as other crates see it: one program, which is linked once.

mod analyses;
mod budget;
mod diagnostics;
mod files;
mod lowering;
mod reference;
mod robustness;
mod support;
mod tree;
