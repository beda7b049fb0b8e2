//! The input stream: decoded, newlines normalised, kept as long as somebody may look at it again.

/// A character as the states see it.
#[derive(Clone, Copy, Debug)]
struct Char {
    c: char,
    /// Byte offset of its start in the original input.
    offset: u64,
    /// Whether it is a newline that was written as CR, or as CR LF.
    after_cr: bool,
}

/// What is known about the character at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// It is this.
    Char(char),
    /// The input ends there.
    End,
    /// More input may come.
    Unknown,
}

/// The input at hand. A *place* is the number of characters before it in the stream.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// How many byte order marks at the start are no part of the stream.
    marks: usize,
    normalize_newlines: bool,
    chars: Vec<Char>,
    /// The place of `chars[0]`.
    base: usize,
    /// Byte offset after all of `chars`.
    end: u64,
    /// A CR came last: whether it is part of a CR LF pair is not known yet. It is not in `chars`.
    after_cr: bool,
    /// Whether the first character came, so that a byte order mark is no longer looked for.
    started: bool,
    /// Whether the stream has ended.
    ended: bool,
}

impl Input {
    pub(crate) fn new(drop_bom: bool, normalize_newlines: bool) -> Self {
        Self {
            marks: usize::from(drop_bom),
            normalize_newlines,
            chars: Vec::new(),
            base: 0,
            end: 0,
            after_cr: false,
            started: false,
            ended: false,
        }
    }

    /// Leaves out one more byte order mark.
    pub(super) fn skip_bom(&mut self) {
        self.marks += 1;
    }

    /// Adds text to the stream.
    pub(crate) fn push(&mut self, text: &str) {
        for c in text.chars() {
            if !self.started {
                if self.marks > 0 && c == '\u{FEFF}' {
                    self.marks -= 1;
                    self.end += c.len_utf8() as u64;
                    continue;
                }
                self.started = true;
            }
            if self.after_cr {
                self.after_cr = false;
                if c == '\n' {
                    self.push_char('\n', 2, true);
                    continue;
                }
                self.push_char('\n', 1, true);
            }
            if c == '\r' && self.normalize_newlines {
                self.after_cr = true;
            } else {
                self.push_char(c, c.len_utf8() as u64, false);
            }
        }
    }

    /// Says that nothing more comes.
    pub(crate) fn finish(&mut self) {
        self.started = true;
        self.ended = true;
        if self.after_cr {
            self.after_cr = false;
            self.push_char('\n', 1, true);
        }
    }

    /// Puts text in so many bytes behind a place, counted as they were written.
    pub(super) fn insert(&mut self, place: usize, bytes: usize, text: &str) {
        let mut unread = self.written_from(place);
        unread.insert_str(bytes, text);
        self.end = self.offset(place);
        self.chars.truncate(place.saturating_sub(self.base));
        self.after_cr = false;
        self.push(&unread);
        if self.ended {
            self.finish();
        }
    }

    /// The characters from a place on, as they were written.
    fn written_from(&self, place: usize) -> String {
        let mut written = String::new();
        for place in place..self.base + self.chars.len() {
            match self.get(place) {
                Some(char) if char.after_cr => {
                    let is_pair = self.offset(place + 1) - char.offset > 1;
                    written.push_str(if is_pair { "\r\n" } else { "\r" });
                }
                Some(char) => written.push(char.c),
                None => {}
            }
        }
        if self.after_cr {
            written.push('\r');
        }
        written
    }

    fn push_char(&mut self, c: char, bytes: u64, after_cr: bool) {
        self.chars.push(Char {
            c,
            offset: self.end,
            after_cr,
        });
        self.end += bytes;
    }

    /// Whether the place of the first character is known: a byte order mark may still come.
    pub(super) fn has_started(&self) -> bool {
        self.started
    }

    /// The character at a place.
    #[inline]
    pub(super) fn at(&self, place: usize) -> Next {
        match self.get(place) {
            Some(char) => Next::Char(char.c),
            None if self.ended => Next::End,
            None => Next::Unknown,
        }
    }

    /// The character in front of a place.
    pub(super) fn before(&self, place: usize) -> Option<char> {
        Some(self.get(place.checked_sub(1)?)?.c)
    }

    /// The byte offset of a place.
    #[inline]
    pub(super) fn offset(&self, place: usize) -> u64 {
        self.get(place).map_or(self.end, |char| char.offset)
    }

    #[inline]
    fn get(&self, place: usize) -> Option<Char> {
        self.chars.get(place.checked_sub(self.base)?).copied()
    }

    /// Says that nothing before `place` is looked at again. Moves the rest only when at least as much
    /// goes, so that all moves together cost no more than the input.
    pub(super) fn release(&mut self, place: usize) {
        let gone = place.saturating_sub(self.base).min(self.chars.len());
        if gone >= self.chars.len() - gone {
            self.chars.drain(..gone);
            self.base += gone;
        }
    }
}
