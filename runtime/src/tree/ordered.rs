//! Entries in an order that know where they are: by number, and the last one of each type.

use alloc::vec;
use alloc::vec::Vec;
use core::iter::successors;
use core::mem::replace;

use super::element::Type;

/// Where something is: one more than its index in a `Vec`.
pub(super) type Place = u32;

/// Nowhere.
pub(super) const NOWHERE: Place = 0;

/// Places by a number that is dense, like those of names and elements.
#[derive(Clone, Debug, Default)]
pub(super) struct Places(Vec<Place>);

impl Places {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    #[inline(always)]
    pub(super) fn get(&self, number: u32) -> Place {
        self.0.get(number as usize).copied().unwrap_or(NOWHERE)
    }

    /// Sets a place; the one that was there.
    #[inline(always)]
    pub(super) fn set(&mut self, number: u32, place: Place) -> Place {
        match self.0.get_mut(number as usize) {
            Some(known) => replace(known, place),
            None => self.grow(number, place),
        }
    }

    #[cold]
    fn grow(&mut self, number: u32, place: Place) -> Place {
        if place != NOWHERE {
            // The next numbers come soon.
            let len = (number as usize + 1).next_power_of_two().max(64);
            self.0.resize(len, NOWHERE);
            self.set(number, place);
        }
        NOWHERE
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline(always)]
    const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes room for the numbers below `numbers`.
    pub(super) fn reserve(&mut self, numbers: usize) {
        if self.0.is_empty() {
            self.0 = vec![NOWHERE; numbers];
        }
    }
}

/// Places by type; those of elements and markers.
#[derive(Clone, Debug)]
pub(super) struct ByType {
    /// Those of HTML elements whose names have low numbers: nearly all.
    low: [Place; LOW],
    /// By the number of a namespace, then of a name.
    elements: [Places; 4],
    markers: Place,
}

const LOW: usize = 256;

#[inline(always)]
fn index(ty: Type) -> usize {
    (ty.space() as usize).min(3)
}

impl ByType {
    pub(super) const fn new() -> Self {
        Self {
            low: [NOWHERE; LOW],
            elements: [const { Places::new() }; 4],
            markers: NOWHERE,
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, ty: Type) -> Place {
        match self.low.get(ty.number()) {
            Some(place) => *place,
            None => self.get_high(ty),
        }
    }

    /// The place of the last marker.
    #[inline(always)]
    pub(super) const fn marker(&self) -> Place {
        self.markers
    }

    #[inline(never)]
    fn get_high(&self, ty: Type) -> Place {
        if ty.is_element() {
            self.elements[index(ty)].get(ty.name().0)
        } else if ty == Type::MARKER {
            self.markers
        } else {
            NOWHERE
        }
    }

    /// Sets a place; the one that was there.
    #[inline(always)]
    pub(super) fn set(&mut self, ty: Type, place: Place) -> Place {
        match self.low.get_mut(ty.number()) {
            Some(known) => replace(known, place),
            None => self.set_high(ty, place),
        }
    }

    #[inline(never)]
    fn set_high(&mut self, ty: Type, place: Place) -> Place {
        if ty.is_element() {
            self.elements[index(ty)].set(ty.name().0, place)
        } else if ty == Type::MARKER {
            replace(&mut self.markers, place)
        } else {
            NOWHERE
        }
    }

    /// Whether there was never an element in another namespace than that of HTML.
    #[inline(always)]
    pub(super) const fn is_all_html(&self) -> bool {
        let [_, math, svg, none] = &self.elements;
        math.is_empty() && svg.is_empty() && none.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.low = [NOWHERE; LOW];
        self.elements.iter_mut().for_each(Places::clear);
        self.markers = NOWHERE;
    }
}

/// What is put in an order. In one order are no two with the same serial.
pub(super) trait Entry {
    /// Its number among all elements and markers.
    fn serial(&self) -> u32;
    /// Its type.
    fn ty(&self) -> Type;
}

#[derive(Clone, Debug)]
struct Slot<E> {
    /// None if the slot is free.
    entry: Option<E>,
    /// Greater than that of the one before.
    order: u64,
    before: Place,
    /// The next one; of a free slot the next free one.
    after: Place,
    same_before: Place,
    same_after: Place,
}

/// How far apart orders are at first. Tests have to make room often.
const STRIDE: u64 = if cfg!(test) { 4 } else { 1 << 32 };

/// Entries in an order. Each operation takes constant time, except that one inserts further up than others of its type.
#[derive(Clone, Debug)]
pub(super) struct Ordered<E> {
    slots: Vec<Slot<E>>,
    free: Place,
    len: usize,
    first: Place,
    last: Place,
    by_serial: Places,
    by_type: ByType,
}

impl<E: Entry> Ordered<E> {
    pub(super) const fn new() -> Self {
        Self {
            slots: Vec::new(),
            free: NOWHERE,
            len: 0,
            first: NOWHERE,
            last: NOWHERE,
            by_serial: Places::new(),
            by_type: ByType::new(),
        }
    }

    #[inline(always)]
    pub(super) const fn is_all_html(&self) -> bool {
        self.by_type.is_all_html()
    }

    /// Empty again.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.free = NOWHERE;
        self.len = 0;
        self.first = NOWHERE;
        self.last = NOWHERE;
        self.by_serial.clear();
        self.by_type.clear();
    }

    /// Makes room for the serials below `serials`.
    pub(super) fn reserve(&mut self, serials: usize) {
        self.by_serial.reserve(serials);
    }

    #[inline(always)]
    fn slot(&self, place: Place) -> Option<&Slot<E>> {
        self.slots.get((place as usize).wrapping_sub(1))
    }

    #[inline(always)]
    fn slot_mut(&mut self, place: Place) -> Option<&mut Slot<E>> {
        self.slots.get_mut((place as usize).wrapping_sub(1))
    }

    #[inline(always)]
    pub(super) fn get(&self, place: Place) -> Option<&E> {
        self.slot(place)?.entry.as_ref()
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, place: Place) -> Option<&mut E> {
        self.slot_mut(place)?.entry.as_mut()
    }

    #[inline(always)]
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(super) const fn first(&self) -> Place {
        self.first
    }

    #[inline(always)]
    pub(super) const fn last(&self) -> Place {
        self.last
    }

    #[inline(always)]
    pub(super) fn before(&self, place: Place) -> Place {
        self.slot(place).map_or(NOWHERE, |slot| slot.before)
    }

    #[inline(always)]
    pub(super) fn after(&self, place: Place) -> Place {
        self.slot(place).map_or(NOWHERE, |slot| slot.after)
    }

    /// The one before with the same type.
    pub(super) fn same_before(&self, place: Place) -> Place {
        self.slot(place).map_or(NOWHERE, |slot| slot.same_before)
    }

    /// Greater for later entries; 0 for nowhere.
    #[inline(always)]
    pub(super) fn order(&self, place: Place) -> u64 {
        self.slot(place).map_or(0, |slot| slot.order)
    }

    #[inline(always)]
    pub(super) fn of(&self, serial: u32) -> Place {
        self.by_serial.get(serial)
    }

    #[inline(always)]
    pub(super) const fn last_marker(&self) -> Place {
        self.by_type.marker()
    }

    #[inline(always)]
    pub(super) fn last_of(&self, ty: Type) -> Place {
        self.by_type.get(ty)
    }

    /// All entries from a place on.
    pub(super) fn onwards(&self, from: Place) -> impl Iterator<Item = &E> {
        let slots = successors(self.slot(from), |slot| self.slot(slot.after));
        slots.filter_map(|slot| slot.entry.as_ref())
    }

    /// Makes sure that there is an order between an entry and the next one. Whether others have got other orders for this.
    #[inline(always)]
    pub(super) fn make_room(&mut self, after: Place) -> bool {
        // Behind the last entry there is room for more entries than fit into memory.
        after != self.last && self.make_room_inside(after)
    }

    #[inline(never)]
    fn make_room_inside(&mut self, after: Place) -> bool {
        let next = self.slot(match after {
            NOWHERE => self.first,
            after => self.after(after),
        });
        if next.is_none_or(|next| next.order - self.order(after) > 1) {
            return false;
        }
        let (mut place, mut order) = (self.first, 0);
        while let Some(slot) = self.slot_mut(place) {
            order += STRIDE;
            slot.order = order;
            place = slot.after;
        }
        true
    }

    /// Adds an entry at the end.
    #[inline(always)]
    pub(super) fn push(&mut self, entry: E) -> Place {
        let (ty, before) = (entry.ty(), self.last);
        let order = self.order(before) + STRIDE;
        let place = self.put(entry, order, (before, NOWHERE));
        let same_before = self.by_type.set(ty, place);
        if let Some(slot) = self.slot_mut(place) {
            slot.same_before = same_before;
        }
        if let Some(slot) = self.slot_mut(same_before) {
            slot.same_after = place;
        }
        place
    }

    /// Inserts an entry immediately after another one, where there is room; as the first one after `NOWHERE`.
    #[inline(always)]
    pub(super) fn insert(&mut self, before: Place, entry: E) -> Place {
        if before == self.last {
            return self.push(entry);
        }
        let after = match before {
            NOWHERE => self.first,
            before => self.after(before),
        };
        let (ty, low) = (entry.ty(), self.order(before));
        let order = low + (self.order(after) - low) / 2;
        let place = self.put(entry, order, (before, after));
        self.join_its_type(place, ty);
        place
    }

    /// Puts an entry between two others, or at an end.
    #[inline(always)]
    fn put(&mut self, entry: E, order: u64, (before, after): (Place, Place)) -> Place {
        let serial = entry.serial();
        let slot = Slot {
            entry: Some(entry),
            order,
            before,
            after,
            same_before: NOWHERE,
            same_after: NOWHERE,
        };
        let free = self.free;
        let place = match self.slot_mut(free) {
            Some(old) => {
                let next_free = old.after;
                *old = slot;
                self.free = next_free;
                free
            }
            None => {
                self.slots.push(slot);
                self.slots.len() as Place
            }
        };
        match self.slot_mut(before) {
            Some(slot) => slot.after = place,
            None => self.first = place,
        }
        match self.slot_mut(after) {
            Some(slot) => slot.before = place,
            None => self.last = place,
        }
        self.len += 1;
        self.by_serial.set(serial, place);
        place
    }

    #[inline(always)]
    fn join_its_type(&mut self, place: Place, ty: Type) {
        let order = self.order(place);
        let (mut before, mut after) = (self.by_type.get(ty), NOWHERE);
        while self.order(before) > order {
            after = before;
            before = self.same_before(before);
        }
        if let Some(slot) = self.slot_mut(place) {
            slot.same_before = before;
            slot.same_after = after;
        }
        if let Some(slot) = self.slot_mut(before) {
            slot.same_after = place;
        }
        match self.slot_mut(after) {
            Some(slot) => slot.same_before = place,
            None => _ = self.by_type.set(ty, place),
        }
    }

    #[inline(always)]
    fn leave_its_type(&mut self, place: Place, ty: Type) {
        let Some(slot) = self.slot(place) else {
            return;
        };
        let (before, after) = (slot.same_before, slot.same_after);
        if let Some(slot) = self.slot_mut(before) {
            slot.same_after = after;
        }
        match self.slot_mut(after) {
            Some(slot) => slot.same_before = before,
            None => _ = self.by_type.set(ty, before),
        }
    }

    /// Takes an entry out. Whether there was one.
    #[inline(always)]
    pub(super) fn remove(&mut self, place: Place) -> bool {
        let free = self.free;
        let Some(slot) = self.slot_mut(place) else {
            return false;
        };
        let Some(entry) = &slot.entry else {
            return false;
        };
        let (serial, ty) = (entry.serial(), entry.ty());
        slot.entry = None;
        let (before, after) = (slot.before, slot.after);
        slot.after = free;
        self.free = place;
        match self.slot_mut(before) {
            Some(slot) => slot.after = after,
            None => self.first = after,
        }
        match self.slot_mut(after) {
            Some(slot) => slot.before = before,
            None => self.last = before,
        }
        self.len -= 1;
        self.by_serial.set(serial, NOWHERE);
        self.leave_its_type(place, ty);
        true
    }

    /// Puts an entry where another one is. Whether there was one.
    pub(super) fn replace(&mut self, place: Place, with: E) -> bool {
        let (serial, ty) = (with.serial(), with.ty());
        let Some(entry) = self.get_mut(place) else {
            return false;
        };
        let replaced = (entry.serial(), entry.ty());
        *entry = with;
        self.by_serial.set(replaced.0, NOWHERE);
        self.by_serial.set(serial, place);
        if replaced.1 != ty {
            self.leave_its_type(place, replaced.1);
            self.join_its_type(place, ty);
        }
        true
    }
}

/// What the tests of the stack and of the list choose from.
#[cfg(test)]
pub(super) mod testing {
    use super::super::element::{Element, Type};
    use super::super::names::{Name, Space};

    pub(in super::super) const TYPES: [Type; 5] = [
        Type::html(Name(0)),
        Type::html(Name(1)),
        Type::html(Name(900)),
        Type::new(Space::MathMl, Name(1)),
        Type::new(Space::Svg, Name(1)),
    ];

    pub(in super::super) struct Random(pub(in super::super) u64);

    impl Random {
        pub(in super::super) fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 20) as usize % bound
        }

        pub(in super::super) fn element(&mut self, serial: u32) -> Element<u32> {
            Element {
                node: serial,
                serial,
                ty: TYPES[self.below(TYPES.len())],
                sets: self.below(8) as u64,
            }
        }
    }
}
