//! Tree construction: what generated builders are made of, and the sink that receives their trees.

mod answers;
mod builder;
mod depth;
mod element;
mod ends;
mod host;
mod list;
mod marks;
mod names;
mod options;
mod ordered;
mod sets;
mod sink;
mod stack;
mod token;

pub use answers::{DocumentMode, Scripting};
pub use host::HtmlHost;
pub(crate) use names::hash;
pub use names::{Name, NameTable, Names, Space};
pub use options::{Context, Options};
pub use sink::{
    AttributeName, Doctype, ElementName, HostAnswer, Place, TagAttributes, Text, TreeError,
    TreeSink,
};

/// What generated builders are made of. Versioned by [`FORMAT`](rt::FORMAT), not by the crate.
#[doc(hidden)]
pub mod rt {
    pub use super::answers::{
        DocumentMode, DocumentMode as ContextDocumentMode, Scripting as ScriptingMode,
        ScriptingFlag,
    };
    pub use super::builder::{
        Builder, Data, Location, Origin, Parts, Rules, is_same, node_of, starts_with_any,
    };
    pub use super::element::{Element, Type};
    pub use super::ends::{Ends, EndsByName, Starts};
    pub use super::list::Position;
    pub use super::marks::Sought;
    pub use super::names::{Name, NameTable, Space};
    pub use super::sets::Sets;
    pub use super::stack::ScopeEnds;
    pub use super::token::{Kind, Token};
    pub use crate::markup::{Content, Doctype};
    pub use crate::scan::Set as ByteSet;

    /// The version of the contract between generated builders and the runtime.
    pub const FORMAT: u32 = 6;

    /// Fails to compile unless generated code and runtime agree on the contract.
    #[track_caller]
    pub const fn assert_format(made_for: u32) {
        assert!(
            made_for == FORMAT,
            "this builder was generated for another version of the `speclex` runtime: run the generator again"
        );
    }
}
