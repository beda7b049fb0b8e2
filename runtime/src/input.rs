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

/// The characters from `start` to `end`, if something comes after them and both are places between
/// characters. Asked for first, the compiler knows what else `str::get` checks and leaves it out.
#[inline(always)]
pub(crate) fn slice(text: &str, start: usize, end: usize) -> Option<&str> {
    let starts_character = |at: usize| text.as_bytes()[at] as i8 >= -0x40;
    if start <= end && end < text.len() && starts_character(start) && starts_character(end) {
        text.get(start..end)
    } else {
        None
    }
}

/// What [`slice`] leaves. A token that is not asked for any more may still be a range of input that is gone.
#[cold]
fn at_end(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn slices_are_those_of_the_standard_library() {
        let text = "aé–\u{10FFFF}\0b";
        for start in 0..text.len() + 3 {
            for end in (0..text.len() + 3).chain([usize::MAX]) {
                let wanted = text.get(start..end).filter(|_| end < text.len());
                assert_eq!(super::slice(text, start, end), wanted, "{start} {end}");
            }
        }
    }
}
