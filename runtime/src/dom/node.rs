//! How a tree is read.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter;

use crate::span::{ParseError, Span};
use crate::tree::{AttributeName, Doctype, DocumentMode, Space, TreeError};

use super::links::{DOCUMENT, NONE, NodeId, What};
use super::{Dom, DomLimit, RawAttribute, span};

impl<'t> Dom<'t> {
    /// The Document. A fragment has one, too, with an `html` element of its own: see [`root`](Self::root).
    pub fn document(&self) -> Node<'_> {
        self.at(DOCUMENT)
    }

    /// The node whose children are what was parsed: the Document, or where a fragment was parsed the element that holds it.
    pub fn root(&self) -> Node<'_> {
        self.at(self.root)
    }

    /// The node with a number. `None`: it is the number of another tree.
    pub fn node(&self, id: NodeId) -> Option<Node<'_>> {
        ((id.0 as usize) < self.links.nodes.len()).then(|| self.at(id.0))
    }

    /// The elements with a local name, in the order of the document, as [`Node::descendants`] finds them.
    pub fn elements<'d>(
        &'d self,
        local: &str,
    ) -> impl Iterator<Item = Node<'d>> + Clone + use<'d, 't> {
        let name = self.names.find(local);
        self.root().descendants().filter(move |node| {
            let what = node.what();
            what.is_element() && Some(what.name()) == name
        })
    }

    /// The input. Spans are places in it.
    pub fn input(&self) -> &str {
        self.strings.input()
    }

    /// The mode of the document: what its DOCTYPE makes of it.
    pub const fn document_mode(&self) -> DocumentMode {
        self.mode
    }

    /// The parse errors of tree construction, if the sink keeps errors.
    pub fn errors(&self) -> &[TreeError] {
        &self.errors
    }

    /// The parse errors of the tokenizer, if the sink keeps errors.
    pub fn tokenizer_errors(&self) -> &[ParseError] {
        &self.tokenizer_errors
    }

    /// What was too large, so that something is missing.
    pub fn limit(&self) -> Option<DomLimit> {
        let text = self.strings.is_full.then_some(DomLimit::Text);
        self.limit.or(text)
    }

    pub(super) fn at(&self, id: u32) -> Node<'_> {
        Node {
            dom: self,
            id: NodeId(id),
        }
    }
}

/// A node of a [`Dom`]: a reference that is copied like one. No method recurses over the depth of the tree.
#[derive(Clone, Copy)]
pub struct Node<'d> {
    pub(super) dom: &'d Dom<'d>,
    pub(super) id: NodeId,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NodeKind<'d> {
    /// The Document.
    Document,
    /// The contents of a template element, with the nodes that are parsed inside it: [`Node::template_contents`].
    TemplateContents,
    /// A DOCTYPE.
    Doctype(Doctype<'d>),
    /// An element: see [`Node::name`] and [`Node::attributes`].
    Element,
    /// Characters.
    Text(&'d str),
    /// A comment, and what it says.
    Comment(&'d str),
    /// A processing instruction.
    ProcessingInstruction {
        /// The target.
        target: &'d str,
        /// The data.
        data: &'d str,
    },
}

impl<'d> Node<'d> {
    /// Its number, which [`Dom::node`] takes.
    pub const fn id(self) -> NodeId {
        self.id
    }

    fn what(self) -> What {
        self.dom.links.what(self.id.0)
    }

    fn to(self, id: u32) -> Option<Self> {
        (id != NONE).then_some(Self {
            id: NodeId(id),
            ..self
        })
    }

    /// What it is, with its text.
    pub fn kind(self) -> NodeKind<'d> {
        let (dom, id) = (self.dom, self.id.0);
        match self.what() {
            What::DOCUMENT => NodeKind::Document,
            What::CONTENTS => NodeKind::TemplateContents,
            What::TEXT => NodeKind::Text(dom.string(id)),
            What::COMMENT => NodeKind::Comment(dom.string(id)),
            What::DOCTYPE => NodeKind::Doctype(dom.doctype(id)),
            What::INSTRUCTION => {
                let (target, data) = dom.instruction(id);
                NodeKind::ProcessingInstruction { target, data }
            }
            _ => NodeKind::Element,
        }
    }

    /// Whether it is an element.
    pub fn is_element(self) -> bool {
        self.what().is_element()
    }

    /// Whether it is an element with this local name, in any namespace.
    pub fn is(self, local: &str) -> bool {
        self.name() == Some(local)
    }

    /// The local name of an element.
    pub fn name(self) -> Option<&'d str> {
        let what = self.what();
        what.is_element().then(|| self.dom.names.text(what.name()))
    }

    /// The namespace of an element; none for other nodes.
    pub fn namespace(self) -> Space {
        match self.what() {
            what if what.is_element() => what.space(),
            _ => Space::None,
        }
    }

    /// The attributes of an element, in the order of its tag.
    pub fn attributes(self) -> impl ExactSizeIterator<Item = Attribute<'d>> + Clone + use<'d> {
        let dom = self.dom;
        let attributes = dom.raw_attributes(self.id.0).iter();
        attributes.map(move |&raw| Attribute { dom, raw })
    }

    /// The value of an element's attribute, by its name as in the source: `href`, `xlink:href`.
    pub fn attribute(self, name: &str) -> Option<&'d str> {
        let mut attributes = self.attributes();
        let found = attributes.find(|attribute| attribute.is(name))?;
        Some(found.value())
    }

    /// The node in which it is.
    pub fn parent(self) -> Option<Self> {
        self.to(self.dom.links.node(self.id.0).parent)
    }

    /// The first node in it.
    pub fn first_child(self) -> Option<Self> {
        self.to(self.dom.links.first_child(self.id.0)?)
    }

    /// The last node in it.
    pub fn last_child(self) -> Option<Self> {
        self.to(self.dom.links.last_child(self.id.0)?)
    }

    /// The node before it, in the same parent.
    pub fn previous_sibling(self) -> Option<Self> {
        self.to(self.dom.links.node(self.id.0).previous)
    }

    /// The node after it, in the same parent.
    pub fn next_sibling(self) -> Option<Self> {
        self.to(self.dom.links.node(self.id.0).next)
    }

    /// The contents of a template element: what was parsed inside it is in there, and not among its children.
    pub fn template_contents(self) -> Option<Self> {
        self.to(self.dom.links.contents(self.id.0)?)
    }

    /// The nodes immediately in it.
    pub fn children(self) -> impl Iterator<Item = Self> + Clone + use<'d> {
        iter::successors(self.first_child(), |node| node.next_sibling())
    }

    /// The nodes in it, in the order of the document: each before those in it. The contents of templates are not among them.
    pub fn descendants(self) -> impl Iterator<Item = Self> + Clone + use<'d> {
        let root = self.id.0;
        let after = move |node: &Self| node.to(node.dom.links.following(node.id.0, root)?);
        iter::successors(after(&self), after)
    }

    /// The nodes that it is in, the nearest first.
    pub fn ancestors(self) -> impl Iterator<Item = Self> + Clone + use<'d> {
        iter::successors(self.parent(), |node| node.parent())
    }

    /// All characters in it; of a Text node its own. It borrows where they are those of one Text node.
    pub fn text(self) -> Cow<'d, str> {
        let nodes = iter::once(self).chain(self.descendants());
        let mut texts = nodes.filter_map(|node| match node.kind() {
            NodeKind::Text(text) => Some(text),
            _ => None,
        });
        let first = texts.next().unwrap_or_default();
        match texts.next() {
            None => Cow::Borrowed(first),
            Some(second) => {
                Cow::Owned([first, second].into_iter().chain(texts).collect::<String>())
            }
        }
    }

    /// Where its token stands: of an element its start tag. `None` if there is none: for elements that the document implies
    /// and for copies.
    pub fn span(self) -> Option<Span> {
        let node = self.dom.links.node(self.id.0);
        match node.what {
            what if what.is_element() => span(self.dom.tags[node.start as usize].start),
            what if what.has_children() => None,
            _ => span((node.first, node.last)),
        }
    }

    /// Where an element's end tag stands, if it has one.
    pub fn end_tag(self) -> Option<Span> {
        let node = self.dom.links.node(self.id.0);
        let is_element = node.what.is_element();
        span(is_element.then(|| self.dom.tags[node.start as usize].end)?)
    }
}

impl PartialEq for Node<'_> {
    /// Whether both are the same node of the same tree.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && core::ptr::eq(self.dom, other.dom)
    }
}

impl Eq for Node<'_> {}

impl Hash for Node<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name(), self.kind()) {
            (Some(name), _) => write!(f, "<{name}>"),
            (None, kind) => kind.fmt(f),
        }
    }
}

/// An attribute of an element.
#[derive(Clone, Copy)]
pub struct Attribute<'d> {
    dom: &'d Dom<'d>,
    raw: RawAttribute,
}

impl<'d> Attribute<'d> {
    fn full_name(self) -> AttributeName<'d> {
        self.dom.attribute_names.get(self.raw.name)
    }

    fn is(self, name: &str) -> bool {
        let AttributeName { prefix, local, .. } = self.full_name();
        match prefix {
            None => name == local,
            Some(prefix) => name.split_once(':') == Some((prefix, local)),
        }
    }

    /// The local name: `href` of `xlink:href`.
    pub fn name(self) -> &'d str {
        self.full_name().local
    }

    /// The prefix: `xlink` of `xlink:href`. Attributes have none but for a few of SVG and MathML elements.
    pub fn prefix(self) -> Option<&'d str> {
        self.full_name().prefix
    }

    /// The namespace: none but for attributes of SVG and MathML elements that have a prefix.
    pub fn namespace(self) -> Space {
        self.full_name().space
    }

    /// The value.
    pub fn value(self) -> &'d str {
        self.dom.strings.get(self.raw.value)
    }

    /// Where the value stands, without quotes. `None` if it does not stand in the input as it is: it has character references
    /// or line ends that are normalized.
    pub fn value_span(self) -> Option<Span> {
        self.raw.value.span()
    }
}

impl fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(prefix) = self.prefix() {
            write!(f, "{prefix}:")?;
        }
        write!(f, "{}={:?}", self.name(), self.value())
    }
}
