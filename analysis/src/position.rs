//! Byte offsets to lines and columns.

/// A place in a text for people: one-based, the column in UTF-16 code units, as html5lib-tests count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line. CR LF, CR and LF each end one.
    pub line: u64,
    /// The column.
    pub column: u64,
}

/// How many bytes of a text share one entry of the column index.
const BLOCK: usize = 256;

/// The lines of a text. Built in one pass; a query is a binary search and a look at one block.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    /// Offset of the first byte of each line.
    starts: Vec<usize>,
    /// UTF-16 code units of the characters that start before each block.
    units: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Finds the lines of `text`. A byte order mark counts as a character of the first one.
    pub fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            let ends_line = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                starts.push(at + 1);
            }
        }
        let mut total = 0;
        let units = bytes
            .chunks(BLOCK)
            .map(|block| {
                let before = total;
                total += utf16_units(block);
                before
            })
            .collect();
        Self {
            bytes,
            starts,
            units,
        }
    }

    /// The place of a byte offset; one after the end counts as the end.
    pub fn position(&self, offset: u64) -> Position {
        let offset = usize::try_from(offset).map_or(self.bytes.len(), |o| o.min(self.bytes.len()));
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = line.checked_sub(1).map_or(0, |i| self.starts[i]);
        Position {
            line: line as u64,
            column: (self.units_before(offset) - self.units_before(start)) as u64 + 1,
        }
    }

    fn units_before(&self, offset: usize) -> usize {
        // At the end of a text whose length is a multiple of the block there is no block of its own.
        let block = (offset / BLOCK).min(self.units.len().saturating_sub(1));
        let before = self.units.get(block).copied().unwrap_or(0);
        before + utf16_units(&self.bytes[(block * BLOCK).min(offset)..offset])
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts from the start, character by character.
    fn counted(text: &str, offset: usize) -> Position {
        let (mut line, mut column) = (1, 1);
        for (at, c) in text[..offset].char_indices() {
            let crlf = c == '\r' && text.as_bytes().get(at + 1) == Some(&b'\n');
            if matches!(c, '\r' | '\n') && !crlf {
                (line, column) = (line + 1, 1);
            } else {
                column += c.len_utf16() as u64;
            }
        }
        Position { line, column }
    }

    #[test]
    fn agrees_with_counting() {
        let line = "aé€\u{1F600}\r\nb\rc\n\r\r\n";
        let long = "x€".repeat(300);
        for text in [
            "",
            "\u{FEFF}a",
            line,
            &line.repeat(40),
            &long,
            &"a".repeat(2 * BLOCK),
        ] {
            let lines = Lines::new(text);
            for offset in (0..=text.len()).filter(|&o| text.is_char_boundary(o)) {
                assert_eq!(
                    lines.position(offset as u64),
                    counted(text, offset),
                    "{offset}"
                );
            }
            assert_eq!(lines.position(u64::MAX), lines.position(text.len() as u64));
        }
    }
}
