//! Sets of code points as sorted, disjoint, inclusive ranges.

use std::fmt;

/// The last code point.
pub const MAX: u32 = 0x10_FFFF;

/// A set of Unicode scalar values. Surrogates are never members: no input can hold one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CharSet {
    ranges: Vec<(u32, u32)>,
}

impl CharSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Every scalar value.
    pub fn all() -> Self {
        Self::from_ranges([(0, MAX)])
    }

    /// The set of one character.
    pub fn single(c: char) -> Self {
        Self::from_ranges([(c as u32, c as u32)])
    }

    /// The union of inclusive ranges, in any order; surrogates are left out.
    pub fn from_ranges(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut ranges: Vec<_> = ranges
            .into_iter()
            .filter(|&(a, b)| a <= b)
            .flat_map(|(a, b)| [(a, b.min(0xD7FF)), (a.max(0xE000), b.min(MAX))])
            .filter(|&(a, b)| a <= b)
            .collect();
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (a, b) in ranges {
            match merged.last_mut() {
                Some(last) if a <= last.1.saturating_add(1) => last.1 = last.1.max(b),
                _ => merged.push((a, b)),
            }
        }
        Self { ranges: merged }
    }

    /// The ranges, sorted, disjoint and not adjacent.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Whether it has no member.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many members it has.
    pub fn len(&self) -> u32 {
        self.ranges.iter().map(|(a, b)| b - a + 1).sum()
    }

    /// Whether it holds `c`.
    #[inline]
    pub fn contains(&self, c: char) -> bool {
        let c = c as u32;
        let after = self.ranges.partition_point(|&(a, _)| a <= c);
        after > 0 && c <= self.ranges[after - 1].1
    }

    /// The smallest member.
    pub fn first(&self) -> Option<char> {
        self.ranges.first().and_then(|&(a, _)| char::from_u32(a))
    }

    /// Members of either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self::from_ranges(self.ranges.iter().chain(&other.ranges).copied())
    }

    /// Everything else.
    #[must_use]
    pub fn complement(&self) -> Self {
        Self::all().difference(self)
    }

    /// Members of both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let (mut ours, mut theirs) = (self.ranges.iter(), other.ranges.iter());
        let (mut one, mut two) = (ours.next(), theirs.next());
        let mut both = Vec::new();
        while let (Some(&(a, b)), Some(&(c, d))) = (one, two) {
            if a.max(c) <= b.min(d) {
                both.push((a.max(c), b.min(d)));
            }
            if b < d {
                one = ours.next();
            } else {
                two = theirs.next();
            }
        }
        Self { ranges: both }
    }

    /// Whether both have a member.
    pub fn meets(&self, other: &Self) -> bool {
        let (fewer, more) = match self.ranges.len() < other.ranges.len() {
            true => (self, other),
            false => (other, self),
        };
        fewer.ranges.iter().any(|&(a, b)| {
            let after = more.ranges.partition_point(|&(start, _)| start <= b);
            after > 0 && more.ranges[after - 1].1 >= a
        })
    }

    /// Members of `self` that `other` lacks.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let mut taken = other.ranges.iter().peekable();
        let mut left = Vec::new();
        for &(first, last) in &self.ranges {
            let mut next = first;
            while let Some(&&(a, b)) = taken.peek() {
                if a > last {
                    break;
                }
                if next < a {
                    left.push((next, a - 1));
                }
                next = next.max(b + 1);
                if b > last {
                    break;
                }
                taken.next();
            }
            if next <= last {
                left.push((next, last));
            }
        }
        Self { ranges: left }
    }

    /// All members, in order.
    pub fn iter(&self) -> impl Iterator<Item = char> + '_ {
        self.ranges
            .iter()
            .flat_map(|&(a, b)| (a..=b).filter_map(char::from_u32))
    }
}

impl FromIterator<char> for CharSet {
    fn from_iter<I: IntoIterator<Item = char>>(chars: I) -> Self {
        Self::from_ranges(chars.into_iter().map(|c| (c as u32, c as u32)))
    }
}

/// A code point as the texts write it: `U+003C (<)`, `U+0000`.
pub fn display_char(c: char) -> String {
    match c {
        '!'..='~' => format!("U+{:04X} ({c})", c as u32),
        _ => format!("U+{:04X}", c as u32),
    }
}

impl fmt::Display for CharSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, &(a, b)) in self.ranges.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            let show = |c| char::from_u32(c).map_or_else(|| format!("U+{c:04X}"), display_char);
            f.write_str(&show(a))?;
            if b > a {
                f.write_str(if b == a + 1 { ", " } else { " to " })?;
                f.write_str(&show(b))?;
            }
        }
        Ok(())
    }
}
