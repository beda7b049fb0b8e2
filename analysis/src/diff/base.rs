//! What a machine does by itself: the search for a change begins where the change is met.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use speclex_codegen::charset::CharSet;

use super::model::{Model, Side, Trail};
use super::passage::Ran;
use super::search::{Queue, Seen};
use crate::paths::ArmIndex;

/// What of a state is changed.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    /// The characters on which it does something else; all if `None`.
    characters: Option<CharSet>,
    /// Whether it does at the end of the input.
    at_end: bool,
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

    fn has(&self, on: Option<char>) -> bool {
        match (on, &self.characters) {
            (Some(c), Some(characters)) => characters.contains(c),
            (Some(_), None) => true,
            (None, _) => self.at_end,
        }
    }
}

/// The states that are changed.
pub(super) type Extents = BTreeMap<u32, Extent>;

/// A machine by itself: inputs that lead to all that it can do, as far as the model tells apart.
#[derive(Debug, Default)]
pub(super) struct Base {
    pub(super) trails: Vec<Trail>,
    /// For each state the inputs whose last character it reads, with that character, or after which it is the next to run.
    touching: FxHashMap<u32, Vec<(usize, Option<char>)>>,
    /// For each body the first input that runs it.
    pub(super) taken: FxHashMap<usize, usize>,
}

/// A base has no more inputs.
const INPUTS: usize = 300_000;

impl Base {
    /// Runs a machine on shorter inputs first, until none leads to anything new.
    pub(super) fn new(model: &Model, side: &Side<'_>) -> Self {
        let mut base = Self::default();
        let mut seen = Seen::default();
        let mut queue = Queue::of_starts(model);
        while let Some(mut trail) = queue.pop() {
            if base.trails.len() >= INPUTS {
                break;
            }
            let Ok(mut at) = side.after(model, &trail) else {
                continue;
            };
            queue.fork(model, &mut trail, &at);
            let mut key = Vec::new();
            model.add_machine(&at, &mut key);
            if at.state().is_some() && seen.is_new(&key, trail.answers) {
                for text in model.choices(&[&at], trail.length) {
                    queue.push(trail.with(&text, trail.answers));
                }
            }
            let rests = at.state().map(|state| (state.0, None));
            let ran = at.host().ran.clone();
            let is_ended = at.end().is_ok();
            let at_end = at.host().ran.iter().filter(|_| is_ended);
            base.add(trail, &ran, rests, at_end.skip(ran.len()));
        }
        base
    }

    fn add<'r>(
        &mut self,
        trail: Trail,
        ran: &'r [Ran],
        rests: Option<(u32, Option<char>)>,
        at_end: impl Iterator<Item = &'r Ran>,
    ) {
        let index = self.trails.len();
        let at_end: Vec<&Ran> = at_end.collect();
        for ran in ran.iter().chain(at_end.iter().copied()) {
            self.taken.entry(ran.body).or_insert(index);
        }
        let read = ran.iter().map(|ran| (ran.state.0, ran.on));
        let at_end = at_end.iter().map(|ran| (ran.state.0, None));
        let touched: BTreeSet<_> = read.chain(rests).chain(at_end).collect();
        for (state, on) in touched {
            self.touching.entry(state).or_default().push((index, on));
        }
        self.trails.push(trail);
    }

    /// The inputs that meet what is changed.
    pub(super) fn seeds(&self, changed: &Extents) -> impl Iterator<Item = &Trail> {
        let mut seeds = FxHashSet::default();
        for (state, extent) in changed {
            let touching = self.touching.get(state).into_iter().flatten();
            seeds.extend(
                touching
                    .filter(|(_, on)| extent.has(*on))
                    .map(|(seed, _)| *seed),
            );
        }
        let trails = self.trails.iter().enumerate();
        trails
            .filter(move |(index, _)| seeds.contains(index))
            .map(|(_, trail)| trail)
    }
}
