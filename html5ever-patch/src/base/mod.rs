//! What `speclex-html5ever` takes from html5ever.

pub(crate) use markup5ever::*;

pub(crate) mod driver;
pub mod serialize;
pub(crate) mod tokenizer;
pub(crate) mod tree_builder;
