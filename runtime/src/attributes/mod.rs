//! The attributes of a tag: under construction, and as sinks see them.

mod list;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::input::slice;
use crate::offset::Offset;
use crate::source::Source;

pub use list::AttributeList;

/// The attributes of a token.
pub(crate) type OwnedAttributes<'t> = Vec<(Cow<'t, str>, Cow<'t, str>)>;

/// A complete name or value: a range of the input, or of the list's own characters.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// With [`OWN`] set: in the list's own characters.
    start: Offset,
    end: Offset,
}

const OWN: Offset = 1 << (Offset::BITS - 1);

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

    #[inline(always)]
    fn len(self) -> usize {
        (self.end - (self.start & !OWN)) as usize
    }

    #[inline(always)]
    fn get<'a>(self, input: &'a str, own: &'a String) -> &'a str {
        // No input is long enough for `OWN`.
        slice(input, self.start as usize, self.end as usize)
            .unwrap_or_else(|| self.get_own(input, own))
    }

    #[inline(always)]
    fn keep<'t>(self, input: &str, own: &String, source: impl Source<'t>) -> Cow<'t, str> {
        // What is among the list's own characters is no range: there the start is greater than the end.
        match source.range(input, self.start as usize, self.end as usize) {
            Some(string) => string,
            None => source.string(self.get_own(input, own)),
        }
    }

    // A `&str` would be made for every tag; these characters are seldom looked at.
    #[allow(clippy::ptr_arg)]
    #[cold]
    fn get_own<'a>(self, input: &'a str, own: &'a String) -> &'a str {
        let (start, end) = ((self.start & !OWN) as usize, self.end as usize);
        let found = if self.start & OWN == 0 {
            input.get(start..end)
        } else {
            own.get(start..end)
        };
        // Always there.
        found.unwrap_or_default()
    }
}

/// The attributes of a tag, in the order of the source.
#[derive(Clone, Copy, Debug)]
pub struct Attributes<'a> {
    input: &'a str,
    own: &'a String,
    parts: &'a [(Part, Part)],
}

static NO_CHARACTERS: String = String::new();

impl<'a> Attributes<'a> {
    /// None.
    #[doc(hidden)]
    pub const NONE: Attributes<'static> = Attributes {
        input: "",
        own: &NO_CHARACTERS,
        parts: &[],
    };

    /// The stretch of the input in which the tag ends.
    #[cfg(feature = "trees")]
    pub(crate) const fn input(&self) -> &'a str {
        self.input
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

    /// The bytes of each name, and where its value starts in the input and how long it is, as far as both stand there.
    #[cfg(feature = "trees")]
    #[inline(always)]
    pub(crate) fn ranges(
        &self,
    ) -> impl ExactSizeIterator<Item = Option<(&'a [u8], usize, usize)>> + use<'a> {
        let bytes = self.input.as_bytes();
        self.parts.iter().map(move |(name, value)| {
            // What is among the list's own characters is no range: there the start is greater than the end.
            let length = (value.end as usize).checked_sub(value.start as usize)?;
            let spelled = bytes.get(name.start as usize..name.end as usize)?;
            // A value that is missing starts with the name.
            (value.start != name.start).then_some((spelled, value.start as usize, length))
        })
    }

    /// The name and the value of an attribute by its number.
    #[cfg(feature = "trees")]
    pub(crate) fn nth(&self, number: usize) -> (&'a str, &'a str) {
        let Self { input, own, parts } = *self;
        parts.get(number).map_or(("", ""), |(name, value)| {
            (name.get(input, own), value.get(input, own))
        })
    }

    /// Names and values, for a token to keep.
    #[inline(always)]
    pub(crate) fn keep<'t>(self, source: impl Source<'t>) -> OwnedAttributes<'t> {
        match self.parts {
            [] => Vec::new(),
            parts => keep_parts(self.input, self.own, parts, source),
        }
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

// Not given a struct, which would be made for tags without attributes too.
#[inline(never)]
fn keep_parts<'t>(
    input: &str,
    own: &String,
    parts: &[(Part, Part)],
    source: impl Source<'t>,
) -> OwnedAttributes<'t> {
    // Most tags that have attributes have one, which is made in its place.
    if let [(name, value)] = parts {
        return vec![(
            name.keep(input, own, source),
            value.keep(input, own, source),
        )];
    }
    let mut pairs = Vec::with_capacity(parts.len());
    for (name, value) in parts {
        let name = name.keep(input, own, source);
        pairs.push((name, value.keep(input, own, source)));
    }
    pairs
}
