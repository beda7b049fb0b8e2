//! What a document or fragment is parsed for: the answers to the questions of tables.

use super::answers::{DocumentMode, Scripting, ScriptingFlag};
use super::names::Space;
use super::sink::TagAttributes;

/// What a document or fragment is parsed for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether scripts run; without scripting if nothing else is said.
    pub scripting: Scripting,
    /// The mode of the document in which the context element of a fragment is.
    pub context_mode: DocumentMode,
    /// Whether the document is that of an `iframe` element's `srcdoc` attribute.
    pub is_srcdoc: bool,
    /// How deep the elements may be that have children, where the root element has the depth 1. What is inserted in a deeper one becomes
    /// a child of an open element at this depth, so that nothing is lost and the deepest nodes of the tree are one deeper: with 512
    /// no node has more than 513 ancestors, the Document among them. What is in the contents of a `template` counts
    /// as if it were in the `template`.
    ///
    /// The standard knows no limit, and none is the default. Blink and WebKit do so with [512], but count open elements only:
    /// there `<form><div></form>` makes a tree deeper than that. Where end tags are in the wrong place, elements may be counted
    /// deeper than they are, as they stand on the stack of open elements.
    ///
    /// ```
    /// use speclex::tree::Options;
    ///
    /// let mut options = Options::default();
    /// options.depth = Some(512);
    /// ```
    ///
    /// [512]: https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/html/parser/html_construction_site.cc
    pub depth: Option<usize>,
    /// How many nodes a [`Dom`](crate::Dom) has at most, with the Document, implied elements and the contents of templates. When there would be more,
    /// parsing stops: the tree is that of what comes before, and [`Dom::limit`](crate::Dom::limit) says so.
    ///
    /// ```
    /// # #[cfg(feature = "parse")] {
    /// let mut options = speclex::tree::Options::default();
    /// options.most_nodes = Some(1_000);
    /// let page = "<p>x".repeat(1_000);
    /// let dom = speclex::parse_with(&page, &options);
    /// assert_eq!(dom.limit(), Some(speclex::DomLimit::Nodes));
    /// assert_eq!(dom.document().descendants().count(), 999);
    /// # }
    /// ```
    pub most_nodes: Option<usize>,
    /// How many bytes a [`Dom`](crate::Dom) takes at most beside its input, about. The bytes in use are counted after some nodes, and at least
    /// once for 16 KiB of the text, of which a tag is counted as a whole. While a tree grows, its lists have room for up to twice as
    /// much. When it would take more, parsing stops, as with [`most_nodes`](Self::most_nodes).
    ///
    /// Trees of usual pages take up to twice the length of those, and some the square of it, because of the copies of formatting elements.
    pub most_memory: Option<usize>,
}

/// The answers to the questions of tables, by their names.
#[doc(hidden)]
#[allow(missing_docs)]
impl Options {
    pub const fn scripting_mode(&self) -> Scripting {
        self.scripting
    }

    pub const fn scripting_flag(&self) -> ScriptingFlag {
        match self.scripting {
            Scripting::Disabled => ScriptingFlag::Disabled,
            Scripting::Normal | Scripting::Inert | Scripting::Fragment => ScriptingFlag::Enabled,
        }
    }

    pub const fn context_document_mode(&self) -> DocumentMode {
        self.context_mode
    }

    pub const fn the_document_is_an_iframe_srcdoc_document(&self) -> bool {
        self.is_srcdoc
    }

    pub const fn the_parser_cannot_change_the_mode_flag_is_set(&self) -> bool {
        false
    }

    pub const fn declarative_shadow_roots_are_allowed(&self) -> bool {
        false
    }
}

/// The element for which a fragment is parsed.
#[derive(Clone, Debug)]
pub struct Context<'a, N> {
    /// Its node; none, if the sink is to create one.
    pub node: Option<N>,
    /// Its namespace.
    pub space: Space,
    /// Its local name.
    pub local: &'a str,
    /// Its attributes.
    pub attributes: TagAttributes<'a>,
    /// Its ancestors, the nearest first; a table asks for a `form` element among them.
    pub ancestors: &'a [(Space, &'a str, N)],
}
