//! Byte offsets to lines and columns.

use std::borrow::Cow;
use std::ops::Range;

/// A place in a text for people: one-based, the column in UTF-16 code units, as html5lib-tests count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line. CR LF, CR and LF each end one.
    pub line: u64,
    /// The column.
    pub column: u64,
}

/// How many bytes of a text share one entry of the column index.
pub(crate) const BLOCK: usize = 256;

/// The lines of a text. Built in one pass; a query is a binary search and a look at one block.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    index: Index,
}

impl<'a> Lines<'a> {
    /// Finds the lines of `text`. A byte order mark counts as a character of the first one.
    pub fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut index = Index::default();
        index.grow(bytes, 0);
        Self { bytes, index }
    }

    /// Those up to a byte offset: no place after it is asked for.
    pub(crate) fn up_to(text: &'a str, offset: u64) -> Self {
        // An LF there may belong to the CR before it.
        let end = usize::try_from(offset)
            .ok()
            .and_then(|offset| offset.checked_add(1));
        let end = end.and_then(|end| (end..text.len()).find(|&at| text.is_char_boundary(at)));
        Self::new(&text[..end.unwrap_or(text.len())])
    }

    /// The place of a byte offset; one after the end counts as the end.
    pub fn position(&self, offset: u64) -> Position {
        let offset = usize::try_from(offset).map_or(self.bytes.len(), |o| o.min(self.bytes.len()));
        self.index.position(self.bytes, offset)
    }
}

/// The last stretch of a text that comes in pieces, with its lines: for places in a text that is too large to keep.
#[derive(Clone, Debug, Default)]
pub struct Window {
    /// Offset in the text of the first byte that is kept.
    start: u64,
    pub(crate) bytes: Vec<u8>,
    index: Index,
}

/// What is let go of is at least this long, and longer than what stays: so moving what stays takes linear time.
pub(crate) const LEAST_LET_GO: usize = 1 << 16;

impl Window {
    /// Adds text at the end.
    pub fn push(&mut self, text: &str) {
        let from = self.bytes.len();
        self.bytes.extend_from_slice(text.as_bytes());
        self.index.grow(&self.bytes, from);
    }

    /// The place of a byte offset in the text. One before what is kept counts as its start, one after the end as the end.
    pub fn position(&self, offset: u64) -> Position {
        let offset = usize::try_from(offset.saturating_sub(self.start));
        let offset = offset.map_or(self.bytes.len(), |o| o.min(self.bytes.len()));
        self.index.position(&self.bytes, offset)
    }

    /// The text between two byte offsets, of what is kept.
    pub fn between(&self, Range { start, end }: Range<u64>) -> Cow<'_, str> {
        let [start, end] = [start, end].map(|offset| {
            let offset = usize::try_from(offset.saturating_sub(self.start));
            offset.map_or(self.bytes.len(), |o| o.min(self.bytes.len()))
        });
        String::from_utf8_lossy(self.bytes.get(start..end).unwrap_or_default())
    }

    /// The end of the text so far.
    pub fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Says that no place before this offset is wanted any more.
    pub fn release(&mut self, offset: u64) {
        // The last byte tells whether a line feed that comes next ends a line of its own.
        let most = self.bytes.len().saturating_sub(1);
        let drop = usize::try_from(offset.saturating_sub(self.start)).map_or(most, |o| o.min(most));
        if drop < LEAST_LET_GO || drop < self.bytes.len() - drop {
            return;
        }
        let index = self.index.starting_at(&self.bytes, drop);
        self.bytes.drain(..drop);
        self.start += drop as u64;
        self.index = index;
        self.index.grow(&self.bytes, 0);
    }
}

/// Where the lines of a stretch of bytes start.
#[derive(Clone, Debug, Default)]
struct Index {
    /// Lines that end before the stretch.
    lines_before: u64,
    /// UTF-16 code units in front of the stretch, of the line in which it starts.
    units_before: u64,
    /// Offset of the first byte of each line but the one in which the stretch starts.
    starts: Vec<usize>,
    /// UTF-16 code units of the characters that start before each block.
    units: Vec<usize>,
}

impl Index {
    /// Takes in the bytes from `from` on; those before it are known.
    fn grow(&mut self, bytes: &[u8], from: usize) {
        // A carriage return was the end of what was known. It ends the line only if no line feed comes.
        if from > 0 && bytes[from - 1] == b'\r' && bytes.get(from) == Some(&b'\n') {
            self.starts.pop();
        }
        for (at, &byte) in bytes.iter().enumerate().skip(from) {
            let ends_line = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                self.starts.push(at + 1);
            }
        }
        while self.units.len() < bytes.len().div_ceil(BLOCK) {
            let before = match self.units.len().checked_sub(1) {
                Some(last) => self.units[last] + utf16_units(&bytes[last * BLOCK..][..BLOCK]),
                None => 0,
            };
            self.units.push(before);
        }
    }

    /// The index, still empty, of the same bytes without those before `offset`.
    fn starting_at(&self, bytes: &[u8], offset: usize) -> Self {
        let place = self.position(bytes, offset);
        Self {
            lines_before: place.line - 1,
            units_before: place.column - 1,
            ..Self::default()
        }
    }

    fn position(&self, bytes: &[u8], offset: usize) -> Position {
        let lines = self.starts.partition_point(|&start| start <= offset);
        let (start, before) = match lines.checked_sub(1) {
            Some(last) => (self.starts[last], 0),
            None => (0, self.units_before),
        };
        let units = self.units_to(bytes, offset) - self.units_to(bytes, start);
        Position {
            line: self.lines_before + lines as u64 + 1,
            column: before + units as u64 + 1,
        }
    }

    fn units_to(&self, bytes: &[u8], offset: usize) -> usize {
        // At the end of a text whose length is a multiple of the block there is no block of its own.
        let block = (offset / BLOCK).min(self.units.len().saturating_sub(1));
        let before = self.units.get(block).copied().unwrap_or(0);
        before + utf16_units(&bytes[(block * BLOCK).min(offset)..offset])
    }
}

/// UTF-16 code units of the characters that start in `bytes`.
fn utf16_units(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .map(|&byte| match byte {
            0x80..0xC0 => 0,
            0xF0.. => 2,
            _ => 1,
        })
        .sum()
}
