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

/// Counts lines. CR LF, CR and LF each end one. All places are offsets in the stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    /// The line of the last place, from 1 on.
    line: u64,
    /// The chunk's first byte.
    chunk_at: u64,
    /// The end of the block that is looked at.
    block_end: u64,
    /// The block's bytes that end a line and are not counted yet: a bit for each.
    ends: u64,
    /// The first of them, or the end of the block.
    next: u64,
    /// Whether the byte in front of the next block is a CR, whose LF ends no other line.
    after_cr: bool,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            line: 1,
            chunk_at: 0,
            block_end: 0,
            ends: 0,
            next: 0,
            after_cr: false,
        }
    }
}

impl Lines {
    /// The chunk's first byte.
    pub(crate) fn chunk_at(&self) -> u64 {
        self.chunk_at
    }

    /// The line of a place in the chunk. Of a place before the last one it is the last one's.
    #[inline(always)]
    pub(crate) fn at(&mut self, chunk: &[u8], place: u64) -> u64 {
        if self.next < place {
            let place = place.min(self.chunk_at + chunk.len() as u64);
            while !self.advance(place) {
                self.look_at_next(chunk);
            }
        }
        self.line
    }

    /// Counts the line ends of the block before the place; returns whether the place is not behind the block.
    #[inline(always)]
    fn advance(&mut self, place: u64) -> bool {
        let mut ends = self.ends;
        while ends != 0 {
            let next = self.block_end.wrapping_sub(BLOCK as u64) + u64::from(ends.trailing_zeros());
            if next >= place {
                (self.next, self.ends) = (next, ends);
                return true;
            }
            self.line += 1;
            ends &= ends - 1;
        }
        (self.next, self.ends) = (self.block_end, 0);
        self.next >= place
    }

    // A call of its own, which needs few registers.
    #[inline(never)]
    fn look_at_next(&mut self, chunk: &[u8]) {
        let rest = &chunk[(self.block_end - self.chunk_at) as usize..];
        match rest.first_chunk() {
            Some(block) => self.look(block),
            None => self.look_at_last(rest),
        }
    }

    /// Looks at the last block, which is not full.
    #[cold]
    #[inline(never)]
    fn look_at_last(&mut self, rest: &[u8]) {
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        self.look(&block);
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
        self.block_end += BLOCK as u64;
    }

    /// Leaves a chunk of which so many bytes are used.
    pub(crate) fn leave(&mut self, chunk: &[u8], used: usize) {
        self.at(chunk, self.chunk_at + used as u64);
        if let Some(&last) = chunk[..used.min(chunk.len())].last() {
            self.after_cr = last == b'\r';
        }
        self.start(self.chunk_at + used as u64);
    }

    /// Starts another stream, whose lines are counted on.
    pub(crate) fn restart(&mut self) {
        self.start(0);
    }

    fn start(&mut self, chunk_at: u64) {
        (self.chunk_at, self.block_end, self.next, self.ends) = (chunk_at, chunk_at, chunk_at, 0);
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
                    assert_eq!(lines.at(&text[..cut], place as u64), naive(text, place));
                }
                lines.leave(&text[..cut], cut);
                for place in cut..=text.len() {
                    assert_eq!(lines.at(&text[cut..], place as u64), naive(text, place));
                }
            }
        }
    }

    #[test]
    fn long_lines_are_counted() {
        let text = ["x".repeat(3 * BLOCK).as_str(), "\n", "y"].concat();
        let mut lines = Lines::default();
        assert_eq!(lines.at(text.as_bytes(), 2 * BLOCK as u64), 1);
        assert_eq!(lines.at(text.as_bytes(), text.len() as u64), 2);
    }
}
