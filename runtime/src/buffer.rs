//! Strings under construction that cost nothing while they equal the input.

use alloc::string::String;

use crate::held::{Held, Seal};
use crate::input::{Input, slice};

/// The `end` of a buffer whose characters are its own.
const OWNED: usize = usize::MAX;

/// The `end` of a buffer that holds a string of the program.
const FIXED: usize = OWNED - 1;

/// The `end` of a buffer whose first characters are kept elsewhere; its own come behind them.
const HELD: usize = FIXED - 1;

/// The `end` of a buffer that grows no more.
const SEALED: usize = HELD - 1;

/// The `end` of a buffer that is empty and grows no more, for its token is not emitted.
const DROPPED: usize = SEALED - 1;

/// Bytes that a string of its own has room for at least.
pub(crate) const ROOM: usize = 256;

/// Every ASCII character.
const ASCII: &str = {
    const BYTES: [u8; 128] = {
        let mut bytes = [0; 128];
        let mut byte = 0;
        while byte < bytes.len() {
            bytes[byte] = byte as u8;
            byte += 1;
        }
        bytes
    };
    match core::str::from_utf8(&BYTES) {
        Ok(ascii) => ascii,
        Err(_) => "",
    }
};

/// Whether a string stands there: for most strings one byte says that it does not.
#[inline(always)]
pub(crate) fn starts_with(bytes: &[u8], string: &str) -> bool {
    match string.as_bytes() {
        [] => true,
        [only] => bytes.first() == Some(only),
        [first, ..] => bytes.first() == Some(first) && bytes.starts_with(string.as_bytes()),
    }
}

/// A string that grows by appending.
///
/// As long as its characters are those of one range of the input it only keeps the range: appending
/// the run that adjoins it, or a string that equals what stands there, moves the range's end. Anything
/// else (a replacement character, a lowered letter) makes it copy. What the range holds is always
/// equal to what was appended, wherever it lies, so nothing about the state machine needs proof.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    start: usize,
    end: usize,
    fixed: &'static str,
    own: String,
}

impl Buffer {
    /// Makes it empty; `at` is where the next run is expected to start.
    #[inline(always)]
    pub fn clear(&mut self, at: usize) {
        self.start = at;
        self.end = at;
    }

    /// Appends a string of the program; when it is all there is, without copying it.
    #[inline]
    pub fn push_fixed(&mut self, input: Input<'_>, string: &'static str) {
        if self.start == self.end {
            self.fixed = string;
            (self.start, self.end) = (0, FIXED);
        } else {
            self.push_str(input, string);
        }
    }

    /// Appends the input's characters from `from` to `to`.
    #[inline(always)]
    pub fn push_run(&mut self, input: Input<'_>, from: usize, to: usize) {
        if self.end == from {
            self.end = to;
        } else if self.start == self.end {
            (self.start, self.end) = (from, to);
        } else {
            self.push_elsewhere(input, from, to);
        }
    }

    #[cold]
    fn push_elsewhere(&mut self, input: Input<'_>, from: usize, to: usize) {
        match self.end {
            OWNED => self.own.push_str(input.slice(from, to)),
            _ => self.push_own(input, input.slice(from, to)),
        }
    }

    /// Appends a string to its own copy of its characters.
    fn push_own(&mut self, input: Input<'_>, string: &str) {
        if !self.is_sealed() {
            self.own(input).push_str(string);
        }
    }

    /// Appends a string.
    #[inline]
    pub fn push_str(&mut self, input: Input<'_>, string: &str) {
        if self.end < DROPPED {
            let (before, after) = input.bytes().split_at(self.end);
            if starts_with(after, string) {
                self.end += string.len();
                return;
            }
            // What is empty may lie anywhere: "&" is often set when it has just been consumed.
            let ends =
                || before.last() == string.as_bytes().last() && before.ends_with(string.as_bytes());
            if self.start == self.end && ends() {
                self.start = self.end - string.len();
                return;
            }
        }
        self.push_own(input, string);
    }

    /// Appends what another buffer holds.
    #[inline]
    pub fn push_buffer(&mut self, input: Input<'_>, other: &Buffer) {
        let string = match other.end {
            FIXED => other.fixed,
            _ => other.get(input),
        };
        match string.as_bytes() {
            // What a reference stands for, and not the first of the string: no call.
            [only @ ..0x80] if self.end == OWNED => self.own.push(char::from(*only)),
            _ => self.push_str(input, string),
        }
    }

    /// Appends a character.
    #[inline]
    pub fn push(&mut self, input: Input<'_>, c: char) {
        match ASCII.get(c as usize..=c as usize) {
            Some(string) => self.push_fixed(input, string),
            None => self.push_str(input, c.encode_utf8(&mut [0; 4])),
        }
    }

    /// Appends ASCII letters from `from` to `to`, lowered.
    #[inline]
    pub fn push_lower(&mut self, input: Input<'_>, from: usize, to: usize) {
        if self.is_sealed() {
            return;
        }
        let own = self.own(input);
        let length = own.len();
        own.push_str(input.slice(from, to));
        own[length..].make_ascii_lowercase();
    }

    /// What it holds.
    #[inline(always)]
    pub fn get<'a>(&'a self, input: Input<'a>) -> &'a str {
        // No input is long enough for `OWNED` and `FIXED`.
        slice(input.text(), self.start, self.end).unwrap_or_else(|| self.get_own(input))
    }

    fn get_own<'a>(&'a self, input: Input<'a>) -> &'a str {
        match self.end {
            OWNED | HELD | SEALED | DROPPED => &self.own,
            FIXED => self.fixed,
            end => input.slice(self.start, end),
        }
    }

    /// The range of the input that it is, if it is one.
    #[inline(always)]
    pub(crate) fn range(&self) -> Option<(usize, usize)> {
        (self.end < DROPPED).then_some((self.start, self.end))
    }

    /// Says that its characters are kept elsewhere from now on.
    #[inline]
    pub(crate) fn hold(&mut self) {
        self.own.clear();
        (self.start, self.end) = (0, HELD);
    }

    /// Whether its first characters are kept elsewhere. What it holds is what came behind them.
    #[inline]
    pub(crate) fn is_held(&self) -> bool {
        self.end == HELD
    }

    /// Makes it grow no more, until it is made empty. It must be independent of the input.
    pub(crate) fn seal(&mut self, seal: Seal) {
        let is_empty = self.start == self.end;
        let end = match seal {
            Seal::Cut => SEALED,
            Seal::Drop => DROPPED,
        };
        if is_empty || seal == Seal::Drop {
            self.own = String::new();
        }
        (self.start, self.end) = (0, end);
    }

    #[inline]
    fn is_sealed(&self) -> bool {
        matches!(self.end, SEALED | DROPPED)
    }

    /// Whether its token is not emitted.
    #[inline]
    pub fn is_dropped(&self) -> bool {
        self.end == DROPPED
    }

    /// Takes its first characters back.
    pub(crate) fn take_back(&mut self, input: Input<'_>, first: &str) {
        self.own(input).insert_str(0, first);
        self.end = OWNED;
    }

    /// Makes it independent of the input, which is about to go.
    pub fn detach(&mut self, input: Input<'_>, held: &mut Held) {
        let seal = held.seal_of_string();
        if self.start == self.end {
            self.clear(0);
        } else if !self.is_sealed() && seal != Some(Seal::Drop) {
            self.own(input);
        }
        if let Some(seal) = seal {
            self.seal(seal);
        }
        let is_own = self.start != self.end;
        let bytes = if is_own { self.own.len() } else { 0 };
        if held.seals_register(bytes) {
            self.seal(Seal::Cut);
        }
        held.string(bytes);
    }

    /// Makes it independent of the input. What it holds is only ever compared with strings of at most `most` bytes: of more
    /// it keeps one character too many.
    pub fn detach_compared(&mut self, input: Input<'_>, held: &mut Held, most: usize) {
        let holds = self.get(input);
        let mut ends = most + 1..holds.len();
        if let Some(end) = ends.find(|&at| holds.is_char_boundary(at)) {
            self.own(input).truncate(end);
        }
        self.detach(input, held);
    }

    /// Its own copy of its characters.
    #[cold]
    fn own(&mut self, input: Input<'_>) -> &mut String {
        if self.end < DROPPED || self.end == FIXED {
            self.own.clear();
            // Not again and again for a few characters more.
            self.own.reserve(ROOM);
            self.own.push_str(match self.end {
                FIXED => self.fixed,
                end => input.slice(self.start, end),
            });
            (self.start, self.end) = (0, OWNED);
        }
        &mut self.own
    }
}

/// A string that may be missing, which differs from empty.
#[derive(Clone, Debug, Default)]
pub struct OptionalBuffer {
    buffer: Buffer,
    present: bool,
    /// Whether it stays as it is, until it is made missing.
    sealed: bool,
}

impl OptionalBuffer {
    /// Makes it missing.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.present = false;
        self.sealed = false;
    }

    /// Makes it empty; `at` is where the next run is expected to start.
    #[inline]
    pub fn set_empty(&mut self, at: usize) {
        if !self.sealed {
            self.present = true;
            self.buffer.clear(at);
        }
    }

    /// The string, present from now on.
    #[inline]
    fn present(&mut self, at: usize) -> &mut Buffer {
        if !self.present {
            self.set_empty(at);
        }
        &mut self.buffer
    }

    /// Appends the input's characters from `from` to `to`; where a scan has found none, what is missing stays so.
    #[inline]
    pub fn push_run(&mut self, input: Input<'_>, from: usize, to: usize) {
        if from < to {
            self.present(from).push_run(input, from, to);
        }
    }

    /// Appends a string.
    #[inline]
    pub fn push_str(&mut self, input: Input<'_>, string: &str) {
        self.present(0).push_str(input, string);
    }

    /// Appends a string of the program.
    #[inline]
    pub fn push_fixed(&mut self, input: Input<'_>, string: &'static str) {
        self.present(0).push_fixed(input, string);
    }

    /// Appends what another buffer holds.
    #[inline]
    pub fn push_buffer(&mut self, input: Input<'_>, other: &Buffer) {
        self.present(0).push_buffer(input, other);
    }

    /// Appends a character.
    #[inline]
    pub fn push(&mut self, input: Input<'_>, c: char) {
        self.present(0).push(input, c);
    }

    /// Appends ASCII letters from `from` to `to`, lowered.
    #[inline]
    pub fn push_lower(&mut self, input: Input<'_>, from: usize, to: usize) {
        self.present(from).push_lower(input, from, to);
    }

    /// Whether its token is not emitted.
    #[inline]
    pub fn is_dropped(&self) -> bool {
        self.sealed && self.buffer.is_dropped()
    }

    /// What it holds, if it is not missing.
    #[inline]
    pub fn get<'a>(&'a self, input: Input<'a>) -> Option<&'a str> {
        self.present.then(|| self.buffer.get(input))
    }

    /// Makes it independent of the input, which is about to go.
    pub fn detach(&mut self, input: Input<'_>, held: &mut Held) {
        if let Some(seal) = held.seal_of_string() {
            self.sealed = true;
            if !self.present {
                self.buffer.seal(seal);
            }
        }
        if self.present {
            self.buffer.detach(input, held);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_equals_the_input_is_not_copied() {
        let input = Input::new("a--b");
        let mut buffer = Buffer::default();
        buffer.clear(0);
        buffer.push_run(input, 0, 1);
        buffer.push_str(input, "--");
        assert_eq!(buffer.range(), Some((0, 3)));
        buffer.push_str(input, "!");
        assert_eq!(buffer.range(), None);
        assert_eq!(buffer.get(input), "a--!");
    }

    #[test]
    fn a_detached_buffer_outlives_its_input() {
        let mut buffer = Buffer::default();
        buffer.clear(0);
        buffer.push_run(Input::new("ab"), 0, 2);
        buffer.detach(Input::new("ab"), &mut Held::default());
        let next = Input::new("CD");
        buffer.push_lower(next, 0, 2);
        assert_eq!(buffer.get(next), "abcd");
        buffer.detach(next, &mut Held::default());
        buffer.clear(0);
        assert_eq!(buffer.get(next), "");
    }
}
