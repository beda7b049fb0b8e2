//! How deep open elements are in the tree, where that is limited.

use alloc::collections::BTreeMap;

/// A limit of the depth of a tree, and what makes open elements deeper than they are on the stack.
///
/// An open element is as deep as the one above it on the stack, and one. So it is never deeper in the tree than this says, but where
/// an element between the two has left the stack and not the tree, as a `form` element does, or where the nodes in an element are
/// put elsewhere. What these add is kept with the element above.
#[derive(Debug)]
pub(super) struct Depths {
    /// No element that is deeper has children.
    pub(super) limit: usize,
    /// By the serial of an element, how much deeper those below it are. What moves in the tree may be less deep.
    below: BTreeMap<u32, isize>,
    /// The same, as long as the element is open.
    inside: BTreeMap<u32, isize>,
    /// The sum of those that are greater than zero.
    pub(super) added: usize,
}

/// Adds to what is kept of an element.
fn add(to: &mut BTreeMap<u32, isize>, total: &mut usize, serial: u32, more: isize) {
    let old = to.remove(&serial).unwrap_or_default();
    let new = old.saturating_add(more);
    *total = (*total + new.max(0).unsigned_abs()).saturating_sub(old.max(0).unsigned_abs());
    if new != 0 {
        to.insert(serial, new);
    }
}

impl Depths {
    /// No limit.
    pub(super) const fn new() -> Self {
        Self {
            limit: usize::MAX,
            below: BTreeMap::new(),
            inside: BTreeMap::new(),
            added: 0,
        }
    }

    #[inline(always)]
    pub(super) const fn are_limited(&self) -> bool {
        self.limit != usize::MAX
    }

    /// Whether each element is as deep as it is on the stack.
    pub(super) fn are_those_of_the_stack(&self) -> bool {
        self.below.is_empty() && self.inside.is_empty()
    }

    /// How much deeper than the next depth the element below this one is.
    pub(super) fn below(&self, serial: u32) -> isize {
        let of = |all: &BTreeMap<u32, isize>| all.get(&serial).copied().unwrap_or_default();
        of(&self.below).saturating_add(of(&self.inside))
    }

    /// What is below an element, and what comes below it later, is so much deeper.
    pub(super) fn add_inside(&mut self, serial: u32, more: isize) {
        add(&mut self.inside, &mut self.added, serial, more);
    }

    /// What is below an element now is so much deeper.
    pub(super) fn add_below(&mut self, serial: u32, more: isize) {
        add(&mut self.below, &mut self.added, serial, more);
    }

    /// Nothing is below an element any more.
    pub(super) fn has_none_below(&mut self, serial: u32) {
        self.add_below(
            serial,
            -self.below.get(&serial).copied().unwrap_or_default(),
        );
    }

    /// An element is no longer open.
    pub(super) fn leaves(&mut self, serial: u32) {
        self.has_none_below(serial);
        self.add_inside(
            serial,
            -self.inside.get(&serial).copied().unwrap_or_default(),
        );
    }

    /// Another element takes the place of one, or comes between it and what is below.
    pub(super) fn pass(&mut self, from: u32, to: u32) {
        let more = self.below.get(&from).copied().unwrap_or_default();
        self.has_none_below(from);
        self.add_below(to, more);
    }
}
