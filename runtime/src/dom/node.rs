//! How a tree is read.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter;

use crate::span::{ParseError, Span};
use crate::tree::{AttributeName, Doctype, DocumentMode, Space, TreeError};

use super::edges::Edge;
use super::links::{DOCUMENT, NONE, NodeId, What};
use super::{Dom, DomLimit, RawAttribute, copied, span};

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

    /// The HTML elements with a local name, in the order of the document, as [`Node::descendants`] finds them: also copies, which the
    /// parser makes of formatting elements that are closed in the wrong place, but not those in the contents of templates.
    ///
    /// The titles of icons are SVG elements: [`elements_in_all_namespaces`](Self::elements_in_all_namespaces) has them, too.
    pub fn elements<'d>(
        &'d self,
        local: &str,
    ) -> impl Iterator<Item = Node<'d>> + Clone + use<'d, 't> {
        let html = |node: &Node<'_>| node.namespace() == Space::Html;
        self.elements_in_all_namespaces(local).filter(html)
    }

    /// The elements with a local name, be they of HTML, SVG or MathML, in the order of the document.
    pub fn elements_in_all_namespaces<'d>(
        &'d self,
        local: &str,
    ) -> impl Iterator<Item = Node<'d>> + Clone + use<'d, 't> {
        let name = self.names.find(local);
        self.root().descendants().filter(move |node| {
            let what = node.what();
            what.is_element() && Some(what.name()) == name
        })
    }

    /// The title of the document, as scripts read `document.title` ([3.1.5]): the text of the first HTML `title` element, without
    /// white space at both ends, and with one space for any other. `None`: there is no such element.
    ///
    /// [3.1.5]: https://html.spec.whatwg.org/multipage/dom.html#document.title
    pub fn title(&self) -> Option<String> {
        let title = self.elements("title").next()?;
        let text: String = title.children().filter_map(Node::own_text).collect();
        let words: Vec<_> = text.split_ascii_whitespace().collect();
        Some(words.join(" "))
    }

    /// The `head` element, as scripts read `document.head`: the first one in the `html` element.
    pub fn head(&self) -> Option<Node<'_>> {
        self.in_html(&["head"])
    }

    /// The `body` element, or the `frameset` element in its place, as scripts read `document.body`: the first one in the `html` element.
    pub fn body(&self) -> Option<Node<'_>> {
        self.in_html(&["body", "frameset"])
    }

    /// The first child of the `html` element with one of these names.
    fn in_html(&self, names: &[&str]) -> Option<Node<'_>> {
        let html = |node: &Node<'_>| node.namespace() == Space::Html;
        let root = self.document().children().find(|node| node.is_element())?;
        let mut children = root.children().filter(html);
        let named = |node: &Node<'_>| node.name().is_some_and(|name| names.contains(&name));
        (html(&root) && root.is("html")).then(|| children.find(named))?
    }

    /// The input. Spans are places in it.
    pub fn input(&self) -> &str {
        self.strings.input()
    }

    /// What a node is in the input: the text at its [`extent`](Node::extent). `None` if it has none.
    ///
    /// ```
    /// # #[cfg(feature = "parse")] {
    /// let dom = speclex::parse("<ul><li>One &amp; two<li>Three</ul>");
    /// let sources: Vec<_> = dom.elements("li").filter_map(|item| dom.source(item)).collect();
    /// assert_eq!(sources, ["<li>One &amp; two", "<li>Three"]);
    /// # }
    /// ```
    ///
    /// Where text was inserted while the document was parsed, places count that, and it is not in the input: the text is another one.
    pub fn source(&self, node: Node<'_>) -> Option<&str> {
        self.input().get(node.extent()?.range())
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
    /// A reference to an entity of XML whose text is not known: its name.
    EntityReference(&'d str),
}

impl<'d> Node<'d> {
    /// Its number, which [`Dom::node`] takes.
    pub const fn id(self) -> NodeId {
        self.id
    }

    /// The tree in which it is.
    ///
    /// ```
    /// # #[cfg(feature = "parse")]
    /// fn source<'d>(node: speclex::Node<'d>) -> Option<&'d str> {
    ///     node.dom().source(node)
    /// }
    /// ```
    pub const fn dom(self) -> &'d Dom<'d> {
        self.dom
    }

    #[inline]
    fn what(self) -> What {
        self.dom.links.what(self.id.0)
    }

    #[inline]
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
            What::REFERENCE => NodeKind::EntityReference(dom.string(id)),
            What::DOCTYPE => NodeKind::Doctype(dom.doctype(id)),
            What::INSTRUCTION => {
                let (target, data) = dom.instruction(id);
                NodeKind::ProcessingInstruction { target, data }
            }
            _ => NodeKind::Element,
        }
    }

    /// Whether it is an element.
    #[inline]
    pub fn is_element(self) -> bool {
        self.what().is_element()
    }

    /// Whether it is an element with this local name, in any namespace.
    pub fn is(self, local: &str) -> bool {
        self.name() == Some(local)
    }

    /// The local name of an element.
    #[inline]
    pub fn name(self) -> Option<&'d str> {
        let what = self.what();
        what.is_element().then(|| self.dom.names.text(what.name()))
    }

    /// The namespace of an element; none for other nodes.
    #[inline]
    pub fn namespace(self) -> Space {
        match self.what() {
            what if what.is_element() => what.space(),
            _ => Space::None,
        }
    }

    /// The attributes of an element, in the order of its tag.
    #[inline]
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
    #[inline]
    pub fn parent(self) -> Option<Self> {
        self.to(self.dom.links.node(self.id.0).parent)
    }

    /// The first node in it.
    #[inline]
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
    #[inline]
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

    /// The characters of a Text node.
    fn own_text(self) -> Option<&'d str> {
        match self.kind() {
            NodeKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// All characters in it, as `textContent` has them: with those of scripts and styles, and without line breaks for `<br>` or
    /// between paragraphs. Of a Text node its own. It borrows where they are those of one Text node.
    pub fn text(self) -> Cow<'d, str> {
        let nodes = iter::once(self).chain(self.descendants());
        let mut texts = nodes.filter_map(Node::own_text);
        let first = texts.next().unwrap_or_default();
        match texts.next() {
            None => Cow::Borrowed(first),
            Some(second) => {
                Cow::Owned([first, second].into_iter().chain(texts).collect::<String>())
            }
        }
    }

    /// Where its token stands: of an element its start tag. `None` if there is none: for elements that the document implies
    /// and for copies, which have the attributes of a tag that is another element's.
    ///
    /// A Text node may come of texts that do not adjoin: `<table>a<tr>b` has one "ab" before the table. Its span reaches from the first to the
    /// last of them, and has what stands in between.
    pub fn span(self) -> Option<Span> {
        span(self.dom.place(self.id.0))
    }

    /// The node that this one is a copy of. The parser copies formatting elements that are not closed where they should be, and what is in
    /// the selected option into `selectedcontent`. Copies have no [`span`](Self::span); what they are copies of mostly has one, and is no
    /// copy. `None`: it is no copy.
    ///
    /// An end tag is that of the element that it closes: of the written one where it closes that and makes the copies, as in
    /// `<b>1<p>2</b>`; of a copy where only that is open, as in `<p><b>1<p>2</b>`.
    ///
    /// ```
    /// # #[cfg(feature = "parse")] {
    /// let page = "<p><b class=x>One<p>Two</b>";
    /// let dom = speclex::parse(page);
    /// let (written, copy) = (dom.elements("b").next().unwrap(), dom.elements("b").last().unwrap());
    /// assert_eq!((copy.span(), copy.origin()), (None, Some(written)));
    /// assert_eq!(written.origin(), None);
    /// // The tag of each `b`, and its end tag.
    /// let tag = |node: speclex::Node<'_>| node.origin().unwrap_or(node).span().map(|span| &page[span.range()]);
    /// assert_eq!(tag(copy), Some("<b class=x>"));
    /// assert_eq!(copy.end_tag().map(|span| &page[span.range()]), Some("</b>"));
    /// # }
    /// ```
    pub fn origin(self) -> Option<Self> {
        copied(self.dom.place(self.id.0)).and_then(|id| self.to(id))
    }

    /// The places of a Text node's pieces, in the order of its text: places that adjoin are one piece. Most have one, some have several, with tags
    /// between them that the parser ignores, or that stand elsewhere in the tree: text directly in a table, or after `</body>`. Each comes with its
    /// part of the text. Other nodes have none, nor have texts without place, in copies.
    ///
    /// ```
    /// # #[cfg(feature = "parse")] {
    /// let page = "<table>One &amp; <tr>two</table>";
    /// let dom = speclex::parse(page);
    /// let text = dom.body().unwrap().first_child().unwrap();
    /// assert_eq!(text.text(), "One & two");
    /// let pieces: Vec<_> = text.pieces().map(|(span, text)| (&page[span.range()], text)).collect();
    /// assert_eq!(pieces, [("One &amp; ", "One & "), ("two", "two")]);
    /// # }
    /// ```
    pub fn pieces(self) -> impl Iterator<Item = (Span, &'d str)> + Clone + use<'d> {
        let (text, id) = (self.own_text().unwrap_or_default(), self.id.0);
        let gaps = self.dom.gaps_of(id);
        let (first, last) = self.dom.place(id);
        let starts = iter::once((first, 0)).chain(gaps.iter().map(|gap| (gap.end, gap.at)));
        let ends = gaps.iter().map(|gap| (gap.start, gap.at));
        let ends = ends.chain(iter::once((last, text.len() as u32)));
        let pieces = starts
            .zip(ends)
            .filter_map(move |((start, from), (end, to))| {
                Some((span((start, end))?, text.get(from as usize..to as usize)?))
            });
        pieces.filter(move |_| self.what() == What::TEXT)
    }

    /// The place of all of it: of an element from its start tag to its end tag; without end tag, as far as what is in it goes. An element
    /// without start tag starts with what is in it. `None`: neither it nor anything in it has a place.
    ///
    /// What is in a node may stand elsewhere, as text directly in a table, which goes before that. It takes time for all that is in
    /// it, but for elements with both tags.
    ///
    /// ```
    /// # #[cfg(feature = "parse")] {
    /// let page = "<p>One<p>Two <b>three</b>";
    /// let dom = speclex::parse(page);
    /// let extents: Vec<_> = dom.elements("p").filter_map(|p| p.extent()).map(|it| &page[it.range()]).collect();
    /// assert_eq!(extents, ["<p>One", "<p>Two <b>three</b>"]);
    /// # }
    /// ```
    pub fn extent(self) -> Option<Span> {
        let (start, end) = (self.span(), self.end_tag());
        if let (Some(Span { start, .. }), Some(Span { end, .. })) = (start, end) {
            return Some(Span { start, end });
        }
        let inside = self.walk().with_templates().filter_map(Edge::opened);
        let spans = inside
            .flat_map(|node| [node.span(), node.end_tag()])
            .flatten();
        let all = spans.reduce(|one, other| Span {
            start: one.start.min(other.start),
            end: one.end.max(other.end),
        })?;
        Some(Span {
            start: start.map_or(all.start, |tag| tag.start),
            end: end.map_or(all.end, |tag| tag.end),
        })
    }

    /// Where the end tag stands that closes the element, if one with its name does. No end tag is that of two elements. An element that
    /// is closed in another way has none: at the end of what it is in, by a start tag, or by a misplaced end tag that makes copies of
    /// it, as that of `b` in `<b><p></b></p>`. Neither have `html`, `body`, and `form` elements closed before what is in them.
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
    #[inline]
    fn full_name(self) -> AttributeName<'d> {
        self.dom.attribute_names.get(self.raw.name)
    }

    #[inline]
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

    /// Where the value stands, without quotes. `None` if there is none, as in `<input disabled>`, or if it does not stand in the input
    /// as it is: it has character references or line ends that are normalized. It does not depend on where the input is cut.
    ///
    /// Of copies it is the place in the tag of the element that is copied. [`TagParts`](crate::parts::TagParts) has the places of all
    /// names and values, and of quotes, if you give it the text at [`Node::span`].
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
