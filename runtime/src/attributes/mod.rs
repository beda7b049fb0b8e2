//! The attributes of a tag: under construction, and as sinks see them.

mod list;

use alloc::string::String;
use alloc::vec::Vec;

use crate::input::slice;

pub use list::AttributeList;

/// A complete name or value: a range of the input, or of the list's own characters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Part {
    /// With [`OWN`] set: in the list's own characters.
    start: Offset,
    end: Offset,
}

/// A position in the input or among a list's own characters. [`Limits::MAX`](crate::Limits::MAX) depends on it, so that no
/// position is too large.
#[cfg(not(test))]
pub(crate) type Offset = u32;
/// Few bits, so that tests reach every boundary.
#[cfg(test)]
pub(crate) type Offset = u16;

pub(crate) const OWN: Offset = 1 << (Offset::BITS - 1);

impl Part {
    /// A range of the input.
    #[inline(always)]
    const fn of((start, end): (usize, usize)) -> Self {
        Self {
            start: start as Offset,
            end: end as Offset,
        }
    }

    fn own(string: &str, own: &mut String) -> Self {
        let start = own.len() as Offset;
        own.push_str(string);
        Self {
            start: start | OWN,
            end: own.len() as Offset,
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
            end = push(string) as Offset;
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
