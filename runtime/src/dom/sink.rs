//! The sink that makes a tree.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

#[cfg(feature = "encoding")]
use crate::encoding::Encoding;
use crate::span::{ParseError, Span};
use crate::tree::{
    Doctype, DocumentMode, ElementName, Name, NameTable, Names, Options, Place, Scripting, Space,
    TagAttributes, Text, TreeError, TreeSink,
};

use super::known::{Selected, Watched};
use super::links::{DOCUMENT, Links, NONE, NodeId, Raw, What};
use super::names::AttributeNames;
use super::strings::{Part, Strings};
use super::{AttributeRange, Dom, DomLimit, EXTENDED, NOWHERE, Node, Tags};
use super::{place, place_of_copy};

/// The number of bytes for one node in usual documents.
const USUAL: usize = 24;

/// About how many tags a text has: as many as in a part of it.
fn tags(text: &str) -> usize {
    const EVERY: usize = 8;
    let (stretches, _) = text.as_bytes().as_chunks::<64>();
    let count = |it: &[u8; 64]| it.iter().fold(0, |count, it| count + u8::from(*it == b'<'));
    let counts = stretches.iter().step_by(EVERY).map(count);
    // Text in which most tags are none takes no more room than others.
    (EVERY * counts.map(usize::from).sum::<usize>()).min(text.len() / 16)
}

/// The attributes of a start tag: elements share them.
#[derive(Clone, Copy, Debug)]
pub struct KeptAttributes {
    /// The element that was created for the tag.
    of: u32,
    attributes: AttributeRange,
}

/// What a template element patches: the parent of the markers, the first, and the last if there is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patched {
    pub(super) target: u32,
    pub(super) start: u32,
    pub(super) end: Option<u32>,
}

/// A sink that makes a [`Dom`]. With `ERRORS` it keeps parse errors.
///
/// ```
/// use speclex::tree::{NameTable, Names, Place, Text, TreeSink as _};
/// use speclex::{DomSink, Span};
///
/// // A builder calls its methods with the names of its table.
/// static NAMES: NameTable = NameTable::new(&["html", "head", "body"]);
/// let mut sink = DomSink::<false>::new("<!--hello-->", &NAMES);
/// let end = Place::LastChild(sink.document());
/// sink.insert_comment("hello", Span { start: 0, end: 12 }, &end);
/// let dom = sink.finish();
/// assert_eq!(dom.dump(), "| <!-- hello -->\n");
/// assert_eq!(dom.to_string(), "<!--hello-->");
/// ```
#[derive(Debug)]
pub struct DomSink<'t, const ERRORS: bool = false> {
    pub(super) dom: Dom<'t>,
    /// How many names the builder's table has.
    fixed: u32,
    /// A `template` element.
    template: What,
    /// Elements that are watched.
    pub(super) option: What,
    pub(super) selectedcontent: What,
    /// The names in each extended list of attributes.
    pub(super) extended: Vec<BTreeSet<u32>>,
    pub(super) watched: Watched,
    pub(super) selected: Selected,
    /// The tags of the element that got an end tag last, and where that stands.
    ended: (u32, super::Place),
    /// What the last template element that patches content patches.
    pub(super) patched: Option<Patched>,
    /// Makes hashes that a document cannot foresee.
    seed: u64,
    /// No list and no string is longer.
    pub(super) limit: usize,
    /// There are never more nodes.
    pub(super) most_nodes: usize,
    /// The tree does not use more bytes.
    pub(super) most_memory: usize,
    /// There may be so many nodes until it is looked whether there may be more; 0 if the tree stays as it is.
    pub(super) room: usize,
    /// Whether the parser pauses behind scripts.
    pub(super) pauses_at_scripts: bool,
    /// Where it has.
    pub(super) script: Option<NodeId>,
    /// Whether the parser pauses behind the first `meta` element that declares an encoding.
    #[cfg(feature = "encoding")]
    pub(crate) pauses_at_encoding: bool,
    /// That encoding.
    #[cfg(feature = "encoding")]
    pub(crate) declared_encoding: Option<&'static Encoding>,
}

pub(super) const LIMIT: usize = 1 << 31;

impl<'t, const ERRORS: bool> DomSink<'t, ERRORS> {
    /// A sink for a text in memory, all of which is fed. The names are those of the builder's table.
    pub fn new(text: &'t str, names: &'static NameTable) -> Self {
        Self::with_limit(text, names, LIMIT)
    }

    /// As [`new`](Self::new), and with the limits and the scripting of these options: [`set_limits`](Self::set_limits).
    pub fn with_options(text: &'t str, names: &'static NameTable, options: &Options) -> Self {
        let nodes = options.most_memory.map(|most| most / (2 * USUAL));
        let most = options.most_nodes.into_iter().chain(nodes).min();
        let mut sink = Self::of(
            Strings::of(text, LIMIT),
            names,
            LIMIT,
            most.unwrap_or(LIMIT),
        );
        sink.dom.limit = (text.len() > LIMIT).then_some(DomLimit::Input);
        sink.set_limits(options);
        sink
    }

    pub(super) fn with_limit(text: &'t str, names: &'static NameTable, limit: usize) -> Self {
        let mut sink = Self::of(Strings::of(text, limit), names, limit, limit);
        sink.dom.limit = (text.len() > limit).then_some(DomLimit::Input);
        sink
    }

    /// With room for the usual nodes of the text, but not for more than some.
    fn of(strings: Strings<'t>, names: &'static NameTable, limit: usize, most: usize) -> Self {
        let tags = tags(strings.input()).min(most);
        // Nearly all start tags have end tags, and most tags have text before them.
        let links = Links::new(tags + tags / 2 + 16);
        // Where the system puts it is not known outside.
        let seed = links.nodes.as_ptr().addr() as u64;
        let fixed = names.names().len() as u32;
        let mut all_names = Names::new(names);
        let mut element = |name| {
            let name = all_names.intern(name);
            What::element(Space::Html, name).unwrap_or(What::CONTENTS)
        };
        let [template, option, selectedcontent] =
            ["template", "option", "selectedcontent"].map(&mut element);
        Self {
            dom: Dom {
                strings,
                links,
                tags: Vec::with_capacity(tags * 3 / 5 + 8),
                attributes: Vec::with_capacity(tags * 2 / 3 + 8),
                extended: Vec::new(),
                parts: Vec::new(),
                gaps: Vec::new(),
                names: all_names,
                attribute_names: AttributeNames::new(),
                root: DOCUMENT,
                context: NONE,
                mode: DocumentMode::NoQuirks,
                options: Options::default(),
                limit: None,
                errors: Vec::new(),
                tokenizer_errors: Vec::new(),
            },
            fixed,
            template,
            option,
            selectedcontent,
            extended: Vec::new(),
            watched: Watched::default(),
            selected: Selected::default(),
            ended: (0, NOWHERE),
            patched: None,
            seed,
            limit,
            most_nodes: limit,
            most_memory: usize::MAX,
            room: limit,
            pauses_at_scripts: false,
            script: None,
            #[cfg(feature = "encoding")]
            pauses_at_encoding: false,
            #[cfg(feature = "encoding")]
            declared_encoding: None,
        }
    }

    /// Scripts run in the document: `noscript` elements have text inside, which is serialized as it is.
    pub const fn set_scripting(&mut self, scripting: bool) {
        self.dom.options.scripting = match scripting {
            true => Scripting::Normal,
            false => Scripting::Disabled,
        };
    }

    /// The parser pauses behind each `script` element, of HTML or SVG, that ends with a tag, as browsers do to run it. Then
    /// [`Tokenizer::insert`](crate::Tokenizer::insert) does what `document.write` does.
    ///
    /// Places of nodes count inserted text. Those of attributes' values are always places in [`Dom::input`].
    pub const fn set_pauses_at_scripts(&mut self, pauses: bool) {
        self.pauses_at_scripts = pauses;
    }

    /// The `script` element behind which the parser has paused last.
    pub fn script(&self) -> Option<Node<'_>> {
        self.dom.node(self.script?)
    }

    /// How many elements there is room for.
    pub(super) fn room_for_elements(&self) -> usize {
        self.dom.tags.capacity()
    }

    /// What got too large: some nodes, attributes or texts are missing. Later ones may be, too: stop feeding.
    pub fn limit(&self) -> Option<DomLimit> {
        self.dom.limit()
    }

    /// The tree.
    pub fn finish(mut self) -> Dom<'t> {
        // Those of one text are in the order of its pieces.
        self.dom.gaps.sort_by_key(|gap| gap.text);
        self.dom.shrink();
        self.dom
    }

    #[cold]
    pub(super) fn exceed(&mut self, limit: DomLimit) {
        self.dom.limit.get_or_insert(limit);
    }

    /// Adds a node. If there are too many it is the Document, which is never inserted.
    #[inline(always)]
    pub(super) fn create(&mut self, node: Raw) -> u32 {
        if self.dom.links.nodes.len() >= self.room && !self.make_room() {
            return DOCUMENT;
        }
        let nodes = &mut self.dom.links.nodes;
        nodes.push(node);
        nodes.len() as u32 - 1
    }

    /// The number of a name in the tree.
    #[inline(always)]
    fn number(&mut self, name: ElementName<'_>) -> Name {
        match name.number.0 < self.fixed {
            true => name.number,
            false => self.dom.names.intern_any(name.local),
        }
    }

    #[inline(always)]
    fn element(
        &mut self,
        name: ElementName<'_>,
        attributes: AttributeRange,
        start: (u32, u32),
    ) -> u32 {
        let Some(what) = What::element(name.space, self.number(name)) else {
            self.exceed(DomLimit::Nodes);
            return DOCUMENT;
        };
        let tags = Tags {
            attributes: attributes.first,
            start,
            end: NOWHERE,
        };
        self.add_element(what, tags, attributes.count)
    }

    #[inline(always)]
    pub(super) fn add_element(&mut self, what: What, tags: Tags, attributes: u32) -> u32 {
        let index = self.dom.tags.len() as u32;
        let id = self.create(Raw::new(what, index, attributes, (NONE, NONE)));
        if id == DOCUMENT {
            return id;
        }
        self.dom.tags.push(tags);
        if what == self.template {
            self.create(Raw::new(What::CONTENTS, 0, 0, (NONE, NONE)));
        } else if what == self.option {
            self.note_option(id);
        }
        id
    }

    /// Whether a node takes another one as its last child and nothing follows from that.
    #[inline(always)]
    pub(super) fn takes_at_once(&self, parent: u32) -> bool {
        let links = &self.dom.links;
        let holder = links.nodes.get(parent as usize);
        holder.is_some_and(|it| it.what.is_element() && it.what != self.selectedcontent)
            && self.selected.shown.is_none()
            && links.nodes.len() < self.room
    }

    /// The parent of a place, and the child before which it is.
    #[inline(always)]
    pub(super) fn resolve(&self, place: &Place<NodeId>) -> (u32, u32) {
        match place {
            Place::LastChild(parent) => (parent.0, NONE),
            Place::Before { sibling, above } => match self.dom.links.node(sibling.0).parent {
                NONE => (above.0, NONE),
                parent => (parent, sibling.0),
            },
        }
    }

    /// Creates a node that has no children, and inserts it.
    fn insert_leaf(&mut self, what: What, part: Part, span: Span, place_: &Place<NodeId>) {
        let (parent, before) = self.resolve(place_);
        let id = self.create(Raw::new(what, part.start, part.length, place(span)));
        self.attach(id, parent, before);
    }
}

impl<const ERRORS: bool> DomSink<'static, ERRORS> {
    /// A sink for a text that comes in chunks, which it keeps: give each chunk to [`feed`](Self::feed) before it is fed to
    /// the tokenizer.
    pub fn in_chunks(names: &'static NameTable) -> Self {
        Self::in_chunks_with_limit(names, LIMIT)
    }

    pub(super) fn in_chunks_with_limit(names: &'static NameTable, limit: usize) -> Self {
        Self::of(Strings::fed(limit), names, limit, limit)
    }

    /// Keeps a chunk of the input.
    pub fn feed(&mut self, chunk: &str) {
        if self.dom.limit.is_none() && !self.dom.strings.feed(chunk) {
            self.exceed(DomLimit::Input);
        }
    }
}

impl<const ERRORS: bool> TreeSink for DomSink<'_, ERRORS> {
    type Node = NodeId;
    type Kept = KeptAttributes;
    const ERRORS: bool = ERRORS;
    const CREATES_IN: bool = true;

    fn is_same_node(&self, one: &NodeId, other: &NodeId) -> bool {
        one == other
    }

    fn element_name(&self, node: &NodeId) -> Option<(Space, &str)> {
        let node = self.dom.node(*node)?;
        Some((node.namespace(), node.name()?))
    }

    #[inline]
    fn document(&mut self) -> NodeId {
        NodeId(DOCUMENT)
    }

    #[inline(always)]
    fn create_element(
        &mut self,
        name: ElementName<'_>,
        attributes: &TagAttributes<'_>,
        span: Option<Span>,
    ) -> NodeId {
        let kept = match attributes.is_empty() {
            true => AttributeRange::default(),
            false => self.attributes(attributes),
        };
        NodeId(self.element(name, kept, span.map_or(NOWHERE, place)))
    }

    #[inline(always)]
    fn create_in(
        &mut self,
        name: ElementName<'_>,
        attributes: &TagAttributes<'_>,
        span: Option<Span>,
        parent: &NodeId,
    ) -> Option<NodeId> {
        let what = What::element(name.space, self.number(name))?;
        if what == self.template
            || what == self.option
            || what == self.selectedcontent
            || !self.takes_at_once(parent.0)
        {
            return None;
        }
        let kept = match attributes.is_empty() {
            true => AttributeRange::default(),
            false => self.attributes(attributes),
        };
        let tags = Tags {
            attributes: kept.first,
            start: span.map_or(NOWHERE, place),
            end: NOWHERE,
        };
        let index = self.dom.tags.len() as u32;
        let node = Raw::new(what, index, kept.count, (NONE, NONE));
        let id = self.dom.links.push_child(parent.0, node);
        self.dom.tags.push(tags);
        Some(NodeId(id))
    }

    #[inline]
    fn keep(&mut self, element: &NodeId, attributes: &TagAttributes<'_>) -> KeptAttributes {
        let node = self.dom.links.node(element.0);
        let attributes = match node.length {
            _ if attributes.is_empty() => AttributeRange::default(),
            length if node.what.is_element() && length as usize == attributes.len() => {
                AttributeRange {
                    first: self.dom.tags[node.start as usize].attributes,
                    count: length,
                }
            }
            // It got some that the tag has not.
            _ => self.attributes(attributes),
        };
        let of = element.0;
        KeptAttributes { of, attributes }
    }

    #[inline]
    fn create_again(&mut self, name: ElementName<'_>, kept: &KeptAttributes) -> NodeId {
        NodeId(self.element(name, kept.attributes, place_of_copy(kept.of)))
    }

    fn hash(&self, kept: &KeptAttributes) -> u64 {
        let attributes = self.kept(kept.attributes).iter();
        let hashes = attributes.map(|it| {
            let name = u64::from(it.name).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            crate::tree::hash(self.seed ^ name, self.dom.strings.get(it.value))
        });
        hashes.fold(0, u64::wrapping_add)
    }

    fn is_alike(&self, one: &KeptAttributes, other: &KeptAttributes) -> bool {
        let (one, other) = (one.attributes, other.attributes);
        if one.count != other.count || one.first == other.first || one.count == 0 {
            return one.count == other.count;
        }
        let of = |kept| {
            let pairs = self.kept(kept).iter();
            pairs.map(|it| (it.name, self.dom.strings.get(it.value)))
        };
        let sorted = |kept| {
            let mut pairs: Vec<_> = of(kept).collect();
            pairs.sort_unstable();
            pairs
        };
        of(one).eq(of(other)) || sorted(one) == sorted(other)
    }

    #[inline(always)]
    fn insert(&mut self, node: &NodeId, place: &Place<NodeId>) {
        let (parent, before) = self.resolve(place);
        let (raw, holder) = (self.dom.links.node(node.0), self.dom.links.what(parent));
        let is_plain = (raw.parent == NONE && raw.first == NONE)
            && (raw.what != self.option && raw.what != self.selectedcontent)
            && holder != self.selectedcontent;
        match is_plain {
            // Nearly always: a new element.
            true => {
                self.note_change(parent);
                self.dom.links.insert(node.0, parent, before);
            }
            false => self.attach(node.0, parent, before),
        }
    }

    #[inline(always)]
    fn insert_text(&mut self, text: Text<'_>, at: &Place<NodeId>) {
        match at {
            Place::LastChild(parent) => self.append_text(text.text, text.span, parent.0),
            Place::Before { .. } => self.insert_text_before(text, at),
        }
    }

    fn insert_comment(&mut self, data: &str, span: Span, place: &Place<NodeId>) {
        let part = self.dom.strings.add(data);
        self.insert_leaf(What::COMMENT, part, span, place);
    }

    fn insert_processing_instruction(
        &mut self,
        target: &str,
        data: &str,
        span: Span,
        place: &Place<NodeId>,
    ) {
        let start = self.dom.parts.len() as u32;
        let parts = [target, data].map(|string| self.dom.strings.add(string));
        self.dom.parts.extend(parts);
        self.insert_leaf(What::INSTRUCTION, Part { start, length: 2 }, span, place);
    }

    fn insert_entity_reference(&mut self, name: &str, span: Span, place: &Place<NodeId>) {
        let part = self.dom.strings.add(name);
        self.insert_leaf(What::REFERENCE, part, span, place);
    }

    fn append_doctype(&mut self, doctype: &Doctype<'_>, span: Span) {
        let start = self.dom.parts.len() as u32;
        let Doctype {
            name,
            public_identifier,
            system_identifier,
        } = doctype;
        let parts =
            [name, public_identifier, system_identifier].map(|string| self.dom.strings.add(string));
        self.dom.parts.extend(parts);
        let end = Place::LastChild(NodeId(DOCUMENT));
        self.insert_leaf(What::DOCTYPE, Part { start, length: 3 }, span, &end);
    }

    #[inline]
    fn has_parent(&mut self, node: &NodeId) -> bool {
        self.dom.links.node(node.0).parent != NONE
    }

    #[inline]
    fn template_contents(&mut self, template: &NodeId) -> NodeId {
        NodeId(self.dom.links.contents(template.0).unwrap_or(template.0))
    }

    fn move_children(&mut self, from: &NodeId, to: &NodeId) {
        self.move_all(from.0, to.0);
    }

    fn detach(&mut self, node: &NodeId) {
        self.remove(node.0);
    }

    fn add_missing_attributes(&mut self, element: &NodeId, attributes: &TagAttributes<'_>) {
        let node = *self.dom.links.node(element.0);
        if attributes.is_empty() || !node.what.is_element() || self.is_complete() {
            return;
        }
        let tags = &mut self.dom.tags[node.start as usize];
        let mut list = tags.attributes as usize;
        if node.length != EXTENDED {
            tags.attributes = self.dom.extended.len() as u32;
            let own = self.dom.attributes[list..][..node.length as usize].to_vec();
            self.extended.push(own.iter().map(|it| it.name).collect());
            list = self.dom.extended.len();
            self.dom.extended.push(own);
            self.dom.links.node_mut(element.0).length = EXTENDED;
        }
        let first = self.dom.attributes.len();
        self.attributes(attributes);
        for attribute in self.dom.attributes.split_off(first) {
            if self.dom.extended[list].len() >= self.limit {
                return self.exceed(DomLimit::Attributes);
            }
            if self.extended[list].insert(attribute.name) {
                self.dom.extended[list].push(attribute);
            }
        }
    }

    #[inline(always)]
    fn end_tag(&mut self, element: &NodeId, span: Span) {
        if !self.dom.links.what(element.0).is_element() {
            return;
        }
        let (tags, end) = (self.dom.links.node(element.0).start, place(span));
        if self.ended.1 == end {
            // Another one has it.
            let has_start = |tags: u32| self.dom.tags[tags as usize].start.1 != NONE;
            if has_start(self.ended.0) && !has_start(tags) {
                return;
            }
            self.dom.tags[self.ended.0 as usize].end = NOWHERE;
        }
        self.dom.tags[tags as usize].end = end;
        self.ended = (tags, end);
    }

    fn set_document_mode(&mut self, mode: DocumentMode) {
        self.dom.mode = mode;
    }

    fn parent(&mut self, node: &NodeId) -> Option<NodeId> {
        let parent = self.dom.links.node(node.0).parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    fn is_body(&mut self, node: &NodeId) -> bool {
        self.is_the_body(node.0)
    }

    fn fragment_root(&mut self, root: &NodeId) {
        self.dom.root = root.0;
    }

    fn fragment_context(&mut self, context: &NodeId) {
        self.dom.context = context.0;
    }

    fn tokenizer_error(&mut self, error: ParseError) {
        self.dom.tokenizer_errors.push(error);
    }

    fn error(&mut self, error: TreeError) {
        self.dom.errors.push(error);
    }
}
