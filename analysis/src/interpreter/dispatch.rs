//! Which arm a character takes, looked up instead of searched.

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Consume, State, StateKind};

/// How many characters have an entry of their own.
const ASCII: usize = 128;

/// Character sets that do not overlap, each with an index.
#[derive(Clone, Debug)]
pub(super) struct SetIndex {
    ascii: [u16; ASCII],
    /// Ranges above ASCII with the index of their set, sorted.
    others: Vec<(u32, u32, u16)>,
}

/// In `ascii`: no set has the character.
const NONE: u16 = u16::MAX;

impl SetIndex {
    pub(super) fn new<'a>(sets: impl Iterator<Item = &'a CharSet>) -> Self {
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
    pub(super) fn find(&self, c: char) -> Option<usize> {
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

/// What is known about a state ahead of running it.
#[derive(Clone, Debug)]
pub(super) struct Dispatch {
    /// For a consuming state: its arms.
    pub(super) arms: Option<SetIndex>,
    /// Whether it has literals that are to be tried first.
    pub(super) literals: bool,
    /// Whether the outside may switch to it.
    pub(super) is_entry: bool,
    /// Whether a mark set earlier may be returned to from here on.
    pub(super) needs_mark: bool,
}

impl Dispatch {
    pub(super) fn new(state: &State, is_entry: bool, needs_mark: bool) -> Self {
        let consume: Option<&Consume> = match &state.kind {
            StateKind::Consume(consume) => Some(consume),
            _ => None,
        };
        Self {
            arms: consume.map(|consume| SetIndex::new(consume.arms.iter().map(|arm| &arm.set))),
            literals: consume.is_some_and(|consume| !consume.literals.is_empty()),
            is_entry,
            needs_mark,
        }
    }
}
