//! Tree construction: what generated builders are made of, and the sink that receives their trees.

mod element;
mod list;
mod names;
mod ordered;
mod sink;
mod stack;

pub use element::{Element, Type};
pub use list::{Entry, List, Position};
pub use names::{Name, NameTable, Names, Space};
pub use sink::{
    AttributeName, Doctype, ElementName, HostAnswer, Place, TagAttributes, Text, TreeError,
    TreeSink,
};
pub use stack::{ScopeEnds, Stack};
