//! What a machine does by itself: a search for a change begins where the change is met.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use speclex_codegen::charset::CharSet;

use super::gap::Gap;
use super::runner::configuration::Configuration;
use super::runner::steps::{StepTaken, TakenPath};
use crate::paths::ArmIndex;

/// An input on which something parted.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    pub(super) input: Vec<char>,
    pub(super) start: u16,
    pub(super) answer: bool,
}

/// What of a state is changed.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    /// The characters on which it does something else; all if `None`.
    pub(super) characters: Option<CharSet>,
    /// Whether it does at the end of the input.
    pub(super) at_end: bool,
}

impl Extent {
    /// All of it.
    pub(super) const ALL: Self = Self {
        characters: None,
        at_end: true,
    };

    /// Nothing of it.
    pub(super) fn none() -> Self {
        Self {
            characters: Some(CharSet::new()),
            at_end: false,
        }
    }

    /// Adds an arm: for characters of a set, or another one.
    pub(super) fn add(&mut self, set: Option<&CharSet>, arm: Option<ArmIndex>) {
        match (set, &mut self.characters) {
            (Some(set), Some(characters)) => *characters = characters.union(set),
            (Some(_), None) => {}
            (None, _) if arm == Some(ArmIndex::Eof) => self.at_end = true,
            (None, _) => *self = Self::ALL,
        }
    }
}

/// The states that are changed.
pub(super) type Extents = BTreeMap<u32, Extent>;

/// A machine beside itself: all that it can do, as far as the model tells apart.
#[derive(Default)]
pub(super) struct Base {
    pub(super) situations: Vec<Situation>,
    /// For each state the situations from which one more text, or the end, leads to it.
    touching: FxHashMap<u32, Vec<(usize, Touch)>>,
    pub(super) seen: FxHashMap<u128, u8>,
    /// The arms taken, with the first input that led there.
    pub(super) taken: FxHashMap<TakenPath, Trail>,
    pub(super) gaps: BTreeMap<Gap, usize>,
}

/// A machine after an input.
pub(super) struct Situation {
    pub(super) held: Configuration,
    pub(super) input: Box<str>,
    pub(super) answer: Option<bool>,
    pub(super) start: u16,
}

/// What leads from a situation through a state.
#[derive(Debug, Default)]
struct Touch {
    /// Characters that the state reads.
    reads: String,
    /// Characters after which it reads others again, or waits for more.
    again: String,
    /// Whether a text of several characters does.
    texts: bool,
    /// Whether the end does, and whether characters are read again there.
    end: bool,
    again_at_end: bool,
}

/// All that one more text, or the end, leads through from a situation.
#[derive(Debug, Default)]
pub(super) struct Touched(BTreeMap<u32, Touch>);

impl Touched {
    /// Notes what a text, or the end, leads through behind an input of this length, and the state that it comes to rest in or
    /// that waits for more.
    pub(super) fn add(
        &mut self,
        text: &[char],
        length: u32,
        steps: &[StepTaken],
        (state, waits): (Option<u32>, bool),
    ) {
        let steps = steps.iter();
        let steps = steps.map(|step| (step.taken.state, step.start < length));
        let waiting = state.filter(|_| waits).map(|state| (state, true));
        for (state, again) in steps.chain(waiting) {
            let touch = self.0.entry(state).or_default();
            let characters = match (text, again) {
                ([], false) => {
                    touch.end = true;
                    continue;
                }
                ([], true) => {
                    touch.again_at_end = true;
                    continue;
                }
                ([_], false) => &mut touch.reads,
                ([_], true) => &mut touch.again,
                _ => {
                    touch.texts = true;
                    continue;
                }
            };
            if !characters.ends_with(text[0]) {
                characters.push(text[0]);
            }
        }
        self.0.entry(state.unwrap_or(u32::MAX)).or_default();
    }
}

/// What is tried from a situation.
#[derive(Clone, Debug, Default)]
pub(super) struct Tries {
    characters: String,
    texts: bool,
    pub(super) end: bool,
}

impl Tries {
    pub(super) fn has(&self, text: &[char]) -> bool {
        match text {
            [c] => self.characters.contains(*c),
            _ => self.texts,
        }
    }
}

impl Base {
    pub(super) fn add(&mut self, situation: Situation, touched: Touched) {
        for (state, mut touch) in touched.0 {
            touch.reads.shrink_to_fit();
            touch.again.shrink_to_fit();
            let all = self.touching.entry(state).or_default();
            all.push((self.situations.len(), touch));
        }
        self.situations.push(situation);
    }

    /// The situations from which what is changed may be met at once, with what leads there; `None` for all.
    pub(super) fn seeds(&self, changed: &Extents) -> BTreeMap<usize, Option<Tries>> {
        let alphanumeric = CharSet::from_ranges([(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)]);
        let mut seeds: BTreeMap<usize, Option<Tries>> = BTreeMap::new();
        for (state, extent) in changed {
            for (situation, touch) in self.touching.get(state).into_iter().flatten() {
                let Some(set) = &extent.characters else {
                    seeds.insert(*situation, None);
                    continue;
                };
                let read = touch.reads.chars().filter(|c| set.contains(*c));
                let characters: String = read.chain(touch.again.chars()).collect();
                let texts = touch.texts && !set.intersection(&alphanumeric).is_empty();
                let end = touch.end && extent.at_end || touch.again_at_end;
                if !characters.is_empty() || texts || end {
                    let tries = seeds.entry(*situation).or_insert(Some(Tries::default()));
                    if let Some(tries) = tries {
                        tries.characters += &characters;
                        tries.texts |= texts;
                        tries.end |= end;
                    }
                }
            }
        }
        seeds
    }

    /// Inputs after which one more character, or the end, leads to a state.
    pub(super) fn leading_to(&self, state: u32) -> impl Iterator<Item = Trail> {
        let touching = self.touching.get(&state).into_iter().flatten();
        let situations = touching.filter_map(|(index, _)| self.situations.get(*index));
        situations.map(|situation| Trail {
            input: situation.input.chars().collect(),
            start: situation.start,
            answer: situation.answer.unwrap_or(false),
        })
    }
}
