//! Where the elements of the stack and of the list are: by number, and the last one of each type.

use alloc::vec::Vec;

use super::element::Type;

/// Where something is: one more than its number in a `Vec`.
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
            Some(known) => core::mem::replace(known, place),
            None => self.grow(number, place),
        }
    }

    #[cold]
    fn grow(&mut self, number: u32, place: Place) -> Place {
        if place != NOWHERE {
            self.0.resize(number as usize, NOWHERE);
            self.0.push(place);
        }
        NOWHERE
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Places by type.
#[derive(Clone, Debug)]
pub(super) struct ByType {
    /// By the number of a namespace, then of a name.
    elements: [Places; 4],
    markers: Place,
}

impl ByType {
    pub(super) const fn new() -> Self {
        Self {
            elements: [const { Places::new() }; 4],
            markers: NOWHERE,
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, ty: Type) -> Place {
        if ty.is_element() {
            self.elements[ty.space() as usize & 3].get(ty.name().0)
        } else {
            self.markers
        }
    }

    /// Sets a place; the one that was there.
    #[inline(always)]
    pub(super) fn set(&mut self, ty: Type, place: Place) -> Place {
        if ty.is_element() {
            self.elements[ty.space() as usize & 3].set(ty.name().0, place)
        } else {
            core::mem::replace(&mut self.markers, place)
        }
    }

    pub(super) fn clear(&mut self) {
        self.elements.iter_mut().for_each(Places::clear);
        self.markers = NOWHERE;
    }
}
