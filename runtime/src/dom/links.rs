//! Nodes and how they are linked, without what they mean. It takes what the DOM takes: what the DOM rejects does nothing.

use alloc::vec::Vec;

use crate::tree::{Name, Space};

/// No node, no place.
pub(super) const NONE: u32 = u32::MAX;
/// The Document.
pub(super) const DOCUMENT: u32 = 0;

/// A node of a [`Dom`](crate::Dom), by its number: nodes are numbered as they are created, which is not always their order in the
/// document: [`Dom::document_order`](crate::Dom::document_order) has that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

#[cfg(feature = "xml")]
impl NodeId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is, and of an element its namespace and name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct What(u32);

impl What {
    /// The number of bits below the namespace of an element.
    const BITS: u32 = 29;
    /// From here on there are no elements.
    pub(super) const DOCUMENT: Self = Self(4 << Self::BITS);
    /// The contents of a template element, which is the node before. They have no parent.
    pub(super) const CONTENTS: Self = Self(Self::DOCUMENT.0 + 1);
    /// From here on there are no children.
    pub(super) const TEXT: Self = Self(Self::DOCUMENT.0 + 2);
    pub(super) const COMMENT: Self = Self(Self::DOCUMENT.0 + 3);
    pub(super) const DOCTYPE: Self = Self(Self::DOCUMENT.0 + 4);
    pub(super) const INSTRUCTION: Self = Self(Self::DOCUMENT.0 + 5);
    pub(super) const REFERENCE: Self = Self(Self::DOCUMENT.0 + 6);

    /// An element. `None`: its name has too high a number.
    #[inline(always)]
    pub(super) const fn element(space: Space, name: Name) -> Option<Self> {
        let space = match space {
            Space::Html => 0,
            Space::MathMl => 1,
            Space::Svg => 2,
            // The others have no elements.
            Space::XLink | Space::Xml | Space::Xmlns | Space::None => 3,
        };
        if name.0 >> Self::BITS != 0 {
            return None;
        }
        Some(Self(space << Self::BITS | name.0))
    }

    #[inline(always)]
    pub(super) const fn is_element(self) -> bool {
        self.0 < Self::DOCUMENT.0
    }

    #[inline(always)]
    pub(super) const fn has_children(self) -> bool {
        self.0 < Self::TEXT.0
    }

    /// Whether it takes all that can be a child.
    #[inline(always)]
    pub(super) const fn takes_all(self) -> bool {
        self.is_element() || self.0 == Self::CONTENTS.0
    }

    /// The namespace of an element.
    #[inline]
    pub(super) const fn space(self) -> Space {
        match self.0 >> Self::BITS {
            0 => Space::Html,
            1 => Space::MathMl,
            2 => Space::Svg,
            _ => Space::None,
        }
    }

    /// The name of an element.
    #[inline]
    pub(super) const fn name(self) -> Name {
        Name(self.0 & ((1 << Self::BITS) - 1))
    }
}

/// A node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw {
    pub(super) parent: u32,
    pub(super) previous: u32,
    pub(super) next: u32,
    /// The first child; of a node that never has children, where its token starts.
    pub(super) first: u32,
    /// The last child, or where the token ends.
    pub(super) last: u32,
    /// Of a text or comment where it starts; of other nodes the index of what is kept beside.
    pub(super) start: u32,
    /// Of a text or comment its length; of an element how many attributes it has.
    pub(super) length: u32,
    pub(super) what: What,
}

const _: () = assert!(size_of::<Raw>() == 32);

impl Raw {
    /// A node without parent; `ends` are those of its token, if it has no children.
    #[inline(always)]
    pub(super) const fn new(what: What, start: u32, length: u32, ends: (u32, u32)) -> Self {
        Self {
            parent: NONE,
            previous: NONE,
            next: NONE,
            first: ends.0,
            last: ends.1,
            start,
            length,
            what,
        }
    }
}

/// The nodes of a tree. The Document is the first.
#[derive(Clone, Debug)]
pub(super) struct Links {
    pub(super) nodes: Vec<Raw>,
    /// The element that is or was a child of the Document: there is one at most.
    document_element: u32,
}

impl Links {
    /// A Document, and room for more nodes.
    pub(super) fn new(capacity: usize) -> Self {
        let mut nodes = Vec::with_capacity(capacity);
        nodes.push(Raw::new(What::DOCUMENT, 0, 0, (NONE, NONE)));
        Self {
            nodes,
            document_element: NONE,
        }
    }

    #[inline(always)]
    pub(super) fn node(&self, id: u32) -> &Raw {
        &self.nodes[id as usize]
    }

    #[inline(always)]
    pub(super) fn node_mut(&mut self, id: u32) -> &mut Raw {
        &mut self.nodes[id as usize]
    }

    #[inline(always)]
    pub(super) fn what(&self, id: u32) -> What {
        self.node(id).what
    }

    #[inline(always)]
    pub(super) fn first_child(&self, id: u32) -> Option<u32> {
        let node = self.node(id);
        (node.what.has_children() && node.first != NONE).then_some(node.first)
    }

    #[inline(always)]
    pub(super) fn last_child(&self, id: u32) -> Option<u32> {
        let node = self.node(id);
        (node.what.has_children() && node.last != NONE).then_some(node.last)
    }

    /// The contents of a template element: they are created with it.
    #[inline]
    pub(super) fn contents(&self, id: u32) -> Option<u32> {
        let next = id.wrapping_add(1);
        let node = self.nodes.get(next as usize)?;
        (node.what == What::CONTENTS).then_some(next)
    }

    /// The node that follows another and its descendants inside a root.
    #[inline]
    fn after(&self, mut id: u32, root: u32) -> Option<u32> {
        while id != root && id != NONE {
            let node = self.node(id);
            if node.next != NONE {
                return Some(node.next);
            }
            id = node.parent;
        }
        None
    }

    /// The node that follows another inside a root.
    #[inline]
    pub(super) fn following(&self, id: u32, root: u32) -> Option<u32> {
        let child = self.first_child(id);
        child.or_else(|| self.after(id, root))
    }

    /// Whether the DOM lets a node be inserted in another.
    pub(super) fn can_insert(&self, id: u32, parent: u32) -> bool {
        let (child, holder) = (self.what(id), self.what(parent));
        let fits = match holder {
            _ if !child.is_element() && child.has_children() => false,
            What::DOCUMENT if child.is_element() => {
                self.document_element == NONE || self.node(self.document_element).parent != DOCUMENT
            }
            What::DOCUMENT => child != What::TEXT,
            _ => holder.has_children(),
        };
        fits && !self.contains(id, parent)
    }

    /// Whether a node is another or holds it, be it in the contents of a template.
    fn contains(&self, id: u32, other: u32) -> bool {
        let contents = self.contents(id);
        let is_empty = |id| self.first_child(id).is_none();
        // Most nodes are new: they hold nothing.
        if is_empty(id) && contents.is_none_or(is_empty) {
            return id == other || contents == Some(other);
        }
        self.is_above(id, other)
    }

    pub(super) fn is_above(&self, id: u32, mut other: u32) -> bool {
        while other != NONE {
            if other == id {
                return true;
            }
            let node = self.node(other);
            other = match node.what {
                What::CONTENTS => other - 1,
                _ => node.parent,
            };
        }
        false
    }

    /// Inserts a node before a child of another, or behind all of them; it leaves its parent first. What the DOM rejects does
    /// nothing.
    #[inline(always)]
    pub(super) fn insert(&mut self, id: u32, parent: u32, before: u32) {
        let (node, holder) = (self.node(id), self.node(parent));
        // Nearly always: a new element.
        if (node.what.is_element() && node.parent == NONE && node.first == NONE)
            && (holder.what.takes_all() && id != parent && self.contents(id).is_none())
        {
            self.link(id, parent, before);
        } else {
            self.insert_any(id, parent, before);
        }
    }

    #[inline(never)]
    fn insert_any(&mut self, id: u32, parent: u32, mut before: u32) {
        if !self.can_insert(id, parent) {
            return;
        }
        if before == id {
            before = self.node(id).next;
        }
        self.detach(id);
        self.insert_detached(id, parent, before);
    }

    /// Inserts a node without parent where the DOM accepts it.
    pub(super) fn insert_detached(&mut self, id: u32, parent: u32, before: u32) {
        if parent == DOCUMENT && self.what(id).is_element() {
            self.document_element = id;
        }
        self.link(id, parent, before);
    }

    /// Links a node without parent.
    #[inline(always)]
    pub(super) fn link(&mut self, id: u32, parent: u32, before: u32) {
        let previous = if before == NONE {
            core::mem::replace(&mut self.node_mut(parent).last, id)
        } else {
            core::mem::replace(&mut self.node_mut(before).previous, id)
        };
        if previous == NONE {
            self.node_mut(parent).first = id;
        } else {
            self.node_mut(previous).next = id;
        }
        let node = self.node_mut(id);
        (node.parent, node.previous, node.next) = (parent, previous, before);
    }

    /// Adds a node behind the last child of another, which takes it.
    #[inline(always)]
    pub(super) fn push_child(&mut self, parent: u32, node: Raw) -> u32 {
        let id = self.nodes.len() as u32;
        let holder = self.node_mut(parent);
        let previous = core::mem::replace(&mut holder.last, id);
        if previous == NONE {
            holder.first = id;
        } else if let Some(previous) = self.nodes.get_mut(previous as usize) {
            previous.next = id;
        }
        self.nodes.push(Raw {
            parent,
            previous,
            ..node
        });
        id
    }

    /// Adds a Text node after the last child of another, which takes it. If that is a Text node, nothing is done, and it is returned.
    #[inline(always)]
    pub(super) fn push_text(&mut self, parent: u32, node: Raw) -> Option<u32> {
        let last = self.node(parent).last;
        let joins = (self.nodes.get(last as usize)).is_some_and(|last| last.what == What::TEXT);
        if !joins {
            self.push_child(parent, node);
        }
        joins.then_some(last)
    }

    /// Takes a node from its parent, if it has one.
    pub(super) fn detach(&mut self, id: u32) {
        let node = self.node_mut(id);
        let Raw {
            parent,
            previous,
            next,
            ..
        } = *node;
        if parent == NONE {
            return;
        }
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
        match previous {
            NONE => self.node_mut(parent).first = next,
            _ => self.node_mut(previous).next = next,
        }
        match next {
            NONE => self.node_mut(parent).last = previous,
            _ => self.node_mut(next).previous = previous,
        }
    }

    /// Appends all children of a node to another.
    pub(super) fn move_children(&mut self, from: u32, to: u32) {
        let Some(first) = self.first_child(from) else {
            return;
        };
        let target = self.what(to);
        let last = self.node(from).last;
        let mut next = first;
        if !target.takes_all() || self.is_above(from, to) {
            loop {
                let child = next;
                next = self.node(child).next;
                self.insert(child, to, NONE);
                if child == last {
                    return;
                }
            }
        }
        while next != NONE {
            let child = self.node_mut(next);
            child.parent = to;
            next = child.next;
        }
        let source = self.node_mut(from);
        (source.first, source.last) = (NONE, NONE);
        let previous = core::mem::replace(&mut self.node_mut(to).last, last);
        self.node_mut(first).previous = previous;
        match previous {
            NONE => self.node_mut(to).first = first,
            _ => self.node_mut(previous).next = first,
        }
    }
}
