//! The search: all that two machines can do side by side, shortest inputs first; where it starts, how far it
//! goes, and what it finds.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;
use std::rc::Rc;

use super::facts::Kinds;
use super::key::Key;
use super::product::{Answerable, ArmPair, Event, FeedResult, Kind, Pair, Product, RegisterPlace};
use super::runner::configuration::{Configuration, Number, Register};
use super::runner::literal_text;
use super::runner::steps::{Item, TakenPath, rereads_unevenly};
use crate::paths::ArmIndex;

/// Where a search starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// The content; `None` for the initial state.
    pub(super) content: Option<String>,
    pub(super) last_start_tag: Option<String>,
}

/// An input on which something parted.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    pub(super) input: Vec<char>,
    pub(super) start: u16,
    pub(super) answer: bool,
}

/// Why a search that ended is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gap {
    /// The first difference was all that was wanted.
    Stopped,
    /// Inputs longer than the limit were not tried.
    Length,
    /// More situations than the limit.
    Situations,
    /// A guard or a row asked something of a number that its interval does not decide.
    Number,
    /// A number may be in an interval that no input tried leads to.
    Interval,
    /// A word that is read twice is read in changing states.
    Reread,
    /// A sink's answer leads to a situation that no start leads to.
    Answer,
    /// A question is asked again, and was not followed with another answer than before.
    Question,
    /// Strings with little in common grew too long to be told apart.
    Strings,
    /// One side's tokens had to wait too long for the other's.
    Delay,
    /// What else follows from arms that are known to change tokens was not followed to the end.
    Enough,
    /// A machine stopped or went round in circles.
    Stuck,
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Stopped => "stopped at the first difference",
            Self::Length => "longer inputs were not tried",
            Self::Situations => "there are more situations than the limit",
            Self::Number => "a number's interval does not decide a question",
            Self::Interval => "a number may be in an interval that no input tried leads to",
            Self::Reread => "a word is read twice in changing states",
            Self::Answer => "a sink's answer may lead to a situation that was not followed",
            Self::Question => "a question asked again may get another answer",
            Self::Strings => "strings with little in common grew too long to be told apart",
            Self::Delay => "one side's tokens had to wait too long for the other's",
            Self::Enough => {
                "what else follows from arms that change tokens was not followed to the end"
            }
            Self::Stuck => "a machine goes round in circles",
        })
    }
}

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// For each event the first inputs that show it.
    pub(super) events: Vec<(Event, Vec<Trail>)>,
    /// Situations seen.
    pub(super) situations: usize,
    /// Edges tried.
    pub(super) edges: usize,
    /// All inputs up to this length have been tried.
    pub(super) length: usize,
    /// How often a gap was met, with the arms under suspicion there.
    pub(super) gaps: BTreeMap<(Gap, Option<ArmPair>), usize>,
    /// For each side the arms taken, with the first input that led there.
    pub(super) taken: HashMap<(usize, TakenPath), Trail>,
    pub(super) suspects: Suspects,
}

/// What a search that closed makes certain of arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    /// No difference follows from where they were taken.
    Harmless,
    /// No difference follows from where the machines fall out of step with them.
    BeginsNone,
    None,
}

/// What the search knows of the arms under suspicion.
#[derive(Debug, Default)]
pub(super) struct Suspects {
    /// For each side the arms that were taken, and what was under suspicion then.
    taken: HashSet<(usize, TakenPath, ArmPair)>,
    /// Those that a difference follows from.
    differ: HashSet<ArmPair>,
    /// Those that led to known situations of which not all were followed again: what is known to follow there
    /// was told of others.
    cut: HashSet<ArmPair>,
}

impl Suspects {
    /// What is certain of these arms, which `is_it` knows, and of the suspects that are pairs of them.
    pub(super) fn certainty(
        &self,
        is_it: &dyn Fn(usize, &TakenPath) -> bool,
        is_pair: &dyn Fn(&ArmPair) -> bool,
    ) -> Certainty {
        let is_harmless =
            |suspect: &ArmPair| !self.differ.contains(suspect) && !self.cut.contains(suspect);
        let these = self
            .taken
            .iter()
            .filter(|(side, taken, _)| is_it(*side, taken));
        let mut harmful = these
            .map(|(.., suspect)| suspect)
            .filter(|it| !is_harmless(it));
        let mut known = self.differ.iter().chain(&self.cut);
        if known.any(is_pair) {
            Certainty::None
        } else if harmful.next().is_some() {
            Certainty::BeginsNone
        } else {
            Certainty::Harmless
        }
    }

    /// Notes the steps that were taken while two arms were under suspicion.
    fn note(&mut self, suspect: Option<ArmPair>, fed: &FeedResult) {
        let Some((one, other)) = suspect else {
            return;
        };
        let suspect = (one.arm_only(), other.arm_only());
        for (side, steps) in (0..).zip(&fed.steps) {
            let arms = steps.iter().map(|step| step.taken.arm_only());
            self.taken.extend(arms.map(|arm| (side, arm, suspect)));
        }
    }
}

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) length: usize,
    pub(super) situations: usize,
    /// Inputs kept for each event.
    pub(super) trails: usize,
    /// Whether the first event of this kind ends the search.
    pub(super) first: bool,
}

/// The pair at a start; `None` if a side has no such content.
pub(super) fn start_pair(product: &Product<'_>, start: &Start, index: u16) -> Option<Pair> {
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
    let [one, other] = &product.runners;
    Some(Pair {
        sides: [side(one.machine)?, side(other.machine)?],
        input: Vec::new(),
        answer: None,
        start: index,
        ahead: 0,
        pending: VecDeque::new(),
        errors: Default::default(),
        suspect: None,
    })
}

/// How many tokens, and how many characters and tokens, one side may be ahead of the other.
const TOKENS_AHEAD: usize = 1;
const ITEMS_AHEAD: usize = 12;

/// Situations that are followed for arms that are known to change tokens.
const ENOUGH: usize = 20_000;

/// Known situations that are followed again for each suspect.
const AGAIN: usize = 1_500;

/// Both answers to a question, as bits.
const BOTH_ANSWERS: u8 = 3;

/// The search's memory.
pub(super) struct Search<'p, 'm> {
    product: &'p Product<'m>,
    starts: &'p [Start],
    corresponds: &'p dyn Fn(u32, u32) -> bool,
    limits: Limits,
    /// For each key the answers to questions with which it was seen, as bits.
    seen: HashMap<u128, u8>,
    /// Situations in which a question is asked again, after an answer was given.
    asked: HashMap<u128, Option<ArmPair>>,
    owed: HashMap<u128, (Gap, Option<ArmPair>)>,
    /// For each situation but for its number the numbers with which it is owed.
    noted: HashMap<u128, Vec<RangeInclusive<u32>>>,
    events: HashMap<Event, usize>,
    /// Situations seen under each suspicion.
    spent: HashMap<ArmPair, usize>,
    /// Known situations that were followed again, by suspect.
    again: HashMap<ArmPair, HashSet<u128>>,
    /// Suspects that are known to change tokens.
    shown: HashSet<ArmPair>,
    found: Findings,
}

/// Pairs by the length of their inputs.
type Queue = BTreeMap<usize, VecDeque<Box<Pair>>>;

impl<'p, 'm> Search<'p, 'm> {
    pub(super) fn new(
        product: &'p Product<'m>,
        starts: &'p [Start],
        corresponds: &'p dyn Fn(u32, u32) -> bool,
        limits: Limits,
    ) -> Self {
        Self {
            product,
            starts,
            corresponds,
            limits,
            seen: HashMap::new(),
            asked: HashMap::new(),
            owed: HashMap::new(),
            noted: HashMap::new(),
            events: HashMap::new(),
            spent: HashMap::new(),
            again: HashMap::new(),
            shown: HashSet::new(),
            found: Findings::default(),
        }
    }

    /// Searches until nothing new is left, or a limit; when one difference is enough, until there is an input
    /// of which `is_true` says that it settles the matter, or one machine goes round in circles.
    pub(super) fn run(mut self, is_true: &mut dyn FnMut(&Trail) -> bool) -> Findings {
        let (mut queue, mut asked) = (Queue::new(), 0);
        for index in 0..self.starts.len() {
            if let Some(pair) = self.start(index as u16) {
                let key = self.product.key(&pair, self.corresponds);
                self.visit(pair, key, &mut queue);
            }
        }
        'all: while let Some((length, mut pairs)) = queue.pop_first() {
            if length >= self.limits.length {
                self.gap(Gap::Length, None);
                break;
            }
            while let Some(mut pair) = pairs.pop_front() {
                if self.found.situations >= self.limits.situations {
                    self.gap(Gap::Situations, None);
                    break 'all;
                }
                if let Some(suspect) = pair.suspect {
                    let spent = self.spent.entry(suspect).or_default();
                    *spent += 1;
                    if *spent > ENOUGH && self.shown.contains(&suspect) {
                        self.gap(Gap::Enough, pair.suspect);
                        continue;
                    }
                }
                self.found.situations += 1;
                self.product.spread_numbers(&mut pair);
                for (pair, key) in self.expand(&pair) {
                    self.visit(pair, key, &mut queue);
                }
                if self.limits.first {
                    let events = self.found.events.iter().skip(asked);
                    let mut trails = events.flat_map(|(_, trails)| trails);
                    let mut gaps = self.found.gaps.keys();
                    if gaps.any(|(gap, _)| *gap == Gap::Stuck) || trails.any(&mut *is_true) {
                        self.gap(Gap::Stopped, None);
                        break 'all;
                    }
                    asked = self.found.events.len();
                }
            }
            self.found.length = length + 1;
        }
        for (key, (gap, suspect)) in std::mem::take(&mut self.owed) {
            if !self.seen.contains_key(&key) {
                self.gap(gap, suspect);
            }
        }
        for (key, suspect) in std::mem::take(&mut self.asked) {
            if self.seen.get(&key) != Some(&BOTH_ANSWERS) {
                self.gap(Gap::Question, suspect);
            }
        }
        self.found
    }

    fn gap(&mut self, gap: Gap, suspect: Option<ArmPair>) {
        *self.found.gaps.entry((gap, suspect)).or_default() += 1;
    }

    fn start(&self, index: u16) -> Option<Pair> {
        start_pair(self.product, self.starts.get(usize::from(index))?, index)
    }

    /// Puts a pair in the queue unless one like it was there.
    fn visit(&mut self, pair: Pair, key: Key, queue: &mut Queue) {
        let hash = fingerprint(&key.parts);
        let widened = key.widened;
        self.owe(&pair, key);
        let answers = match pair.answer {
            None => BOTH_ANSWERS,
            Some(false) => 1,
            Some(true) => 2,
        };
        let before = self.seen.entry(hash).or_default();
        if *before | answers == *before {
            if self.may_matter_again(&pair, hash) {
                let length = pair.input.len();
                queue.entry(length).or_default().push_back(Box::new(pair));
            }
            return;
        }
        *before |= answers;
        if widened {
            self.gap(Gap::Strings, pair.suspect);
        }
        let length = pair.input.len();
        queue.entry(length).or_default().push_back(Box::new(pair));
    }

    /// Whether a situation that is known is worth following under another suspicion: that is for telling
    /// causes apart only, and within bounds.
    fn may_matter_again(&mut self, pair: &Pair, hash: u128) -> bool {
        let Some(suspect) = pair.suspect.filter(|suspect| !self.shown.contains(suspect)) else {
            return false;
        };
        let again = self.again.entry(suspect).or_default();
        if again.contains(&hash) {
            return false;
        }
        if again.len() >= AGAIN {
            self.found.suspects.cut.insert(suspect);
            return false;
        }
        again.insert(hash)
    }

    /// Notes the other intervals that a number may be in.
    fn owe(&mut self, pair: &Pair, mut key: Key) {
        match &key.spread[..] {
            [] => {}
            [(number, places)] => {
                let (places, numbers) = (places.clone(), number.low..=number.high);
                let mut situation = |interval: &dyn Fn(RegisterPlace) -> usize| {
                    for &(place, register) in &places {
                        key.parts[place] = interval(register) as u32;
                    }
                    fingerprint(&key.parts)
                };
                let whatever_number = situation(&|_| usize::MAX);
                let noted = self.noted.entry(whatever_number).or_default();
                if noted.contains(&numbers) {
                    return;
                }
                let product = self.product;
                let registers = places.iter().map(|&(_, register)| register);
                let cuts = registers.flat_map(|register| product.cuts(register).iter().copied());
                let firsts = cuts.filter(|cut| numbers.contains(cut));
                let firsts: BTreeSet<u32> = firsts.chain([*numbers.start()]).collect();
                let is_new = |first: &u32| !noted.iter().any(|known| known.contains(first));
                for first in firsts.into_iter().filter(is_new) {
                    let hash = situation(&|register| product.interval(register, first));
                    self.owed.insert(hash, (Gap::Interval, pair.suspect));
                }
                noted.push(numbers);
            }
            _ => self.gap(Gap::Interval, pair.suspect),
        }
    }

    /// All that one more character, or the end, leads to, with its keys; after numbers are spread.
    fn expand(&mut self, pair: &Pair) -> Vec<(Pair, Key)> {
        let (mut next, mut again) = (Vec::new(), false);
        let length = pair.input.len() as u32;
        let kinds = self.product.kinds(pair);
        for text in self.product.choices(pair) {
            for (pair, fed) in self.product.follow(pair, &kinds, &text, false) {
                self.found.edges += 1;
                again |= fed.asked;
                self.note(&pair, &fed, false);
                let settled = self.settle(pair, &fed, length);
                if let Some((pair, _)) = &settled {
                    self.found.suspects.note(pair.suspect, &fed);
                }
                next.extend(settled);
            }
        }
        for (pair, fed) in self.product.follow(pair, &kinds, &[], true) {
            self.found.edges += 1;
            again |= fed.asked;
            self.note(&pair, &fed, true);
            if fed.stuck {
                self.gap(Gap::Stuck, pair.suspect);
            }
        }
        if again && pair.answer.is_some() {
            let key = self.product.key(pair, self.corresponds);
            self.asked.insert(fingerprint(&key.parts), pair.suspect);
        }
        next
    }

    /// What is left to be explored after a step, with its key.
    fn settle(&mut self, mut pair: Pair, fed: &FeedResult, known: u32) -> Option<(Pair, Key)> {
        if fed.parted {
            return None;
        }
        let suspect = pair.suspect;
        if fed.stuck {
            self.gap(Gap::Stuck, suspect);
            return None;
        }
        if is_far_ahead(&pair) {
            self.gap(Gap::Delay, suspect);
            return None;
        }
        if fed.not_uniform {
            self.gap(Gap::Number, suspect);
        }
        if rereads_unevenly(known, &fed.steps) {
            self.gap(Gap::Reread, suspect);
        }
        let key = self.product.key(&pair, self.corresponds);
        if key.out_of_step {
            pair.suspect = pair.suspect.or(Some(first_arms(&pair, fed)));
        } else {
            pair.suspect = None;
        }
        match fed.answerable {
            Answerable::No => {}
            Answerable::Both => self.owe_answers(&pair),
            Answerable::Unclear => self.gap(Gap::Answer, pair.suspect),
        }
        Some((pair, key))
    }

    /// A sink may answer with any content: each must have been searched from its start.
    fn owe_answers(&mut self, pair: &Pair) {
        let [one, other] = self.product.runners.each_ref().map(|runner| runner.machine);
        for content in &one.vocabulary.contents {
            let mut entered = pair.clone();
            if entered.sides[0].enter(one, content) && entered.sides[1].enter(other, content) {
                let key = self.product.key(&entered, self.corresponds);
                let hash = fingerprint(&key.parts);
                self.owed.insert(hash, (Gap::Answer, None));
            }
        }
    }

    /// Remembers what parted.
    fn note(&mut self, pair: &Pair, fed: &FeedResult, ended: bool) {
        for (side, step) in (0..2).flat_map(|side| fed.steps[side].iter().map(move |s| (side, s))) {
            let trail = || Trail {
                input: pair.input.clone(),
                start: pair.start,
                answer: pair.answer.unwrap_or(false),
            };
            let taken = (side, step.taken);
            self.found.taken.entry(taken).or_insert_with(trail);
        }
        if fed.parted {
            self.shown.extend(pair.suspect);
        }
        self.found.suspects.note(pair.suspect, fed);
        for event in &fed.events {
            self.found.suspects.note(event.suspect, fed);
            let differ = event.suspect.map(|(a, b)| (a.arm_only(), b.arm_only()));
            self.found.suspects.differ.extend(differ);
            let index = *self.events.entry(*event).or_insert_with(|| {
                self.found.events.push((*event, Vec::new()));
                self.found.events.len() - 1
            });
            let enough = |trails: &Vec<Trail>| trails.len() >= self.limits.trails;
            if self
                .found
                .events
                .get(index)
                .is_some_and(|(_, trails)| enough(trails))
            {
                continue;
            }
            let inputs = if fed.doomed {
                // At once, and where both have emitted something.
                vec![Some(pair.input.clone()), self.complete(pair, true)]
            } else if ended || event.kind == Kind::Tokens {
                vec![Some(pair.input.clone())]
            } else {
                vec![self.complete(pair, false).or(Some(pair.input.clone()))]
            };
            if let Some((_, trails)) = self.found.events.get_mut(index) {
                trails.extend(inputs.into_iter().flatten().map(|input| Trail {
                    input,
                    start: pair.start,
                    answer: pair.answer.unwrap_or(false),
                }));
            }
        }
    }

    /// The shortest way to an end without another difference; or, where tokens are bound to differ, to
    /// where both have come out.
    fn complete(&self, pair: &Pair, doomed: bool) -> Option<Vec<char>> {
        const STEPS: usize = 400;
        let mut seen = HashSet::new();
        let mut queue = VecDeque::from([pair.clone()]);
        for _ in 0..STEPS {
            let mut pair = queue.pop_front()?;
            self.product.spread_numbers(&mut pair);
            let kinds = self.product.kinds(&pair);
            let ends = self.product.follow(&pair, &kinds, &[], true);
            if !doomed && ends.map(|(_, fed)| fed).any(|fed| fed.events.is_empty()) {
                return Some(pair.input.clone());
            }
            for text in self.product.choices(&pair) {
                for (next, fed) in self.product.follow(&pair, &kinds, &text, false) {
                    let key = self.product.key(&next, self.corresponds);
                    if doomed && fed.parted && !fed.doomed {
                        return Some(next.input);
                    }
                    if (fed.events.is_empty() || doomed) && seen.insert(fingerprint(&key.parts)) {
                        queue.push_back(next);
                    }
                }
            }
        }
        None
    }
}

impl<'m> Product<'m> {
    /// Continues with a text, once for each answer that a question may get; with numbers spread before.
    fn follow<'s>(
        &'s self,
        pair: &'s Pair,
        kinds: &'s Kinds,
        text: &'s [char],
        ended: bool,
    ) -> impl Iterator<Item = (Pair, FeedResult)> + use<'s, 'm> {
        // A number that is spelled whole is that number.
        let kinds = Some(kinds).filter(|_| text.len() <= 1);
        let go = move |answer: bool| {
            let mut next = pair.clone();
            let fed = self.feed(&mut next, text, ended, answer, kinds);
            (next, fed)
        };
        let first = go(false);
        let again = (first.1.asked && pair.answer.is_none()).then(|| go(true));
        [Some(first), again].into_iter().flatten()
    }

    /// Lets each number stand for all that the key does not tell apart: those in the intervals of all registers that
    /// hold the same.
    fn spread_numbers(&self, pair: &mut Pair) {
        let mut numbers: Vec<(RegisterPlace, Number)> = Vec::new();
        for (side, held) in pair.sides.iter().enumerate() {
            let live = self.live(pair, side);
            for (index, register) in held.registers.iter().enumerate() {
                if let Register::Number(number) = register
                    && live & self.liveness[side].register(index) != 0
                {
                    numbers.push(((side, index), *number));
                }
            }
        }
        for &((side, index), number) in &numbers {
            let same = numbers.iter().filter(|(_, other)| other.is_same(number));
            let bounds = same.map(|&(register, _)| self.bounds(register, number.value));
            let range = bounds.reduce(|(a, b), (c, d)| (a.max(c), b.min(d)));
            let mut number = number;
            number.spread(range.unwrap_or((number.low, number.high)), pair.input.len());
            pair.sides[side].registers[index] = Register::Number(number);
        }
    }
}

/// Whether one side has emitted more than the search follows before the other emits the same.
fn is_far_ahead(pair: &Pair) -> bool {
    let tokens = pair
        .pending
        .iter()
        .filter(|item| matches!(item, Item::Token(_)));
    tokens.count() > TOKENS_AHEAD || pair.pending.len() > ITEMS_AHEAD
}

/// The first arms that the sides took; the state itself for a side that waits.
pub(super) fn first_arms(pair: &Pair, fed: &FeedResult) -> ArmPair {
    let first = |side: usize| {
        let first = fed.steps[side].first().map(|step| step.taken);
        let waits = TakenPath {
            state: pair.sides[side].state.unwrap_or(u32::MAX),
            arm: ArmIndex::Steps,
            path: 0,
        };
        first.unwrap_or(waits).arm_only()
    };
    (first(0), first(1))
}

/// A key as a number. Two keys have the same one with a probability that can be neglected.
fn fingerprint(parts: &[u32]) -> u128 {
    let half = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        (seed, parts).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(0x9E37_79B9_7F4A_7C15)
}
