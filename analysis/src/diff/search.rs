//! The hunt: inputs on which two machines differ, shortest first, from inputs that meet what is changed.
//!
//! Both machines run in the interpreter, and what it says at the end of an input is what is found. An input is continued if the
//! two stand to each other as on no shorter one. What was not found may be there nevertheless.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;
use twox_hash::XxHash3_128;

use super::gap::Gap;
use super::key::ahead;
use super::model::{Answers, Model, Running, Side, Trail};
use super::replay::{Kind, difference};
use crate::token::StreamErrors;

/// A place where what came out differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Event {
    pub(super) kind: Kind,
    /// The last bodies that ran before the end of the input, and at it.
    last: [[Option<usize>; 2]; 2],
}

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// For each event the first inputs that show it.
    pub(super) events: Vec<(Event, Vec<Trail>)>,
    /// Inputs that were continued, and the longest of them.
    pub(super) situations: usize,
    pub(super) length: usize,
    /// Why it was not followed to the end, and how often.
    pub(super) gaps: BTreeMap<Gap, usize>,
}

/// The search stops after this many inputs on which a machine goes round in circles, since each takes long.
const STUCK: usize = 10;

impl Findings {
    /// Notes an input that a machine does not run to its end; whether no more are tried.
    fn is_stuck(&mut self) -> bool {
        let stuck = self.gaps.entry(Gap::Stuck).or_default();
        *stuck += 1;
        *stuck >= STUCK
    }
}

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Inputs that are tried.
    pub(super) inputs: usize,
    /// Inputs that are tried after tokens differed, and after anything did.
    pub(super) after: [usize; 2],
    /// Inputs kept for each event.
    pub(super) trails: usize,
}

/// No longer inputs are tried.
const LENGTH: usize = 80;

/// Inputs by their length.
#[derive(Debug, Default)]
pub(super) struct Queue(BTreeMap<usize, VecDeque<Trail>>);

impl Queue {
    /// Nothing, in each content.
    pub(super) fn of_starts(model: &Model) -> Self {
        let mut queue = Self::default();
        for start in 0..model.starts.len() {
            queue.push(Trail {
                start: start as u16,
                ..Trail::default()
            });
        }
        queue
    }

    pub(super) fn push(&mut self, trail: Trail) {
        if trail.length <= LENGTH {
            self.0.entry(trail.length).or_default().push_back(trail);
        }
    }

    pub(super) fn pop(&mut self) -> Option<Trail> {
        let mut first = self.0.first_entry()?;
        let trail = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        trail
    }

    /// The first time that a machine asks a question, the answer is no; this queues the same input with yes. The end of the input
    /// may bring questions, too.
    pub(super) fn fork(&mut self, model: &Model, trail: &mut Trail, at: &Running<'_>) {
        let mut asked = at.watched().asked.clone();
        if model.facts.asks_at_end {
            let mut ended = at.clone();
            if ended.end().is_ok() {
                asked.append(&mut ended.host().asked);
            }
        }
        for question in asked {
            let mut questions = model.machine.vocabulary.questions.iter();
            let number = questions.position(|it| *it == question);
            let both = number.map(|it| [false, true].map(|answer| trail.answers.with(it, answer)));
            if let Some([Some(no), Some(yes)]) = both {
                self.push(trail.with("", yes));
                trail.answers = no;
            }
        }
    }
}

/// The keys that were met, with the answers to questions: those of the first time, and of others.
#[derive(Debug, Default)]
pub(super) struct Seen {
    first: FxHashMap<u128, Answers>,
    others: FxHashMap<u128, Vec<Answers>>,
}

impl Seen {
    /// Whether a key was not met with these answers, or fewer of them.
    pub(super) fn is_new(&mut self, key: &[u32], answers: Answers) -> bool {
        let key = fingerprint(key);
        let Some(first) = self.first.get(&key) else {
            self.first.insert(key, answers);
            return true;
        };
        let others = self.others.get(&key).into_iter().flatten();
        let is_new = !others.chain([first]).any(|known| answers.is_within(*known));
        if is_new {
            self.others.entry(key).or_default().push(answers);
        }
        is_new
    }
}

/// Runs two machines from these inputs on, until nothing new is left, or a limit; or until `is_enough` says so of an input on which
/// they differ.
pub(super) fn hunt<'t>(
    model: &Model,
    sides: [&Side<'_>; 2],
    seeds: impl Iterator<Item = &'t Trail>,
    limits: Limits,
    is_enough: &mut dyn FnMut(&Trail) -> bool,
) -> Findings {
    let mut found = Findings::default();
    let mut events: FxHashMap<Event, usize> = FxHashMap::default();
    let mut seen = Seen::default();
    let mut queue = Queue::default();
    seeds.for_each(|seed| {
        queue.push(Trail {
            is_seed: true,
            ..seed.clone()
        });
    });
    let streams = sides.map(|side| StreamErrors::of(side.machine));
    let mut left = limits.inputs;
    while let Some(mut trail) = queue.pop() {
        let Some(less) = left.checked_sub(1) else {
            let gap = if found.events.is_empty() {
                Gap::Situations
            } else {
                Gap::Enough
            };
            *found.gaps.entry(gap).or_default() += 1;
            break;
        };
        left = less;
        let (Ok(mut one), Ok(mut other)) =
            (sides[0].after(model, &trail), sides[1].after(model, &trail))
        else {
            if found.is_stuck() {
                break;
            }
            continue;
        };
        queue.fork(model, &mut trail, &one);
        queue.fork(model, &mut trail, &other);
        let mut key = Vec::new();
        model.add_machine(&one, &mut key);
        let middle = key.len();
        model.add_machine(&other, &mut key);
        let is_alike = key[..middle] == key[middle..];
        let is_alike = model.add_relation([&one, &other], &mut key) && is_alike;
        let parted = ahead(one.output(), other.output()).is_none();
        // What follows is known from the base, but for the end of an input that meets the change.
        if is_alike && !trail.is_seed {
            continue;
        }
        let is_new = seen.is_new(&key, trail.answers);
        // By other ways to the same situation something else may have come out.
        let last = [&one, &other].map(last_body);
        key.extend(last.map(|body| body.unwrap_or(0) as u32));
        if !is_new && !parted && !seen.is_new(&key, trail.answers) {
            continue;
        }
        if is_new && !parted && !is_alike {
            found.situations += 1;
            found.length = found.length.max(trail.length);
            for text in model.choices(&[&one, &other], trail.length) {
                queue.push(trail.with(&text, trail.answers));
            }
        }
        let ended = [&mut one, &mut other].map(|at: &mut Running<'_>| {
            at.end().ok()?;
            let at_end = last_body(at);
            Some((at.take_output().coalesced(), at_end))
        });
        let [Some((ours, end)), Some((theirs, other_end))] = ended else {
            if found.is_stuck() {
                break;
            }
            continue;
        };
        let [ours, theirs] = [
            ours.with_sorted_errors(&streams[0]),
            theirs.with_sorted_errors(&streams[1]),
        ];
        let Some(kind) = difference(&ours, &theirs, model.compared) else {
            continue;
        };
        left = left.min(limits.after[usize::from(kind != Kind::Tokens)]);
        let event = Event {
            kind,
            last: [last, [end, other_end]],
        };
        let index = *events.entry(event).or_insert_with(|| {
            found.events.push((event, Vec::new()));
            found.events.len() - 1
        });
        let trails = &mut found.events[index].1;
        if trails.len() < limits.trails {
            trails.push(trail.clone());
            if is_enough(&trail) {
                break;
            }
        }
    }
    found
}

/// The body that ran last, if any did.
fn last_body(at: &Running<'_>) -> Option<usize> {
    at.watched().ran.last().map(|ran| ran.body)
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
