//! Two machines on the same input, and where what comes out of them parts.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use speclex_codegen::analyse::states_in_registers;
use speclex_codegen::machine::{
    Kind as DeclaredKind, Machine, RegisterId, StateId, StateKind, TOO_LARGE,
};

use super::base::Tries;
use super::beyond::{beyond, questions};
use super::facts::{
    Alphabet, Facts, Kinds, KindsOfSituations, KindsOfStates, NameKinds, is_sign, representatives,
};
use super::gap::Gap;
use super::liveness::{FirstSets, Live, Liveness, emission};
use super::runner::Runner;
use super::runner::configuration::{Configuration, FIRST, LITERAL, NUMBER, Symbol, Value};
use super::runner::steps::{
    EmittedToken, Item, KnownInput, Reported, StepOutcome, StepOutput, StepTaken, TakenPath,
};
use crate::error_comparison::ErrorComparison;

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

/// A place where what came out parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Event {
    pub(super) kind: Kind,
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
    /// What is tried next, if not all.
    pub(super) tries: Option<Rc<Tries>>,
}

impl Pair {
    /// Two machines before any input.
    pub(super) fn new(sides: [Configuration; 2], start: u16) -> Self {
        Self {
            sides,
            input: Vec::new(),
            answer: None,
            start,
            ahead: 0,
            pending: VecDeque::new(),
            errors: Default::default(),
            tries: None,
        }
    }

    /// A copy with room for more input.
    pub(super) fn with_room(&self, more: usize) -> Self {
        let mut input = Vec::with_capacity(self.input.len() + more);
        input.extend_from_slice(&self.input);
        Self {
            input,
            sides: self.sides.clone(),
            pending: self.pending.clone(),
            errors: self.errors.clone(),
            tries: None,
            ..*self
        }
    }
}

/// Whether a token was emitted that the sink may answer with a content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Answerable {
    #[default]
    No,
    /// By both, and both had nothing else to do then; whether it is a start tag.
    Both { is_start: bool },
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
    /// Whether questions were asked with something between them that came out, after which the sink may answer otherwise.
    pub(super) asked_apart: bool,
    pub(super) answerable: Answerable,
    pub(super) not_uniform: bool,
    /// Texts were compared that are not copied out of the same variables: that they are the same here may be chance.
    pub(super) by_chance: bool,
    /// Whether texts would begin at different places if no other stood before them.
    pub(super) texts_moved: bool,
    pub(super) stuck: bool,
    pub(super) steps: [Vec<StepTaken>; 2],
}

/// What a comparison of all that came out of both sides found.
#[derive(Default)]
struct Compared {
    /// Tokens differ.
    parted: bool,
    /// Positions do.
    moved: bool,
    texts_moved: bool,
}

/// For each register of numbers the first numbers of its intervals.
type Cuts = BTreeMap<u32, Vec<u32>>;

/// What all machines between two tables tell apart.
#[derive(Debug)]
pub(super) struct Model {
    /// Does what either table does.
    pub(super) machine: Machine,
    /// For each state whether it may go back to the place marked.
    pub(super) may_rewind: Vec<bool>,
    /// The states that each state register may hold.
    pub(super) state_registers: BTreeMap<RegisterId, BTreeSet<StateId>>,
    pub(super) kinds: KindsOfStates,
    pub(super) name_kinds: OnceCell<NameKinds>,
    pub(super) situations: KindsOfSituations,
    pub(super) facts: Facts,
    pub(super) alphabet: Alphabet,
    pub(super) compared: ErrorComparison,
    /// For each register the first numbers of the intervals within which all numbers are alike.
    cuts: Cuts,
    /// The first number of each interval of a register that digits are added to, decimal and hexadecimal.
    pub(super) spelled: Vec<Vec<char>>,
    /// Of references that have the same outcome only one is known.
    pub(super) names: Vec<String>,
    /// The states in which a table matches references.
    pub(super) matching: BTreeSet<u32>,
}

impl Model {
    /// The model of two tables, from a machine that does what either does.
    pub(super) fn new(machine: Machine, tables: [&Machine; 2], compared: ErrorComparison) -> Self {
        let facts = Facts::of(&machine);
        let matching: BTreeSet<u32> = tables.into_iter().flat_map(matching).collect();
        let listed = |(register, cuts): (&u32, &BTreeSet<u32>)| {
            (*register, cuts.iter().copied().collect::<Vec<u32>>())
        };
        let cuts: Cuts = facts.cuts.iter().map(listed).collect();
        let liveness = Liveness::new(&machine);
        let flow = &liveness.flow;
        let mut strings: BTreeSet<String> = BTreeSet::new();
        flow.beside_strings(&mut |node, _, rest| {
            let here = matching.contains(&flow.state(node));
            strings.extend(here.then(|| rest.to_ascii_lowercase()));
        });
        let names = representatives(&machine, &matching, &strings, tables, &facts);
        Self {
            may_rewind: liveness.may_rewind(),
            names,
            state_registers: states_in_registers(&machine),
            kinds: KindsOfStates::default(),
            name_kinds: OnceCell::new(),
            situations: KindsOfSituations::default(),
            alphabet: Alphabet::new(&facts),
            compared,
            spelled: spelled(&facts, &cuts),
            cuts,
            matching,
            facts,
            machine,
        }
    }

    /// The first numbers of the intervals of a register.
    pub(super) fn cuts(&self, register: usize) -> &[u32] {
        let cuts = self.cuts.get(&(register as u32));
        cuts.map_or(&[], Vec::as_slice)
    }

    /// The interval of a register that a number is in.
    pub(super) fn interval(&self, register: usize, number: u32) -> usize {
        self.cuts(register)
            .partition_point(|&cut| cut <= number)
            .saturating_sub(1)
    }

    /// Whether a number is the only one of its interval in some register.
    fn is_told_apart(&self, number: u32) -> bool {
        let mut cuts = self.cuts.values();
        cuts.any(|cuts| [number, number + 1].iter().all(|it| cuts.contains(it)))
    }

    /// The first and last number of the interval of a register that a number is in.
    pub(super) fn bounds(&self, register: usize, number: u32) -> (u32, u32) {
        let (interval, cuts) = (self.interval(register, number), self.cuts(register));
        let first = cuts.get(interval).copied().unwrap_or(0);
        let next = cuts.get(interval + 1).copied();
        (first, next.map_or(TOO_LARGE, |next| next - 1))
    }
}

/// A machine made ready to run beside another.
#[derive(Debug)]
pub(super) struct Side<'m> {
    pub(super) runner: Runner<'m>,
    pub(super) liveness: Liveness<'m>,
    beyond: OnceCell<BTreeSet<Gap>>,
    pub(super) questions: BTreeSet<u32>,
    first_sets: FirstSets,
}

impl<'m> Side<'m> {
    pub(super) fn new(machine: &'m Machine, model: &Model) -> Self {
        let liveness = Liveness::new(machine);
        let known = machine.references.iter();
        // Shorter names that one of these falls back on are names too.
        let known = known.filter(|(name, _)| model.names.iter().any(|it| it.starts_with(name)));
        Self {
            runner: Runner::new(machine, known.cloned().collect()),
            first_sets: FirstSets::new(&liveness.flow),
            beyond: OnceCell::new(),
            questions: questions(machine),
            liveness,
        }
    }

    /// What it does that the search does not follow. Finding that takes as long as many searches.
    pub(super) fn beyond(&self) -> &BTreeSet<Gap> {
        self.beyond.get_or_init(|| beyond(&self.liveness))
    }
}

/// Two machines made ready to run side by side.
pub(super) struct Product<'s, 'm> {
    pub(super) model: &'s Model,
    pub(super) sides: [&'s Side<'m>; 2],
}

impl Product<'_, '_> {
    /// Whether two symbols are the same character whatever the letters are: from the same place, or written.
    pub(super) fn same(&self, one: Symbol, other: Symbol) -> bool {
        if one.is_code() || other.is_code() {
            return one.place == other.place;
        }
        let is_written = one.place == LITERAL || other.place == LITERAL;
        one.c == other.c
            && (one.place == other.place || is_written && self.model.alphabet.is_single(one.c))
    }

    pub(super) fn live(&self, pair: &Pair, side: usize) -> Live {
        self.sides[side].liveness.of(&pair.sides[side])
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
            stands_for: kinds.map(|kinds| (kinds, &self.model.alphabet)),
        };
        let mut fed = FeedResult::default();
        let mut new: [Vec<Item>; 2] = Default::default();
        let mut answers = [Answerable::No; 2];
        let mut asked: Vec<usize> = Vec::new();
        for side in 0..2 {
            let mut out = StepOutput::default();
            let tried = self.sides[side]
                .runner
                .run(&mut pair.sides[side], &known, &mut out);
            fed.stuck |= tried == StepOutcome::Stuck || ended && tried == StepOutcome::Waits;
            let waiting = pair.pending.iter().filter(|_| pair.ahead == side);
            let waiting = waiting.count();
            asked.extend(out.asked.iter().map(|count| waiting + count));
            fed.not_uniform |= out.not_uniform;
            answers[side] = self.answerable(side, &pair.sides[side], &out);
            // Behind other text it does not matter where one begins.
            let is_first = pair.ahead != side || pair.pending.is_empty();
            for item in out.items.iter_mut().skip(usize::from(is_first)) {
                if let Item::Character(_, start) = item {
                    *start = None;
                }
            }
            new[side] = out.items;
            pair.errors[side].extend(out.errors);
            fed.steps[side] = out.steps;
        }
        fed.asked = !asked.is_empty();
        fed.asked_apart = asked.iter().any(|count| Some(count) != asked.first());
        if fed.asked {
            pair.answer = pair.answer.or(Some(answer));
        }
        fed.answerable = match answers[0] == answers[1] {
            true => answers[0],
            false => Answerable::Unclear,
        };
        let last = |steps: &[StepTaken]| steps.last().map(|step| step.taken);
        let last = (last(&fed.steps[0]), last(&fed.steps[1]));
        let mut report = |kind| {
            let event = Event { kind, last };
            if !fed.events.contains(&event) {
                fed.events.push(event);
            }
        };
        let by_chance = Cell::new(false);
        // Where a character of the input before this one stands, another may stand for which nothing else differs.
        let before = (pair.input.len() - more.len()) as u32;
        let is_known = |symbol: Symbol| symbol.place == LITERAL || symbol.place >= before;
        // A number is known if it is the only one of its interval.
        let out_of = |symbol: Symbol| match symbol.out_of {
            NUMBER if self.model.is_told_apart(symbol.c as u32) => 0,
            FIRST => 0,
            other => other,
        };
        let same = |index: usize, one: Symbol, other: Symbol| {
            let is_at_place = one.place == other.place && one.place != LITERAL;
            let is_chance = match is_at_place && one.is_as_read() && other.is_as_read() {
                true => false,
                false => {
                    let is_first = index == 0
                        && [one, other].iter().all(|it| it.out_of != FIRST)
                        && is_sign(one.c)
                        && self.model.alphabet.is_single(one.c);
                    let are_known = is_at_place || is_first || is_known(one) && is_known(other);
                    out_of(one) != out_of(other) || !are_known
                }
            };
            by_chance.set(by_chance.get() || is_chance);
            self.same(one, other)
        };
        let compared = self.compare_items(pair, new, ended, &same);
        fed.by_chance = by_chance.get();
        fed.texts_moved = compared.texts_moved;
        let doomed = !compared.parted && !ended && self.is_doomed(pair);
        if compared.parted || doomed {
            report(Kind::Tokens);
        } else if compared.moved {
            report(Kind::Positions);
        }
        if self.compare_errors(pair, ended) {
            report(Kind::Errors);
        }
        fed.parted = compared.parted || doomed;
        fed.doomed = doomed;
        fed
    }

    /// Whether a side has emitted a token that the sink may answer, and has done nothing else then.
    fn answerable(&self, side: usize, held: &Configuration, out: &StepOutput) -> Answerable {
        let last = match out.items.last() {
            Some(Item::Token(emitted)) if emitted.step == held.steps => self.kind(side, emitted),
            _ => None,
        };
        match (out.answerable, last.filter(|kind| kind.answers)) {
            (0, _) => Answerable::No,
            (1, Some(kind)) => Answerable::Both {
                is_start: kind.is_start_tag,
            },
            _ => Answerable::Unclear,
        }
    }

    /// The steps of the first machine after a token that both emit at the end of the input, whatever the sink answers;
    /// `None` unless they do the same.
    pub(super) fn answers_end_alike(
        &self,
        pair: &Pair,
        kinds: &Kinds,
        answer: bool,
    ) -> Option<Vec<StepTaken>> {
        let there = self.answered_at_end(pair, kinds, answer)?;
        let machines = self.sides.map(|side| side.runner.machine);
        let mut all = Vec::new();
        for (_, content) in machines[0].contents() {
            let mut entered = there.clone();
            if !(0..2).all(|side| entered.sides[side].enter(machines[side], content)) {
                continue;
            }
            let fed = self.feed(&mut entered, &[], true, answer, Some(kinds));
            let is_unclear = fed.by_chance || fed.not_uniform || fed.stuck || fed.texts_moved;
            if !fed.events.is_empty() || fed.answerable != Answerable::No || is_unclear {
                return None;
            }
            let [steps, _] = fed.steps;
            all.extend(steps);
        }
        Some(all)
    }

    /// Two machines at the end of the input when both have emitted a token that the sink may answer; `None` if they do not get
    /// there together, emit another one then, or one of them is at its end.
    fn answered_at_end(&self, pair: &Pair, kinds: &Kinds, answer: bool) -> Option<Pair> {
        let known = KnownInput {
            characters: &pair.input,
            ended: true,
            answer,
            stands_for: Some((kinds, &self.model.alphabet)),
        };
        let mut there = pair.with_room(0);
        let mut new: [Vec<Item>; 2] = Default::default();
        for (side, new) in new.iter_mut().enumerate() {
            let (runner, held) = (&self.sides[side].runner, &mut there.sides[side]);
            let mut out = StepOutput::default();
            while out.answerable == 0 && runner.step(held, &known, &mut out) == StepOutcome::Ran {}
            let mut then = StepOutput::default();
            runner.run(&mut held.clone(), &known, &mut then);
            let answerable = self.answerable(side, held, &out);
            if !matches!(answerable, Answerable::Both { .. })
                || then.answerable > 0
                || held.state.is_none()
            {
                return None;
            }
            there.errors[side].extend(out.errors);
            *new = out.items;
        }
        let same = |_, one, other| self.same(one, other);
        let compared = self.compare_items(&mut there, new, false, &same);
        (!compared.parted).then_some(there)
    }

    /// Matches what came out.
    fn compare_items(
        &self,
        pair: &mut Pair,
        new: [Vec<Item>; 2],
        ended: bool,
        same: &dyn Fn(usize, Symbol, Symbol) -> bool,
    ) -> Compared {
        let mut queues: [VecDeque<Item>; 2] = Default::default();
        queues[pair.ahead] = std::mem::take(&mut pair.pending);
        for (queue, new) in queues.iter_mut().zip(new) {
            queue.extend(new);
        }
        let mut compared = Compared::default();
        loop {
            let same = match (queues[0].front(), queues[1].front()) {
                (Some(one), Some(other)) => match (one, other) {
                    (Item::Character(one, start), Item::Character(other, begin)) => {
                        let starts = start.zip(*begin);
                        compared.texts_moved |= starts.is_some_and(|(a, b)| a != b);
                        same(1, *one, *other)
                    }
                    (Item::RunEnd(a, b), Item::RunEnd(c, d)) => {
                        compared.moved |= (a, b) != (c, d);
                        true
                    }
                    (Item::Token(one), Item::Token(other)) => {
                        compared.moved |= one.span != other.span;
                        self.same_token(one, other, same)
                    }
                    _ => false,
                },
                (None, None) => break,
                _ if ended => false,
                _ => break,
            };
            if !same {
                compared.parted = true;
                return compared;
            }
            queues.iter_mut().for_each(|queue| {
                queue.pop_front();
            });
        }
        let [left, right] = queues;
        pair.ahead = usize::from(left.is_empty());
        pair.pending = if left.is_empty() { right } else { left };
        compared
    }

    /// Whether the sides can no longer emit the same.
    fn is_doomed(&self, pair: &Pair) -> bool {
        let next = |side: usize| match pair.pending.front() {
            Some(item) if pair.ahead == side => emission(item),
            _ => {
                let known = self.sides[side];
                let flow = &known.liveness.flow;
                known.first_sets.emissions(flow, &pair.sides[side])
            }
        };
        if next(0) & next(1) == 0 {
            return true;
        }
        let Some(Item::Token(wanted)) = pair.pending.front() else {
            return false;
        };
        let behind = 1 - pair.ahead;
        let same = |one, other| self.same(one, other);
        let (known, side) = (self.sides[behind], &pair.sides[behind]);
        !known
            .first_sets
            .may_become(&known.liveness.flow, side, wanted, &same)
    }

    /// Which kind of token came out of a side.
    fn kind(&self, side: usize, token: &EmittedToken) -> Option<&DeclaredKind> {
        let declared = &self.sides[side].runner.machine.vocabulary.tokens;
        let declared = declared.get(token.token as usize)?;
        declared.kinds.get(token.building.kind as usize)
    }

    fn same_token(
        &self,
        one: &EmittedToken,
        other: &EmittedToken,
        same: &dyn Fn(usize, Symbol, Symbol) -> bool,
    ) -> bool {
        let names = (
            self.kind(0, one).map(|kind| &kind.name),
            self.kind(1, other).map(|kind| &kind.name),
        );
        let fields = (&one.building.fields, &other.building.fields);
        names.0 == names.1
            && fields.0.len() == fields.1.len()
            && fields
                .0
                .iter()
                .zip(fields.1)
                .all(|pair| same_value(pair, same))
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
                other.place == one.place && self.model.compared.agree(&[one.code], &[other.code])
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
            differ |= !self.model.compared.agree(&here[0], &here[1]);
        }
    }
}

/// Whether two values are the same, by their characters.
fn same_value(values: (&Value, &Value), same: &dyn Fn(usize, Symbol, Symbol) -> bool) -> bool {
    let same_text = |one: &[Symbol], other: &[Symbol]| {
        one.len() == other.len()
            && (0..)
                .zip(one.iter().zip(other))
                .all(|(index, (&a, &b))| same(index, a, b))
    };
    match values {
        (Value::Text(one), Value::Text(other)) => same_text(one, other),
        (Value::Missing, Value::Missing) => true,
        (Value::Flag(one), Value::Flag(other)) => one == other,
        (Value::Attributes(one), Value::Attributes(other)) => {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len()
                && pairs.all(|((a, b), (c, d))| same_text(a, c) && same_text(b, d))
        }
        _ => false,
    }
}

/// The states in which a table matches references.
fn matching(table: &Machine) -> impl Iterator<Item = u32> {
    let states = (0..).zip(&table.states);
    let matching = states.filter(|(_, state)| matches!(state.kind, StateKind::Match { .. }));
    matching.map(|(id, _)| id)
}

fn spelled(facts: &Facts, cuts: &Cuts) -> Vec<Vec<char>> {
    let of_digits = facts
        .digits
        .iter()
        .filter_map(|register| cuts.get(register));
    let numbers: BTreeSet<u32> = of_digits.flatten().copied().collect();
    let spelled = |number: u32| [format!("{number}"), format!("{number:X}")];
    let texts = numbers.into_iter().flat_map(spelled);
    texts.map(|text| text.chars().collect()).collect()
}
