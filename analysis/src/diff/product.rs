//! Two machines on the same input, and where what comes out of them parts.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};
use speclex_codegen::analyse::states_in_registers;
use speclex_codegen::machine::{Feedback, Machine, RegisterId, StateId, TOO_LARGE};

use super::errors::Codes;
use super::facts::{Alphabet, Facts, Kinds, KindsOfSituations, NameKinds};
use super::liveness::{FirstSets, Live, Liveness, emission};
use super::runner::Runner;
use super::runner::configuration::{Configuration, LITERAL, Symbol, Value};
use super::runner::steps::{
    EmittedToken, Item, KnownInput, Reported, StepOutcome, StepOutput, StepTaken, TakenPath,
};

/// What differs, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The tokens.
    Tokens,
    /// Only the errors.
    Errors,
    /// Only where tokens and errors are.
    Positions,
}

/// The arms that two machines took on the same character.
pub(super) type ArmPair = (TakenPath, TakenPath);

/// A place where what came out parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Event {
    pub(super) kind: Kind,
    /// The arms with which the machines fell out of step, if that was before.
    pub(super) suspect: Option<ArmPair>,
    /// The last arms taken.
    pub(super) last: (Option<TakenPath>, Option<TakenPath>),
}

/// A side, and the index of one of its registers.
pub(super) type RegisterPlace = (usize, usize);

/// Two machines after the same input.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) sides: [Configuration; 2],
    pub(super) input: Vec<char>,
    /// The answer that questions got, once one was asked.
    pub(super) answer: Option<bool>,
    /// Index of the start.
    pub(super) start: u16,
    /// Which side's items wait for the other's.
    pub(super) ahead: usize,
    pub(super) pending: VecDeque<Item>,
    pub(super) errors: [Vec<Reported>; 2],
    pub(super) suspect: Option<ArmPair>,
}

/// Whether a token was emitted that the sink may answer with a content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Answerable {
    #[default]
    No,
    /// By both, and both had nothing else to do then.
    Both,
    /// By one of them, or something was done after it.
    Unclear,
}

/// What one more character, or the end, led to.
#[derive(Debug, Default)]
pub(super) struct FeedResult {
    pub(super) events: Vec<Event>,
    /// Tokens differ: whatever follows cannot mend it.
    pub(super) parted: bool,
    /// Tokens differ, but the difference is not out yet: whatever follows shows it.
    pub(super) doomed: bool,
    pub(super) asked: bool,
    pub(super) answerable: Answerable,
    pub(super) not_uniform: bool,
    pub(super) stuck: bool,
    pub(super) steps: [Vec<StepTaken>; 2],
}

/// For each register of numbers of a machine the first numbers of its intervals.
type Cuts = BTreeMap<u32, Vec<u32>>;

/// Two machines made ready to run side by side.
#[derive(Debug)]
pub(super) struct Product<'m> {
    pub(super) runners: [Runner<'m>; 2],
    pub(super) liveness: [Liveness; 2],
    first_sets: [FirstSets; 2],
    /// For each state whether it may go back to the place marked.
    pub(super) may_rewind: [Vec<bool>; 2],
    /// The states that each state register may hold.
    pub(super) state_registers: [BTreeMap<RegisterId, BTreeSet<StateId>>; 2],
    /// For each state the letters that may begin a word that a register is compared with; computed when first used.
    pub(super) word_starts: [OnceCell<Vec<BTreeSet<char>>>; 2],
    pub(super) name_kinds: OnceCell<NameKinds>,
    pub(super) situations: KindsOfSituations,
    pub(super) facts: [Facts; 2],
    pub(super) alphabet: Alphabet,
    pub(super) codes: Codes,
    /// Registers of both that have the same name.
    pub(super) named_alike: Vec<(usize, usize)>,
    /// For each register the first numbers of the intervals within which all numbers are alike.
    cuts: [Cuts; 2],
    /// The first number of each interval of a register that digits are added to, decimal and hexadecimal.
    pub(super) spelled: Vec<Vec<char>>,
    /// Whether the tables say what follows start tags.
    feedback: Feedback,
}

impl<'m> Product<'m> {
    /// For a search: of references that have the same outcome only one is known.
    pub(super) fn new(one: &'m Machine, other: &'m Machine) -> Self {
        let references = super::facts::representatives(one, other);
        Self::with(one, other, references, Feedback::Off)
    }

    /// For whole documents, in which all references may be and the tables may say what follows start tags.
    pub(super) fn for_documents(one: &'m Machine, other: &'m Machine, feedback: Feedback) -> Self {
        let references = [one, other].map(|machine| machine.references.clone());
        Self::with(one, other, references, feedback)
    }

    fn with(
        one: &'m Machine,
        other: &'m Machine,
        [left, right]: [Vec<(String, String)>; 2],
        feedback: Feedback,
    ) -> Self {
        let facts = [Facts::of(one), Facts::of(other)];
        let liveness = [Liveness::new(one), Liveness::new(other)];
        let named_alike = named_alike(one, other);
        let cuts = cuts(&facts, &named_alike);
        Self {
            state_registers: [one, other].map(states_in_registers),
            word_starts: Default::default(),
            name_kinds: OnceCell::new(),
            runners: [Runner::new(one, left), Runner::new(other, right)],
            first_sets: [
                FirstSets::new(one, &liveness[0]),
                FirstSets::new(other, &liveness[1]),
            ],
            may_rewind: [(0, one), (1, other)].map(|(side, machine): (usize, &Machine)| {
                let states = 0..machine.states.len() as u32;
                states
                    .map(|state| liveness[side].may_rewind(state))
                    .collect()
            }),
            situations: KindsOfSituations::default(),
            liveness,
            alphabet: Alphabet::new([&facts[0], &facts[1]]),
            codes: Codes::new(one, other),
            named_alike,
            spelled: spelled(&facts, &cuts),
            facts,
            cuts,
            feedback,
        }
    }

    /// The first numbers of the intervals of a register.
    pub(super) fn cuts(&self, register: RegisterPlace) -> &[u32] {
        let cuts = self.cuts[register.0].get(&(register.1 as u32));
        cuts.map_or(&[], Vec::as_slice)
    }

    /// The interval of a register that a number is in.
    pub(super) fn interval(&self, register: RegisterPlace, number: u32) -> usize {
        self.cuts(register)
            .partition_point(|&cut| cut <= number)
            .saturating_sub(1)
    }

    /// The first and last number of the interval of a register that a number is in.
    pub(super) fn bounds(&self, register: RegisterPlace, number: u32) -> (u32, u32) {
        let (interval, cuts) = (self.interval(register, number), self.cuts(register));
        let first = cuts.get(interval).copied().unwrap_or(0);
        let next = cuts.get(interval + 1).copied();
        (first, next.map_or(TOO_LARGE, |next| next - 1))
    }

    /// Whether two symbols are the same character whatever the letters are.
    pub(super) fn same(&self, one: Symbol, other: Symbol) -> bool {
        if one.is_code() || other.is_code() {
            return one.place == other.place;
        }
        one.c == other.c
            && (one.place == other.place && one.place != LITERAL
                || one.place == LITERAL && other.place == LITERAL
                || self.alphabet.is_single(one.c))
    }

    pub(super) fn live(&self, pair: &Pair, side: usize) -> Live {
        self.liveness[side].of(&pair.sides[side])
    }

    /// Goes on with more input. With `kinds` a digit stands for all of its kind.
    pub(super) fn feed(
        &self,
        pair: &mut Pair,
        more: &[char],
        ended: bool,
        answer: bool,
        kinds: Option<&Kinds>,
    ) -> FeedResult {
        pair.input.extend_from_slice(more);
        let known = KnownInput {
            characters: &pair.input,
            ended,
            answer: pair.answer.unwrap_or(answer),
            feedback: self.feedback,
            stands_for: kinds.map(|kinds| (kinds, &self.alphabet)),
        };
        let mut fed = FeedResult::default();
        let mut new: [Vec<Item>; 2] = Default::default();
        let mut answers = [Answerable::No; 2];
        for side in 0..2 {
            let mut out = StepOutput::default();
            let tried = self.runners[side].run(&mut pair.sides[side], &known, &mut out);
            fed.stuck |= tried == StepOutcome::Stuck || ended && tried == StepOutcome::Waits;
            fed.asked |= out.asked;
            fed.not_uniform |= out.not_uniform;
            let last = out.items.last().is_some_and(|item| match item {
                Item::Token(emitted) => emitted.step == pair.sides[side].steps,
                _ => false,
            });
            answers[side] = match (out.answerable, last) {
                (false, _) => Answerable::No,
                (true, true) => Answerable::Both,
                (true, false) => Answerable::Unclear,
            };
            new[side] = out.items;
            pair.errors[side].extend(out.errors);
            fed.steps[side] = out.steps;
        }
        if fed.asked {
            pair.answer = pair.answer.or(Some(answer));
        }
        fed.answerable = if answers[0] == answers[1] {
            answers[0]
        } else {
            Answerable::Unclear
        };
        let first = |steps: &[StepTaken]| steps.first().map(|step| step.taken);
        let last = |steps: &[StepTaken]| steps.last().map(|step| step.taken);
        let lasts = (last(&fed.steps[0]), last(&fed.steps[1]));
        let started = first(&fed.steps[0]).zip(first(&fed.steps[1]));
        let suspect = pair.suspect.or(started);
        let mut report = |kind| {
            let event = Event {
                kind,
                suspect,
                last: lasts,
            };
            if !fed.events.contains(&event) {
                fed.events.push(event);
            }
        };
        let (parted, moved) = self.compare_items(pair, new, ended);
        let doomed = !parted && !ended && self.is_doomed(pair);
        if parted || doomed {
            report(Kind::Tokens);
        } else if moved {
            report(Kind::Positions);
        }
        if self.compare_errors(pair, ended) {
            report(Kind::Errors);
        }
        fed.parted = parted || doomed;
        fed.doomed = doomed;
        fed
    }

    /// Matches what came out; whether tokens differ, and whether positions do.
    fn compare_items(&self, pair: &mut Pair, new: [Vec<Item>; 2], ended: bool) -> (bool, bool) {
        let mut queues: [VecDeque<Item>; 2] = Default::default();
        queues[pair.ahead] = std::mem::take(&mut pair.pending);
        for (queue, new) in queues.iter_mut().zip(new) {
            queue.extend(new);
        }
        let mut moved = false;
        loop {
            let same = match (queues[0].front(), queues[1].front()) {
                (Some(one), Some(other)) => match (one, other) {
                    (Item::Character(one), Item::Character(other)) => self.same(*one, *other),
                    (Item::RunEnd(a, b), Item::RunEnd(c, d)) => {
                        moved |= (a, b) != (c, d);
                        true
                    }
                    (Item::Token(one), Item::Token(other)) => {
                        moved |= one.span != other.span;
                        self.same_token(one, other)
                    }
                    _ => false,
                },
                (None, None) => break,
                _ if ended => false,
                _ => break,
            };
            if !same {
                return (true, moved);
            }
            queues.iter_mut().for_each(|queue| {
                queue.pop_front();
            });
        }
        let [left, right] = queues;
        pair.ahead = usize::from(left.is_empty());
        pair.pending = if left.is_empty() { right } else { left };
        (false, moved)
    }

    /// Whether the sides can no longer emit the same.
    fn is_doomed(&self, pair: &Pair) -> bool {
        let next = |side: usize| match pair.pending.front() {
            Some(item) if pair.ahead == side => emission(item),
            _ => self.first_sets[side].emissions(&self.liveness[side], &pair.sides[side]),
        };
        if next(0) & next(1) == 0 {
            return true;
        }
        let Some(Item::Token(wanted)) = pair.pending.front() else {
            return false;
        };
        let behind = 1 - pair.ahead;
        let same = |one, other| self.same(one, other);
        let (liveness, side) = (&self.liveness[behind], &pair.sides[behind]);
        !self.first_sets[behind].may_become(liveness, side, wanted, &same)
    }

    fn same_token(&self, one: &EmittedToken, other: &EmittedToken) -> bool {
        let kind = |side: usize, token: &EmittedToken| {
            let declared = &self.runners[side].machine.vocabulary.tokens;
            let declared = declared.get(token.token as usize);
            declared.and_then(|d| d.kinds.get(token.building.kind as usize))
        };
        let names = (
            kind(0, one).map(|k| &k.name),
            kind(1, other).map(|k| &k.name),
        );
        let fields = (&one.building.fields, &other.building.fields);
        names.0 == names.1
            && fields.0.len() == fields.1.len()
            && fields
                .0
                .iter()
                .zip(fields.1)
                .all(|pair| self.same_value(pair))
    }

    fn same_text(&self, one: &[Symbol], other: &[Symbol]) -> bool {
        one.len() == other.len() && one.iter().zip(other).all(|(&a, &b)| self.same(a, b))
    }

    fn same_value(&self, values: (&Value, &Value)) -> bool {
        match values {
            (Value::Text(one), Value::Text(other)) => self.same_text(one, other),
            (Value::Missing, Value::Missing) => true,
            (Value::Flag(one), Value::Flag(other)) => one == other,
            (Value::Attributes(one), Value::Attributes(other)) => {
                one.len() == other.len()
                    && one
                        .iter()
                        .zip(other)
                        .all(|((a, b), (c, d))| self.same_text(a, c) && self.same_text(b, d))
            }
            _ => false,
        }
    }

    /// Compares the errors at places where no more can come; whether any differ.
    fn compare_errors(&self, pair: &mut Pair, ended: bool) -> bool {
        let settled = (0..2).map(|side| {
            let held = &pair.sides[side];
            let marked = self.live(pair, side) & Liveness::MARK != 0;
            let mark = held.mark.filter(|_| marked);
            mark.map_or(held.place, |mark| mark.min(held.place))
        });
        let settled = if ended {
            u32::MAX
        } else {
            settled.min().unwrap_or(0)
        };
        let [ones, others] = &mut pair.errors;
        // What both have reported needs no waiting.
        ones.retain(|one| {
            let twin = others.iter().position(|other| {
                other.place == one.place && self.codes.agree(&[one.code], &[other.code])
            });
            twin.map(|index| others.remove(index)).is_none()
        });
        let mut differ = false;
        loop {
            let places = pair.errors.iter().flatten().map(|error| error.place);
            let Some(place) = places.min().filter(|&place| place < settled) else {
                return differ;
            };
            let mut here: [Vec<u32>; 2] = Default::default();
            for (errors, here) in pair.errors.iter_mut().zip(&mut here) {
                errors.retain(|error| {
                    let is_here = error.place == place;
                    here.extend(is_here.then_some(error.code));
                    !is_here
                });
            }
            differ |= !self.codes.agree(&here[0], &here[1]);
        }
    }
}

/// The intervals of the registers of two machines; registers of the same name share their bounds.
fn cuts(facts: &[Facts; 2], named_alike: &[(usize, usize)]) -> [Cuts; 2] {
    let mut cuts = facts.each_ref().map(|facts| facts.cuts.clone());
    let [ones, others] = &mut cuts;
    for &(left, right) in named_alike {
        if let Some(one) = ones.get_mut(&(left as u32))
            && let Some(other) = others.get_mut(&(right as u32))
        {
            one.extend(other.iter());
            other.clone_from(one);
        }
    }
    let listed = |cuts: BTreeMap<u32, BTreeSet<u32>>| {
        let cuts = cuts.into_iter();
        cuts.map(|(register, cuts)| (register, cuts.into_iter().collect()))
            .collect()
    };
    cuts.map(listed)
}

fn spelled(facts: &[Facts; 2], cuts: &[Cuts; 2]) -> Vec<Vec<char>> {
    let sides = facts.iter().zip(cuts);
    let of_digits = sides.flat_map(|(facts, cuts)| {
        let registers = facts.digits.iter();
        registers.filter_map(|register| cuts.get(register))
    });
    let numbers: BTreeSet<u32> = of_digits.flatten().copied().collect();
    let spelled = |number: u32| [format!("{number}"), format!("{number:X}")];
    let texts = numbers.into_iter().flat_map(spelled);
    texts.map(|text| text.chars().collect()).collect()
}

/// The registers of two machines that have the same name.
fn named_alike(one: &Machine, other: &Machine) -> Vec<(usize, usize)> {
    let twin = |name: &str| other.registers.iter().position(|r| r.name == name);
    let registers = one.registers.iter().enumerate();
    registers
        .filter_map(|(left, register)| Some((left, twin(&register.name)?)))
        .collect()
}
