//! Finds the first byte of a set: what "append the current input character and stay" becomes.
//!
//! Within tags most runs are shorter than 16 bytes, so [`find`] looks at one block of 16 inline and
//! without a branch per byte; only a run that outlasts the block calls a loop over 64 bytes at a time.

#[cfg(all(feature = "simd", target_arch = "x86_64", target_feature = "sse2"))]
mod probe;
mod set;
#[cfg(all(feature = "simd", target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code)]
mod sse2;
#[cfg(any(
    test,
    not(all(feature = "simd", target_arch = "x86_64", target_feature = "sse2"))
))]
mod swar;

use set::{Block, Engine};
#[cfg(all(feature = "simd", target_arch = "x86_64", target_feature = "sse2"))]
use sse2::{Sse2 as Best, block};
#[cfg(not(all(feature = "simd", target_arch = "x86_64", target_feature = "sse2")))]
use swar::{Swar as Best, block};

pub(crate) use set::MAX_RANGES;
pub use set::{Set, contains};

/// The index of the first byte at or after `from` that is in the set, or the length.
#[inline(always)]
pub fn find<S: Set>(bytes: &[u8], from: usize) -> usize {
    find_with::<Best, S>(bytes, from)
}

/// A bit for each of 64 bytes, the lowest for the first: whether it is in the set. For those who want to know of all.
#[inline]
pub fn bits<S: Set>(bytes: &[u8; 64]) -> u64 {
    Best::bits::<S>(blocks(bytes))
}

/// Whether one of 64 bytes is in the set.
#[inline]
pub fn any<S: Set>(bytes: &[u8; 64]) -> bool {
    Best::any::<S>(blocks(bytes))
}

/// As [`find`], by a call: less code and a little more time, for states that documents seldom go through.
#[inline(never)]
pub fn find_by_call<S: Set>(bytes: &[u8], from: usize) -> usize {
    find::<S>(bytes, from)
}

/// As [`find`]; also stops at `near` among the first `reach` bytes.
#[inline]
pub fn find_or_near<S: Set>(bytes: &[u8], from: usize, near: u8, reach: usize) -> usize {
    let end = find::<S>(bytes, from);
    let first = bytes.get(from..end.min(from + reach)).unwrap_or_default();
    match first.iter().position(|byte| *byte == near) {
        Some(index) => from + index,
        None => end,
    }
}

#[inline(always)]
fn find_with<E: Engine, S: Set>(bytes: &[u8], from: usize) -> usize {
    let Some(block) = block(bytes, from) else {
        return near_end::<E, S>(bytes, from);
    };
    match E::first::<S>(block, 0) {
        Some(index) => from + index,
        None => far::<E, S>(bytes, from + size_of::<Block>()),
    }
}

/// Whether runs that end with the set are short: what ends at a space is a word, what ends at a letter is white
/// space between words.
const fn is_of_words(ranges: &[(u8, u8)]) -> bool {
    let mut index = 0;
    while index < ranges.len() {
        let (first, last) = ranges[index];
        if (first <= b' ' && b' ' <= last) || (first <= b'a' && b'z' <= last) {
            return true;
        }
        index += 1;
    }
    false
}

/// Goes on after a block without hits.
#[inline(never)]
fn far<E: Engine, S: Set>(bytes: &[u8], mut from: usize) -> usize {
    // Few words need four blocks.
    if const { is_of_words(S::RANGES) } {
        for block in bytes[from..].as_chunks().0 {
            if let Some(index) = E::first::<S>(block, 0) {
                return from + index;
            }
            from += block.len();
        }
        return near_end::<E, S>(bytes, from);
    }
    for (number, quad) in bytes[from..].as_chunks().0.iter().enumerate() {
        // Most runs end in the first four blocks: asking whether there is a hit before asking where is
        // worth it only in long ones.
        if (number == 0 || E::any::<S>(blocks(quad)))
            && let Some(index) = E::first_of_four::<S>(blocks(quad), 0)
        {
            return from + index;
        }
        from += quad.len();
    }
    far_end::<E, S>(bytes, from)
}

/// Four blocks.
type Quad = [u8; 4 * size_of::<Block>()];

#[inline(always)]
fn blocks(quad: &Quad) -> [&Block; 4] {
    match quad.as_chunks().0 {
        [a, b, c, d] => [a, b, c, d],
        // There are four.
        _ => [&[0; size_of::<Block>()]; 4],
    }
}

/// Looks at the last bytes, which are fewer than four blocks, in the last four: no loop, whose length nobody foresees.
#[inline(never)]
fn far_end<E: Engine, S: Set>(bytes: &[u8], from: usize) -> usize {
    let end = bytes.len();
    if from >= end {
        return end;
    }
    let padded;
    let (start, quad) = match bytes.last_chunk() {
        Some(quad) => (end - quad.len(), quad),
        None => {
            padded = pad(bytes);
            (0, &padded)
        }
    };
    let found = E::first_of_four::<S>(blocks(quad), from - start);
    found.map_or(end, |index| (start + index).min(end))
}

/// An input that is shorter than four blocks, with something behind it.
#[cold]
fn pad(bytes: &[u8]) -> Quad {
    let mut padded = [0; size_of::<Quad>()];
    padded[..bytes.len()].copy_from_slice(bytes);
    padded
}

/// Looks at the last bytes, which are fewer than a block: in the last block if there is one.
#[inline(never)]
fn near_end<E: Engine, S: Set>(bytes: &[u8], from: usize) -> usize {
    let end = bytes.len();
    if from >= end {
        return end;
    }
    let found = match bytes.last_chunk() {
        Some(block) => {
            let start = end - block.len();
            E::first::<S>(block, from - start).map(|index| start + index)
        }
        None => (from..end).find(|&index| contains::<S>(bytes[index])),
    };
    found.unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::scan::swar::Swar;

    macro_rules! sets {
        ($($name:ident: $ranges:expr;)*) => {
            $(struct $name;
            impl Set for $name {
                const RANGES: &'static [(u8, u8)] = &$ranges;
            })*
            /// Runs a check for each engine and set.
            fn each_set(check: fn(find: fn(&[u8], usize) -> usize, ranges: &[(u8, u8)])) {
                $(check(find_with::<Best, $name>, $name::RANGES);
                check(find_with::<Swar, $name>, $name::RANGES);)*
            }

            /// The bits of 64 bytes, from each engine and set.
            fn each_bits(bytes: &Quad, check: impl Fn(u64, &[(u8, u8)])) {
                $(check(Best::bits::<$name>(blocks(bytes)), $name::RANGES);
                check(Swar::bits::<$name>(blocks(bytes)), $name::RANGES);)*
            }
        };
    }

    sets! {
        Nothing: [];
        Everything: [(0, 255)];
        Nul: [(0, 0)];
        Last: [(255, 255)];
        Ascii: [(0, 0x7F)];
        NotAscii: [(0x80, 0xFF)];
        UpperEnd: [(0xC2, 0xFF)];
        Straddles: [(0x70, 0x90)];
        Edges: [(0x7F, 0x7F), (0x80, 0x80)];
        AlmostAll: [(1, 0xFE)];
        SameButLowBits: [(b'&', b'\''), (b'`', b'o'), (0x98, 0x9F)];
        NeighboursApart: [(1, 1), (3, 3), (5, 6)];
        Data: [(0, 0), (13, 13), (b'&', b'&'), (b'<', b'<')];
        TagName: [(0, 0x20), (b'/', b'/'), (b'>', b'>'), (b'A', b'Z')];
        NotName: [(0, b'/'), (b':', b'@'), (b'[', b'`'), (b'{', 0x7F)];
        Turned: [(0, 7), (0x0C, 0x0F), (b'<', b'<')];
        OneBit: [(b'"', b'"'), (b'&', b'&')];
        TopBit: [(b'<', b'<'), (0xBC, 0xBC)];
        TwoAndTwo: [(0, 7), (0x0C, 0x0F), (b'"', b'"'), (b'&', b'&')];
        Eight: [(1, 1), (3, 4), (9, 10), (0x20, 0x7E), (0x81, 0x81), (0x90, 0xA0), (0xC0, 0xC1), (0xF5, 0xFF)];
    }

    fn naive(bytes: &[u8], from: usize, ranges: &[(u8, u8)]) -> usize {
        let hit = |byte: u8| ranges.iter().any(|r| r.0 <= byte && byte <= r.1);
        (from..bytes.len())
            .find(|&i| hit(bytes[i]))
            .unwrap_or(bytes.len())
    }

    #[test]
    fn every_byte_is_classified_in_every_place_of_a_block() {
        each_set(|find, ranges| {
            for byte in 0..=255 {
                for place in 0..16 {
                    for around in [0, b'a', 0x7F, 0x80, 0xFF] {
                        let mut block = [around; 16];
                        block[place] = byte;
                        assert_eq!(
                            find(&block, 0),
                            naive(&block, 0, ranges),
                            "{block:?} {ranges:?}"
                        );
                    }
                }
            }
        });
    }

    #[test]
    fn the_bits_of_64_bytes_are_those_of_each_byte() {
        for first in 0..=255_u8 {
            let bytes: Quad =
                core::array::from_fn(|index| first.wrapping_mul(7).wrapping_add(index as u8));
            each_bits(&bytes, |bits, ranges| {
                for (index, byte) in bytes.iter().enumerate() {
                    let is_in = ranges.iter().any(|r| r.0 <= *byte && *byte <= r.1);
                    assert_eq!(bits >> index & 1 == 1, is_in, "{byte} {ranges:?}");
                }
            });
        }
    }

    #[test]
    fn runs_of_any_length_at_any_place_end_at_their_first_hit() {
        each_set(|find, ranges| {
            let hit = |byte: &u8| ranges.iter().any(|r| r.0 <= *byte && *byte <= r.1);
            let Some(inside) = (0..=255).find(hit) else {
                assert_eq!(find(&[0; 200], 3), 200);
                return;
            };
            let outside = (0..=255).rev().find(|byte| !hit(byte)).unwrap_or(inside);
            let mut bytes = Vec::new();
            for length in (0..90).chain([127, 128, 200]) {
                bytes.resize(length, outside);
                for from in (0..length + 2).filter(|from| from % 7 == 0 || *from < 3) {
                    let from_to_end = if inside == outside {
                        from.min(length)
                    } else {
                        length
                    };
                    assert_eq!(find(&bytes, from), from_to_end);
                    for place in 0..length {
                        bytes[place] = inside;
                        assert_eq!(
                            find(&bytes, from),
                            naive(&bytes, from, ranges),
                            "{length} {from} {place}"
                        );
                        bytes[place] = outside;
                    }
                }
            }
        });
    }

    #[test]
    fn random_bytes_are_searched_as_by_the_naive_loop() {
        each_set(|find, ranges| {
            let mut seed = 1_u64;
            let mut next = move || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                seed >> 33
            };
            for _ in 0..3000 {
                let (length, alphabet) = (next() % 300, 1 + next() % 256);
                let shift = next();
                let bytes: Vec<u8> = (0..length)
                    .map(|_| (next() % alphabet + shift) as u8)
                    .collect();
                let from = (next() % (length + 1)) as usize;
                assert_eq!(
                    find(&bytes, from),
                    naive(&bytes, from, ranges),
                    "{bytes:?} {from} {ranges:?}"
                );
            }
        });
    }

    #[test]
    fn a_single_byte_is_classified_alike() {
        for byte in 0..=255 {
            assert_eq!(
                contains::<TagName>(byte),
                naive(&[byte], 0, TagName::RANGES) == 0
            );
            assert_eq!(
                contains::<Eight>(byte),
                naive(&[byte], 0, Eight::RANGES) == 0
            );
        }
    }
}
