//! The input at hand, of which a batch has a copy.

use alloc::string::String;

use super::store::Strings;
use crate::input::slice;

/// Set in the start of a place that is in the batch's own strings. No string is as long.
pub(super) const OWN: usize = 1 << (usize::BITS - 1);

/// Where a string is: in the copies of the input, or in the batch's own strings.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) length: usize,
}

impl Place {
    #[inline(always)]
    pub(super) fn get(self, strings: &Strings) -> &str {
        let end = self.start.wrapping_add(self.length);
        // No text is long enough for `OWN`.
        slice(&strings.text, self.start, end).unwrap_or_else(|| self.get_other(strings))
    }

    #[cold]
    #[inline(never)]
    fn get_other(self, strings: &Strings) -> &str {
        let text = match self.start & OWN {
            0 => &strings.text,
            _ => &strings.own,
        };
        let start = self.start & !OWN;
        text.get(start..start + self.length).unwrap_or_default()
    }
}

/// A piece of the input while it is there, and where its copy is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Its address.
    address: usize,
    length: usize,
    /// Where the copy starts.
    pub(super) copy: usize,
}

impl Piece {
    /// No input.
    pub(super) const NONE: Self = Self {
        address: 0,
        length: 0,
        copy: 0,
    };

    /// The piece, copied to the end of a text.
    pub(super) fn copied(input: &str, text: &mut String) -> Self {
        let copy = text.len();
        text.push_str(input);
        Self {
            address: input.as_ptr().addr(),
            length: input.len(),
            copy,
        }
    }

    /// Where the copy of a string is that is in the input. What begins inside the input, which is there, is of it:
    /// strings do not overlap otherwise.
    #[inline(always)]
    pub(super) fn find(&self, string: &str) -> Option<usize> {
        let offset = string.as_ptr().addr().wrapping_sub(self.address);
        (offset < self.length).then(|| self.copy + offset)
    }

    /// Whether it is this very text.
    #[inline(always)]
    pub(super) fn is(&self, text: &str) -> bool {
        (text.as_ptr().addr() == self.address) & (text.len() == self.length)
    }

    /// Drops all copies but this one.
    #[inline(always)]
    pub(super) fn keep_only(&mut self, text: &mut String) {
        if text.len() != self.length {
            self.drop_others(text);
        }
    }

    #[cold]
    fn drop_others(&mut self, text: &mut String) {
        text.truncate(self.copy + self.length);
        text.drain(..self.copy);
        self.copy = 0;
    }
}
