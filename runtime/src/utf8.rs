//! Bytes to text, as the Encoding Standard's UTF-8 decoder does it, but for a byte order mark, which the tokenizer skips.

use core::str::from_utf8;

const REPLACEMENT: &str = "\u{FFFD}";

/// Decodes UTF-8 that comes in chunks.
///
/// What is not UTF-8 becomes U+FFFD, one for each maximal subpart of a sequence. The text is that of
/// `String::from_utf8_lossy` for all chunks together, however they are cut.
#[derive(Clone, Debug, Default)]
pub(crate) struct Utf8Decoder {
    /// The start of a sequence that the next chunk may complete.
    kept: [u8; 4],
    length: usize,
}

impl Utf8Decoder {
    /// A decoder at the start of a stream.
    pub(crate) const fn new() -> Self {
        Self {
            kept: [0; 4],
            length: 0,
        }
    }

    /// Whether the bytes so far end with the start of a character.
    #[inline(always)]
    pub(crate) const fn is_inside_character(&self) -> bool {
        self.length > 0
    }

    /// Passes on the text of a chunk, borrowed from it in pieces as long as can be; `last` when nothing
    /// comes after it. After that the decoder is at the start of a stream again.
    pub(crate) fn decode(&mut self, bytes: &[u8], last: bool, mut out: impl FnMut(&str)) {
        let mut rest = self.finish_kept(bytes, last, &mut out);
        while !rest.is_empty() {
            // A sequence that the chunk's end cuts off is set aside first: found by the validation, it
            // would cost a second one of all that is before it.
            let part = match rest.len() - cut_off(rest) {
                0 => rest,
                whole => &rest[..whole],
            };
            let error = match from_utf8(part) {
                Ok(text) => {
                    out(text);
                    rest = &rest[part.len()..];
                    continue;
                }
                Err(error) => error,
            };
            let (valid, invalid) = rest.split_at(error.valid_up_to());
            match from_utf8(valid) {
                Ok(text) if !text.is_empty() => out(text),
                _ => {}
            }
            let length = match error.error_len() {
                Some(length) => length,
                // At most three bytes: four are a character or not the start of one.
                None if part.len() == rest.len() && !last => {
                    self.kept[..invalid.len()].copy_from_slice(invalid);
                    self.length = invalid.len();
                    return;
                }
                None => part.len() - valid.len(),
            };
            out(REPLACEMENT);
            rest = &invalid[length..];
        }
    }

    /// Completes what was kept; returns what is left of the chunk.
    fn finish_kept<'b>(
        &mut self,
        mut rest: &'b [u8],
        last: bool,
        out: &mut impl FnMut(&str),
    ) -> &'b [u8] {
        while self.length > 0 {
            let Some((&byte, after)) = rest.split_first() else {
                if last {
                    self.length = 0;
                    out(REPLACEMENT);
                }
                break;
            };
            self.kept[self.length] = byte;
            self.length += 1;
            match from_utf8(&self.kept[..self.length]) {
                Ok(character) => {
                    out(character);
                    self.length = 0;
                }
                Err(error) if error.error_len().is_none() => {}
                Err(_) => {
                    // The new byte is not part of the sequence.
                    out(REPLACEMENT);
                    self.length = 0;
                    break;
                }
            }
            rest = after;
        }
        rest
    }
}

/// How many bytes at the end look like a sequence that has more bytes than there are.
fn cut_off(bytes: &[u8]) -> usize {
    for (count, byte) in (1..4).zip(bytes.iter().rev()) {
        let length = match byte {
            0..0x80 => return 0,
            0x80..0xC0 => continue,
            0xC0..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0.. => 4,
        };
        return if length > count { count } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    /// The text of these chunks, after a check that no piece is empty.
    fn decoded<'a>(
        decoder: &mut Utf8Decoder,
        chunks: impl Iterator<Item = (&'a [u8], bool)>,
    ) -> String {
        let mut text = String::new();
        for (chunk, last) in chunks {
            decoder.decode(chunk, last, |piece| {
                assert!(!piece.is_empty());
                text.push_str(piece);
            });
        }
        text
    }

    /// Cuts after each byte whose bit is set.
    fn chunks(bytes: &[u8], cuts: u64) -> Vec<&[u8]> {
        let mut start = 0;
        let mut chunks = Vec::new();
        for end in 1..bytes.len() {
            if cuts >> ((end - 1) % 64) & 1 == 1 {
                chunks.push(&bytes[start..end]);
                start = end;
            }
        }
        chunks.push(&bytes[start..]);
        chunks
    }

    fn check(bytes: &[u8], cuts: u64) {
        let expected = String::from_utf8_lossy(bytes);
        let mut decoder = Utf8Decoder::new();
        let chunks = chunks(bytes, cuts);
        let with_last = chunks
            .iter()
            .enumerate()
            .map(|(i, c)| (*c, i + 1 == chunks.len()));
        assert_eq!(
            decoded(&mut decoder, with_last),
            expected,
            "{bytes:x?} {cuts:b}"
        );
        let empty_last = chunks
            .iter()
            .map(|c| (*c, false))
            .chain([(&[][..], false), (&[][..], true)]);
        assert_eq!(
            decoded(&mut decoder, empty_last),
            expected,
            "{bytes:x?} {cuts:b}, empty last"
        );
    }

    /// One byte of each kind that the rules tell apart, with both ends of the ranges.
    const BYTES: [u8; 18] = [
        b'a', 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xE2, 0xED, 0xEF, 0xF0, 0xF1,
        0xF4, 0xF5, 0xFF,
    ];

    #[test]
    fn all_short_sequences_with_all_cuts_are_as_from_utf8_lossy() {
        for length in 0..=4_u32 {
            for number in 0..BYTES.len().pow(length) {
                let byte = |place: u32| BYTES[number / BYTES.len().pow(place) % BYTES.len()];
                let bytes: Vec<u8> = (0..length).map(byte).collect();
                for cuts in 0..1 << length.saturating_sub(1) {
                    check(&bytes, cuts);
                }
            }
        }
    }

    #[test]
    fn random_bytes_with_random_cuts_are_as_from_utf8_lossy() {
        let mut seed = 7_u64;
        let mut next = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed >> 32
        };
        let text =
            "a\u{7f}\u{80}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}".as_bytes();
        for _ in 0..20_000 {
            let length = next() % 40;
            let damage = next() % 8;
            let start = next() as usize;
            let bytes: Vec<u8> = (0..length as usize)
                .map(|i| match next() % 8 < damage {
                    true => BYTES[next() as usize % BYTES.len()],
                    false => text[(start + i) % text.len()],
                })
                .collect();
            check(&bytes, next() & next() | next() << 32);
        }
    }

    #[test]
    fn valid_chunks_are_passed_on_whole() {
        let text = "é".repeat(1000);
        let mut pieces = Vec::new();
        let mut decoder = Utf8Decoder::new();
        decoder.decode(&text.as_bytes()[..999], false, |piece| {
            pieces.push(piece.len())
        });
        decoder.decode(&text.as_bytes()[999..], true, |piece| {
            pieces.push(piece.len())
        });
        assert_eq!(pieces, [998, 2, 1000]);
    }
}
