//! A tree in one list of nodes, so that depth costs no stack.

use super::sink::{Doctype, TreeError, TreeSink};

/// The number of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(usize);

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The Document.
    Document,
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
    Element {
        /// The name.
        name: String,
        /// Names and values, in the order of the tag.
        attributes: Vec<(String, String)>,
    },
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
}

#[derive(Clone, Debug)]
struct Linked {
    node: Node,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
}

impl Linked {
    fn new(node: Node) -> Self {
        Self {
            node,
            parent: None,
            first_child: None,
            last_child: None,
            next_sibling: None,
        }
    }
}

/// A Document and all that is in it, and the errors on the way.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The Document is the first.
    nodes: Vec<Linked>,
    /// In the order of the tokens.
    pub errors: Vec<TreeError>,
}

const DOCUMENT: NodeId = NodeId(0);

impl Default for Tree {
    fn default() -> Self {
        Self {
            nodes: vec![Linked::new(Node::Document)],
            errors: Vec::new(),
        }
    }
}

impl Tree {
    /// A node of this tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0].node
    }

    /// Walks the tree in the order of the document.
    pub fn events(&self) -> Events<'_> {
        Events {
            tree: self,
            next: Some(Event::Enter(DOCUMENT)),
            depth: 0,
        }
    }

    fn append(&mut self, parent: NodeId, child: NodeId) {
        self.nodes[child.0].parent = Some(parent);
        match self.nodes[parent.0].last_child.replace(child) {
            Some(before) => self.nodes[before.0].next_sibling = Some(child),
            None => self.nodes[parent.0].first_child = Some(child),
        }
    }

    fn create(&mut self, node: Node) -> NodeId {
        self.nodes.push(Linked::new(node));
        NodeId(self.nodes.len() - 1)
    }

    fn append_new(&mut self, parent: NodeId, node: Node) {
        let child = self.create(node);
        self.append(parent, child);
    }
}

impl TreeSink for Tree {
    type Node = NodeId;

    fn document(&mut self) -> NodeId {
        DOCUMENT
    }

    fn create_element(&mut self, name: &str, attributes: &[(String, String)]) -> NodeId {
        self.create(Node::Element {
            name: name.to_owned(),
            attributes: attributes.to_vec(),
        })
    }

    fn append_element(&mut self, parent: &NodeId, element: &NodeId) {
        // A table may say so twice, or once the element is the current one: it stays a tree.
        if self.nodes[element.0].parent.is_none() && parent != element {
            self.append(*parent, *element);
        }
    }

    fn append_text(&mut self, parent: &NodeId, data: String) {
        self.append_new(*parent, Node::Text(data));
    }

    fn append_entity_reference(&mut self, parent: &NodeId, name: &str) {
        self.append_new(*parent, Node::EntityReference(name.to_owned()));
    }

    fn append_comment(&mut self, parent: &NodeId, data: &str) {
        self.append_new(*parent, Node::Comment(data.to_owned()));
    }

    fn append_processing_instruction(&mut self, parent: &NodeId, target: &str, data: &str) {
        let node = Node::ProcessingInstruction {
            target: target.to_owned(),
            data: data.to_owned(),
        };
        self.append_new(*parent, node);
    }

    fn append_doctype(&mut self, parent: &NodeId, doctype: Doctype<'_>) {
        let node = Node::Doctype {
            name: doctype.name.to_owned(),
            public_identifier: doctype.public_identifier.to_owned(),
            system_identifier: doctype.system_identifier.to_owned(),
        };
        self.append_new(*parent, node);
    }

    fn parse_error(&mut self, error: TreeError) {
        self.errors.push(error);
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
    next: Option<Event>,
    depth: usize,
}

impl Iterator for Events<'_> {
    /// The event, and how many nodes the node is in.
    type Item = (Event, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let event = self.next?;
        let depth;
        self.next = match event {
            Event::Enter(id) => {
                depth = self.depth;
                self.depth += 1;
                let child = self.tree.nodes[id.0].first_child;
                Some(child.map_or(Event::Leave(id), Event::Enter))
            }
            Event::Leave(id) => {
                self.depth -= 1;
                depth = self.depth;
                let linked = &self.tree.nodes[id.0];
                let sibling = linked.next_sibling.map(Event::Enter);
                sibling.or(linked.parent.map(Event::Leave))
            }
        };
        Some((event, depth))
    }
}
