//! Line numbers of places that come in order.

use memchr::memchr2;

/// How far it looks ahead for the end of a line. Bounded: after each pause the same text may come again.
const AHEAD: usize = 512;

/// Counts lines. CR LF, CR and LF each end one.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// The line of the last place, from 1 on.
    line: u64,
    /// The first byte of the chunk that has not been looked at.
    next: usize,
    /// Whether a CR stands in front of the chunk.
    after_cr: bool,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            line: 1,
            next: 0,
            after_cr: false,
        }
    }
}

impl Lines {
    /// The line of a place in the chunk. Of a place before the last one it is the last one's.
    #[inline]
    pub(crate) fn at(&mut self, chunk: &[u8], place: usize) -> u64 {
        while self.next < place && self.next < chunk.len() {
            self.look(chunk);
        }
        self.line
    }

    /// Looks at the next byte, and ahead to the end of a line.
    fn look(&mut self, chunk: &[u8]) {
        let at = self.next;
        let is_second = || match at.checked_sub(1) {
            Some(before) => chunk[before] == b'\r',
            None => self.after_cr,
        };
        match chunk[at] {
            b'\r' => self.line += 1,
            b'\n' if !is_second() => self.line += 1,
            _ => {}
        }
        let ahead = &chunk[at + 1..chunk.len().min(at + 1 + AHEAD)];
        self.next = at + 1 + memchr2(b'\n', b'\r', ahead).unwrap_or(ahead.len());
    }

    /// Leaves a chunk of which so many bytes are used.
    pub(crate) fn leave(&mut self, chunk: &[u8], used: usize) {
        self.at(chunk, used);
        if let Some(&last) = chunk[..used.min(chunk.len())].last() {
            self.after_cr = last == b'\r';
        }
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line of each place, counted by hand.
    fn naive(text: &[u8], place: usize) -> u64 {
        let is_end = |at: &usize| match text[*at] {
            b'\r' => true,
            b'\n' => *at == 0 || text[*at - 1] != b'\r',
            _ => false,
        };
        1 + (0..place).filter(is_end).count() as u64
    }

    #[test]
    fn lines_are_counted_as_by_hand_whatever_the_chunks() {
        let pieces = ["a", "\r", "\n", "\r\n", "\n\r", "bc"];
        for number in 0..pieces.len().pow(4) {
            let text: String = (0..4)
                .map(|place| pieces[number / pieces.len().pow(place) % pieces.len()])
                .collect();
            let text = text.as_bytes();
            for cut in 0..=text.len() {
                let mut lines = Lines::default();
                for place in 0..=cut {
                    assert_eq!(lines.at(&text[..cut], place), naive(text, place));
                }
                lines.leave(&text[..cut], cut);
                for place in cut..=text.len() {
                    assert_eq!(lines.at(&text[cut..], place - cut), naive(text, place));
                }
            }
        }
    }

    #[test]
    fn long_lines_are_counted() {
        let text = ["x".repeat(3 * AHEAD).as_str(), "\n", "y"].concat();
        let mut lines = Lines::default();
        assert_eq!(lines.at(text.as_bytes(), 2 * AHEAD), 1);
        assert_eq!(lines.at(text.as_bytes(), text.len()), 2);
    }
}
