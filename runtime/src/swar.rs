//! Looking at 16 bytes as two numbers of 64 bits: safe, for every target.

use crate::scan::{Block, Engine, Set, for_each_range};

/// Numbers of 64 bits.
pub(crate) enum Swar {}

const fn splat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

const TOP: u64 = splat(0x80);

/// The top bit of each byte that is in the set.
///
/// The lower seven bits of each byte are compared by additions that cannot carry into the next byte:
/// with `0x80 - first` added the top bit says "not below `first`". The two halves of the byte values
/// are kept apart until the end, where the top bit of the byte itself says which half counts.
#[inline(always)]
fn hits<S: Set>(bytes: u64) -> u64 {
    let low = bytes & !TOP;
    // For ASCII and for the upper half: top bit clear where a range was hit.
    let (mut missed, mut missed_upper) = (!0, !0);
    for_each_range!(S, first, last, {
        if first < 0x80 {
            missed &= outside(low, first, if last < 0x80 { last } else { 0x7F });
        }
        if last >= 0x80 {
            missed_upper &= outside(low, first.saturating_sub(0x80), last - 0x80);
        }
    });
    ((!missed & !bytes) | (!missed_upper & bytes)) & TOP
}

/// The top bit of each byte that is not from `first` to `last`; all are below 0x80.
#[inline(always)]
fn outside(low: u64, first: u8, last: u8) -> u64 {
    match (first, last) {
        (0, 0x7F) => 0,
        (0, _) => low + splat(0x7F - last),
        (_, 0x7F) => !(low + splat(0x80 - first)),
        _ if first == last => (low ^ splat(first)) + splat(0x7F),
        _ => !(low + splat(0x80 - first)) | (low + splat(0x7F - last)),
    }
}

fn halves(block: &Block) -> (u64, u64) {
    let bytes = u128::from_le_bytes(*block);
    (bytes as u64, (bytes >> 64) as u64)
}

impl Engine for Swar {
    #[inline(always)]
    fn first<S: Set>(block: &Block, skipped: usize) -> Option<usize> {
        let (low, high) = halves(block);
        let keep = u128::MAX << (skipped * 8);
        let found = hits::<S>(low) & keep as u64;
        if found != 0 {
            return Some((found.trailing_zeros() / 8) as usize);
        }
        let found = hits::<S>(high) & (keep >> 64) as u64;
        (found != 0).then_some((8 + found.trailing_zeros() / 8) as usize)
    }

    #[inline(always)]
    fn any<S: Set>(blocks: [&Block; 4]) -> bool {
        let mut found = 0;
        for block in blocks {
            let (low, high) = halves(block);
            found |= hits::<S>(low) | hits::<S>(high);
        }
        found != 0
    }
}
