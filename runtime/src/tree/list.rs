//! The list of active formatting elements.

use alloc::vec::Vec;

use super::element::{Element, Type};

/// An entry of the list of active formatting elements.
#[derive(Clone, Debug)]
pub struct Entry<N, K> {
    /// The element, or a marker.
    pub element: Element<N>,
    /// What the sink keeps of the start tag; nothing for a marker.
    pub kept: Option<K>,
    /// The sink's number for what is kept: the same for what is alike.
    pub hash: u64,
}

/// A position between two entries. It keeps to the entry before it when the list changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(u32);

/// The list of active formatting elements.
#[derive(Clone, Debug)]
pub struct List<N, K> {
    entries: Vec<Entry<N, K>>,
    positions: Vec<usize>,
}

impl<N: Clone, K> List<N, K> {
    /// An empty list.
    pub const fn new() -> Self {
        Self {
            entries: Vec::new(),
            positions: Vec::new(),
        }
    }

    /// Empty again.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.positions.clear();
    }

    /// How many entries there are, with markers.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The first entry.
    pub fn first(&self) -> Option<&Entry<N, K>> {
        self.entries.first()
    }

    /// The last entry.
    pub fn last(&self) -> Option<&Entry<N, K>> {
        self.entries.last()
    }

    /// All entries from the first to the last one.
    pub fn iter(&self) -> impl Iterator<Item = &Entry<N, K>> {
        self.entries.iter()
    }

    fn at(&self, serial: u32) -> Option<usize> {
        let is = |it: &Entry<N, K>| it.element.serial == serial;
        self.entries.iter().position(is)
    }

    /// The entry of an element or marker.
    pub fn get(&self, serial: u32) -> Option<&Entry<N, K>> {
        self.entries.get(self.at(serial)?)
    }

    /// Whether an element or marker has an entry.
    pub fn contains(&self, serial: u32) -> bool {
        self.at(serial).is_some()
    }

    /// The entry before another one.
    pub fn before(&self, serial: u32) -> Option<&Entry<N, K>> {
        self.entries.get(self.at(serial)?.checked_sub(1)?)
    }

    /// The entry after another one.
    pub fn after(&self, serial: u32) -> Option<&Entry<N, K>> {
        self.entries.get(self.at(serial)? + 1)
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, entry: Entry<N, K>) {
        self.entries.push(entry);
    }

    /// Adds a marker at the end. Its type is [`Type::MARKER`].
    pub fn push_marker(&mut self, marker: Element<N>) {
        self.push(Entry {
            element: marker,
            kept: None,
            hash: 0,
        });
    }

    /// Takes an entry out.
    pub fn remove(&mut self, serial: u32) -> Option<Entry<N, K>> {
        let at = self.at(serial)?;
        for position in &mut self.positions {
            *position -= usize::from(*position > at);
        }
        Some(self.entries.remove(at))
    }

    /// Puts an entry where another one is; that one, if there is one.
    pub fn replace(&mut self, serial: u32, with: Entry<N, K>) -> Option<Entry<N, K>> {
        let at = self.at(serial)?;
        Some(core::mem::replace(self.entries.get_mut(at)?, with))
    }

    /// The position of an entry: before it.
    pub fn position(&mut self, serial: u32) -> Option<Position> {
        let at = self.at(serial)?;
        Some(self.remember(at))
    }

    /// The position immediately after an entry.
    pub fn position_after(&mut self, serial: u32) -> Option<Position> {
        let at = self.at(serial)?;
        Some(self.remember(at + 1))
    }

    fn remember(&mut self, at: usize) -> Position {
        self.positions.push(at);
        Position(self.positions.len() as u32 - 1)
    }

    /// Forgets all positions.
    #[inline]
    pub fn forget_positions(&mut self) {
        self.positions.clear();
    }

    /// Inserts an entry at a position, which is before it then.
    pub fn insert_at(&mut self, position: Position, entry: Entry<N, K>) {
        let Some(&at) = self.positions.get(position.0 as usize) else {
            return;
        };
        let at = at.min(self.entries.len());
        self.entries.insert(at, entry);
        for position in &mut self.positions {
            *position += usize::from(*position > at);
        }
    }

    /// The entries after the last marker, from the last one on.
    fn after_marker(&self) -> impl Iterator<Item = &Entry<N, K>> {
        let entries = self.entries.iter().rev();
        entries.take_while(|it| it.element.ty != Type::MARKER)
    }

    /// The last entry of a type after the last marker.
    pub fn last_of(&self, ty: Type) -> Option<&Entry<N, K>> {
        self.after_marker().find(|it| it.element.is(ty))
    }

    /// The entries after the last marker of the same type whose tags are alike, from the last one on.
    fn alike<'a, 'k, F: FnMut(&K, &K) -> bool>(
        &'a self,
        ty: Type,
        hash: u64,
        kept: &'k K,
        mut is_alike: F,
    ) -> impl Iterator<Item = &'a Entry<N, K>> + use<'a, 'k, N, K, F> {
        self.after_marker().filter(move |it| {
            let has_kept = |other| is_alike(kept, other);
            it.element.is(ty) && it.hash == hash && it.kept.as_ref().is_some_and(has_kept)
        })
    }

    /// How many entries after the last marker have the type and a tag that is alike; at most 3.
    pub fn count_alike(
        &self,
        ty: Type,
        hash: u64,
        kept: &K,
        is_alike: impl FnMut(&K, &K) -> bool,
    ) -> usize {
        self.alike(ty, hash, kept, is_alike).take(3).count()
    }

    /// The earliest entry after the last marker that has the type and a tag that is alike.
    pub fn earliest_alike(
        &self,
        ty: Type,
        hash: u64,
        kept: &K,
        is_alike: impl FnMut(&K, &K) -> bool,
    ) -> Option<&Entry<N, K>> {
        self.alike(ty, hash, kept, is_alike).last()
    }
}

impl<N: Clone, K> Default for List<N, K> {
    fn default() -> Self {
        Self::new()
    }
}
