//! The stack of open elements and the list of active formatting elements: nodes in an order, each of which knows about where it is.

use std::collections::HashMap;

use super::arena::{NodeId, Tree};

/// Nodes in an order.
#[derive(Clone, Debug, Default)]
pub(super) struct Ordered {
    entries: Vec<NodeId>,
    /// By the number of a node: how often it is here, and where it was last.
    known: Vec<(usize, usize)>,
}

impl Ordered {
    pub(super) fn entries(&self) -> &[NodeId] {
        &self.entries
    }

    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.known.get(node.0).is_some_and(|&(times, _)| times > 0)
    }

    /// Where a node is. Entries that were removed above it have moved it a little.
    pub(super) fn position(&self, node: NodeId) -> Option<usize> {
        let &(times, hint) = self.known.get(node.0)?;
        if times == 0 {
            return None;
        }
        let hint = hint.min(self.entries.len());
        let is_at = |at: usize| self.entries.get(at) == Some(&node);
        (0..=self.entries.len()).find_map(|far| {
            let below = hint.checked_sub(far).filter(|&at| is_at(at));
            below.or_else(|| Some(hint + far).filter(|&at| is_at(at)))
        })
    }

    fn know(&mut self, node: NodeId, at: usize) -> &mut usize {
        if self.known.len() <= node.0 {
            self.known.resize(node.0 + 1, (0, 0));
        }
        let (times, hint) = &mut self.known[node.0];
        *hint = at;
        times
    }

    pub(super) fn insert(&mut self, at: usize, node: NodeId) {
        let at = at.min(self.entries.len());
        self.entries.insert(at, node);
        *self.know(node, at) += 1;
    }

    pub(super) fn push(&mut self, node: NodeId) {
        self.insert(self.entries.len(), node);
    }

    pub(super) fn remove(&mut self, at: usize) -> Option<NodeId> {
        if at >= self.entries.len() {
            return None;
        }
        let node = self.entries.remove(at);
        *self.know(node, at) -= 1;
        Some(node)
    }
}

/// The stack of open elements; the last one is the current node. Elements of each type are counted, so that most searches for one
/// that is not there end at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    order: Ordered,
    /// How many have a name, by its number.
    counts: Vec<usize>,
    /// What was immediately above an element when it was removed.
    was_above: HashMap<NodeId, NodeId>,
}

impl Stack {
    pub(super) fn order(&self) -> &Ordered {
        &self.order
    }

    pub(super) fn entries(&self) -> &[NodeId] {
        self.order.entries()
    }

    pub(super) fn current(&self) -> Option<NodeId> {
        self.entries().last().copied()
    }

    /// Whether an element with this name may be there, of whatever namespace.
    pub(super) fn may_have(&self, name: usize) -> bool {
        self.counts.get(name).is_some_and(|&count| count > 0)
    }

    /// The one immediately above another, or above it when it was removed.
    pub(super) fn above(&self, node: NodeId) -> Option<NodeId> {
        match self.order.position(node) {
            Some(at) => self.entries().get(at.checked_sub(1)?).copied(),
            None => self.was_above.get(&node).copied(),
        }
    }

    pub(super) fn push(&mut self, tree: &Tree, node: NodeId) {
        self.insert(tree, self.entries().len(), node);
    }

    pub(super) fn insert(&mut self, tree: &Tree, at: usize, node: NodeId) {
        self.order.insert(at, node);
        if let Some(element) = tree.element(node) {
            if self.counts.len() <= element.name_id {
                self.counts.resize(element.name_id + 1, 0);
            }
            self.counts[element.name_id] += 1;
        }
    }

    pub(super) fn remove(&mut self, tree: &Tree, at: usize) -> Option<NodeId> {
        let above = at
            .checked_sub(1)
            .and_then(|above| self.entries().get(above).copied());
        let is_last = at + 1 == self.entries().len();
        let node = self.order.remove(at)?;
        if let (Some(above), false) = (above, is_last) {
            self.was_above.insert(node, above);
        }
        if let Some(element) = tree.element(node)
            && let Some(count) = self.counts.get_mut(element.name_id)
        {
            *count = count.saturating_sub(1);
        }
        Some(node)
    }

    pub(super) fn pop(&mut self, tree: &Tree) -> Option<NodeId> {
        self.remove(tree, self.entries().len().checked_sub(1)?)
    }
}

/// The list of active formatting elements, with the positions that are remembered while a token is processed.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    order: Ordered,
    positions: Vec<usize>,
}

impl List {
    pub(super) fn order(&self) -> &Ordered {
        &self.order
    }

    pub(super) fn entries(&self) -> &[NodeId] {
        self.order.entries()
    }

    /// The entry that stands `by` places after another one; before it, if `by` is negative.
    pub(super) fn beside(&self, node: NodeId, by: isize) -> Option<NodeId> {
        let at = self.order.position(node)?.checked_add_signed(by)?;
        self.entries().get(at).copied()
    }

    /// Forgets all positions.
    pub(super) fn forget_positions(&mut self) {
        self.positions.clear();
    }

    /// Remembers a position; its number.
    pub(super) fn remember(&mut self, at: usize) -> usize {
        self.positions.push(at);
        self.positions.len() - 1
    }

    /// Where a position is now.
    pub(super) fn remembered(&self, position: usize) -> Option<usize> {
        self.positions.get(position).copied()
    }

    pub(super) fn push(&mut self, node: NodeId) {
        self.order.push(node);
    }

    pub(super) fn insert(&mut self, at: usize, node: NodeId) {
        self.order.insert(at, node);
        for position in &mut self.positions {
            *position += usize::from(*position > at);
        }
    }

    /// Removes an entry. A position after it moves along.
    pub(super) fn remove(&mut self, at: usize) {
        if self.order.remove(at).is_some() {
            for position in &mut self.positions {
                *position -= usize::from(*position > at);
            }
        }
    }

    pub(super) fn replace(&mut self, at: usize, node: NodeId) {
        if self.order.remove(at).is_some() {
            self.order.insert(at, node);
        }
    }
}
