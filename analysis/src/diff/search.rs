//! The search: all that two machines can do side by side, shortest inputs first; where it starts, how far it
//! goes, and what it finds.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use speclex_codegen::machine::StateKind;
use twox_hash::XxHash3_128;

use super::base::{Base, Extents, Situation, Touched, Trail};
use super::facts::Kinds;
use super::gap::Gap;
use super::key::parts::Key;
use super::product::{Answerable, Event, FeedResult, Kind, Pair, Product};
use super::replay::Setup;
use super::runner::configuration::{Configuration, Number, Register};
use super::runner::literal_text;
use super::runner::steps::{count_tokens, rereads_unevenly};

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// For each event the first inputs that show it.
    pub(super) events: Vec<(Event, Vec<Trail>)>,
    /// Situations seen.
    pub(super) situations: usize,
    /// All inputs up to this length have been tried.
    pub(super) length: usize,
    /// How often a gap was met.
    pub(super) gaps: BTreeMap<Gap, usize>,
}

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) length: usize,
    pub(super) situations: usize,
    /// Situations that are followed after tokens differed, and after anything did.
    pub(super) after: [usize; 2],
    /// Inputs kept for each event.
    pub(super) trails: usize,
    /// Whether the first event of this kind ends the search.
    pub(super) first: bool,
}

/// The pair at a start; `None` if a side has no such content.
pub(super) fn start_pair(product: &Product<'_, '_>, start: &Setup, index: u16) -> Option<Pair> {
    let side = |machine| {
        let mut side = Configuration::new(machine);
        let entered = match &start.content {
            Some(content) => side.enter(machine, content),
            None => true,
        };
        let name = start.last_start_tag.as_deref();
        side.last_start_tag = name.map(|name| Rc::new(literal_text(name)));
        entered.then_some(side)
    };
    let [one, other] = product.sides;
    let sides = [side(one.runner.machine)?, side(other.runner.machine)?];
    Some(Pair::new(sides, index))
}

/// How many tokens, and how many characters and tokens, one side may be ahead of the other.
const TOKENS_AHEAD: usize = 1;
const ITEMS_AHEAD: usize = 12;

/// For how many situations of one search the kinds of characters are found: that takes far longer than a step.
const KINDS: usize = 100_000;

/// Both answers to a question, as bits.
const BOTH_ANSWERS: u8 = 3;

/// The search's memory.
pub(super) struct Search<'p, 's, 'm> {
    product: &'p Product<'s, 'm>,
    starts: &'p [Setup],
    limits: Limits,
    /// What the first machine does beside itself, where only what differs from that is followed.
    base: Option<&'p Base>,
    /// That, while it is made.
    made: Option<Base>,
    /// For each key the answers to questions with which it was seen, as bits.
    seen: FxHashMap<u128, u8>,
    /// Situations in which a question is asked again, after an answer was given.
    asked: FxHashSet<u128>,
    owed: FxHashMap<u128, Gap>,
    /// For each situation but for its number the numbers with which it is owed.
    noted: FxHashMap<u128, Vec<RangeInclusive<u32>>>,
    events: FxHashMap<Event, usize>,
    /// The situations that may still be followed, once anything differed.
    left: Option<usize>,
    found: Findings,
}

/// Pairs by the length of their inputs.
type Queue = BTreeMap<usize, VecDeque<Box<Pair>>>;

impl<'p, 's, 'm> Search<'p, 's, 'm> {
    pub(super) fn new(product: &'p Product<'s, 'm>, starts: &'p [Setup], limits: Limits) -> Self {
        let mut found = Findings::default();
        let [one, other] = product.sides;
        if one.questions.union(&other.questions).count() > 1 {
            found.gaps.insert(Gap::Questions, 1);
        }
        let model = product.model;
        if model.machine.preprocessing.drop_bom && model.alphabet.is_single('\u{FEFF}') {
            found.gaps.insert(Gap::Mark, 1);
        }
        Self {
            product,
            starts,
            limits,
            base: None,
            made: None,
            seen: FxHashMap::default(),
            asked: FxHashSet::default(),
            owed: FxHashMap::default(),
            noted: FxHashMap::default(),
            events: FxHashMap::default(),
            left: None,
            found,
        }
    }

    /// Runs a machine beside itself.
    pub(super) fn base(mut self) -> Base {
        self.made = Some(Base::default());
        let queue = self.all_starts();
        self.follow_all(queue, &mut |_| false);
        let mut base = self.made.unwrap_or_default();
        (base.seen, base.gaps) = (self.seen, self.found.gaps);
        base
    }

    /// Searches until nothing new is left, or a limit; when one difference is enough, until there is an input
    /// of which `is_true` says that it settles the matter, or one machine goes round in circles.
    pub(super) fn run(mut self, is_true: &mut dyn FnMut(&Trail) -> bool) -> Findings {
        let queue = self.all_starts();
        self.follow_all(queue, is_true);
        self.found
    }

    /// The same where the second machine is the first but for some states, in which both start alike: what meets nothing that is
    /// changed is known from the base, and so is what becomes of two that do not differ in anything.
    pub(super) fn run_from(
        mut self,
        base: &'p Base,
        changed: &Extents,
        is_true: &mut dyn FnMut(&Trail) -> bool,
    ) -> Findings {
        self.base = Some(base);
        self.found.gaps.extend(&base.gaps);
        let mut queue = Queue::new();
        for (seed, tries) in base.seeds(changed) {
            let situation = &base.situations[seed];
            let sides = [situation.held.clone(), situation.held.clone()];
            let pair = Pair {
                input: situation.input.chars().collect(),
                answer: situation.answer,
                tries: tries.map(Rc::new),
                ..Pair::new(sides, situation.start)
            };
            queue
                .entry(pair.input.len())
                .or_default()
                .push_back(Box::new(pair));
        }
        self.follow_all(queue, is_true);
        self.found
    }

    fn all_starts(&mut self) -> Queue {
        let mut queue = Queue::new();
        for (index, start) in (0..).zip(self.starts) {
            if let Some(pair) = start_pair(self.product, start, index) {
                let key = self.product.key(&pair);
                self.visit(pair, key, &mut queue);
            }
        }
        queue
    }

    fn follow_all(&mut self, mut queue: Queue, is_true: &mut dyn FnMut(&Trail) -> bool) {
        let mut asked = 0;
        let model = self.product.model;
        let kinds = || model.situations.borrow().len();
        let most_kinds = kinds() + KINDS;
        'all: while let Some((length, mut pairs)) = queue.pop_first() {
            if length >= self.limits.length {
                self.gap(Gap::Length);
                break;
            }
            while let Some(mut pair) = pairs.pop_front() {
                if self.found.situations >= self.limits.situations || kinds() >= most_kinds {
                    self.gap(Gap::Situations);
                    break 'all;
                }
                if let Some(left) = &mut self.left {
                    let Some(less) = left.checked_sub(1) else {
                        self.gap(Gap::Enough);
                        break 'all;
                    };
                    *left = less;
                }
                self.found.situations += 1;
                self.product.spread_numbers(&mut pair);
                self.expand(&pair, &mut queue);
                if self.limits.first {
                    let events = self.found.events.iter().skip(asked);
                    let mut trails = events.flat_map(|(_, trails)| trails);
                    let is_stuck = self.found.gaps.contains_key(&Gap::Stuck);
                    if is_stuck || trails.any(&mut *is_true) {
                        self.gap(Gap::Stopped);
                        break 'all;
                    }
                    asked = self.found.events.len();
                }
            }
            self.found.length = length + 1;
        }
        let seen = |search: &Self, key: &u128| {
            let base = search.base.and_then(|base| base.seen.get(key));
            search.seen.get(key).copied().unwrap_or(0) | base.copied().unwrap_or(0)
        };
        for (key, gap) in std::mem::take(&mut self.owed) {
            if seen(self, &key) == 0 {
                self.gap(gap);
            }
        }
        for key in std::mem::take(&mut self.asked) {
            if seen(self, &key) != BOTH_ANSWERS {
                self.gap(Gap::Question);
            }
        }
        // A search that was stopped is no proof anyway.
        if !self.found.gaps.contains_key(&Gap::Stopped) {
            for gap in self.product.sides.iter().flat_map(|side| side.beyond()) {
                self.gap(*gap);
            }
        }
    }

    fn gap(&mut self, gap: Gap) {
        *self.found.gaps.entry(gap).or_default() += 1;
    }

    /// Puts a pair in the queue unless one like it was there.
    fn visit(&mut self, mut pair: Pair, key: Key, queue: &mut Queue) {
        let hash = fingerprint(&key.parts);
        let (widened, remembers) = (key.widened, key.remembers);
        self.owe(key);
        let answers = match pair.answer {
            None => BOTH_ANSWERS,
            Some(false) => 1,
            Some(true) => 2,
        };
        let before = self.seen.entry(hash).or_default();
        if *before | answers == *before {
            return;
        }
        *before |= answers;
        if widened {
            self.gap(Gap::Strings);
        }
        if remembers {
            self.gap(Gap::Reread);
        }
        if self.product.spells_name(&pair) {
            self.gap(Gap::Spelled);
        }
        if self.product.note_copied(&mut pair) {
            self.gap(Gap::Chance);
        }
        self.product.note_shared(&mut pair);
        let length = pair.input.len();
        queue.entry(length).or_default().push_back(Box::new(pair));
    }

    /// Notes the other intervals that a number may be in.
    fn owe(&mut self, mut key: Key) {
        match &key.spread[..] {
            [] => {}
            [(number, places)] => {
                let (places, numbers) = (places.clone(), number.low..=number.high);
                let mut situation = |interval: &dyn Fn(usize) -> usize| {
                    for &(place, (_, register)) in &places {
                        key.parts[place] = interval(register) as u32;
                    }
                    fingerprint(&key.parts)
                };
                let whatever_number = situation(&|_| usize::MAX);
                let noted = self.noted.entry(whatever_number).or_default();
                if noted.contains(&numbers) {
                    return;
                }
                let model = self.product.model;
                let registers = places.iter().map(|&(_, (_, register))| register);
                let cuts = registers.flat_map(|register| model.cuts(register).iter().copied());
                let firsts = cuts.filter(|cut| numbers.contains(cut));
                let firsts: BTreeSet<u32> = firsts.chain([*numbers.start()]).collect();
                let is_new = |first: &u32| !noted.iter().any(|known| known.contains(first));
                for first in firsts.into_iter().filter(is_new) {
                    let hash = situation(&|register| model.interval(register, first));
                    self.owed.insert(hash, Gap::Interval);
                }
                noted.push(numbers);
            }
            _ => self.gap(Gap::Interval),
        }
    }

    /// Visits all that one more character, or the end, leads to; after numbers are spread.
    fn expand(&mut self, pair: &Pair, queue: &mut Queue) {
        let mut again = false;
        let length = pair.input.len() as u32;
        let kinds = self.product.kinds(pair);
        let mut touched = Touched::default();
        let wanted = self.product.wanted(pair);
        let tries = pair.tries.as_deref();
        for text in self.product.choices(pair, &wanted) {
            if tries.is_some_and(|tries| !tries.has(text)) {
                continue;
            }
            for (pair, fed) in self.product.follow(pair, &kinds, text, false) {
                again |= fed.asked;
                self.note(&pair, &fed, false);
                if self.made.is_some() {
                    let rest = (pair.sides[0].state, self.product.waits(&pair));
                    touched.add(text, length, &fed.steps[0], rest);
                }
                if let Some(key) = self.settle(&pair, &fed, length) {
                    self.visit(pair, key, queue);
                }
            }
        }
        let at_end = tries.is_none_or(|tries| tries.end);
        let at_end = at_end.then(|| self.product.follow(pair, &kinds, &[], true));
        for (next, fed) in at_end.into_iter().flatten() {
            again |= fed.asked;
            self.note(&next, &fed, true);
            if fed.by_chance && !fed.parted {
                self.gap(Gap::Chance);
            }
            if fed.texts_moved && !fed.parted {
                self.gap(Gap::Places);
            }
            if fed.not_uniform {
                self.gap(Gap::Number);
            }
            if fed.asked_apart {
                self.gap(Gap::Question);
            }
            let answer = next.answer.unwrap_or(false);
            let is_answered = fed.answerable != Answerable::No && !fed.parted;
            if is_answered {
                match self.product.answers_end_alike(pair, &kinds, answer) {
                    Some(steps) => touched.add(&[], length, &steps, (None, false)),
                    None => self.gap(Gap::Answer),
                }
            }
            touched.add(&[], length, &fed.steps[0], (None, false));
            if fed.stuck {
                self.gap(Gap::Stuck);
            }
        }
        if again && pair.answer.is_some() {
            let key = self.product.key(pair);
            self.asked.insert(fingerprint(&key.parts));
        }
        if let Some(base) = &mut self.made {
            let situation = Situation {
                held: pair.sides[0].clone(),
                input: pair.input.iter().collect::<String>().into_boxed_str(),
                answer: pair.answer,
                start: pair.start,
            };
            base.add(situation, touched);
        }
    }

    /// The key of what a step led to, if it is to be explored.
    fn settle(&mut self, pair: &Pair, fed: &FeedResult, known: u32) -> Option<Key> {
        if fed.parted {
            return None;
        }
        if fed.by_chance {
            self.gap(Gap::Chance);
        }
        if fed.stuck {
            self.gap(Gap::Stuck);
            return None;
        }
        if is_far_ahead(pair) {
            self.gap(Gap::Delay);
            return None;
        }
        if fed.not_uniform {
            self.gap(Gap::Number);
        }
        if fed.asked_apart {
            self.gap(Gap::Question);
        }
        if rereads_unevenly(known, &fed.steps) {
            self.gap(Gap::Reread);
        }
        if fed.texts_moved {
            self.gap(Gap::Places);
        }
        if self.base.is_some() && self.product.are_alike(pair) {
            return None;
        }
        match fed.answerable {
            Answerable::No => {}
            Answerable::Both { is_start } => self.owe_answers(pair, is_start),
            Answerable::Unclear => self.gap(Gap::Answer),
        }
        Some(self.product.key(pair))
    }

    /// A sink may answer with any content: each must have been searched from its start. Behind a token that is no start tag
    /// the name of the last one may be any: the key before does not have it.
    fn owe_answers(&mut self, pair: &Pair, is_start: bool) {
        let [one, other] = self.product.sides.map(|side| side.runner.machine);
        let mut names: BTreeSet<Option<&str>> = BTreeSet::new();
        if !is_start {
            names.extend(self.starts.iter().map(|it| it.last_start_tag.as_deref()));
        }
        for content in &one.vocabulary.contents {
            let mut entered = pair.clone();
            if !entered.sides[0].enter(one, content) || !entered.sides[1].enter(other, content) {
                continue;
            }
            let key = self.product.key(&entered);
            self.owed.insert(fingerprint(&key.parts), Gap::Answer);
            for name in &names {
                let name = name.map(|name| Rc::new(literal_text(name)));
                let sides = entered.sides.iter_mut();
                sides.for_each(|side| side.last_start_tag.clone_from(&name));
                let key = self.product.key(&entered);
                self.owed.insert(fingerprint(&key.parts), Gap::Answer);
            }
        }
    }

    /// Remembers what parted.
    fn note(&mut self, pair: &Pair, fed: &FeedResult, ended: bool) {
        let trail = |input: Vec<char>| Trail {
            input,
            start: pair.start,
            answer: pair.answer.unwrap_or(false),
        };
        let here = || trail(pair.input.clone());
        if let Some(base) = &mut self.made {
            for step in &fed.steps[0] {
                base.taken.entry(step.taken).or_insert_with(here);
            }
        }
        for event in &fed.events {
            let after = self.limits.after[usize::from(event.kind != Kind::Tokens)];
            self.left = Some(self.left.map_or(after, |left| left.min(after)));
            let index = *self.events.entry(*event).or_insert_with(|| {
                self.found.events.push((*event, Vec::new()));
                self.found.events.len() - 1
            });
            if self.found.events[index].1.len() >= self.limits.trails {
                continue;
            }
            let trails: Vec<Trail> = if fed.doomed {
                // At once, and where both have emitted something.
                let shown = self.complete(pair, true).map(trail);
                [here()].into_iter().chain(shown).collect()
            } else if ended || event.kind == Kind::Tokens {
                vec![here()]
            } else {
                let completed = self.complete(pair, false).map(trail);
                vec![completed.unwrap_or_else(here)]
            };
            self.found.events[index].1.extend(trails);
        }
    }

    /// The shortest way to an end without another difference; or, where tokens are bound to differ, to
    /// where both have come out.
    fn complete(&self, pair: &Pair, doomed: bool) -> Option<Vec<char>> {
        const STEPS: usize = 100;
        let mut seen = FxHashSet::default();
        let mut queue = VecDeque::from([pair.clone()]);
        for _ in 0..STEPS {
            let mut pair = queue.pop_front()?;
            self.product.spread_numbers(&mut pair);
            let kinds = self.product.kinds(&pair);
            let ends = self.product.follow(&pair, &kinds, &[], true);
            if !doomed && ends.map(|(_, fed)| fed).any(|fed| fed.events.is_empty()) {
                return Some(pair.input.clone());
            }
            let wanted = self.product.wanted(&pair);
            for text in self.product.choices(&pair, &wanted) {
                for (next, fed) in self.product.follow(&pair, &kinds, text, false) {
                    if doomed && fed.parted && !fed.doomed {
                        return Some(next.input);
                    }
                    let goes_on = fed.events.is_empty() || doomed;
                    if goes_on && seen.insert(fingerprint(&self.product.key(&next).parts)) {
                        queue.push_back(next);
                    }
                }
            }
        }
        None
    }
}

impl<'a, 'm> Product<'a, 'm> {
    /// Continues with a text, once for each answer that a question may get; with numbers spread before.
    fn follow<'s>(
        &'s self,
        pair: &'s Pair,
        kinds: &'s Kinds,
        text: &'s [char],
        ended: bool,
    ) -> impl Iterator<Item = (Pair, FeedResult)> + use<'s, 'a, 'm> {
        // A number that is spelled whole is that number.
        let kinds = Some(kinds).filter(|_| text.len() <= 1);
        let go = move |answer: bool| {
            let mut next = pair.with_room(text.len());
            let fed = self.feed(&mut next, text, ended, answer, kinds);
            (next, fed)
        };
        let first = go(false);
        let again = (first.1.asked && pair.answer.is_none()).then(|| go(true));
        [Some(first), again].into_iter().flatten()
    }

    /// Whether one side looks for the name of a reference, or of the last start tag, where the other does not.
    fn spells_name(&self, pair: &Pair) -> bool {
        let [one, other] = [0, 1].map(|side| {
            let (held, runner) = (&pair.sides[side], &self.sides[side].runner);
            let state = held.state?;
            let waits = (held.place as usize) < pair.input.len();
            let declared = runner.machine.states.get(state as usize)?;
            let is_match = matches!(declared.kind, StateKind::Match { .. });
            (is_match || waits && runner.looks_for_tag(state)).then_some((is_match, held.place))
        });
        one != other
    }

    /// Whether the first side waits in a state that may do something with what is known already.
    fn waits(&self, pair: &Pair) -> bool {
        let held = &pair.sides[0];
        let states = &self.sides[0].runner.machine.states;
        let state = held.state.and_then(|state| states.get(state as usize));
        let consumes = state.is_some_and(|it| matches!(it.kind, StateKind::Consume(_)));
        (held.place as usize) < pair.input.len() || !consumes
    }

    /// Lets each number stand for all that the key does not tell apart: those in the intervals of all registers that
    /// hold the same.
    fn spread_numbers(&self, pair: &mut Pair) {
        let mut numbers: Vec<((usize, usize), Number)> = Vec::new();
        for (side, held) in pair.sides.iter().enumerate() {
            let live = self.live(pair, side);
            for (index, register) in held.registers().iter().enumerate() {
                if let Register::Number(number) = register
                    && live & self.sides[side].liveness.register(index) != 0
                {
                    numbers.push(((side, index), *number));
                }
            }
        }
        for &((side, index), number) in &numbers {
            let same = numbers.iter().filter(|(_, other)| other.is_same(number));
            let bounds = same.map(|&((_, register), _)| self.model.bounds(register, number.value));
            let range = bounds.reduce(|(a, b), (c, d)| (a.max(c), b.min(d)));
            let mut number = number;
            number.spread(range.unwrap_or((number.low, number.high)), pair.input.len());
            if let Some(held) = pair.sides[side].register_mut(index as u32) {
                *held = Register::Number(number);
            }
        }
    }
}

/// Whether one side has emitted more than the search follows before the other emits the same.
fn is_far_ahead(pair: &Pair) -> bool {
    count_tokens(&pair.pending) > TOKENS_AHEAD || pair.pending.len() > ITEMS_AHEAD
}

/// A key as a number. Two keys have the same one with a probability that can be neglected.
fn fingerprint(parts: &[u32]) -> u128 {
    struct Bytes(u128);
    impl Hasher for Bytes {
        fn write(&mut self, bytes: &[u8]) {
            self.0 = XxHash3_128::oneshot(bytes);
        }
        fn finish(&self) -> u64 {
            self.0 as u64
        }
    }
    let mut bytes = Bytes(0);
    // All at once.
    u32::hash_slice(parts, &mut bytes);
    bytes.0
}
