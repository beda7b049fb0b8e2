//! The strings of a tree: ranges of the input, and what does not stand there as it is.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::span::Span;

/// A string.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// A place in the input; with [`OWN`] set one in the string of its own. With the length [`LONE`] an index.
    pub(super) start: u32,
    pub(super) length: u32,
}

const OWN: u32 = 1 << 31;
const LONE: u32 = u32::MAX;
/// Where no empty value starts that stands in the input.
const NO_VALUE: u32 = OWN - 1;

impl Part {
    pub(super) const EMPTY: Self = Self {
        start: 0,
        length: 0,
    };

    /// That of an attribute without value.
    const NO_VALUE: Self = Self {
        start: NO_VALUE,
        length: 0,
    };

    /// An empty value of which it is not known where it stands.
    const UNKNOWN_VALUE: Self = Self {
        start: OWN,
        length: 0,
    };

    /// Where it stands in the input, if it does.
    pub(super) fn span(self) -> Option<Span> {
        let (start, length) = (u64::from(self.start), u64::from(self.length));
        let is_there = self.length != LONE && self.start < OWN;
        (is_there && (self.start, self.length) != (NO_VALUE, 0)).then_some(Span {
            start,
            end: start + length,
        })
    }

    /// Whether it stands in the input.
    pub(super) const fn is_of_input(self) -> bool {
        self.start & OWN == 0
    }

    /// Whether it is an empty value of which it is not known where it stands.
    pub(super) fn is_unknown(self) -> bool {
        self.start & OWN != 0 && self.length == 0
    }
}

/// The strings of a tree.
#[derive(Clone, Debug)]
pub(super) struct Strings<'t> {
    input: Cow<'t, str>,
    /// At this address the input begins, or would if it were all behind what was fed last.
    origin: usize,
    /// What does not stand in the input as it is.
    own: String,
    /// Texts that grew when others stood behind them.
    lone: Vec<String>,
    /// How many bytes those take.
    lone_bytes: usize,
    /// No place is greater.
    limit: usize,
    /// Whether there were too many characters: some are missing.
    pub(super) is_full: bool,
}

impl Strings<'static> {
    /// Those of an input that comes in chunks.
    pub(super) const fn fed(limit: usize) -> Self {
        Self {
            input: Cow::Owned(String::new()),
            origin: 0,
            own: String::new(),
            lone: Vec::new(),
            lone_bytes: 0,
            limit,
            is_full: false,
        }
    }

    /// Adds a chunk to the input. `false`: it gets too long.
    pub(super) fn feed(&mut self, chunk: &str) -> bool {
        let input = self.input.to_mut();
        let fits = chunk.len() <= self.limit - input.len();
        self.origin = chunk.as_ptr().addr().wrapping_sub(input.len());
        if fits {
            input.push_str(chunk);
        }
        fits
    }
}

impl<'t> Strings<'t> {
    /// Those of an input that is there. If it is too long, nothing of it is kept.
    pub(super) fn of(input: &'t str, limit: usize) -> Self {
        if input.len() > limit {
            return Strings::fed(limit);
        }
        Self {
            input: Cow::Borrowed(input),
            origin: input.as_ptr().addr(),
            // Some text has character references.
            own: String::with_capacity((input.len() / 32).min(1 << 16)),
            ..Strings::fed(limit)
        }
    }

    pub(super) fn into_owned(self) -> Strings<'static> {
        Strings {
            input: Cow::Owned(self.input.into_owned()),
            ..self
        }
    }

    pub(super) fn input(&self) -> &str {
        &self.input
    }

    #[inline]
    pub(super) fn get(&self, part: Part) -> &str {
        let Part { start, length } = part;
        if length == LONE {
            return self.lone.get(start as usize).map_or("", |text| text);
        }
        let from: &str = if start & OWN == 0 {
            &self.input
        } else {
            &self.own
        };
        let start = (start & !OWN) as usize;
        // Always there.
        from.get(start..start + length as usize).unwrap_or_default()
    }

    /// Where a string lies in the input.
    #[inline(always)]
    pub(super) fn find(&self, string: &str) -> Option<usize> {
        let start = string.as_ptr().addr().wrapping_sub(self.origin);
        let end = start.checked_add(string.len())?;
        match &self.input {
            // Nothing else is at these addresses as long as it is borrowed.
            Cow::Borrowed(input) => (end <= input.len()).then_some(start),
            // What was fed may be gone, and something else there.
            Cow::Owned(input) => (input.get(start..end)? == string).then_some(start),
        }
    }

    /// Where a part of the input begins, if that is borrowed.
    #[inline(always)]
    pub(super) fn borrowed(&self, string: &str) -> Option<u32> {
        match self.input {
            Cow::Borrowed(_) => self.find(string).map(|start| start as u32),
            Cow::Owned(_) => None,
        }
    }

    /// Keeps a string; nothing of it if there are too many characters.
    #[inline]
    pub(super) fn add(&mut self, string: &str) -> Part {
        match self.find(string) {
            Some(start) => Part {
                start: start as u32,
                length: string.len() as u32,
            },
            None => self.add_own(string),
        }
    }

    /// Keeps a string, which may stand at a place.
    pub(super) fn add_from(&mut self, string: &str, place: Span) -> Part {
        match self.input.get(place.range()) == Some(string) {
            true => Part {
                start: place.start as u32,
                length: string.len() as u32,
            },
            false => self.add(string),
        }
    }

    /// Keeps the value of an attribute, which is empty. Where one would stand that is not there, the name starts.
    #[inline]
    pub(super) fn add_empty(&self, name: &str, value: &str) -> Part {
        match (self.find(name), self.find(value)) {
            (Some(name), Some(value)) if name == value => Part::NO_VALUE,
            (Some(_), Some(value)) => Part {
                start: value as u32,
                length: 0,
            },
            _ => Part::UNKNOWN_VALUE,
        }
    }

    /// Whether all values of a tag are surely where they were found.
    pub(super) fn are_found(&self, mut values: impl Iterator<Item = Part>, tag: Span) -> bool {
        let is_borrowed = matches!(self.input, Cow::Borrowed(_));
        values.all(|value| {
            // Something else may be where a chunk was.
            let is_inside = |span: Span| tag.start <= span.start && span.end <= tag.end;
            value.is_of_input() && (is_borrowed || value.span().is_none_or(is_inside))
        })
    }

    /// Whether a text that was fed is a part of the input, from this place on or from one before it.
    pub(super) fn is_input_at(&self, text: &str, place: u64) -> bool {
        matches!(self.input, Cow::Borrowed(_))
            && (self.find(text)).is_some_and(|start| start as u64 <= place)
    }

    /// A value, if it is what stands at a place; without a place, it does not stand in the input as it is.
    pub(super) fn at_place(&mut self, value: Part, place: Option<Span>) -> Part {
        let text = self.get(value);
        if let Some(place) = place
            && self.input.get(place.range()) == Some(text)
        {
            return Part {
                start: place.start as u32,
                length: value.length,
            };
        }
        match value {
            Part { length: 0, .. } => Part::NO_VALUE,
            Part { start: 0..OWN, .. } => {
                let text = String::from(text);
                self.add_own(&text)
            }
            value => value,
        }
    }

    #[inline(never)]
    fn add_own(&mut self, string: &str) -> Part {
        let start = self.own.len();
        if string.len() > self.limit - start {
            self.is_full = true;
            return Part::EMPTY;
        }
        match string.as_bytes() {
            // What most character references stand for.
            &[byte] if byte.is_ascii() => self.own.push(byte.into()),
            _ => self.own.push_str(string),
        }
        Part {
            start: start as u32 | OWN,
            length: string.len() as u32,
        }
    }

    /// Adds characters to a string.
    #[inline]
    pub(super) fn append(&mut self, part: Part, more: &str) -> Part {
        let end = part.start as usize + part.length as usize;
        if part.start & OWN == 0 && part.length != LONE && self.find(more) == Some(end) {
            let length = part.length + more.len() as u32;
            return Part { length, ..part };
        }
        self.append_own(part, more)
    }

    #[inline(never)]
    fn append_own(&mut self, part: Part, more: &str) -> Part {
        let Part { start, length } = part;
        let is_last = (start & !OWN) as usize + length as usize == self.own.len();
        if length == LONE {
            let text = &mut self.lone[start as usize];
            self.is_full |= more.len() > self.limit - text.len();
            if !self.is_full {
                text.push_str(more);
                self.lone_bytes += more.len();
            }
            return part;
        }
        if start & OWN != 0 && is_last {
            let added = self.add_own(more).length;
            let length = length + added;
            return Part { start, length };
        }
        if start & OWN == 0 {
            let Self {
                input, own, limit, ..
            } = self;
            let text = input.get(start as usize..(start + length) as usize);
            let text = text.unwrap_or_default();
            if text.len() + more.len() > *limit - own.len() {
                self.is_full = true;
                return part;
            }
            let start = own.len() as u32 | OWN;
            own.push_str(text);
            let length = length + self.add_own(more).length;
            return Part { start, length };
        }
        let text = [self.get(part), more].concat();
        if text.len() > self.limit {
            self.is_full = true;
            return part;
        }
        // It would move again and again.
        self.lone_bytes += text.len();
        self.lone.push(text);
        Part {
            start: self.lone.len() as u32 - 1,
            length: LONE,
        }
    }

    /// A string for another use: one that is alone grows for the first.
    pub(super) fn share(&mut self, part: Part) -> Part {
        if part.length != LONE {
            return part;
        }
        let text = String::from(self.get(part));
        self.add_own(&text)
    }

    pub(super) fn shrink(&mut self) {
        self.own.shrink_to_fit();
        self.lone.shrink_to_fit();
        self.lone.iter_mut().for_each(String::shrink_to_fit);
        if let Cow::Owned(input) = &mut self.input {
            input.shrink_to_fit();
        }
    }

    /// How many bytes it uses beside the input.
    pub(super) const fn in_use(&self) -> usize {
        self.own.len() + self.lone.len() * size_of::<String>() + self.lone_bytes
    }

    /// How many bytes it takes beside the input.
    pub(super) fn memory(&self) -> usize {
        let lone = self.lone.iter().map(String::capacity).sum::<usize>();
        self.own.capacity() + self.lone.capacity() * size_of::<String>() + lone
    }
}
