//! The attributes of a tag: those complete, and the one under construction.

use alloc::string::String;
use alloc::vec::Vec;

use crate::buffer::{Buffer, ROOM};
use crate::duplicates::{Duplicates, MANY};
use crate::input::{Input, slice};

/// A complete name or value: a range of the input, or of the list's own characters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Part {
    /// With [`OWN`] set: in the list's own characters.
    start: u32,
    end: u32,
}

pub(crate) const OWN: u32 = 1 << 31;

impl Part {
    #[inline(always)]
    fn of(buffer: &Buffer, input: Input<'_>, own: &mut String) -> Self {
        match buffer.range() {
            Some((start, end)) => Self {
                start: start as u32,
                end: end as u32,
            },
            None => Self::own(buffer.get(input), own),
        }
    }

    #[cold]
    fn own(string: &str, own: &mut String) -> Self {
        let start = own.len() as u32;
        own.push_str(string);
        Self {
            start: start | OWN,
            end: own.len() as u32,
        }
    }

    /// The range of the input that it is, if it is one.
    #[inline(always)]
    fn range(self) -> Option<(usize, usize)> {
        (self.start & OWN == 0).then_some((self.start as usize, self.end as usize))
    }

    #[inline(always)]
    fn len(self) -> usize {
        (self.end - (self.start & !OWN)) as usize
    }

    #[inline(always)]
    fn get<'a>(self, input: &'a str, own: Own<'a>) -> &'a str {
        // No input is long enough for `OWN`.
        slice(input, self.start as usize, self.end as usize)
            .unwrap_or_else(|| self.get_own(input, own))
    }

    #[cold]
    fn get_own<'a>(self, input: &'a str, own: Own<'a>) -> &'a str {
        let (start, end) = ((self.start & !OWN) as usize, self.end as usize);
        let found = if self.start & OWN == 0 {
            input.get(start..end)
        } else {
            own.text.get(own.from + start..own.from + end)
        };
        // Always there, but in a batch that was filled from an input it was not told of.
        found.unwrap_or_default()
    }
}

/// A list's own characters: a string from a place on, which is seldom looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own<'a> {
    pub(crate) text: &'a String,
    pub(crate) from: usize,
}

impl<'a> Own<'a> {
    const NONE: Self = {
        static NOTHING: String = String::new();
        Self {
            text: &NOTHING,
            from: 0,
        }
    };

    pub(crate) fn get(self) -> &'a str {
        self.text.get(self.from..).unwrap_or_default()
    }
}

/// The attributes of a tag under construction.
#[derive(Debug, Default)]
pub struct AttributeList {
    parts: Vec<(Part, Part)>,
    own: String,
    /// So many of the first parts are in the list's own characters since an input went.
    detached: usize,
    duplicates: Duplicates,
    /// The name of the attribute under construction.
    pub name: Buffer,
    /// The value of the attribute under construction.
    pub value: Buffer,
    /// Whether there is an attribute under construction that has not been dropped.
    open: bool,
}

impl AttributeList {
    /// Makes it empty.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.open = false;
        self.parts.clear();
        self.own.clear();
        self.detached = 0;
        // Only many names are in there.
        if !self.duplicates.is_empty() {
            self.duplicates.clear();
        }
    }

    /// Starts a new attribute, with its name expected from `at` on.
    #[inline(always)]
    pub fn start(&mut self, input: Input<'_>, at: usize) {
        self.close(input);
        self.name.clear(at);
        self.value.clear(at);
        self.open = true;
    }

    /// Adds the attribute under construction to the complete ones.
    #[inline(always)]
    pub fn close(&mut self, input: Input<'_>) {
        if self.open {
            self.open = false;
            let name = Part::of(&self.name, input, &mut self.own);
            let value = Part::of(&self.value, input, &mut self.own);
            self.parts.push((name, value));
        }
    }

    /// Drops the attribute under construction; what is appended to it later is lost.
    pub fn drop_current(&mut self) {
        self.open = false;
    }

    /// Adds a whole attribute: two ranges of the input. Leaves it out and returns `false` when another has its name.
    #[inline(always)]
    pub fn add(&mut self, input: Input<'_>, name: (usize, usize), value: (usize, usize)) -> bool {
        self.close(input);
        if self.has_length(Some(name)) && self.has_name(input, input.slice(name.0, name.1)) {
            return false;
        }
        let [name, value] = [name, value].map(|(start, end)| Part {
            start: start as u32,
            end: end as u32,
        });
        self.parts.push((name, value));
        true
    }

    /// Whether a complete attribute has the name of the one under construction.
    #[inline]
    pub fn is_duplicate(&mut self, input: Input<'_>) -> bool {
        self.open && self.has_length(self.name.range()) && self.is_repeated(input)
    }

    /// Whether a complete attribute may have a name of this range: names of one tag mostly differ in length.
    #[inline(always)]
    fn has_length(&self, range: Option<(usize, usize)>) -> bool {
        let parts = &self.parts;
        match range {
            Some((start, end)) if parts.len() < MANY => {
                parts.iter().any(|(name, _)| name.len() == end - start)
            }
            _ => !parts.is_empty(),
        }
    }

    #[inline(never)]
    fn is_repeated(&mut self, input: Input<'_>) -> bool {
        let name = core::mem::take(&mut self.name);
        let is_repeated = self.has_name(input, name.get(input));
        self.name = name;
        is_repeated
    }

    #[inline(never)]
    fn has_name(&mut self, input: Input<'_>, name: &str) -> bool {
        let (parts, text) = (&self.parts, input.text());
        let own = Own {
            text: &self.own,
            from: 0,
        };
        if parts.len() < MANY {
            let is_name = |part: Part| {
                part.len() == name.len() && part.get(text, own).bytes().eq(name.bytes())
            };
            return parts.iter().any(|(part, _)| is_name(*part));
        }
        let lookup = |index: u32| parts[index as usize].0.get(text, own);
        self.duplicates.contains(name, parts.len() as u32, lookup)
    }

    /// Whether there is a complete one.
    #[inline(always)]
    pub fn has_complete(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Whether there is none, complete or not.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && !self.open
    }

    /// The complete attributes.
    #[inline(always)]
    pub fn view<'a>(&'a self, input: Input<'a>) -> Attributes<'a> {
        Attributes {
            input: input.text(),
            own: Own {
                text: &self.own,
                from: 0,
            },
            parts: &self.parts,
        }
    }

    /// Makes it independent of the input, which is about to go.
    pub fn detach(&mut self, input: Input<'_>) {
        let new = self.parts.get_mut(self.detached..).unwrap_or_default();
        // They stand close together: one copy holds them all.
        let (mut from, mut to) = (OWN, 0);
        for (name, value) in new.iter() {
            for part in [name, value] {
                // The start of one that is in the list's own characters is greater.
                if part.start < OWN {
                    (from, to) = (from.min(part.start), to.max(part.end));
                }
            }
        }
        if from <= to {
            let copy = self.own.len() as u32;
            self.own.reserve(ROOM);
            self.own.push_str(input.slice(from as usize, to as usize));
            for (name, value) in new.iter_mut() {
                for part in [name, value] {
                    if part.start < OWN {
                        part.start = (part.start - from + copy) | OWN;
                        part.end = part.end - from + copy;
                    }
                }
            }
        }
        self.detached = self.parts.len();
        if self.open {
            self.name.detach(input);
            self.value.detach(input);
        } else {
            // What they hold belongs to no attribute, and may be of an input that went long ago.
            self.name.clear(0);
            self.value.clear(0);
        }
    }
}

/// The ranges of the input that a name and its value are.
pub(crate) type Ranges = (Option<(usize, usize)>, Option<(usize, usize)>);

/// The attributes of a tag, in the order of the source.
#[derive(Clone, Copy, Debug)]
pub struct Attributes<'a> {
    pub(crate) input: &'a str,
    pub(crate) own: Own<'a>,
    pub(crate) parts: &'a [(Part, Part)],
}

impl Default for Attributes<'_> {
    fn default() -> Self {
        Self {
            input: "",
            own: Own::NONE,
            parts: &[],
        }
    }
}

impl<'a> Attributes<'a> {
    /// The places of names and values in strings of their own, which `push` adds them to; it returns how long these are
    /// then.
    pub(crate) fn owned(
        self,
        mut push: impl FnMut(&str) -> usize,
    ) -> impl Iterator<Item = (Part, Part)> {
        let mut end = 0;
        let mut own = move |string: &str| {
            let start = end;
            end = push(string) as u32;
            Part {
                start: start | OWN,
                end,
            }
        };
        self.iter()
            .map(move |(name, value)| (own(name), own(value)))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Names and values.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&'a str, &'a str)> + Clone + use<'a> {
        let Self { input, own, parts } = *self;
        parts
            .iter()
            .map(move |(name, value)| (name.get(input, own), value.get(input, own)))
    }

    /// The input, and which of its ranges names and values are; none where one is not.
    #[inline]
    pub(crate) fn ranges(
        &self,
    ) -> (
        &'a str,
        impl ExactSizeIterator<Item = Ranges> + Clone + use<'a>,
    ) {
        let ranges = self.parts.iter();
        (
            self.input,
            ranges.map(|(name, value)| (name.range(), value.range())),
        )
    }

    /// Names and values as strings of their own.
    pub fn to_vec(&self) -> Vec<(String, String)> {
        self.iter()
            .map(|(name, value)| (String::from(name), String::from(value)))
            .collect()
    }

    /// The value of the attribute with this name.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.iter().find(|(n, _)| *n == name).map(|(_, v)| v)
    }
}
