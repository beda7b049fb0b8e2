//! Tables checked, lowered and emitted, as other crates see it: one program, which is linked once.

mod analyses;
mod budget;
mod diagnostics;
mod facts;
mod files;
mod layout;
mod lowering;
mod output;
mod reference;
mod references;
mod robustness;
mod schema;
mod sets;
mod slips;
mod support;
mod tree;
mod vocabulary;
mod words;
mod yaml;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
