//! One stretch of input, as a state sees it.

/// Whether the input continues with a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// Not known yet: what is there is a prefix of the string, and more may come.
    More,
}

/// The characters at hand. Positions are byte offsets in `text`, always at a character's start. Whether
/// more may come is not said here: two words stay in registers where three would come by reference.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    text: &'a str,
}

impl<'a> Input<'a> {
    /// The stretch `text`.
    pub const fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// The text.
    #[inline(always)]
    pub const fn text(self) -> &'a str {
        self.text
    }

    /// Its bytes.
    #[inline(always)]
    pub const fn bytes(self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// Its length in bytes.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.text.len()
    }

    /// Whether there is nothing.
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// The byte at `at`; `None` at the end.
    #[inline(always)]
    pub fn byte(self, at: usize) -> Option<u8> {
        self.bytes().get(at).copied()
    }

    /// Where the ASCII character at `at` ends; at the end of the input there is none, and this is `at`.
    #[inline(always)]
    pub const fn end_of_ascii(self, at: usize) -> usize {
        if at < self.len() { at + 1 } else { at }
    }

    /// The character at `at`; `None` at the end.
    #[inline]
    pub fn char(self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    /// The position after the character that starts at `at`.
    #[inline(always)]
    pub fn after(self, at: usize) -> usize {
        at + match self.bytes()[at] {
            0..0xC0 => 1,
            0xC0..0xE0 => 2,
            0xE0..0xF0 => 3,
            _ => 4,
        }
    }

    /// The characters from `start` to `end`.
    #[inline(always)]
    pub fn slice(self, start: usize, end: usize) -> &'a str {
        slice(self.text, start, end).unwrap_or_else(|| at_end(self.text, start, end))
    }
}

#[cfg(feature = "simd")]
pub(crate) use crate::fast::slice;

/// The characters from `start` to `end`; may be `None` when nothing comes after them.
#[cfg(not(feature = "simd"))]
#[inline(always)]
pub(crate) fn slice(text: &str, start: usize, end: usize) -> Option<&str> {
    text.get(start..end)
}

/// What [`slice`] leaves.
#[cold]
fn at_end(text: &str, start: usize, end: usize) -> &str {
    &text[start..end]
}
