//! Lines and columns.

use alloc::vec::Vec;
use core::ops::Range;

use crate::scan::{Set, find};
use crate::span::Span;
use crate::utf8::Utf8Decoder;

/// A place as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The line, from 1 on.
    pub line: u64,
    /// The column, from 1 on. It counts UTF-16 code units unless you ask for other [`Columns`].
    pub column: u64,
}

/// What a column counts. `é` is two bytes, one code unit and one character; `😀` is four bytes, two code units and one
/// character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Columns {
    /// Bytes of UTF-8, as in offsets and in indices of a `str`.
    Bytes,
    /// Code units of UTF-16, as in JavaScript, and in the language server protocol unless agreed otherwise.
    Utf16,
    /// Characters (`char`, Unicode scalar values), as compilers print them.
    Characters,
}

/// Turns byte offsets and spans into lines and columns.
///
/// ```
/// use speclex::{Columns, LineIndex, Location, Span};
///
/// let mut lines = LineIndex::new();
/// lines.push("<p>\r\n<i>é\u{1F600}</i>");
/// let end_tag = Span { start: 14, end: 18 };
/// assert_eq!(
///     lines.locate_span(end_tag, Columns::Characters),
///     Location { line: 2, column: 6 }..Location { line: 2, column: 10 }
/// );
/// assert_eq!(lines.locate_in(14, Columns::Bytes).column, 10);
/// assert_eq!(lines.locate_in(14, Columns::Utf16), lines.locate(14));
/// ```
///
/// It does not keep the text. It takes 8 bytes for each line, 24 bytes for each 64 bytes of text that are not all
/// ASCII, and 24 bytes for each 64 bytes with a character outside the Basic Multilingual Plane. A CR LF pair, a CR and
/// an LF each end a line.
#[derive(Clone, Debug, Default)]
pub struct LineIndex {
    /// Where lines start, but for the first.
    starts: Vec<u64>,
    /// The bytes that add no code unit: all of a character but as many as it has code units.
    silent: Marks,
    /// The bytes that add the second code unit of a character.
    second: Marks,
    length: u64,
    /// Whether the text so far ends with a CR.
    after_cr: bool,
    decoder: Utf8Decoder,
}

/// Bytes of the text that are counted.
#[derive(Clone, Debug, Default)]
struct Marks {
    /// The blocks of text that have some, in order.
    blocks: Vec<Block>,
}

/// 64 bytes of text.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Offset of the first, divided by 64.
    number: u64,
    /// How many bytes before the block are marked.
    before: u64,
    /// Which bytes are marked.
    marked: u64,
}

impl Marks {
    const fn new() -> Self {
        Self { blocks: Vec::new() }
    }

    /// Marks a byte behind all that are marked.
    fn push(&mut self, offset: u64) {
        let (number, bit) = (offset / 64, 1 << (offset % 64));
        let before = match self.blocks.last_mut() {
            Some(block) if block.number == number => {
                block.marked |= bit;
                return;
            }
            Some(block) => block.before + u64::from(block.marked.count_ones()),
            None => 0,
        };
        self.blocks.push(Block {
            number,
            before,
            marked: bit,
        });
    }

    /// How many bytes before an offset are marked.
    fn before(&self, offset: u64) -> u64 {
        let after = self
            .blocks
            .partition_point(|block| block.number <= offset / 64);
        after.checked_sub(1).map_or(0, |index| {
            let block = self.blocks[index];
            let marked = match block.number == offset / 64 {
                true => block.marked & ((1 << (offset % 64)) - 1),
                false => block.marked,
            };
            block.before + u64::from(marked.count_ones())
        })
    }
}

/// What is not just one more column: ends of lines, and starts of characters outside ASCII.
struct Special;
impl Set for Special {
    const RANGES: &'static [(u8, u8)] = &[(b'\n', b'\n'), (b'\r', b'\r'), (0xC0, 0xFF)];
}

impl LineIndex {
    /// The index of an empty text.
    pub const fn new() -> Self {
        Self {
            starts: Vec::new(),
            silent: Marks::new(),
            second: Marks::new(),
            length: 0,
            after_cr: false,
            decoder: Utf8Decoder::new(),
        }
    }

    /// Appends bytes to the text, which may be cut inside a character. They are decoded as `feed_bytes` of a tokenizer
    /// decodes them: each malformed sequence becomes U+FFFD, which is three bytes of the text.
    ///
    /// ```
    /// use speclex::{LineIndex, Location};
    ///
    /// let mut lines = LineIndex::new();
    /// lines.push_bytes(b"caf\xE9\n\xC3");
    /// lines.push_bytes(b"\xA9<p>");
    /// // "caf\u{FFFD}\né<p>": the tag starts at 9.
    /// assert_eq!(lines.locate(9), Location { line: 2, column: 2 });
    /// ```
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        self.decode(bytes, false);
    }

    /// Says that no more bytes come: a character that is cut off becomes U+FFFD.
    pub fn end(&mut self) {
        self.decode(&[], true);
    }

    fn decode(&mut self, bytes: &[u8], last: bool) {
        let mut decoder = core::mem::take(&mut self.decoder);
        decoder.decode(bytes, last, |text| self.push(text));
        self.decoder = decoder;
    }

    /// Appends to the text.
    pub fn push(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = find::<Special>(bytes, 0);
        while let Some(&byte) = bytes.get(at) {
            let offset = self.length + at as u64;
            match byte {
                b'\n'
                    if at
                        .checked_sub(1)
                        .map_or(self.after_cr, |before| bytes[before] == b'\r') =>
                {
                    // Of a pair: the line starts after both.
                    if let Some(start) = self.starts.last_mut() {
                        *start = offset + 1;
                    }
                }
                b'\n' | b'\r' => self.starts.push(offset + 1),
                // The second of two bytes adds no code unit, nor do the last two of three or four.
                ..0xE0 => self.silent.push(offset + 1),
                0xE0..0xF0 => {
                    self.silent.push(offset + 1);
                    self.silent.push(offset + 2);
                }
                0xF0.. => {
                    self.second.push(offset + 1);
                    self.silent.push(offset + 2);
                    self.silent.push(offset + 3);
                }
            }
            at = find::<Special>(bytes, at + 1);
        }
        self.length += bytes.len() as u64;
        if let Some(&byte) = bytes.last() {
            self.after_cr = byte == b'\r';
        }
    }

    /// The line and column, in UTF-16 code units, of a byte offset that is at the start of a character or at the end of
    /// the text.
    pub fn locate(&self, offset: u64) -> Location {
        self.locate_in(offset, Columns::Utf16)
    }

    /// The line and column of a byte offset that is at the start of a character or at the end of the text.
    pub fn locate_in(&self, offset: u64, columns: Columns) -> Location {
        let lines_before = self.starts.partition_point(|&start| start <= offset);
        let start = lines_before
            .checked_sub(1)
            .map_or(0, |line| self.starts[line]);
        Location {
            line: lines_before as u64 + 1,
            column: (self.units_before(offset, columns) - self.units_before(start, columns))
                .saturating_add(1),
        }
    }

    /// Where a span starts and where it ends, which is behind its last character.
    pub fn locate_span(&self, span: Span, columns: Columns) -> Range<Location> {
        self.locate_in(span.start, columns)..self.locate_in(span.end, columns)
    }

    /// How much of what columns count there is before an offset.
    fn units_before(&self, offset: u64, columns: Columns) -> u64 {
        match columns {
            Columns::Bytes => offset,
            Columns::Utf16 => offset - self.silent.before(offset),
            Columns::Characters => offset - self.silent.before(offset) - self.second.before(offset),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    const ALL: [Columns; 3] = [Columns::Bytes, Columns::Utf16, Columns::Characters];

    /// The location of each character and of the end.
    fn naive(text: &str, columns: Columns) -> Vec<(u64, Location)> {
        let mut here = Location { line: 1, column: 1 };
        let mut all = Vec::new();
        for (offset, c) in text.char_indices() {
            all.push((offset as u64, here));
            if c == '\n' || c == '\r' && !text[offset + 1..].starts_with('\n') {
                here = Location {
                    line: here.line + 1,
                    column: 1,
                };
            } else {
                here.column += match columns {
                    Columns::Bytes => c.len_utf8() as u64,
                    Columns::Utf16 => c.len_utf16() as u64,
                    Columns::Characters => 1,
                };
            }
        }
        all.push((text.len() as u64, here));
        all
    }

    fn check(text: &str, cut: impl Fn(usize) -> bool) {
        let mut index = LineIndex::new();
        let mut start = 0;
        for (end, _) in text.char_indices().filter(|(offset, _)| cut(*offset)) {
            index.push(&text[start..end]);
            start = end;
        }
        index.push(&text[start..]);
        for columns in ALL {
            let all = naive(text, columns);
            for (offset, location) in &all {
                let found = index.locate_in(*offset, columns);
                assert_eq!(found, *location, "{offset} in {columns:?} of {text:?}");
            }
            // From each to one that is some way behind it.
            for (number, (start, first)) in all.iter().enumerate() {
                let (end, last) = all[number + (number * 7 % (all.len() - number))];
                let span = Span { start: *start, end };
                assert_eq!(
                    index.locate_span(span, columns),
                    *first..last,
                    "{span:?} of {text:?}"
                );
            }
        }
        for (offset, location) in naive(text, Columns::Utf16) {
            assert_eq!(index.locate(offset), location, "{offset} in {text:?}");
        }
        let mut of_bytes = LineIndex::new();
        let mut start = 0;
        for end in (0..text.len()).filter(|&offset| cut(offset)) {
            of_bytes.push_bytes(&text.as_bytes()[start..end]);
            start = end;
        }
        of_bytes.push_bytes(&text.as_bytes()[start..]);
        for (offset, location) in naive(text, Columns::Utf16) {
            let found = of_bytes.locate(offset);
            assert_eq!(found, location, "{offset} in the bytes of {text:?}");
        }
    }

    #[test]
    fn malformed_bytes_are_counted_as_what_replaces_them() {
        let bytes = b"a\xFF\xE2\x82\r\n\xF0\x9F\x98\x80\xE2\x82";
        let text = String::from_utf8_lossy(bytes);
        for cut in 0..bytes.len() {
            let mut index = LineIndex::new();
            index.push_bytes(&bytes[..cut]);
            index.push_bytes(&bytes[cut..]);
            index.end();
            for (offset, location) in naive(&text, Columns::Utf16) {
                assert_eq!(index.locate(offset), location, "{offset}, cut at {cut}");
            }
        }
    }

    const PIECES: [&str; 9] = [
        "a",
        "\r",
        "\n",
        "\r\n",
        "é",
        "€",
        "\u{1f600}",
        "0123456789abcdef",
        "\u{2028}\u{b}\u{c}",
    ];

    #[test]
    fn all_short_texts_with_all_cuts_are_counted_as_by_hand() {
        for number in 0..PIECES.len().pow(4) {
            let text: String = (0..4)
                .map(|place| PIECES[number / PIECES.len().pow(place) % PIECES.len()])
                .collect();
            for cuts in 0..16_u32 {
                check(&text, |offset| cuts >> (offset % 4) & 1 == 1);
            }
        }
    }

    #[test]
    fn long_texts_are_counted_as_by_hand() {
        let mut seed = 3_u64;
        let mut next = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize
        };
        for _ in 0..60 {
            let kinds = 1 + next() % PIECES.len();
            let first = next();
            let text: String = (0..next() % 500)
                .map(|_| PIECES[(first + next() % kinds) % PIECES.len()])
                .collect();
            let every = 1 + next() % 100;
            check(&text, |offset| offset % every == 0);
        }
    }

    #[test]
    fn an_offset_past_the_end_is_counted_on_in_the_last_line() {
        let mut index = LineIndex::new();
        assert_eq!(index.locate(3), Location { line: 1, column: 4 });
        index.push("é\n\u{1f600}");
        for (columns, column) in [
            (Columns::Bytes, 7),
            (Columns::Utf16, 5),
            (Columns::Characters, 4),
        ] {
            assert_eq!(index.locate_in(9, columns), Location { line: 2, column });
        }
    }

    #[test]
    fn memory_is_as_documented() {
        let size = |text: &str| {
            let mut index = LineIndex::new();
            index.push(text);
            let blocks = [&index.silent, &index.second].map(|marks| marks.blocks.len());
            [index.starts.len(), blocks[0], blocks[1]]
        };
        assert_eq!(core::mem::size_of::<Block>(), 24);
        assert_eq!(size(&"a\r\n".repeat(640)), [640, 0, 0]);
        assert_eq!(size(&"é".repeat(640)), [0, 20, 0]);
        assert_eq!(size(&"\u{1f600}".repeat(640)), [0, 40, 40]);
        // In the middle of a character and far behind the text there are places, too.
        let mut index = LineIndex::new();
        index.push("\u{1f600}");
        for offset in [1, 2, 3, u64::MAX] {
            for columns in ALL {
                assert_eq!(index.locate_in(offset, columns).line, 1);
            }
        }
    }
}
