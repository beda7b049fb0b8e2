//! The list of active formatting elements.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::iter::successors;

use super::element::{Element, Type};
use super::ordered::{self, NOWHERE, Ordered, Place};

/// An entry of the list of active formatting elements.
#[derive(Clone, Debug)]
pub struct Entry<N, K> {
    /// The element, or a marker.
    pub element: Element<N>,
    /// What the sink keeps of the start tag; nothing for a marker.
    pub kept: Option<K>,
    /// A number for what is kept, once there are many entries: the same for what is alike.
    hash: u64,
}

impl<N, K> Entry<N, K> {
    /// An entry for an element.
    pub const fn new(element: Element<N>, kept: K) -> Self {
        Self {
            element,
            kept: Some(kept),
            hash: 0,
        }
    }
}

impl<N, K> ordered::Entry for Entry<N, K> {
    #[inline(always)]
    fn serial(&self) -> u32 {
        self.element.serial
    }

    #[inline(always)]
    fn ty(&self) -> Type {
        self.element.ty
    }
}

/// A position between two entries, which the list remembers. It keeps to the entry before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(u32);

/// More entries than this are found by their hashes.
const FEW: usize = 24;

/// The list of active formatting elements. An element or marker has at most one entry.
///
/// Operations that take `hash` call it for what is kept of entries, once there are many: it is the same for what is alike.
///
/// Each operation takes constant time, or logarithmic time where there are many entries; but for positions, which it follows one by one.
#[derive(Clone, Debug)]
pub struct List<N, K> {
    order: Ordered<Entry<N, K>>,
    /// The entry before each position.
    positions: Vec<Place>,
    /// All entries, by type, hash and order, once there are many.
    by_hash: Option<BTreeMap<(Type, u64, u64), Place>>,
}

impl<N: Clone, K> List<N, K> {
    /// An empty list.
    pub const fn new() -> Self {
        Self {
            order: Ordered::new(),
            positions: Vec::new(),
            by_hash: None,
        }
    }

    /// Empty again.
    pub fn clear(&mut self) {
        self.order.clear();
        self.positions.clear();
        self.by_hash = None;
    }

    /// Makes room for the serials of this many elements.
    pub fn reserve(&mut self, elements: usize) {
        self.order.reserve(elements);
    }

    /// How many entries there are, with markers.
    #[inline]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is no entry.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first entry.
    #[inline]
    pub fn first(&self) -> Option<&Entry<N, K>> {
        self.order.get(self.order.first())
    }

    /// The last entry.
    #[inline]
    pub fn last(&self) -> Option<&Entry<N, K>> {
        self.order.get(self.order.last())
    }

    /// The element, or the marker, that is the last entry.
    #[inline]
    pub fn last_element(&self) -> Option<&Element<N>> {
        self.last().map(|it| &it.element)
    }

    /// Whether the last entry is a marker.
    #[inline]
    pub fn ends_with_marker(&self) -> bool {
        self.last_element().is_some_and(|it| it.is(Type::MARKER))
    }

    /// All entries from the first to the last one.
    pub fn iter(&self) -> impl Iterator<Item = &Entry<N, K>> {
        self.order.onwards(self.order.first())
    }

    /// The entry of an element or marker.
    #[inline]
    pub fn get(&self, serial: u32) -> Option<&Entry<N, K>> {
        self.order.get(self.order.of(serial))
    }

    /// Whether an element or marker has an entry.
    #[inline]
    pub fn contains(&self, serial: u32) -> bool {
        self.order.of(serial) != NOWHERE
    }

    /// The entry before another one.
    #[inline]
    pub fn before(&self, serial: u32) -> Option<&Entry<N, K>> {
        self.order.get(self.order.before(self.order.of(serial)))
    }

    /// The entry after another one.
    #[inline]
    pub fn after(&self, serial: u32) -> Option<&Entry<N, K>> {
        self.order.get(self.order.after(self.order.of(serial)))
    }

    /// Adds an entry at the end.
    #[inline(always)]
    pub fn push(&mut self, entry: Entry<N, K>, hash: impl FnMut(&K) -> u64) {
        self.insert(self.order.last(), entry, hash);
    }

    /// Whether an element has the last entry, and nothing but that has to be known to take it out.
    #[inline(always)]
    pub fn ends_with(&self, serial: u32) -> bool {
        self.by_hash.is_none()
            && self
                .last()
                .is_some_and(|last| last.element.serial == serial)
    }

    /// Takes the last entry out, where [`ends_with`](Self::ends_with) says yes. Forgets all positions.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.positions.clear();
        self.order.remove(self.order.last());
    }

    /// Whether there was never an element in another namespace than that of HTML.
    #[inline(always)]
    pub const fn is_all_html(&self) -> bool {
        self.order.is_all_html()
    }

    /// Adds a marker at the end. Its type is [`Type::MARKER`].
    pub fn push_marker(&mut self, marker: Element<N>, hash: impl FnMut(&K) -> u64) {
        let marker = Entry {
            element: marker,
            kept: None,
            hash: 0,
        };
        self.push(marker, hash);
    }

    #[inline(always)]
    fn insert(&mut self, before: Place, entry: Entry<N, K>, hash: impl FnMut(&K) -> u64) {
        let is_renumbered = self.order.make_room(before);
        let place = self.order.insert(before, entry);
        if self.by_hash.is_some() || self.len() > FEW {
            self.know(place, is_renumbered, hash);
        }
    }

    #[inline(never)]
    fn know(&mut self, place: Place, is_renumbered: bool, mut hash: impl FnMut(&K) -> u64) {
        if self.by_hash.is_some() && !is_renumbered {
            return self.know_hash(place, hash);
        }
        self.by_hash = Some(BTreeMap::new());
        let mut place = self.order.first();
        while place != NOWHERE {
            self.know_hash(place, &mut hash);
            place = self.order.after(place);
        }
    }

    /// Takes an entry out. Whether there was one.
    pub fn remove(&mut self, serial: u32) -> bool {
        let place = self.order.of(serial);
        if self.by_hash.is_some() {
            self.forget_hash(place);
        }
        let before = self.order.before(place);
        let is_removed = self.order.remove(place);
        for position in &mut self.positions {
            if *position == place {
                *position = before;
            }
        }
        if self.by_hash.is_some() && self.is_empty() {
            self.by_hash = None;
        }
        is_removed
    }

    /// Puts an entry where another one is. Whether there was one.
    pub fn replace(&mut self, serial: u32, with: Entry<N, K>, hash: impl FnMut(&K) -> u64) -> bool {
        let place = self.order.of(serial);
        self.forget_hash(place);
        let is_replaced = self.order.replace(place, with);
        self.know_hash(place, hash);
        is_replaced
    }

    /// Remembers the position of an entry: before it.
    pub fn position(&mut self, serial: u32) -> Option<Position> {
        let place = self.order.of(serial);
        (place != NOWHERE).then(|| self.remember(self.order.before(place)))
    }

    /// Remembers the position immediately after an entry.
    pub fn position_after(&mut self, serial: u32) -> Option<Position> {
        let place = self.order.of(serial);
        (place != NOWHERE).then(|| self.remember(place))
    }

    fn remember(&mut self, place: Place) -> Position {
        self.positions.push(place);
        Position(self.positions.len() as u32 - 1)
    }

    /// Forgets all positions.
    #[inline]
    pub fn forget_positions(&mut self) {
        self.positions.clear();
    }

    /// Inserts an entry at a position, unless that is forgotten. The position is before the entry then.
    pub fn insert_at(
        &mut self,
        position: Position,
        entry: Entry<N, K>,
        hash: impl FnMut(&K) -> u64,
    ) {
        if let Some(&before) = self.positions.get(position.0 as usize) {
            self.insert(before, entry, hash);
        }
    }

    /// The order of the last marker; 0 without one.
    #[inline]
    fn last_marker(&self) -> u64 {
        self.order.order(self.order.last_marker())
    }

    /// Whether there is an entry of a type, be it before or after the last marker.
    #[inline(always)]
    pub fn has(&self, ty: Type) -> bool {
        self.order.last_of(ty) != NOWHERE
    }

    /// The last entry of a type after the last marker.
    #[inline]
    pub fn last_of(&self, ty: Type) -> Option<&Entry<N, K>> {
        let place = self.order.last_of(ty);
        let is_after = self.order.order(place) > self.last_marker();
        is_after.then(|| self.order.get(place)).flatten()
    }

    /// The entries after the last marker with a type and a tag that is alike, from the last one back.
    pub fn alike(
        &self,
        ty: Type,
        mut is_alike: impl FnMut(&K) -> bool,
        hash: impl FnOnce() -> u64,
    ) -> impl Iterator<Item = &Entry<N, K>> {
        let marker = self.last_marker();
        let found = self.by_hash.as_ref().map(|by_hash| {
            let hash = hash();
            let alike = by_hash.range((ty, hash, marker + 1)..=(ty, hash, u64::MAX));
            alike.rev().map(|(_, &place)| place)
        });
        let is_after = move |&place: &Place| self.order.order(place) > marker;
        let of_type = self.by_hash.is_none().then(|| {
            let last = Some(self.order.last_of(ty)).filter(is_after);
            successors(last, move |&place| {
                Some(self.order.same_before(place)).filter(is_after)
            })
        });
        let places = found.into_iter().flatten();
        let places = places.chain(of_type.into_iter().flatten());
        let entries = places.filter_map(|place| self.order.get(place));
        entries.filter(move |it| it.kept.as_ref().is_some_and(&mut is_alike))
    }

    fn know_hash(&mut self, place: Place, hash: impl FnOnce(&K) -> u64) {
        let order = self.order.order(place);
        if let (Some(by_hash), Some(entry)) = (&mut self.by_hash, self.order.get_mut(place)) {
            entry.hash = entry.kept.as_ref().map_or(0, hash);
            by_hash.insert((entry.element.ty, entry.hash, order), place);
        }
    }

    fn forget_hash(&mut self, place: Place) {
        if let (Some(by_hash), Some(entry)) = (&mut self.by_hash, self.order.get(place)) {
            by_hash.remove(&(entry.element.ty, entry.hash, self.order.order(place)));
        }
    }
}

impl<N: Clone, K> Default for List<N, K> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ordered::testing::{Random, TYPES};
    use super::*;

    type Row = Entry<u32, u8>;

    /// The list with nothing but searches, and with positions as indices.
    #[derive(Default)]
    struct Model {
        rows: Vec<Row>,
        positions: Vec<usize>,
    }

    impl Model {
        fn at(&self, serial: u32) -> Option<usize> {
            let is = |it: &Row| it.element.serial == serial;
            self.rows.iter().position(is)
        }

        fn insert(&mut self, at: usize, row: Row) {
            self.rows.insert(at, row);
            for position in &mut self.positions {
                *position += usize::from(*position > at);
            }
        }

        fn remove(&mut self, at: usize) {
            self.rows.remove(at);
            for position in &mut self.positions {
                *position -= usize::from(*position > at);
            }
        }

        fn after_marker(&self) -> &[Row] {
            let is_marker = |it: &Row| it.element.ty == Type::MARKER;
            let marker = self.rows.iter().rposition(is_marker);
            &self.rows[marker.map_or(0, |at| at + 1)..]
        }
    }

    fn serial(row: Option<&Row>) -> Option<u32> {
        row.map(|row| row.element.serial)
    }

    fn compare(list: &List<u32, u8>, model: &Model, random: &mut Random, serials: u32) {
        let rows = &model.rows;
        let expected = rows.iter().map(|it| (it.element.serial, it.kept));
        let found = list.iter().map(|it| (it.element.serial, it.kept));
        assert!(found.eq(expected));
        assert_eq!(list.len(), rows.len());
        assert_eq!(list.is_empty(), rows.is_empty());
        assert_eq!(serial(list.first()), serial(rows.first()));
        assert_eq!(serial(list.last()), serial(rows.last()));
        let some = random.below(serials as usize + 2) as u32;
        let recent = rows.get(random.below(rows.len() + 1));
        for of in [some, serial(recent).unwrap_or(some)] {
            let at = model.at(of);
            assert_eq!(list.contains(of), at.is_some());
            assert_eq!(serial(list.get(of)), at.map(|_| of));
            let before = at.and_then(|at| rows.get(at.checked_sub(1)?));
            assert_eq!(serial(list.before(of)), serial(before));
            let after = at.and_then(|at| rows.get(at + 1));
            assert_eq!(serial(list.after(of)), serial(after));
        }
        for ty in TYPES {
            let after = model.after_marker();
            let last = after.iter().rfind(|it| it.element.ty == ty);
            assert_eq!(serial(list.last_of(ty)), serial(last));
            let kept = random.below(4) as u8;
            let mut alike = after
                .iter()
                .filter(|it| it.element.ty == ty && it.kept == Some(kept));
            let count = alike.clone().count();
            let found = list.alike(ty, |it| *it == kept, || hash(&kept));
            assert_eq!(
                found.last().map(|it| it.element.serial),
                serial(alike.next())
            );
            let found = list.alike(ty, |it| *it == kept, || hash(&kept));
            assert_eq!(found.count(), count);
        }
    }

    /// Two of four have the same one.
    fn hash(kept: &u8) -> u64 {
        u64::from(kept % 3)
    }

    #[test]
    fn equals_a_naive_list() {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let (mut list, mut model) = (List::new(), Model::default());
        let mut remembered = Vec::new();
        let mut longest = 0;
        for serials in 0..100_000 {
            let row = |random: &mut Random| {
                let kept = random.below(4) as u8;
                Entry::new(random.element(serials), kept)
            };
            let at = random.below(model.rows.len().max(1));
            let of = serial(model.rows.get(at)).unwrap_or(serials);
            // It grows for a while, then it shrinks.
            let choice = match serials / 100 % 2 {
                0 => random.below(20),
                _ => random.below(20) + 11,
            };
            match choice {
                0..8 => {
                    let row = row(&mut random);
                    model.rows.push(row.clone());
                    list.push(row, hash);
                }
                8 => {
                    let ty = Type::MARKER;
                    let element = Element {
                        ty,
                        ..random.element(serials)
                    };
                    list.push_marker(element.clone(), hash);
                    let (kept, hash) = (None, 0);
                    model.rows.push(Entry {
                        element,
                        kept,
                        hash,
                    });
                }
                9..11 => {
                    let row = row(&mut random);
                    let is_replaced = list.replace(of, row.clone(), hash);
                    assert_eq!(is_replaced, !model.rows.is_empty());
                    if let Some(old) = model.rows.get_mut(at) {
                        *old = row;
                    }
                }
                11..13 => {
                    let position = list.position(of);
                    assert_eq!(position.is_some(), !model.rows.is_empty());
                    remembered.extend(position);
                    model.positions.extend(position.map(|_| at));
                }
                13 => {
                    let position = list.position_after(of);
                    remembered.extend(position);
                    model.positions.extend(position.map(|_| at + 1));
                }
                14..18 => {
                    let row = row(&mut random);
                    let number = random.below(remembered.len().max(1));
                    if let Some(&position) = remembered.get(number) {
                        list.insert_at(position, row.clone(), hash);
                        model.insert(model.positions[number], row);
                    }
                }
                18 => {
                    list.forget_positions();
                    for position in remembered.drain(..) {
                        let row = row(&mut random);
                        list.insert_at(position, row, hash);
                    }
                    model.positions.clear();
                }
                _ => {
                    let is_removed = list.remove(of);
                    assert_eq!(is_removed, !model.rows.is_empty());
                    if is_removed {
                        model.remove(at);
                    }
                }
            }
            longest = longest.max(model.rows.len());
            compare(&list, &model, &mut random, serials);
        }
        assert!(longest > 2 * FEW, "{longest}");
        list.clear();
        compare(&list, &Model::default(), &mut random, 100_000);
    }

    #[test]
    fn many_entries_with_one_type_are_compared_by_their_hashes() {
        let mut list = List::new();
        let mut random = Random(1);
        for serial in 0..10_000 {
            let ty = TYPES[0];
            let element = Element {
                ty,
                ..random.element(serial)
            };
            let hash = |kept: &u32| u64::from(*kept);
            let kept = serial / 2;
            let mut compared = 0;
            let is_alike = |other: &u32| {
                compared += 1;
                *other == kept
            };
            let count = list.alike(ty, is_alike, || hash(&kept)).count();
            assert_eq!(count, serial as usize % 2);
            assert!(compared <= FEW, "{compared}");
            list.push(Entry::new(element, kept), hash);
        }
    }
}
