//! Looking at 16 bytes in loops that an optimising compiler makes vector instructions of: safe, for
//! targets that have them, in builds without debug assertions (unoptimised, the loops are slow).
//!
//! Saturating arithmetic on single bytes is what such instructions offer and what the compiler leaves as
//! it is; comparisons it would first combine in ways that hinder it. How much arithmetic there is decides
//! whether a loop becomes a vector at all, so a look at one block and at four have different forms.

use core::num::NonZero;

use crate::probe::{Probe, for_each_probe};
use crate::scan::{Block, Engine, Set};

/// The compiler's vectors.
pub(crate) enum Lanes {}

/// Top bit clear if the byte is in the set. Bytes that are looked for one by one go together in pairs: fewer
/// instructions than one by one, and still enough for a vector, as all in one would not be.
#[inline(always)]
fn missed<S: Set>(byte: u8) -> u8 {
    let (mut missed, mut single) = (u8::MAX, None);
    for_each_probe!(S, probe, {
        let Probe {
            or,
            xor,
            first,
            last,
        } = probe;
        let width = last - first;
        if xor != 0 {
            // One addition would do, but with it the loop is not made a vector.
            missed &= (byte ^ xor).saturating_sub(last).saturating_add(0x7F);
        } else if width == 0 {
            let away = (byte | or) ^ first;
            single = match single {
                Some(other) => {
                    missed &= away.min(other).saturating_add(0x7F);
                    None
                }
                None => Some(away),
            };
        } else {
            let above = byte.wrapping_sub(first);
            missed &= match 0x7F_u8.checked_sub(width) {
                Some(room) => above.saturating_add(room),
                None => above.saturating_sub(width - 0x7F),
            };
        }
    });
    if let Some(away) = single {
        missed &= away.saturating_add(0x7F);
    }
    missed
}

/// How far the byte is from the set, in some measure: 0 if it is in it. Fewer instructions than [`missed`],
/// but a loop over one block with so few is not made a vector.
#[inline(always)]
fn distance<S: Set>(byte: u8) -> u8 {
    let mut nearest = u8::MAX;
    for_each_probe!(S, probe, {
        let byte = (byte | probe.or) ^ probe.xor;
        nearest = nearest.min(match (probe.first, probe.last) {
            (0, last) => byte.saturating_sub(last),
            (first, 0xFF) => first.saturating_sub(byte),
            (first, last) if first == last => byte ^ first,
            (first, last) => byte.wrapping_sub(first).saturating_sub(last - first),
        });
    });
    nearest
}

/// The index of the lowest byte that is not 0. Which half has it is often unforeseeable: no branch.
#[inline(always)]
fn lowest(hits: u128) -> Option<usize> {
    let (low, high) = (hits as u64, (hits >> 64) as u64);
    let (half, start) = if low == 0 { (high, 8) } else { (low, 0) };
    Some(start + (NonZero::new(half)?.trailing_zeros() / 8) as usize)
}

/// One bit for each byte, the lowest for the first: whether its top bit is clear. One more bit is always set. Gathered
/// in pairs of pairs, and with that bit, they are one instruction; in other ways they are a dozen or a hundred.
#[inline(always)]
fn gather(missed: Block) -> u64 {
    let one = |i: usize| u64::from(missed[i] < 0x80);
    let two = |i: usize| one(i) | one(i + 1) << 1;
    let four = |i: usize| two(i) | two(i + 2) << 2;
    let eight = |i: usize| four(i) | four(i + 4) << 4;
    eight(0) | eight(8) << 8 | 1 << 16
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
        let mut bytes = *block;
        for byte in &mut bytes {
            *byte = missed::<S>(*byte);
        }
        let index = skipped + (gather(bytes) >> skipped).trailing_zeros() as usize;
        (index < size_of::<Block>()).then_some(index)
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
