//! Sets of numbers: characters of the input with its end, and what registers hold.

use speclex_codegen::charset::CharSet;

/// Sorted, disjoint, inclusive ranges.
pub(super) type Set = Vec<(u32, u32)>;

/// Stands in a set of characters for the end of the input.
pub(super) const END: u32 = 0x11_0001;

/// All characters and the end.
pub(super) const ANY_INPUT: &[(u32, u32)] = &[(0, 0xD7FF), (0xE000, 0x10_FFFF), (END, END)];

/// All numbers that a register holds.
pub(super) const ANY_NUMBER: &[(u32, u32)] = &[(0, 0x11_0000)];

/// A flag that is set.
pub(super) const YES: &[(u32, u32)] = &[(1, 1)];

/// One number.
pub(super) fn single(number: u32) -> Set {
    vec![(number, number)]
}

/// Ranges in order, without overlap.
pub(super) fn merged(ranges: impl IntoIterator<Item = (u32, u32)>) -> Set {
    let mut all: Set = ranges.into_iter().collect();
    all.sort_unstable();
    let mut merged: Set = Vec::with_capacity(all.len());
    for (from, to) in all {
        match merged.last_mut() {
            Some(last) if from <= last.1.saturating_add(1) => last.1 = last.1.max(to),
            _ => merged.push((from, to)),
        }
    }
    merged
}

/// Characters, and perhaps the end.
pub(super) fn of_characters(set: &CharSet, end: bool) -> Set {
    let end = end.then_some((END, END));
    set.ranges().iter().copied().chain(end).collect()
}

/// A letter in both cases, if it is one.
pub(super) fn both_cases(c: char) -> Set {
    let cases = [c, c.to_ascii_uppercase(), c.to_ascii_lowercase()];
    merged(cases.map(|c| (c as u32, c as u32)))
}

/// Whether a number is in a set.
pub(super) fn contains(set: &[(u32, u32)], number: u32) -> bool {
    set.iter().any(|(from, to)| (*from..=*to).contains(&number))
}

/// What is in both.
pub(super) fn intersection(one: &[(u32, u32)], other: &[(u32, u32)]) -> Set {
    let (mut a, mut b, mut all) = (0, 0, Vec::new());
    while let (Some(left), Some(right)) = (one.get(a), other.get(b)) {
        let (from, to) = (left.0.max(right.0), left.1.min(right.1));
        if from <= to {
            all.push((from, to));
        }
        if left.1 < right.1 {
            a += 1;
        } else {
            b += 1;
        }
    }
    all
}

/// What is in the first alone.
pub(super) fn difference(one: &[(u32, u32)], other: &[(u32, u32)]) -> Set {
    let mut all = Vec::new();
    for &(mut from, to) in one {
        let mut is_open = true;
        for &(a, b) in other {
            if b < from || a > to {
                continue;
            }
            if a > from {
                all.push((from, a - 1));
            }
            if b >= to {
                is_open = false;
                break;
            }
            from = b + 1;
        }
        if is_open {
            all.push((from, to));
        }
    }
    all
}

/// Whether nothing is in both.
pub(super) fn are_disjoint(one: &[(u32, u32)], other: &[(u32, u32)]) -> bool {
    intersection(one, other).is_empty()
}

/// How many numbers there are.
pub(super) fn len(set: &[(u32, u32)]) -> u32 {
    set.iter().map(|(from, to)| to - from + 1).sum()
}

/// The only number, if there is one.
pub(super) fn only(set: &[(u32, u32)]) -> Option<u32> {
    match set {
        [(from, to)] if from == to => Some(*from),
        _ => None,
    }
}
