//! What a batch keeps.

use alloc::string::String;
use alloc::vec::Vec;

use super::piece::{OWN, Piece, Place};
use super::{BatchIter, BatchKind};
use crate::attributes::{Attributes, Part};
use crate::span::Span;

/// Tokens: one record for each, and their strings.
#[doc(hidden)]
#[derive(Debug)]
pub struct Store<K> {
    pub(super) records: Vec<Record<K>>,
    pub(super) strings: Strings,
    /// The input at hand.
    input: Piece,
    /// Where the last token ended.
    end: u64,
}

/// The strings of all tokens.
#[derive(Clone, Debug)]
pub(super) struct Strings {
    /// Copies of the input, one piece after the other.
    pub(super) text: String,
    /// Strings that no input has in one piece, one after the other.
    pub(super) own: String,
    /// Names and values of attributes.
    pub(super) parts: Vec<(Part, Part)>,
    /// Further places that tokens need.
    pub(super) further: Vec<Option<Place>>,
}

/// A token, but for its strings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<K> {
    pub(super) span: Span,
    pub(super) places: Places,
    pub(super) kind: K,
}

/// Where the strings of a token are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    /// Its first field.
    pub(super) first: Place,
    /// Where in the copies that piece of the input begins which its attributes are in. With [`OWN`] set: where its
    /// further places begin, the first of them for its attributes if it has any.
    pub(super) base: usize,
    /// Where its attributes begin, and how many it has.
    pub(super) parts: usize,
    pub(super) count: u32,
}

impl<K> Store<K> {
    pub(super) const EMPTY: Self = Self {
        records: Vec::new(),
        strings: Strings {
            text: String::new(),
            own: String::new(),
            parts: Vec::new(),
            further: Vec::new(),
        },
        input: Piece::NONE,
        end: 0,
    };

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn clear(&mut self) {
        self.input = Piece::NONE;
        self.proceed();
    }

    #[inline]
    pub(super) fn proceed(&mut self) {
        self.input.keep_only(&mut self.strings.text);
        self.records.clear();
        self.strings.own.clear();
        self.strings.parts.clear();
        self.strings.further.clear();
    }

    /// Goes on where the other stops.
    pub(super) fn follow(&mut self, other: &Self) {
        self.clear();
        self.end = other.end;
    }
}

// The input at hand goes without a word to the clone.
impl<K: Clone> Clone for Store<K> {
    fn clone(&self) -> Self {
        Self {
            records: self.records.clone(),
            strings: self.strings.clone(),
            input: Piece::NONE,
            end: self.end,
        }
    }
}

impl<K: BatchKind> Store<K> {
    #[inline]
    pub(super) fn iter(&self) -> BatchIter<'_, K> {
        BatchIter::new(self)
    }

    /// Takes a copy of the input that the next tokens come from.
    pub fn input(&mut self, input: &str) {
        if self.records.is_empty() {
            self.strings.text.clear();
        }
        self.input = Piece::copied(input, &mut self.strings.text);
    }

    /// Adds characters to the newest token, if it is text.
    #[inline]
    pub fn characters(&mut self, data: &str, span: Span) {
        let is_text = |newest: &Record<K>| newest.kind.is_characters();
        if self.records.last().is_some_and(is_text) {
            self.join(data, span);
        } else {
            self.token(K::CHARACTERS, span, data);
        }
    }

    /// Adds characters to the newest token.
    #[inline(never)]
    fn join(&mut self, data: &str, span: Span) {
        let Some(newest) = self.records.last_mut() else {
            return;
        };
        newest.span.end = span.end;
        self.end = span.end;
        let Place { start, length } = &mut newest.places.first;
        let end = *start + *length;
        if self.input.find(data) != Some(end) {
            if *start & OWN == 0 {
                // From now on it is the last one of these strings, so more characters can come.
                let before = self.strings.text.get(*start..end).unwrap_or_default();
                *start = self.strings.own.len() | OWN;
                self.strings.own.push_str(before);
            }
            self.strings.own.push_str(data);
        }
        *length += data.len();
    }

    /// Adds the end-of-file token.
    pub fn end_of_file(&mut self) {
        let span = Span {
            start: self.end,
            end: self.end,
        };
        self.token(K::END_OF_FILE, span, "");
    }

    /// Adds a token with its first field.
    #[inline]
    pub fn token(&mut self, kind: K, span: Span, first: &str) {
        // What is seldom is a call with nothing behind it, so that no register must be saved for it.
        match self.input.find(first) {
            Some(start) if self.has_room() => {
                let first = Place {
                    start,
                    length: first.len(),
                };
                self.push(kind, span, first, self.strings.further.len() | OWN, 0);
            }
            _ => self.other_token(kind, span, first),
        }
    }

    #[cold]
    #[inline(never)]
    fn other_token(&mut self, kind: K, span: Span, first: &str) {
        let first = self.place(first);
        self.push(kind, span, first, self.strings.further.len() | OWN, 0);
    }

    /// Adds a token with its first field and attributes, and with further fields if there are more.
    #[inline(always)]
    pub fn tag<const MORE: bool>(
        &mut self,
        kind: K,
        span: Span,
        first: &str,
        attributes: &Attributes<'_>,
    ) {
        let parts = attributes.parts;
        let is_input = || attributes.own.text.is_empty() & self.input.is(attributes.input);
        match self.input.find(first) {
            Some(start) if !MORE && (parts.is_empty() || is_input()) && self.has_room() => {
                let first = Place {
                    start,
                    length: first.len(),
                };
                self.push(kind, span, first, self.input.copy, parts.len());
                if !parts.is_empty() {
                    self.add(parts);
                }
            }
            _ => self.other_tag::<MORE>(kind, span, first, attributes),
        }
    }

    #[inline(never)]
    fn add(&mut self, parts: &[(Part, Part)]) {
        if let [part] = parts {
            self.strings.parts.push(*part);
        } else {
            self.strings.parts.extend_from_slice(parts);
        }
    }

    #[inline(never)]
    fn other_tag<const MORE: bool>(
        &mut self,
        kind: K,
        span: Span,
        first: &str,
        attributes: &Attributes<'_>,
    ) {
        let first = self.place(first);
        let parts = attributes.parts;
        let is_input = attributes.own.text.is_empty() & self.input.is(attributes.input);
        if MORE || !(parts.is_empty() || is_input) {
            let base = self.strings.further.len() | OWN;
            self.push(kind, span, first, base, parts.len());
            self.copy(attributes);
        } else {
            self.push(kind, span, first, self.input.copy, parts.len());
            self.add(parts);
        }
    }

    /// Whether a record can be added without more memory.
    #[inline(always)]
    fn has_room(&self) -> bool {
        self.records.len() < self.records.capacity()
    }

    /// Adds a field to the newest token.
    pub fn field(&mut self, field: Option<&str>) {
        let place = field.map(|field| self.place(field));
        self.strings.further.push(place);
    }

    /// Where a string is in the copy of the input, or is now among the others.
    #[inline(always)]
    fn place(&mut self, string: &str) -> Place {
        let start = match self.input.find(string) {
            Some(start) => start,
            None => self.own(string),
        };
        Place {
            start,
            length: string.len(),
        }
    }

    #[cold]
    fn own(&mut self, string: &str) -> usize {
        let start = self.strings.own.len();
        self.strings.own.push_str(string);
        start | OWN
    }

    /// Copies names and values that the input has not, or all.
    #[cold]
    fn copy(&mut self, attributes: &Attributes<'_>) {
        let start = self.strings.own.len();
        self.strings.further.push(Some(Place {
            start: self.input.copy,
            length: start,
        }));
        if self.input.is(attributes.input) {
            self.strings.own.push_str(attributes.own.get());
            self.strings.parts.extend_from_slice(attributes.parts);
        } else {
            let own = &mut self.strings.own;
            self.strings.parts.extend(attributes.owned(|string| {
                own.push_str(string);
                own.len() - start
            }));
        }
    }

    /// Adds a record, whose attributes come next.
    #[inline(always)]
    fn push(&mut self, kind: K, span: Span, first: Place, base: usize, count: usize) {
        self.end = span.end;
        self.records.push(Record {
            span,
            places: Places {
                first,
                base,
                parts: self.strings.parts.len(),
                count: count as u32,
            },
            kind,
        });
    }
}
