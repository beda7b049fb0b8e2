//! Reading a batch.

use core::fmt;
use core::slice;

use super::BatchKind;
use super::piece::{OWN, Place};
use super::store::{Record, Store};
use crate::attributes::{Attributes, Part};
use crate::span::Span;

/// The tokens of a batch, each borrowed from it, and their places in the input.
#[derive(Clone)]
pub struct BatchIter<'a, K> {
    records: slice::Iter<'a, Record<K>>,
    store: &'a Store<K>,
}

impl<'a, K> BatchIter<'a, K> {
    #[inline(always)]
    pub(super) fn new(store: &'a Store<K>) -> Self {
        Self {
            records: store.records.iter(),
            store,
        }
    }
}

impl<'a, K: BatchKind> Iterator for BatchIter<'a, K> {
    type Item = (K::View<'a>, Span);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let record = self.records.next()?;
        let recorded = Recorded {
            text: &self.store.text,
            own: &self.store.own,
            parts: &self.store.parts,
            further: &self.store.further,
            place: record.first,
            base: record.base,
            start: record.parts,
            count: record.count,
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
#[derive(Debug)]
pub struct Recorded<'a> {
    text: &'a str,
    own: &'a str,
    parts: &'a [(Part, Part)],
    further: &'a [Option<Place>],
    place: Place,
    base: usize,
    start: usize,
    count: u32,
}

impl<'a> Recorded<'a> {
    /// The first field.
    #[inline(always)]
    pub fn first(&self) -> &'a str {
        self.place.get(self.text, self.own)
    }

    /// The attributes.
    #[inline(always)]
    pub fn attributes(&self) -> Attributes<'a> {
        let (mut input, mut own) = (self.base, 0);
        if self.base & OWN != 0 {
            let bases = self.further(0).unwrap_or_default();
            (input, own) = (bases.start, bases.length);
        }
        let parts = self.parts.get(self.start..self.start + self.count as usize);
        Attributes {
            input: self.text.get(input..).unwrap_or_default(),
            own: self.own.get(own..).unwrap_or_default(),
            parts: parts.unwrap_or_default(),
        }
    }

    /// One of the further fields of a token that has no attributes; none if it is missing.
    #[inline]
    pub fn field(&self, index: usize) -> Option<&'a str> {
        let place = self.further(index)?;
        Some(place.get(self.text, self.own))
    }

    #[cold]
    fn further(&self, index: usize) -> Option<Place> {
        *self.further.get((self.base & !OWN) + index)?
    }
}
