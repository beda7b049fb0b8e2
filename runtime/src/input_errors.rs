//! Errors of the input stream itself: characters that should not be there.

use core::marker::PhantomData;

use crate::scan::{MAX_RANGES, Set, find};

/// Which characters are errors.
pub trait InputErrors {
    /// Ranges of code points with the code of their error, sorted and apart from each other.
    const RANGES: &'static [(u32, u32, u16)];
}

/// The first error at or after `from`: the offset of the character and its code.
pub fn first<E: InputErrors>(text: &str, from: usize) -> Option<(usize, u16)> {
    let bytes = text.as_bytes();
    let mut at = find::<Leads<E>>(bytes, from);
    while at < bytes.len() {
        let found = text.get(at..).and_then(|rest| rest.chars().next());
        if let Some(code) = found.and_then(code::<E>) {
            return Some((at, code));
        }
        at = find::<Leads<E>>(bytes, at + 1);
    }
    None
}

fn code<E: InputErrors>(c: char) -> Option<u16> {
    let index = E::RANGES.partition_point(|range| range.1 < c as u32);
    let &(first, _, code) = E::RANGES.get(index)?;
    (first <= c as u32).then_some(code)
}

/// The first bytes of the characters that are errors; it may hold others when they are too scattered.
struct Leads<E>(PhantomData<E>);

impl<E: InputErrors> Leads<E> {
    const COVER: ([(u8, u8); MAX_RANGES], usize) = cover(E::RANGES);
}

impl<E: InputErrors> Set for Leads<E> {
    const RANGES: &'static [(u8, u8)] = Self::COVER.0.split_at(Self::COVER.1).0;
}

/// The first byte of a character in UTF-8.
const fn lead(code_point: u32) -> u8 {
    match code_point {
        0..0x80 => code_point as u8,
        0x80..0x800 => 0xC0 | (code_point >> 6) as u8,
        0x800..0x1_0000 => 0xE0 | (code_point >> 12) as u8,
        _ => 0xF0 | (code_point >> 18) as u8,
    }
}

/// The last characters of one, two and three bytes, and of all.
const LAST: [u32; 4] = [0x7F, 0x7FF, 0xFFFF, 0x10_FFFF];

/// Few ranges of bytes that hold the first byte of each character.
const fn cover(ranges: &[(u32, u32, u16)]) -> ([(u8, u8); MAX_RANGES], usize) {
    let mut cover = [(0, 0); MAX_RANGES];
    let (mut count, mut i) = (0, 0);
    while i < ranges.len() {
        let (mut from, to) = (ranges[i].0, ranges[i].1);
        let mut size = 0;
        while size < LAST.len() {
            let last = if to < LAST[size] { to } else { LAST[size] };
            if from <= last {
                count = add(&mut cover, count, lead(from), lead(last));
                from = last + 1;
            }
            size += 1;
        }
        i += 1;
    }
    (cover, count)
}

/// Adds a range that does not start before the others; returns how many there are then.
const fn add(cover: &mut [(u8, u8); MAX_RANGES], mut count: usize, first: u8, last: u8) -> usize {
    if count > 0 && first as usize <= cover[count - 1].1 as usize + 1 {
        cover[count - 1].1 = last;
        return count;
    }
    if count == MAX_RANGES {
        count = join_nearest(cover);
    }
    cover[count] = (first, last);
    count + 1
}

/// Joins the two neighbours with the least between them; returns how many ranges are left.
const fn join_nearest(cover: &mut [(u8, u8); MAX_RANGES]) -> usize {
    let (mut nearest, mut i) = (0, 1);
    while i + 1 < MAX_RANGES {
        if cover[i + 1].0 - cover[i].1 < cover[nearest + 1].0 - cover[nearest].1 {
            nearest = i;
        }
        i += 1;
    }
    cover[nearest].1 = cover[nearest + 1].1;
    i = nearest + 1;
    while i + 1 < MAX_RANGES {
        cover[i] = cover[i + 1];
        i += 1;
    }
    MAX_RANGES - 1
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;
    use core::iter::successors;

    use super::*;

    /// Ranges of all kinds.
    struct Html;
    impl InputErrors for Html {
        const RANGES: &'static [(u32, u32, u16)] = &[
            (0x1, 0x8, 0),
            (0xB, 0xB, 0),
            (0xE, 0x1F, 0),
            (0x7F, 0x9F, 0),
            (0xFDD0, 0xFDEF, 1),
            (0xFFFE, 0xFFFF, 1),
            (0x1_FFFE, 0x1_FFFF, 1),
            (0x2_FFFE, 0x2_FFFF, 1),
            (0xF_FFFE, 0xF_FFFF, 1),
            (0x10_FFFE, 0x10_FFFF, 1),
        ];
    }

    struct Scattered;
    impl InputErrors for Scattered {
        const RANGES: &'static [(u32, u32, u16)] = &[
            (0x0, 0x0, 9),
            (0x2, 0x2, 8),
            (0x4, 0x4, 7),
            (0x10, 0x12, 6),
            (0x20, 0x20, 5),
            (0x30, 0x30, 4),
            (0x40, 0x40, 3),
            (0x50, 0x50, 2),
            (0x60, 0x60, 1),
            (0xA0, 0xA0, 0),
            (0x7FF, 0x800, 1),
            (0x20AC, 0xD7FF, 2),
            (0x10_0000, 0x10_FFFF, 3),
        ];
    }

    struct Nothing;
    impl InputErrors for Nothing {
        const RANGES: &'static [(u32, u32, u16)] = &[];
    }

    struct Everything;
    impl InputErrors for Everything {
        const RANGES: &'static [(u32, u32, u16)] = &[(0, 0x10_FFFF, 0)];
    }

    fn check<E: InputErrors>(text: &str) {
        let naive: Vec<_> = text
            .char_indices()
            .filter_map(|(at, c)| {
                let range = E::RANGES.iter().find(|r| (r.0..=r.1).contains(&(c as u32)));
                range.map(|range| (at, range.2))
            })
            .collect();
        let next = |error: &(usize, u16)| first::<E>(text, error.0 + 1);
        let found: Vec<_> = successors(first::<E>(text, 0), next).collect();
        assert!(found == naive, "{found:x?} instead of {naive:x?}");
    }

    fn check_all(text: &str) {
        check::<Html>(text);
        check::<Scattered>(text);
        check::<Nothing>(text);
        check::<Everything>(text);
    }

    #[test]
    fn each_character_is_judged_by_its_range() {
        check_all(&('\0'..=char::MAX).collect::<String>());
    }

    #[test]
    fn errors_are_found_wherever_they_are() {
        for c in [
            '\0',
            '\u{1}',
            '\u{7f}',
            '\u{9f}',
            '\u{fdd0}',
            '\u{10ffff}',
            'x',
            'é',
        ] {
            for before in 0..70 {
                for after in [0, 1, 15, 16, 64] {
                    let text = ["a".repeat(before), c.into(), "—".repeat(after)].concat();
                    check_all(&text);
                    assert_eq!(first::<Html>(&text, before + c.len_utf8()), None);
                }
            }
        }
    }

    #[test]
    fn the_bytes_looked_for_are_the_first_ones_of_errors() {
        let html = [
            (1, 8),
            (0xB, 0xB),
            (0xE, 0x1F),
            (0x7F, 0x7F),
            (0xC2, 0xC2),
            (0xEF, 0xF0),
            (0xF3, 0xF4),
        ];
        assert_eq!(Leads::<Html>::RANGES, html);
        assert_eq!(Leads::<Nothing>::RANGES, []);
        assert_eq!(Leads::<Everything>::RANGES, [(0, 0x7F), (0xC2, 0xF4)]);
        assert_eq!(Leads::<Scattered>::RANGES.len(), MAX_RANGES);
    }
}
