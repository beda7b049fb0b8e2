//! Characters by the sets that hold them: the classes that some sets tell apart, and the set of a character looked
//! up instead of searched.

use std::collections::{BTreeSet, HashMap};

use speclex_codegen::charset::{CharSet, MAX};

/// Characters are in the same class when the same sets hold them.
pub(crate) fn classes(sets: &[CharSet]) -> Vec<CharSet> {
    let mut cuts: BTreeSet<u32> = [0, 0xD800, 0xE000].into();
    for &(first, last) in sets.iter().flat_map(CharSet::ranges) {
        cuts.extend([first, last + 1]);
    }
    let cuts: Vec<u32> = cuts.into_iter().filter(|&cut| cut <= MAX).collect();
    let mut by_membership: HashMap<Vec<bool>, usize> = HashMap::new();
    let mut classes: Vec<Vec<(u32, u32)>> = Vec::new();
    for (index, &first) in cuts.iter().enumerate() {
        let last = cuts.get(index + 1).map_or(MAX, |next| next - 1);
        let Some(c) = char::from_u32(first) else {
            continue;
        };
        let membership: Vec<bool> = sets.iter().map(|set| set.contains(c)).collect();
        let class = *by_membership.entry(membership).or_insert_with(|| {
            classes.push(Vec::new());
            classes.len() - 1
        });
        classes[class].push((first, last));
    }
    classes.into_iter().map(CharSet::from_ranges).collect()
}

/// How many characters have an entry of their own.
const ASCII: usize = 128;

/// Character sets that do not overlap, each with an index.
#[derive(Clone, Debug)]
pub(crate) struct SetIndex {
    ascii: [u16; ASCII],
    /// Ranges above ASCII with the index of their set, sorted.
    others: Vec<(u32, u32, u16)>,
}

/// In `ascii`: no set has the character.
const NONE: u16 = u16::MAX;

impl SetIndex {
    pub(crate) fn new<'a>(sets: impl Iterator<Item = &'a CharSet>) -> Self {
        let mut ascii = [NONE; ASCII];
        let mut others = Vec::new();
        for (index, set) in (0..NONE).zip(sets) {
            for (c, entry) in ('\0'..).zip(&mut ascii) {
                if *entry == NONE && set.contains(c) {
                    *entry = index;
                }
            }
            others.extend(
                set.ranges()
                    .iter()
                    .filter(|&&(_, last)| last as usize >= ASCII)
                    .map(|&(first, last)| (first, last, index)),
            );
        }
        others.sort_unstable();
        Self { ascii, others }
    }

    /// The index of the set that holds `c`.
    #[inline]
    pub(crate) fn find(&self, c: char) -> Option<usize> {
        let c = c as u32;
        let index = match self.ascii.get(c as usize) {
            Some(&index) => index,
            None => {
                let after = self.others.partition_point(|&(first, ..)| first <= c);
                let &(_, last, index) = self.others.get(after.checked_sub(1)?)?;
                if c <= last { index } else { NONE }
            }
        };
        (index != NONE).then_some(index as usize)
    }
}
