//! Walks over a tree, without recursion.

use super::links::{Links, NONE, What};

/// A step of a [walk](crate::Node::walk): each node is opened before its children and closed after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge<N> {
    /// The walk comes to a node.
    Open(N),
    /// The walk leaves a node: all that is in it has been walked.
    Close(N),
}

impl<N> Edge<N> {
    /// The node of an [`Open`](Self::Open).
    pub fn opened(self) -> Option<N> {
        match self {
            Self::Open(node) => Some(node),
            Self::Close(_) => None,
        }
    }

    pub(super) fn map<M>(self, change: impl FnOnce(N) -> M) -> Edge<M> {
        match self {
            Self::Open(node) => Edge::Open(change(node)),
            Self::Close(node) => Edge::Close(change(node)),
        }
    }
}

/// A walk over the numbers of nodes.
#[derive(Clone, Debug)]
pub(super) struct Edges<'d> {
    links: &'d Links,
    root: u32,
    pub(super) next: Option<Edge<u32>>,
    /// Whether the contents of templates are walked: they come before the template's children.
    pub(super) has_contents: bool,
}

impl Links {
    /// Walks a node and all that is in it, with the contents of templates.
    pub(super) fn edges(&self, root: u32) -> Edges<'_> {
        Edges {
            links: self,
            root,
            next: Some(Edge::Open(root)),
            has_contents: true,
        }
    }
}

impl Edges<'_> {
    /// The next step closes a node.
    pub(super) fn close(&mut self, id: u32) {
        self.next = Some(Edge::Close(id));
    }
}

impl Iterator for Edges<'_> {
    type Item = Edge<u32>;

    #[inline]
    fn next(&mut self) -> Option<Edge<u32>> {
        let edge = self.next?;
        let links = self.links;
        let children = |id| links.first_child(id).map_or(Edge::Close(id), Edge::Open);
        self.next = match edge {
            Edge::Open(id) => Some(match links.contents(id) {
                Some(contents) if self.has_contents => Edge::Open(contents),
                _ => children(id),
            }),
            Edge::Close(id) if id == self.root => None,
            Edge::Close(id) => {
                let node = links.node(id);
                match (node.what, node.next, node.parent) {
                    (What::CONTENTS, ..) => Some(children(id - 1)),
                    (_, NONE, NONE) => None,
                    (_, NONE, parent) => Some(Edge::Close(parent)),
                    (_, next, _) => Some(Edge::Open(next)),
                }
            }
        };
        Some(edge)
    }
}
