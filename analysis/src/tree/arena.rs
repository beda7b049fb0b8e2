//! A tree in one list of nodes, so that depth costs no stack. It takes what the DOM takes: what the DOM rejects does nothing.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use speclex_codegen::tree::machine::{ElementName, Space};

/// The number of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) usize);

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The Document.
    Document,
    /// The contents of a template: a node beside its children, which have no parent but this.
    Contents,
    /// A DOCTYPE.
    Doctype {
        /// The name.
        name: String,
        /// The public identifier.
        public_identifier: String,
        /// The system identifier.
        system_identifier: String,
    },
    /// An element.
    Element(Element),
    /// Text.
    Text(String),
    /// A reference to an entity whose text is not known: its name.
    EntityReference(String),
    /// A comment.
    Comment(String),
    /// A processing instruction.
    ProcessingInstruction {
        /// The target.
        target: String,
        /// The data.
        data: String,
    },
    /// A marker in the list of active formatting elements. It is in no tree.
    Marker,
}

/// An element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its namespace.
    pub space: Space,
    /// Its local name.
    pub name: Arc<str>,
    /// Its attributes, in the order of the tag.
    pub attributes: Arc<Vec<Attribute>>,
    /// The contents of a template element.
    pub contents: Option<NodeId>,
    /// Where its end tag stands, if it has one.
    pub end_tag: Option<Range<u64>>,
    /// The number of its name among the names of the tree.
    pub(super) name_id: usize,
    /// The token for which it was created.
    pub(super) token: Arc<Tag>,
    /// What the table keeps with it.
    pub(super) properties: Vec<(usize, Option<NodeId>)>,
}

impl Element {
    pub(super) fn is_named(&self, name: &ElementName) -> bool {
        self.space == name.space && *self.name == *name.name
    }
}

/// An attribute of an element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attribute {
    /// The prefix.
    pub prefix: Option<String>,
    /// The local name.
    pub name: String,
    /// The namespace; [`Space::None`] for nearly all.
    pub space: Space,
    /// The value.
    pub value: String,
}

/// The name and the attributes of a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) attributes: Arc<Vec<Attribute>>,
}

impl Tag {
    /// Whether both have the same attributes, in any order.
    pub(super) fn has_attributes_of(&self, other: &Self) -> bool {
        let (these, those) = (&*self.attributes, &*other.attributes);
        if these == those || these.len() != those.len() || these.len() < 2 {
            return these == those;
        }
        let [these, those] = [these, those].map(|attributes| {
            let mut sorted: Vec<_> = attributes.iter().collect();
            sorted.sort_unstable();
            sorted
        });
        these == those
    }
}

/// A place where a node can be inserted: in a node, before one of its children or after the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) parent: NodeId,
    pub(super) before: Option<NodeId>,
}

#[derive(Clone, Debug)]
struct Linked {
    node: Node,
    /// Where its token stands: the start tag of an element. `None` if it was made without one.
    span: Option<Range<u64>>,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    previous: Option<NodeId>,
    next: Option<NodeId>,
    /// Of the contents of a template: the template.
    host: Option<NodeId>,
}

/// What is known of selects, options and selectedcontent elements. The steps that change it are in `selected.rs`.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    /// Whether the table has selectedcontent elements at all.
    pub(super) is_followed: bool,
    /// Whether nothing in the tree is connected, because it becomes a DocumentFragment.
    pub(super) is_fragment: bool,
    /// Options, selectedcontent elements and all that has ever held one: only these nodes are looked through. With each, what its
    /// children are in, if that has been looked up since it moved.
    pub(super) inside: HashMap<NodeId, Option<Surroundings>>,
    pub(super) selects: HashMap<NodeId, Select>,
    /// The selectedness of options, where it is not what the attribute says.
    pub(super) selectedness: HashMap<NodeId, bool>,
    /// Selectedcontent elements whose children are being replaced. A copy of a selected option with another option inside can be a
    /// reason to replace them again: for ever, if it were done.
    pub(super) busy: HashSet<NodeId>,
}

/// What a child of a node is in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Surroundings {
    pub(super) is_connected: bool,
    /// The nearest select.
    pub(super) select: Option<NodeId>,
    /// The nearest optgroup in that select.
    pub(super) group: Option<NodeId>,
    /// Whether an option is not in the list of options of that select.
    pub(super) is_barred: bool,
    /// Whether a selectedcontent element is disabled, if it is in a select.
    pub(super) is_disabled: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Select {
    /// The option in its list whose selectedness is true: one at most, as long as it has no `multiple`.
    pub(super) selected: Option<NodeId>,
    /// Its first selectedcontent descendant.
    pub(super) content: Option<NodeId>,
}

/// A Document and all that is in it.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The Document is the first.
    nodes: Vec<Linked>,
    /// The numbers of the names of elements.
    names: HashMap<Arc<str>, usize>,
    /// The node whose children are the result: the Document, or in a fragment what its table says.
    pub(super) root: NodeId,
    /// Whether an element has a namespace; then the dump has html5lib's form for HTML.
    pub(super) is_html: bool,
    pub(super) selection: Selection,
    /// The nodes that were inserted or got more text, if that is noted.
    pub(super) placed: Option<Vec<NodeId>>,
}

pub(super) const DOCUMENT: NodeId = NodeId(0);

impl Tree {
    pub(super) fn new() -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            names: HashMap::new(),
            root: DOCUMENT,
            is_html: false,
            selection: Selection::default(),
            placed: None,
        };
        tree.create(Node::Document, None);
        tree
    }

    /// A node of this tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0].node
    }

    /// Where the token of a node stands in the input, in bytes: the start tag of an element, the characters of a text.
    /// `None` if there is none: for the elements that are made without a tag.
    pub fn span(&self, id: NodeId) -> Option<Range<u64>> {
        self.nodes[id.0].span.clone()
    }

    /// The parent of a node.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.0].parent
    }

    /// The first child of a node.
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.0].first_child
    }

    /// The node after this one in its parent.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.0].next
    }

    /// Walks the result in the order of the document. The contents of a template come before its children.
    pub fn events(&self) -> Events<'_> {
        self.events_of(self.root)
    }

    pub(super) fn events_of(&self, root: NodeId) -> Events<'_> {
        Events {
            tree: self,
            root,
            next: Some(Event::Enter(root)),
            depth: 0,
        }
    }

    /// The descendants of a node in the order of the document, without the contents of templates.
    pub(super) fn descendants(&self, root: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(root), move |&id| {
            self.first_child(id).or_else(|| self.after(id, root))
        })
    }

    /// The node that follows all descendants of another, inside a root.
    pub(super) fn after(&self, mut id: NodeId, root: NodeId) -> Option<NodeId> {
        while id != root {
            if let Some(next) = self.next_sibling(id) {
                return Some(next);
            }
            id = self.parent(id)?;
        }
        None
    }

    pub(super) fn element(&self, id: NodeId) -> Option<&Element> {
        match self.node(id) {
            Node::Element(element) => Some(element),
            _ => None,
        }
    }

    pub(super) fn element_mut(&mut self, id: NodeId) -> Option<&mut Element> {
        match &mut self.nodes[id.0].node {
            Node::Element(element) => Some(element),
            _ => None,
        }
    }

    /// What the table keeps with an element; null if it was never set.
    pub(super) fn property(&self, id: NodeId, number: usize) -> Option<NodeId> {
        let mut properties = self.element(id)?.properties.iter();
        properties.find(|(it, _)| *it == number)?.1
    }

    pub(super) fn set_property(&mut self, id: NodeId, number: usize, value: Option<NodeId>) {
        if let Some(element) = self.element_mut(id) {
            element.properties.retain(|(it, _)| *it != number);
            element.properties.push((number, value));
        }
    }

    /// The value of an attribute that has no namespace.
    pub(super) fn attribute(&self, id: NodeId, name: &str) -> Option<&str> {
        let mut attributes = self.element(id)?.attributes.iter();
        let found = attributes.find(|it| it.space == Space::None && it.name == name);
        found.map(|attribute| attribute.value.as_str())
    }

    /// Whether a node is an element with this name.
    pub(super) fn is(&self, id: NodeId, space: Space, name: &str) -> bool {
        self.element(id)
            .is_some_and(|it| it.space == space && *it.name == *name)
    }

    pub(super) fn create(&mut self, node: Node, span: Option<Range<u64>>) -> NodeId {
        self.nodes.push(Linked {
            node,
            span,
            parent: None,
            first_child: None,
            last_child: None,
            previous: None,
            next: None,
            host: None,
        });
        NodeId(self.nodes.len() - 1)
    }

    pub(super) fn create_element(&mut self, space: Space, name: &str) -> NodeId {
        self.is_html |= space != Space::None;
        let (name, name_id) = self.intern(name);
        let token = Tag {
            name: name.to_string(),
            ..Tag::default()
        };
        let is_template = space == Space::Html && *name == *"template";
        let contents = is_template.then(|| self.create(Node::Contents, None));
        let element = Element {
            space,
            name,
            name_id,
            attributes: Arc::clone(&token.attributes),
            contents,
            end_tag: None,
            token: Arc::new(token),
            properties: Vec::new(),
        };
        let id = self.create(Node::Element(element), None);
        if let Some(contents) = contents {
            self.nodes[contents.0].host = Some(id);
        }
        id
    }

    /// Gives an element the attributes of a token, which is the one for which it was created.
    pub(super) fn set_token(&mut self, id: NodeId, token: Arc<Tag>, span: Option<Range<u64>>) {
        if let Some(element) = self.element_mut(id) {
            element.attributes = Arc::clone(&token.attributes);
            element.token = token;
            self.nodes[id.0].span = span;
        }
    }

    fn intern(&mut self, name: &str) -> (Arc<str>, usize) {
        if let Some((name, &number)) = self.names.get_key_value(name) {
            return (Arc::clone(name), number);
        }
        let (name, number) = (Arc::<str>::from(name), self.names.len());
        self.names.insert(Arc::clone(&name), number);
        (name, number)
    }

    /// A name that an element has had, with its number.
    pub(super) fn name(&self, name: &str) -> Option<(&Arc<str>, usize)> {
        let (name, &number) = self.names.get_key_value(name)?;
        Some((name, number))
    }

    /// Sets where the token of a node stands, or adds to it.
    pub(super) fn extend_span(&mut self, id: NodeId, more: Option<&Range<u64>>) {
        let span = &mut self.nodes[id.0].span;
        *span = match (span.take(), more) {
            (Some(span), Some(more)) => Some(span.start.min(more.start)..span.end.max(more.end)),
            (span, more) => span.or_else(|| more.cloned()),
        };
    }

    /// The Text node immediately before a place.
    pub(super) fn text_before(&self, place: Place) -> Option<NodeId> {
        let before = match place.before {
            Some(before) => self.nodes[before.0].previous,
            None => self.nodes[place.parent.0].last_child,
        };
        before.filter(|&id| matches!(self.node(id), Node::Text(_)))
    }

    pub(super) fn append_to_text(&mut self, id: NodeId, more: &str, span: Option<&Range<u64>>) {
        if let Node::Text(text) = &mut self.nodes[id.0].node {
            text.push_str(more);
            self.extend_span(id, span);
            self.placed.iter_mut().for_each(|it| it.push(id));
        }
    }

    /// Whether the DOM lets a node be inserted there.
    pub(super) fn can_insert(&self, id: NodeId, place: Place) -> bool {
        let Place { parent, before } = place;
        if before.is_some_and(|before| self.parent(before) != Some(parent)) {
            return false;
        }
        let fits = match (self.node(parent), self.node(id)) {
            (_, Node::Document | Node::Contents | Node::Marker) => false,
            (Node::Document, Node::Text(_)) => false,
            (Node::Document, Node::Element(_)) => {
                !self.children(parent).any(|it| self.element(it).is_some())
            }
            (Node::Document | Node::Contents | Node::Element(_), _) => true,
            _ => false,
        };
        fits && !self.contains(id, parent)
    }

    /// The children of a node.
    pub(super) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(id), |&id| self.next_sibling(id))
    }

    /// Whether a node is another or holds it, be it in the contents of a template.
    fn contains(&self, id: NodeId, other: NodeId) -> bool {
        let contents = self.element(id).and_then(|element| element.contents);
        let is_empty = |id| self.first_child(id).is_none();
        // Most nodes are new: they hold nothing.
        if is_empty(id) && contents.is_none_or(is_empty) {
            return id == other || contents == Some(other);
        }
        let mut next = Some(other);
        while let Some(other) = next {
            if other == id {
                return true;
            }
            let linked = &self.nodes[other.0];
            next = linked.parent.or(linked.host);
        }
        false
    }

    /// Inserts a node; it leaves its parent first. Returns whether the DOM takes it.
    pub(super) fn insert(&mut self, id: NodeId, place: Place) -> bool {
        if !self.can_insert(id, place) {
            return false;
        }
        let Place { parent, mut before } = place;
        if before == Some(id) {
            before = self.next_sibling(id);
        }
        self.detach(id);
        // What followed from that can have removed the node that it shall stand before.
        before = before.filter(|&before| self.parent(before) == Some(parent));
        let previous = match before {
            Some(before) => self.nodes[before.0].previous.replace(id),
            None => self.nodes[parent.0].last_child.replace(id),
        };
        match previous {
            Some(previous) => self.nodes[previous.0].next = Some(id),
            None => self.nodes[parent.0].first_child = Some(id),
        }
        let linked = &mut self.nodes[id.0];
        (linked.parent, linked.previous, linked.next) = (Some(parent), previous, before);
        self.placed.iter_mut().for_each(|it| it.push(id));
        if self.selection.is_followed {
            self.inserted(id);
        }
        true
    }

    /// Takes a node from its parent, if it has one.
    pub(super) fn detach(&mut self, id: NodeId) {
        let concerned = match self.selection.is_followed {
            true => self.concerned(id),
            false => None,
        };
        self.unlink(id);
        if let Some(concerned) = concerned {
            self.removed(id, &concerned);
        }
    }

    fn unlink(&mut self, id: NodeId) {
        let linked = &mut self.nodes[id.0];
        let Some(parent) = linked.parent.take() else {
            return;
        };
        let (previous, next) = (linked.previous.take(), linked.next.take());
        match previous {
            Some(previous) => self.nodes[previous.0].next = next,
            None => self.nodes[parent.0].first_child = next,
        }
        match next {
            Some(next) => self.nodes[next.0].previous = previous,
            None => self.nodes[parent.0].last_child = previous,
        }
    }

    /// Appends all children that a node has now to another, which may be the node itself.
    pub(super) fn move_children(&mut self, from: NodeId, to: NodeId) {
        let children: Vec<_> = self.children(from).collect();
        for child in children {
            self.append(child, to);
        }
    }

    /// Replaces the children of a node with copies of those of another, contents of templates included; or with nothing.
    pub(super) fn replace_children(&mut self, of: NodeId, with: Option<NodeId>) {
        let originals: Vec<_> = with.into_iter().flat_map(|it| self.children(it)).collect();
        let copies: Vec<_> = originals.into_iter().map(|it| self.copy_all(it)).collect();
        while let Some(child) = self.first_child(of) {
            self.detach(child);
        }
        for copy in copies {
            self.append(copy, of);
        }
    }

    /// A copy of a node and all that is in it, without a parent.
    fn copy_all(&mut self, id: NodeId) -> NodeId {
        let events: Vec<Event> = self.events_of(id).map(|(event, _)| event).collect();
        let mut open = Vec::new();
        let mut done = id;
        for event in events {
            match event {
                Event::Enter(id) => open.push(self.copy(id, open.last().copied())),
                Event::Leave(_) => done = open.pop().unwrap_or(done),
            }
        }
        done
    }

    fn copy(&mut self, id: NodeId, parent: Option<NodeId>) -> NodeId {
        let contents = parent.and_then(|parent| self.element(parent)?.contents);
        if let (Node::Contents, Some(contents)) = (self.node(id), contents) {
            return contents;
        }
        let copy = match self.node(id).clone() {
            Node::Element(element) => {
                let copy = self.create_element(element.space, &element.name);
                if let Some(copied) = self.element_mut(copy) {
                    copied.attributes = element.attributes;
                }
                copy
            }
            node => self.create(node, None),
        };
        if let Some(parent) = parent {
            self.append(copy, parent);
        }
        copy
    }

    fn append(&mut self, id: NodeId, parent: NodeId) {
        let before = None;
        self.insert(id, Place { parent, before });
    }
}

/// A step of a walk: each node is entered before its children and left after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Before its children.
    Enter(NodeId),
    /// After its children.
    Leave(NodeId),
}

/// A walk over a tree.
#[derive(Clone, Debug)]
pub struct Events<'t> {
    tree: &'t Tree,
    root: NodeId,
    next: Option<Event>,
    depth: usize,
}

impl Iterator for Events<'_> {
    /// The event, and how many nodes the node is in.
    type Item = (Event, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let event = self.next?;
        let tree = self.tree;
        let children = |id| Some(tree.first_child(id).map_or(Event::Leave(id), Event::Enter));
        let depth;
        self.next = match event {
            Event::Enter(id) => {
                depth = self.depth;
                self.depth += 1;
                let contents = tree.element(id).and_then(|element| element.contents);
                contents.map(Event::Enter).or_else(|| children(id))
            }
            Event::Leave(id) => {
                self.depth = self.depth.saturating_sub(1);
                depth = self.depth;
                let linked = &tree.nodes[id.0];
                if id == self.root {
                    None
                } else if let Some(host) = linked.host {
                    children(host)
                } else {
                    let next = linked.next.map(Event::Enter);
                    next.or(linked.parent.map(Event::Leave))
                }
            }
        };
        Some((event, depth))
    }
}
