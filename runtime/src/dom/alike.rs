//! Two trees that are alike for a while, in one walk over both.

use crate::tree::Space;

use super::edges::Edge;
use super::links::{NONE, NodeId, What};
use super::walk::Walk;
use super::{Dom, EXTENDED, Node, copied};

impl Walk<'_> {
    /// Advances both walks as long as both open nodes that are alike or both close a node: past at most `most` nodes, and not past the
    /// end of one. It stops before a copy of another node if `stops_at_copies`. How many nodes were opened, and how many edges were
    /// passed: none of a text, and one of another node without children.
    pub(crate) fn skip_alike(
        &mut self,
        other: &mut Walk<'_>,
        most: usize,
        end: NodeId,
        stops_at_copies: bool,
    ) -> (usize, usize) {
        let (ours, theirs) = (self.dom, other.dom);
        let fixed = ours.names.shared(&theirs.names);
        let (mut opened, mut edges) = (0, 0);
        while let (Some(one), Some(two)) = (self.edges.next, other.edges.next) {
            match (one, two) {
                (Edge::Open(one), Edge::Open(two))
                    if opened < most
                        && ours.is_alike(one, theirs, two, fixed)
                        && !(stops_at_copies && copied(ours.place(one)).is_some()) =>
                {
                    opened += 1;
                    edges += usize::from(ours.links.what(one) != What::TEXT);
                }
                (Edge::Close(one), Edge::Close(_)) if one != end.0 => {
                    edges += usize::from(ours.links.what(one).has_children());
                }
                _ => break,
            }
            self.edges.next();
            other.edges.next();
        }
        self.opened = NONE;
        (opened, edges)
    }
}

impl Node<'_> {
    pub(crate) fn is_text(self) -> bool {
        self.dom.links.what(self.id.0) == What::TEXT
    }

    /// Whether it is a text of several pieces.
    pub(crate) fn has_gaps(self) -> bool {
        let gaps = || self.dom.gaps_of(self.id.0);
        self.is_text() && !self.dom.gaps.is_empty() && !gaps().is_empty()
    }
}

impl Dom<'_> {
    /// Whether two nodes are the same but for their place and what is in them. It may say no of elements whose attributes are not in
    /// one tag. The numbers of names below `fixed` mean the same in both.
    #[inline(always)]
    fn is_alike(&self, id: u32, other: &Dom<'_>, other_id: u32, fixed: u32) -> bool {
        let (one, two) = (self.links.node(id), other.links.node(other_id));
        if one.what == What::TEXT {
            return two.what == What::TEXT && self.string(id) == other.string(other_id);
        }
        if !one.what.is_element() || one.what.name().0 >= fixed {
            return self.is_rare_alike(id, other, other_id);
        }
        one.what == two.what && self.has_same_attributes(id, other, other_id)
    }

    #[inline(never)]
    fn is_rare_alike(&self, id: u32, other: &Dom<'_>, other_id: u32) -> bool {
        let (one, two) = (self.at(id), other.at(other_id));
        let is_same =
            (one.kind(), one.name(), one.namespace()) == (two.kind(), two.name(), two.namespace());
        is_same && (!one.is_element() || self.has_same_attributes(id, other, other_id))
    }

    /// Whether the attributes are those of the same start tag in both texts: the tokenizer reads the same in the same tag.
    #[inline]
    fn has_same_attributes(&self, id: u32, other: &Dom<'_>, other_id: u32) -> bool {
        let (length, other_length) = (
            self.links.node(id).length,
            other.links.node(other_id).length,
        );
        let is_one_tag = || {
            let one = self.tag(id).filter(|_| length != EXTENDED);
            one.is_some() && one == other.tag(other_id)
        };
        length == other_length && (length == 0 || is_one_tag())
    }

    fn tag(&self, id: u32) -> Option<&[u8]> {
        let (start, end) = self.place(id);
        self.input().as_bytes().get(start as usize..end as usize)
    }

    /// All HTML elements with this name that were made, even if they are not in the tree.
    pub(crate) fn made(&self, local: &str) -> impl Iterator<Item = Node<'_>> {
        let name = self.names.find(local);
        let what = name.and_then(|name| What::element(Space::Html, name));
        let nodes = self.links.nodes.iter().zip(0..);
        let made = nodes.filter(move |(node, _)| Some(node.what) == what);
        made.map(|(_, id)| self.at(id))
    }
}
