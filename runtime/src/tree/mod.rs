//! Tree construction: what generated builders are made of, and the sink that receives their trees.

mod element;
mod names;
mod sink;

pub use element::{Element, Type};
pub use names::{Name, NameTable, Names, Space};
pub use sink::{
    AttributeName, Doctype, ElementName, HostAnswer, Place, TagAttributes, Text, TreeError,
    TreeSink,
};
