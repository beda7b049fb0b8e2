//! Reading a batch.

use core::fmt;
use core::slice;

use super::BatchKind;
use super::piece::{OWN, Place};
use super::store::{Places, Record, Store, Strings};
use crate::attributes::{Attributes, Own, Part};
use crate::span::Span;

/// The tokens of a batch, each borrowed from it, and their places in the input.
#[derive(Clone)]
pub struct BatchIter<'a, K> {
    records: slice::Iter<'a, Record<K>>,
    strings: &'a Strings,
}

impl<'a, K> BatchIter<'a, K> {
    #[inline(always)]
    pub(super) fn new(store: &'a Store<K>) -> Self {
        Self {
            records: store.records.iter(),
            strings: &store.strings,
        }
    }
}

impl<'a, K: BatchKind> Iterator for BatchIter<'a, K> {
    type Item = (K::View<'a>, Span);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let record = self.records.next()?;
        let recorded = Recorded {
            strings: self.strings,
            places: &record.places,
        };
        Some((record.kind.view(recorded), record.span))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.records.size_hint()
    }
}

impl<K: BatchKind> ExactSizeIterator for BatchIter<'_, K> {}

impl<K: BatchKind> fmt::Debug for BatchIter<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// The strings of one token of a batch.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Recorded<'a> {
    strings: &'a Strings,
    places: &'a Places,
}

impl<'a> Recorded<'a> {
    /// The first field.
    #[inline(always)]
    pub fn first(self) -> &'a str {
        self.places.first.get(self.strings)
    }

    /// The attributes.
    #[inline(always)]
    pub fn attributes(self) -> Attributes<'a> {
        let Places {
            base, parts, count, ..
        } = *self.places;
        if count == 0 {
            return Attributes::default();
        }
        let parts = self.strings.parts.get(parts..parts + count as usize);
        let parts = parts.unwrap_or_default();
        match self.strings.text.get(base..) {
            Some(input) => Attributes {
                input,
                parts,
                ..Attributes::default()
            },
            None => self.other_attributes(parts),
        }
    }

    #[cold]
    #[inline(never)]
    fn other_attributes(self, parts: &'a [(Part, Part)]) -> Attributes<'a> {
        let bases = self.further(0).unwrap_or_default();
        let Strings { text, own, .. } = self.strings;
        Attributes {
            input: text.get(bases.start..).unwrap_or_default(),
            own: Own {
                text: own,
                from: bases.length,
            },
            parts,
        }
    }

    /// One of the further fields; none if it is missing.
    #[cold]
    #[inline(never)]
    pub fn field(self, index: usize) -> Option<&'a str> {
        Some(self.further(index)?.get(self.strings))
    }

    #[inline]
    fn further(self, index: usize) -> Option<Place> {
        *self
            .strings
            .further
            .get((self.places.base & !OWN) + index)?
    }
}
