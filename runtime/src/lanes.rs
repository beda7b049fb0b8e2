//! Looking at 16 bytes in loops that an optimising compiler makes vector instructions of: safe, for
//! targets that have them, in builds without debug assertions (unoptimised, the loops are slow).
//!
//! Saturating arithmetic on single bytes is what such instructions offer and what the compiler leaves as
//! it is; comparisons it would first combine in ways that hinder it. There is no instruction here that
//! gathers a bit of each byte, so hits are found in the vector's two halves.

use core::num::NonZero;

use crate::scan::{Block, Engine, Set, contains, for_each_range};
use crate::swar::Swar;

/// The compiler's vectors.
pub(crate) enum Lanes {}

/// Top bit clear if the byte is in the set.
#[inline(always)]
fn missed<S: Set>(byte: u8) -> u8 {
    let mut missed = u8::MAX;
    for_each_range!(S, first, last, {
        let width = last - first;
        let above = if width == 0 {
            byte ^ first
        } else {
            byte.wrapping_sub(first)
        };
        missed &= match 0x7F_u8.checked_sub(width) {
            Some(room) => above.saturating_add(room),
            None => above.saturating_sub(width - 0x7F),
        };
    });
    missed
}

/// How far the byte is from the set, in some measure: 0 if it is in it. Fewer instructions than [`missed`],
/// but a loop over one block with so few is not made a vector.
#[inline(always)]
fn distance<S: Set>(byte: u8) -> u8 {
    let mut nearest = u8::MAX;
    for_each_range!(S, first, last, {
        nearest = nearest.min(match (first, last) {
            (0, _) => byte.saturating_sub(last),
            (_, 0xFF) => first.saturating_sub(byte),
            _ if first == last => byte ^ first,
            _ => byte.wrapping_sub(first).saturating_sub(last - first),
        });
    });
    nearest
}

/// The index of the lowest byte that is not 0. Which half has it is often unforeseeable: no branch.
#[inline(always)]
fn lowest(hits: u128) -> Option<usize> {
    let (low, high) = (hits as u64, (hits >> 64) as u64);
    let (half, start) = if low == 0 { (high, 8) } else { (low, 0) };
    Some(start + lowest_of_half(half)?)
}

/// As [`lowest`], with a branch: it is mostly in the lower half.
#[inline(always)]
fn lowest_of_word(hits: u128) -> Option<usize> {
    match lowest_of_half(hits as u64) {
        Some(index) => Some(index),
        None => Some(8 + lowest_of_half((hits >> 64) as u64)?),
    }
}

#[inline(always)]
fn lowest_of_half(hits: u64) -> Option<usize> {
    Some((NonZero::new(hits)?.trailing_zeros() / 8) as usize)
}

#[inline(always)]
fn first_of_two<S: Set>(a: &Block, b: &Block, skipped: usize) -> Option<usize> {
    let mut hits = [[0; size_of::<Block>()]; 2];
    for i in 0..size_of::<Block>() {
        hits[0][i] = 0x80_u8.saturating_sub(distance::<S>(a[i])) & 0x80;
        hits[1][i] = 0x80_u8.saturating_sub(distance::<S>(b[i])) & 0x80;
    }
    let [mut a, mut b] = hits.map(u128::from_le_bytes);
    if skipped > 0 {
        let length = size_of::<Block>();
        let bits = 8 * (skipped % length);
        if skipped < length {
            a = a >> bits << bits;
        } else {
            (a, b) = (0, b >> bits << bits);
        }
    }
    let (hits, start) = if a == 0 {
        (b, size_of::<Block>())
    } else {
        (a, 0)
    };
    Some(start + lowest(hits)?)
}

impl Engine for Lanes {
    #[inline(always)]
    fn first<S: Set>(block: &Block, skipped: usize) -> Option<usize> {
        // The compiler thinks little of short loops.
        if S::RANGES.len() < 3 {
            return Swar::first::<S>(block, skipped);
        }
        let mut hits = *block;
        for byte in &mut hits {
            *byte = !missed::<S>(*byte) & 0x80;
        }
        let hits = u128::from_le_bytes(hits) >> (8 * skipped) << (8 * skipped);
        // What ends at the space is a word, which seldom has more than 8 bytes.
        if contains::<S>(b' ') {
            lowest_of_word(hits)
        } else {
            lowest(hits)
        }
    }

    #[inline(always)]
    fn any<S: Set>([a, b, c, d]: [&Block; 4]) -> bool {
        let mut found = false;
        for i in 0..size_of::<Block>() {
            let ab = distance::<S>(a[i]).min(distance::<S>(b[i]));
            let cd = distance::<S>(c[i]).min(distance::<S>(d[i]));
            // Not the least of all: whether any lane is 0 is one instruction, the least of them a chain.
            found |= ab.min(cd) == 0;
        }
        found
    }

    #[inline(always)]
    fn first_behind<S: Set>([a, b, c, d]: [&Block; 4], skipped: usize) -> Option<usize> {
        let pair = 2 * size_of::<Block>();
        if skipped < pair
            && let Some(index) = first_of_two::<S>(a, b, skipped)
        {
            return Some(index);
        }
        Some(pair + first_of_two::<S>(c, d, skipped.saturating_sub(pair))?)
    }
}
