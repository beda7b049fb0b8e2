//! What a document or fragment is parsed for. The names of the questions of tables stand in this file only.

use super::names::Space;
use super::sink::TagAttributes;

/// Whether scripts run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scripting {
    /// They run.
    Normal,
    /// There is no scripting: `noscript` elements have elements inside.
    #[default]
    Disabled,
    /// They do not run, but `noscript` elements have text inside: `innerHTML`.
    Inert,
    /// They run once they are inserted into a document: `createContextualFragment`.
    Fragment,
}

/// The mode of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DocumentMode {
    /// It has a DOCTYPE of today.
    #[default]
    NoQuirks,
    /// It has one that wants some old rules.
    LimitedQuirks,
    /// It has none, or one that wants all old rules.
    Quirks,
}

impl DocumentMode {
    /// The word of tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoQuirks => "no-quirks",
            Self::LimitedQuirks => "limited-quirks",
            Self::Quirks => "quirks",
        }
    }
}

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

impl Options {
    /// The answer to a question of a table; empty if it is not known.
    #[doc(hidden)]
    pub fn answer(&self, question: &str) -> &'static str {
        match question {
            "the document is an iframe srcdoc document" if self.is_srcdoc => "yes",
            "scripting mode" => match self.scripting {
                Scripting::Normal => "Normal",
                Scripting::Disabled => "Disabled",
                Scripting::Inert => "Inert",
                Scripting::Fragment => "Fragment",
            },
            "scripting flag" => match self.scripting {
                Scripting::Disabled => "disabled",
                Scripting::Normal | Scripting::Inert | Scripting::Fragment => "enabled",
            },
            "context document mode" => self.context_mode.as_str(),
            _ => "",
        }
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
