//! Options of a tree builder, and its interface to sinks.

pub use markup5ever::interface::tree_builder::create_element_with_flags;
pub use markup5ever::interface::{
    AppendNode, AppendText, Attribute, ElemName, ElementFlags, LimitedQuirks, NoQuirks, NodeOrText,
    Quirks, QuirksMode, Tracer, TreeSink, create_element,
};

/// Options of a tree builder.
#[derive(Clone, Copy, Debug)]
pub struct TreeBuilderOpts {
    /// Whether parse errors of tree construction say which token was unexpected, and where; no, if nothing else is said.
    pub exact_errors: bool,
    /// Whether there is scripting: then a `noscript` element has text inside. Yes, if nothing else is said.
    pub scripting_enabled: bool,
    /// Whether the document is that of an `iframe` element's `srcdoc` attribute.
    pub iframe_srcdoc: bool,
    /// Whether the DOCTYPE is left out of the tree.
    pub drop_doctype: bool,
    /// The mode of the document in which a fragment's context element is.
    pub quirks_mode: QuirksMode,
}

impl Default for TreeBuilderOpts {
    fn default() -> Self {
        Self {
            exact_errors: false,
            scripting_enabled: true,
            iframe_srcdoc: false,
            drop_doctype: false,
            quirks_mode: NoQuirks,
        }
    }
}
