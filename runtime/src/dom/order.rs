//! Which node comes first in tree order, and lists of nodes that are kept in it.

use alloc::collections::{BTreeMap, VecDeque};

use super::links::{Links, NONE};

impl Links {
    /// Whether a node comes before another one of its tree in tree order. It takes time by how far they are from each other: from
    /// both the search goes up, and then along the siblings, in turn.
    pub(super) fn is_before(&self, one: u32, other: u32) -> bool {
        let (mut at, mut from) = ([one, other], [NONE, NONE]);
        // The nodes above each, with the child through which the search came.
        let mut seen = [BTreeMap::new(), BTreeMap::new()];
        let parent = self.node(one).parent;
        if parent != NONE && parent == self.node(other).parent {
            return self.is_earlier_sibling(one, other);
        }
        while at != [NONE, NONE] {
            for side in [0, 1] {
                let node = at[side];
                if node == NONE {
                    continue;
                }
                if let Some(&through) = seen[1 - side].get(&node) {
                    let mut children = [from[side], through];
                    children.rotate_left(side);
                    return match children {
                        [NONE, _] => true,
                        [_, NONE] => false,
                        [one, other] => self.is_earlier_sibling(one, other),
                    };
                }
                seen[side].insert(node, from[side]);
                (from[side], at[side]) = (node, self.node(node).parent);
            }
        }
        // They are in different trees.
        one < other
    }

    fn is_earlier_sibling(&self, one: u32, other: u32) -> bool {
        let mut after = [one, other];
        loop {
            for side in [0, 1] {
                after[side] = self.node(after[side]).next;
                match after[side] {
                    NONE => return side == 1,
                    node if node == [other, one][side] => return side == 0,
                    _ => {}
                }
            }
        }
    }

    /// Whether a node is inside another one, not counting what templates contain.
    pub(super) fn is_inside(&self, id: u32, scope: u32) -> bool {
        let mut at = self.node(id).parent;
        while at != NONE && at != scope {
            at = self.node(at).parent;
        }
        at == scope
    }
}

/// Nodes of one tree, in tree order.
#[derive(Clone, Debug, Default)]
pub(super) struct Ordered(VecDeque<u32>);

impl Ordered {
    /// Adds a node, mostly at the end. A node that is there stays there.
    pub(super) fn add(&mut self, links: &Links, id: u32) {
        match self.0.back() {
            Some(&last) if last == id => {}
            Some(&last) if !links.is_before(last, id) => {
                let at = self.position(links, id);
                if self.0[at] != id {
                    self.0.insert(at, id);
                }
            }
            _ => self.0.push_back(id),
        }
    }

    /// Takes a node out, if it is there.
    pub(super) fn remove(&mut self, links: &Links, id: u32) {
        let at = self.position(links, id);
        if self.0.get(at) == Some(&id) {
            self.0.remove(at);
        }
    }

    /// The first that is inside a node.
    pub(super) fn first_inside(&self, links: &Links, scope: u32) -> Option<u32> {
        self.inside(links, scope).next()
    }

    /// Those that are inside a node.
    pub(super) fn inside<'l>(
        &'l self,
        links: &'l Links,
        scope: u32,
    ) -> impl Iterator<Item = u32> + 'l {
        let first = match self.0.back() {
            Some(&last) if last == scope || links.is_before(last, scope) => self.0.len(),
            _ => self.position(links, scope),
        };
        let rest = self.0.range(first..).copied();
        rest.filter(move |&id| id != scope)
            .take_while(move |&id| links.is_inside(id, scope))
    }

    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }

    /// How many come before a node.
    fn position(&self, links: &Links, id: u32) -> usize {
        self.0
            .partition_point(|&it| it != id && links.is_before(it, id))
    }
}
