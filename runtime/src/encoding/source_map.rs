//! From decoded text back to bytes.

use alloc::vec::Vec;
use core::ops::Range;

use encoding_rs::{CoderResult, DecoderResult, Encoding, REPLACEMENT};

use super::shift::{Shift, unit};
use crate::span::Span;

/// How many bytes are decoded again at most to find a place. Tests have short documents with many blocks.
const BLOCK: usize = if cfg!(test) { 16 } else { 4096 };

/// Turns spans, which count decoded UTF-8, into ranges of the original bytes.
///
/// It takes the same bytes as the tokenizer and keeps none of them: give it the document again when you ask. It takes at most 16
/// bytes for each 4 KiB of the document, and 4 KiB. An answer takes time for a binary search, and for decoding 4 KiB.
///
/// Every encoding of the Encoding Standard is exact, malformed sequences and a byte order mark included: a character has the
/// bytes that it was decoded from, and U+FFFD those that it replaces. With [`UTF_8`](encoding_rs::UTF_8) it maps the spans of
/// [`feed_bytes`](crate::Tokenizer::feed_bytes).
///
/// ```
/// use speclex::Span;
/// use speclex::encoding::SourceMap;
/// use speclex::encoding::encoding_rs::UTF_8;
///
/// let bytes = b"\xFFab\xE2\x82c"; // "\u{FFFD}ab\u{FFFD}c"
/// let mut map = SourceMap::new(UTF_8);
/// for piece in bytes.chunks(2) {
///     map.push(piece);
/// }
/// assert_eq!(map.range(Span { start: 4, end: 8 }, bytes), 2..5);
/// ```
#[derive(Clone, Debug)]
pub struct SourceMap {
    encoding: &'static Encoding,
    /// Where each block ends, but for the last, packed.
    ends: Vec<u64>,
    /// The bytes behind the last end.
    block: Vec<u8>,
    /// How many bytes there are.
    length: u64,
}

/// A place between characters.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    bytes: u64,
    text: u64,
    shift: Shift,
}

/// What stands below the length of the text in a packed place: the set, whether it is new, and how many bytes are missing to whole
/// blocks.
const SHIFT_BITS: u32 = 8;

impl Place {
    fn pack(self) -> u64 {
        let missing = self.bytes.wrapping_neg() % BLOCK as u64;
        let Shift { set, is_new } = self.shift;
        self.text << SHIFT_BITS | missing << 3 | u64::from(set) << 1 | u64::from(is_new)
    }

    /// The place that ends the blocks up to this one.
    fn unpack(packed: u64, block: usize) -> Self {
        Self {
            bytes: (block as u64 + 1) * BLOCK as u64 - (packed >> 3 & 0x1F),
            text: packed >> SHIFT_BITS,
            shift: Shift {
                set: (packed >> 1 & 3) as u8,
                is_new: packed & 1 == 1,
            },
        }
    }
}

impl SourceMap {
    /// The map of an empty document in this encoding.
    pub const fn new(encoding: &'static Encoding) -> Self {
        Self {
            encoding,
            ends: Vec::new(),
            block: Vec::new(),
            length: 0,
        }
    }

    /// Appends bytes to the document.
    pub fn push(&mut self, mut bytes: &[u8]) {
        if self.encoding == REPLACEMENT {
            self.length += bytes.len() as u64;
            return;
        }
        while !bytes.is_empty() {
            let wanted = BLOCK - (self.length % BLOCK as u64) as usize;
            let (now, later) = bytes.split_at(wanted.min(bytes.len()));
            self.block.extend_from_slice(now);
            self.length += now.len() as u64;
            bytes = later;
            if now.len() == wanted {
                self.end_block();
            }
        }
    }

    /// Ends a block between characters.
    fn end_block(&mut self) {
        let start = self.place_before(self.ends.len());
        let mut decoder = start.shift.decoder(self.encoding);
        let mut dropped = [0; 1024];
        let mut text = 0;
        let mut rest = self.block.as_slice();
        loop {
            let (result, read, written, _) = decoder.decode_to_utf8(rest, &mut dropped, false);
            text += written;
            rest = &rest[read..];
            if result == CoderResult::InputEmpty {
                break;
            }
        }
        // The start of a character is malformed at the end of a stream: so the decoder says how long it is.
        let started = match decoder.decode_to_utf8_without_replacement(&[], &mut dropped, true) {
            (DecoderResult::Malformed(malformed, behind), ..) => malformed + behind,
            _ => 0,
        };
        let used = self.block.len() - usize::from(started);
        let end = Place {
            bytes: start.bytes + used as u64,
            text: start.text + text as u64,
            shift: start.shift.after(self.encoding, &self.block[..used]),
        };
        self.ends.push(end.pack());
        self.block.drain(..used);
    }

    /// Where a block starts.
    fn place_before(&self, block: usize) -> Place {
        let before = block.checked_sub(1);
        before.map_or(Place::default(), |block| {
            Place::unpack(self.ends[block], block)
        })
    }

    /// The bytes of what stands at an offset in the text; behind the text, where they end.
    fn at(&self, offset: u64, bytes: &[u8]) -> Range<u64> {
        if self.encoding == REPLACEMENT {
            // One U+FFFD for all.
            return match offset {
                0..3 => 0..self.length,
                _ => self.length..self.length,
            };
        }
        let block = self.ends.partition_point(|end| end >> SHIFT_BITS <= offset);
        let mut place = self.place_before(block);
        let from = usize::try_from(place.bytes).ok();
        let mut rest = from.and_then(|from| bytes.get(from..)).unwrap_or_default();
        loop {
            if self.encoding.is_ascii_compatible() {
                // Between characters, ASCII bytes are ASCII.
                let before = usize::try_from(offset - place.text).unwrap_or(usize::MAX);
                let ascii = Encoding::ascii_valid_up_to(&rest[..before.min(rest.len())]);
                place.bytes += ascii as u64;
                place.text += ascii as u64;
                rest = &rest[ascii..];
            }
            let Some(unit) = unit(self.encoding, place.shift, rest) else {
                return place.bytes..place.bytes;
            };
            let start = place.bytes;
            place = Place {
                bytes: start + unit.bytes as u64,
                text: place.text + unit.text as u64,
                shift: unit.shift,
            };
            if offset < place.text {
                return start..place.bytes;
            }
            rest = &rest[unit.bytes..];
        }
    }

    /// The bytes of a span, of which `bytes` is the whole document: what was pushed. They are those of the characters in
    /// the span; for an empty span, which ends where it starts, the place of the character behind it.
    ///
    /// Text that was [inserted](crate::Tokenizer::insert) is in no document, but spans behind it count it: take its length off.
    /// A span that cuts a character, or two characters that have one code, gets the whole code.
    pub fn range(&self, span: Span, bytes: &[u8]) -> Range<u64> {
        let length = usize::try_from(self.length).unwrap_or(usize::MAX);
        let bytes = &bytes[..bytes.len().min(length)];
        let start = self.at(span.start, bytes).start;
        let end = match span.end.checked_sub(1) {
            Some(last) if span.start <= last => self.at(last, bytes).end,
            _ => start,
        };
        start..end
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use alloc::string::String;

    use super::super::testing::{ALL, Random, reference};
    use super::super::{ByteStream, Hints};
    use super::*;

    /// The map, and the text by a decoder of the whole.
    fn check(encoding: &'static Encoding, bytes: &[u8], random: &mut Random) {
        let units = reference(encoding, bytes);
        let text: String = units.iter().map(|(_, text)| text.as_str()).collect();
        let (decoded, _) = encoding.decode_without_bom_handling(bytes);
        let name = encoding.name();
        assert_eq!(text, decoded, "the reference is wrong: {name} {bytes:x?}");
        let mut map = SourceMap::new(encoding);
        let mut stream = ByteStream::new(Hints::html().encoding(encoding));
        let mut streamed = String::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(1 + random.below(rest.len().min(40)));
            map.push(now);
            stream.decode(now, |piece| streamed.push_str(piece));
            rest = later;
        }
        stream.finish(|piece| streamed.push_str(piece));
        let marked = Encoding::for_bom(bytes).map_or(encoding, |(marked, _)| marked);
        let (marked, _) = marked.decode_without_bom_handling(bytes);
        assert_eq!(streamed, marked, "{name} {bytes:x?}");
        assert!(map.ends.len() <= bytes.len() / BLOCK);
        let mut start = 0;
        let mut spans = Vec::new();
        for (range, text) in &units {
            let range = range.start as u64..range.end as u64;
            for inside in 0..text.len() as u64 {
                let (start, end) = (start + inside, start + text.len() as u64);
                assert_eq!(
                    map.range(Span { start, end }, bytes),
                    range,
                    "{name} {bytes:x?} {start}"
                );
                let empty = map.range(Span { start, end: start }, bytes);
                assert_eq!(empty, range.start..range.start, "{name} {bytes:x?} {start}");
            }
            spans.push((start..start + text.len() as u64, range));
            start += text.len() as u64;
        }
        let end = bytes.len() as u64;
        let behind = map.range(Span { start, end: start }, bytes);
        assert_eq!(behind, end..end, "{name} {bytes:x?}");
        if let [first, .., last] = spans.as_slice() {
            let span = Span {
                start: first.0.start,
                end: last.0.end,
            };
            assert_eq!(
                map.range(span, bytes),
                first.1.start..last.1.end,
                "{name} {bytes:x?}"
            );
        }
    }

    fn check_random(seed: u64, cases: usize) {
        let mut random = Random(seed);
        for case in 0..cases {
            let encoding = ALL[case % ALL.len()];
            let bytes = random.document(encoding);
            check(encoding, &bytes, &mut random);
        }
    }

    #[test]
    fn all_short_documents_of_interesting_bytes_are_as_by_the_text() {
        let mut random = Random(1);
        for encoding in ALL
            .into_iter()
            .filter(|encoding| !encoding.is_single_byte())
        {
            let bytes: &[u8] = match encoding == encoding_rs::ISO_2022_JP {
                true => b"a\x1B(BJ$@\x80\\",
                false => b"\0a0\xD8\xDC\x81\xFE\x8F\xA1",
            };
            for number in 0..bytes.len().pow(4) {
                let byte = |place: u32| bytes[number / bytes.len().pow(place) % bytes.len()];
                let document: Vec<u8> = (0..4).map(byte).collect();
                check(encoding, &document, &mut random);
            }
        }
    }

    #[test]
    fn random_documents_are_as_by_the_text() {
        check_random(7, 20_000);
    }

    /// `SPECLEX_SEED=7 cargo test -p speclex --features encoding -- --ignored`.
    #[test]
    #[ignore = "a million documents"]
    fn many_random_documents_are_as_by_the_text() {
        let seed = std::env::var("SPECLEX_SEED").map_or(0, |seed| seed.parse().expect("a number"));
        check_random(seed, 1_000_000);
    }

    #[test]
    fn another_document_than_was_pushed_gives_some_range() {
        let mut map = SourceMap::new(encoding_rs::UTF_16LE);
        map.push(&[b'a'; 100]);
        for bytes in [&b""[..], b"a", &[0xD8; 1000]] {
            for (start, end) in [
                (0, 1),
                (70, 150),
                (150, 70),
                (u64::MAX, u64::MAX),
                (0, u64::MAX),
            ] {
                let range = map.range(Span { start, end }, bytes);
                assert!(range.end <= 100, "{range:?}");
            }
        }
    }
}
