//! Lines and columns.

use alloc::vec::Vec;

use crate::scan::{Set, find};

/// A place as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The line, from 1 on.
    pub line: u64,
    /// The column, from 1 on, in UTF-16 code units.
    pub column: u64,
}

/// Turns byte offsets into lines and columns.
///
/// It does not keep the text. It takes 8 bytes for each line, and 24 bytes for each 64 bytes of text
/// that are not all ASCII. A CR LF pair, a CR and an LF each end a line.
#[derive(Clone, Debug, Default)]
pub struct LineIndex {
    /// Where lines start, but for the first.
    starts: Vec<u64>,
    /// The blocks of text that are not all ASCII, in order.
    blocks: Vec<Block>,
    length: u64,
    /// Whether the text so far ends with a CR.
    after_cr: bool,
}

/// 64 bytes of text.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Offset of the first, divided by 64.
    number: u64,
    /// How many bytes before the block add no code unit.
    silent_before: u64,
    /// Which bytes add no code unit: all of a character but as many as it has code units.
    silent: u64,
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
            blocks: Vec::new(),
            length: 0,
            after_cr: false,
        }
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
                ..0xE0 => self.push_silent(offset + 1),
                0xE0..0xF0 => {
                    self.push_silent(offset + 1);
                    self.push_silent(offset + 2);
                }
                0xF0.. => {
                    self.push_silent(offset + 2);
                    self.push_silent(offset + 3);
                }
            }
            at = find::<Special>(bytes, at + 1);
        }
        self.length += bytes.len() as u64;
        if let Some(&byte) = bytes.last() {
            self.after_cr = byte == b'\r';
        }
    }

    fn push_silent(&mut self, offset: u64) {
        let (number, bit) = (offset / 64, 1 << (offset % 64));
        let silent_before = match self.blocks.last_mut() {
            Some(block) if block.number == number => {
                block.silent |= bit;
                return;
            }
            Some(block) => block.silent_before + u64::from(block.silent.count_ones()),
            None => 0,
        };
        self.blocks.push(Block {
            number,
            silent_before,
            silent: bit,
        });
    }

    /// The line and column of a byte offset that is at the start of a character or at the end of the
    /// text.
    pub fn locate(&self, offset: u64) -> Location {
        let lines_before = self.starts.partition_point(|&start| start <= offset);
        let start = lines_before
            .checked_sub(1)
            .map_or(0, |line| self.starts[line]);
        Location {
            line: lines_before as u64 + 1,
            column: self.units_before(offset) - self.units_before(start) + 1,
        }
    }

    /// How many code units there are before an offset.
    fn units_before(&self, offset: u64) -> u64 {
        let after = self
            .blocks
            .partition_point(|block| block.number <= offset / 64);
        let silent = after.checked_sub(1).map_or(0, |index| {
            let block = self.blocks[index];
            let silent = match block.number == offset / 64 {
                true => block.silent & ((1 << (offset % 64)) - 1),
                false => block.silent,
            };
            block.silent_before + u64::from(silent.count_ones())
        });
        offset - silent
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    /// The location of each character and of the end.
    fn naive(text: &str) -> Vec<(u64, Location)> {
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
                here.column += c.len_utf16() as u64;
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
        for (offset, location) in naive(text) {
            assert_eq!(index.locate(offset), location, "{offset} in {text:?}");
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
        index.push("é\n");
        assert_eq!(index.locate(5), Location { line: 2, column: 3 });
    }
}
