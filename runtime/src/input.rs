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

/// The characters at hand. Positions are byte offsets in `text`, always at a character's start.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    text: &'a str,
    last: bool,
}

impl<'a> Input<'a> {
    /// The stretch `text`; `last` when nothing comes after it.
    pub const fn new(text: &'a str, last: bool) -> Self {
        Self { text, last }
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

    /// Whether nothing comes after it.
    #[inline(always)]
    pub const fn is_last(self) -> bool {
        self.last
    }

    /// The byte at `at`; `None` at the end.
    #[inline(always)]
    pub fn byte(self, at: usize) -> Option<u8> {
        self.bytes().get(at).copied()
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

    /// The position after the newline at `at`: a CR LF pair counts as one character. `None` when it
    /// is a CR and its LF may still come.
    #[inline]
    pub fn after_newline(self, at: usize) -> Option<usize> {
        match self.byte(at + 1) {
            Some(b'\n') => Some(at + 2),
            None if !self.last => None,
            _ => Some(at + 1),
        }
    }

    /// The characters from `start` to `end`.
    #[inline(always)]
    pub fn slice(self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    /// Whether the input continues with the ASCII string at `at`, letters in either case if
    /// `ignore_case`.
    #[inline]
    pub fn ahead(self, at: usize, string: &str, ignore_case: bool) -> Ahead {
        let rest = &self.bytes()[at..];
        let length = rest.len().min(string.len());
        let (rest, wanted) = (&rest[..length], &string.as_bytes()[..length]);
        let equal = if ignore_case {
            rest.eq_ignore_ascii_case(wanted)
        } else {
            rest == wanted
        };
        match equal {
            false => Ahead::No,
            true if length == string.len() => Ahead::Yes,
            true if self.last => Ahead::No,
            true => Ahead::More,
        }
    }

    /// Whether it must be known what comes at `at`, and is not yet.
    #[inline(always)]
    pub fn must_wait(self, at: usize) -> bool {
        at >= self.len() && !self.last
    }
}
