//! Line numbers of places that come in order.

use speclex::rt::scan::{Set, any, bits};

struct Cr;
struct Lf;

impl Set for Cr {
    const RANGES: &'static [(u8, u8)] = &[(b'\r', b'\r')];
}

impl Set for Lf {
    const RANGES: &'static [(u8, u8)] = &[(b'\n', b'\n')];
}

/// So many bytes are looked at at once. It looks no further ahead: after each pause the same text may come again.
const BLOCK: usize = 64;

/// Counts lines. CR LF, CR and LF each end one.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// The line of the last place, from 1 on.
    line: u64,
    /// The end of the block that is looked at.
    block_end: usize,
    /// The block's bytes that end a line and are not counted yet: a bit for each.
    ends: u64,
    /// The first of them, or the end of the block.
    next: usize,
    /// Whether the byte in front of the next block is a CR, whose LF ends no other line.
    after_cr: bool,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            line: 1,
            block_end: 0,
            ends: 0,
            next: 0,
            after_cr: false,
        }
    }
}

impl Lines {
    /// The line of a place in the chunk. Of a place before the last one it is the last one's.
    #[inline]
    pub(crate) fn at(&mut self, chunk: &[u8], place: usize) -> u64 {
        if self.next < place {
            self.advance(chunk, place.min(chunk.len()));
        }
        self.line
    }

    fn advance(&mut self, chunk: &[u8], place: usize) {
        loop {
            while self.ends != 0 {
                self.next = self.block_end - BLOCK + self.ends.trailing_zeros() as usize;
                if self.next >= place {
                    return;
                }
                self.line += 1;
                self.ends &= self.ends - 1;
            }
            self.next = self.block_end;
            if self.next >= place {
                return;
            }
            let rest = &chunk[self.block_end..];
            match rest.first_chunk() {
                Some(block) => self.look(block),
                None => self.look_at_last(rest),
            }
        }
    }

    /// Looks at the next block.
    #[inline(always)]
    fn look(&mut self, block: &[u8; BLOCK]) {
        self.ends = bits::<Lf>(block);
        if self.after_cr || any::<Cr>(block) {
            let cr = bits::<Cr>(block);
            self.ends = cr | (self.ends & !(cr << 1 | u64::from(self.after_cr)));
            self.after_cr = cr >> (BLOCK - 1) != 0;
        }
        self.block_end += BLOCK;
    }

    /// Looks at the last block, which is not full.
    #[cold]
    fn look_at_last(&mut self, rest: &[u8]) {
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        self.look(&block);
    }

    /// Leaves a chunk of which so many bytes are used.
    pub(crate) fn leave(&mut self, chunk: &[u8], used: usize) {
        self.at(chunk, used);
        if let Some(&last) = chunk[..used.min(chunk.len())].last() {
            self.after_cr = last == b'\r';
        }
        (self.block_end, self.ends, self.next) = (0, 0, 0);
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
        let text = ["x".repeat(3 * BLOCK).as_str(), "\n", "y"].concat();
        let mut lines = Lines::default();
        assert_eq!(lines.at(text.as_bytes(), 2 * BLOCK), 1);
        assert_eq!(lines.at(text.as_bytes(), text.len()), 2);
    }
}
