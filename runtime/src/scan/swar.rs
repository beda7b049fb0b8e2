//! Looking at 8 bytes as one number of 64 bits: safe, for every target.

use super::set::{Block, Engine, Ranges, Set, contains, for_each};

/// The 16 bytes from `from` on, if there are so many.
#[cfg(not(all(feature = "simd", target_arch = "x86_64", target_feature = "sse2")))]
#[inline(always)]
pub(super) fn block(bytes: &[u8], from: usize) -> Option<&Block> {
    // Asked for apart: as one question with the next, safe code takes twice the instructions.
    if from > bytes.len() {
        return None;
    }
    bytes.get(from..)?.first_chunk()
}

/// Numbers of 64 bits.
pub(super) enum Swar {}

const fn splat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

const TOP: u64 = splat(0x80);

/// The top bit of the lowest byte that is in the set. Those above it say nothing, those below it are
/// clear; all are if no byte is in the set.
///
/// A subtraction says by the top bit which bytes below 0x80 are too small, and borrows from the next
/// byte only where it says so: above a hit. The two halves of the byte values are looked for apart, each
/// with top bits that keep the other from borrowing, and that say in the end which half counts.
#[inline(always)]
fn hits<S: Set>(bytes: u64) -> u64 {
    let (mut found, mut found_upper) = (0, 0);
    for_each!(Ranges<S>, (first, last), {
        if first < 0x80 {
            found |= within(bytes, first, if last < 0x80 { last } else { 0x7F });
        }
        if last >= 0x80 {
            found_upper |= within(bytes ^ TOP, first.saturating_sub(0x80), last - 0x80);
        }
    });
    ((found & !bytes) | (found_upper & bytes)) & TOP
}

/// The top bit of the bytes from `first` to `last`, which are below 0x80, as for bytes that are so too.
#[inline(always)]
fn within(bytes: u64, first: u8, last: u8) -> u64 {
    // No byte borrows when its top bit is set.
    let high = bytes | TOP;
    let differ = first ^ last;
    match (first, last) {
        (0, 0x7F) => TOP,
        (0, _) => bytes.wrapping_sub(splat(last + 1)),
        (_, 0x7F) => high - splat(first),
        // The range is what some lower bits make of its first byte, or this byte alone.
        _ if differ & (differ + 1) == 0 && first & differ == 0 => {
            (bytes ^ splat(first)).wrapping_sub(splat(differ + 1))
        }
        _ => (high - splat(first)) ^ (high - splat(last + 1)),
    }
}

fn halves(bytes: u128) -> (u64, u64) {
    (bytes as u64, (bytes >> 64) as u64)
}

/// The index of the lowest byte with a bit set.
#[inline(always)]
fn lowest(found: u64) -> Option<usize> {
    (found != 0).then_some((found.trailing_zeros() / 8) as usize)
}

impl Engine for Swar {
    #[inline(always)]
    fn first<S: Set>(block: &Block, skipped: usize) -> Option<usize> {
        let (low, high) = halves(u128::from_le_bytes(*block) >> (8 * skipped));
        let index = match lowest(hits::<S>(low)) {
            Some(index) => index,
            None => 8 + lowest(hits::<S>(high))?,
        };
        // Zeros follow the bytes when some were skipped.
        Some(index + skipped).filter(|&index| index < size_of::<Block>())
    }

    #[inline(always)]
    fn any<S: Set>(blocks: [&Block; 4]) -> bool {
        let mut found = 0;
        for block in blocks {
            let (low, high) = halves(u128::from_le_bytes(*block));
            found |= hits::<S>(low) | hits::<S>(high);
        }
        found != 0
    }

    fn bits<S: Set>(blocks: [&Block; 4]) -> u64 {
        let bytes = blocks.into_iter().flatten().enumerate();
        bytes.fold(0, |bits, (index, byte)| {
            bits | u64::from(contains::<S>(*byte)) << index
        })
    }

    #[inline(always)]
    fn first_of_four<S: Set>(blocks: [&Block; 4], skipped: usize) -> Option<usize> {
        let length = size_of::<Block>();
        let each = blocks.iter().enumerate().skip(skipped / length);
        each.map(|(i, block)| {
            let skipped = skipped.saturating_sub(i * length);
            (i, Self::first::<S>(block, skipped))
        })
        .find_map(|(i, found)| Some(i * length + found?))
    }
}
