//! What two machines will do from here on, in short: the hunt follows one of those that have the same key.
//!
//! Of each machine a key has all that decides which arms are next: the state, registers, what words and names may become, what
//! was read ahead. Of strings that only come out it has how those of the two machines stand to each other. To take two situations
//! for the same wrongly costs a witness, no more.

use speclex_codegen::machine::{RegisterId, StateKind, TokenId};
use speclex_codegen::uses::Variable;

use super::facts::{Words, overlap};
use super::model::{Model, Running};
use super::replay::first_place;
use crate::interpreter::RegisterValue;
use crate::token::{Emitted, Output, ParseError, Token, Value};

/// A key under construction.
pub(super) type Key = Vec<u32>;

const END: u32 = u32::MAX;

/// Counts beyond this are all the same.
const MANY: usize = 3;

/// How what came out of two machines stands to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outputs {
    Same,
    /// How many tokens and characters one side is ahead.
    Ahead(u32, usize, usize),
    /// Whatever follows, they are not the same.
    Parted,
}

impl Model {
    /// Whether something of a machine may be read yet. Behind the actions of a step that waits it may be anything. A token that
    /// came out is created anew before it comes out again.
    pub(super) fn is_live(&self, at: &Running<'_>, variable: Variable) -> bool {
        let Some(state) = at.state() else {
            return false;
        };
        let (is_done, liveness) = match variable {
            Variable::Token(token) => (at.watched().emitted.contains(&token), &self.direct),
            Variable::LastStartTag => (false, &self.direct),
            _ => (false, &self.liveness),
        };
        !is_done && (at.waiting().is_some() || liveness.is_live(state.0, variable))
    }

    pub(super) fn tokens(&self) -> impl Iterator<Item = TokenId> {
        (0..self.machine.vocabulary.tokens.len() as u32).map(TokenId)
    }

    fn registers(&self) -> impl Iterator<Item = RegisterId> {
        (0..self.machine.registers.len() as u32).map(RegisterId)
    }

    /// Adds what decides what the machine does next.
    pub(super) fn add_machine(&self, at: &Running<'_>, key: &mut Key) {
        key.push(at.state().map_or(END, |state| state.0));
        if let Some((_, consumed)) = at.waiting() {
            key.push(consumed as u32);
            key.extend(at.consumed(1).map(|c| self.alphabet.class(c)));
        }
        self.add_unread(at, key);
        key.push(END);
        if let Some(since) = at.since_mark() {
            key.push(since.min(MANY) as u32);
            key.extend(at.consumed(since).last().map(|c| self.alphabet.class(c)));
        }
        let longest = self.facts.behind.iter().map(String::len).max();
        let mut last: Vec<char> = at.consumed(longest.unwrap_or(0)).collect();
        last.reverse();
        let behind = self.facts.behind.iter();
        key.extend(behind.map(|text| overlap(text, &last)));
        let tried = at
            .state()
            .and_then(|state| self.tried.get(state.0 as usize));
        let counts = tried.is_some_and(|tried| tried.counts);
        for register in self.registers() {
            key.push(END);
            if self.is_live(at, Variable::Register(register)) {
                self.add_register(at, register, counts, key);
            }
        }
        if at.waiting().is_some() {
            let last = at.matched_name().and_then(|name| name.chars().next_back());
            key.extend(last.map(|c| self.alphabet.class(c)));
        }
        // In a reference only the state to return to matters, not what the reference stands in.
        if tried.is_some_and(|tried| tried.in_reference) {
            return;
        }
        let start_tags = self.is_live(at, Variable::LastStartTag);
        key.push(at.last_start_tag().filter(|_| start_tags).is_some().into());
        for token in self.tokens() {
            key.push(END);
            if self.is_live(at, Variable::Token(token)) {
                self.add_token(at, token, start_tags, key);
            }
        }
    }

    /// Characters that are not consumed yet: how much of which string or name they are; of others the last one.
    fn add_unread(&self, at: &Running<'_>, key: &mut Key) {
        let unread: String = at.unread().collect();
        let Some(last) = unread.chars().next_back() else {
            return;
        };
        let begins = |text: &str| {
            let start = text.get(..unread.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(&unread))
        };
        let state = at.state().map_or(0, |state| state.0 as usize);
        let matches = self.tried.get(state).is_some_and(|tried| tried.matches);
        let state = self.machine.states.get(state);
        let literals = match state.map(|state| &state.kind) {
            Some(StateKind::Consume(consume)) => consume.literals.as_slice(),
            _ => &[],
        };
        let literal = literals.iter().position(|literal| begins(&literal.text));
        if let Some(literal) = literal {
            key.extend([literal as u32, unread.len() as u32]);
        } else if !matches || at.waiting().is_some() {
            key.push(unread.chars().count().min(2) as u32);
            key.push(self.alphabet.class(last));
        } else if self.names.iter().any(|name| name.starts_with(&unread)) {
            key.extend(unread.chars().map(u32::from));
        }
    }

    /// The exact number counts if it is a counter, or where digits are added to it.
    fn add_register(&self, at: &Running<'_>, register: RegisterId, counts: bool, key: &mut Key) {
        match at.register(register) {
            Some(RegisterValue::Small(value)) => key.push(value),
            Some(RegisterValue::Number(number))
                if counts || self.facts.counted.contains(&register.0) =>
            {
                key.push(self.interval(register, number));
            }
            Some(RegisterValue::Number(number)) => key.push(number.min(2)),
            Some(RegisterValue::Text(text)) => {
                key.push(text.chars().count().min(2) as u32);
                let words = self.facts.words.iter();
                let words = words.filter(|words| words.register == register.0);
                key.extend(words.map(|words| progress(text, words)));
            }
            None => {}
        }
    }

    /// The interval of a register that a number is in.
    fn interval(&self, register: RegisterId, number: u32) -> u32 {
        let cuts = self.facts.cuts.get(&register.0);
        cuts.map_or(0, |cuts| cuts.range(..=number).count() as u32)
    }

    fn add_token(&self, at: &Running<'_>, token: TokenId, start_tags: bool, key: &mut Key) {
        key.push(at.kind(token).unwrap_or(END));
        for value in at.fields(token) {
            key.push(match value {
                Value::Missing => END,
                Value::Text(text) => u32::from(!text.is_empty()),
                Value::Flag(set) => u32::from(*set),
                Value::Attributes(all) => all.len().min(2) as u32,
            });
        }
        if let Some((name, value)) = at.current_attribute(token) {
            key.extend([!name.is_empty(), !value.is_empty()].map(u32::from));
            let earlier = at.attribute_names(token).map(|names| names.earlier);
            let earlier = earlier.unwrap_or_default();
            let rests = earlier
                .iter()
                .filter_map(|it| it.strip_prefix(name.as_str()));
            key.push(rests.fold(0, |all, rest| all | if rest.is_empty() { 2 } else { 1 }));
        }
        if let Some(last) = at.last_start_tag().filter(|_| start_tags) {
            let name: Vec<char> = at.name(token).unwrap_or_default().chars().collect();
            let rest = last.strip_prefix(name.as_slice());
            key.push(rest.map_or(END, |rest| rest.len() as u32));
        }
    }

    /// Adds how two machines stand to each other; whether they do not differ in anything.
    pub(super) fn add_relation(&self, [one, other]: [&Running<'_>; 2], key: &mut Key) -> bool {
        let before = key.len();
        let order = |one: u64, other: u64| match one.cmp(&other) {
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Greater => 2,
        };
        key.push(order(one.offset(), other.offset()));
        key.push(order(one.token_start(), other.token_start()));
        key.push(order(
            one.emitted().max(one.offset()),
            other.emitted().max(other.offset()),
        ));
        let is_live = |variable| [one, other].iter().any(|at| self.is_live(at, variable));
        if is_live(Variable::Mark) {
            let [ours, theirs] = [one, other].map(|at| at.mark().unwrap_or(u64::MAX));
            key.push(order(ours, theirs));
        }
        if is_live(Variable::Matched) {
            key.push((one.matched_name() != other.matched_name()).into());
        }
        if is_live(Variable::LastStartTag) {
            key.push((one.last_start_tag() != other.last_start_tag()).into());
        }
        for register in self
            .registers()
            .filter(|it| is_live(Variable::Register(*it)))
        {
            key.push(match (one.register(register), other.register(register)) {
                (Some(RegisterValue::Text(one)), Some(RegisterValue::Text(other))) => {
                    compared(one, other)
                }
                (one, other) => (one != other).into(),
            });
        }
        for token in self.tokens().filter(|it| is_live(Variable::Token(*it))) {
            key.push((one.kind(token) != other.kind(token)).into());
            let current = |at: &Running<'_>| at.current_attribute(token).is_some();
            key.push((current(one) != current(other)).into());
            for (one, other) in one.fields(token).iter().zip(other.fields(token)) {
                add_values(one, other, key);
            }
        }
        match outputs(one.output(), other.output()) {
            Outputs::Same => key.push(0),
            Outputs::Ahead(side, tokens, characters) => {
                key.extend([
                    1 + side,
                    tokens.min(MANY) as u32,
                    characters.min(MANY) as u32,
                ]);
            }
            Outputs::Parted => key.push(END),
        }
        let spans = |output: &Output| output.tokens.last().map(|last| last.span.clone());
        key.push((spans(one.output()) != spans(other.output())).into());
        let [ours, theirs] = [one, other].map(|it| it.output().errors.as_slice());
        key.push((!self.same_errors(ours, theirs)).into());
        key.push(order(ours.len() as u64, theirs.len() as u64));
        key[before..].iter().all(|part| *part == 0)
    }

    fn same_errors(&self, one: &[ParseError], other: &[ParseError]) -> bool {
        let sorted = |errors: &[ParseError]| {
            let mut errors = errors.to_vec();
            errors.sort_by_key(|error| error.offset);
            errors
        };
        one == other || first_place(&sorted(one), &sorted(other), self.compared).is_none()
    }
}

fn add_values(one: &Value, other: &Value, key: &mut Key) {
    let part = match (one, other) {
        (Value::Text(one), Value::Text(other)) => compared(one, other),
        (Value::Attributes(ones), Value::Attributes(others)) => {
            if let (Some(one), Some(other)) = (ones.last(), others.last()) {
                key.push(compared(&one.0, &other.0));
                key.push(compared(&one.1, &other.1));
            }
            let before = |all: &[(String, String)]| all.len().saturating_sub(1);
            let is_same =
                ones.len() == others.len() && ones[..before(ones)] == others[..before(others)];
            (!is_same).into()
        }
        (one, other) => (one != other).into(),
    };
    key.push(part);
}

/// How a text stands to another: the same, a beginning of it, begins with it, or another.
fn compared(one: &str, other: &str) -> u32 {
    match () {
        () if one == other => 0,
        () if other.starts_with(one) => 1 + u32::from(one.is_empty()),
        () if one.starts_with(other) => 3 + u32::from(other.is_empty()),
        () => 5,
    }
}

/// How far a text has got in the words that it is compared with.
fn progress(text: &str, words: &Words) -> u32 {
    let begins = |word: &&String| match (word.get(..text.len()), words.ignore_case) {
        (Some(start), true) => start.eq_ignore_ascii_case(text),
        (Some(start), false) => start == text,
        (None, _) => false,
    };
    let found = (1u32..).zip(&words.words).find(|(_, word)| begins(word));
    found.map_or(0, |(index, _)| index << 16 | text.len() as u32)
}

/// A character or a token that came out.
#[derive(PartialEq)]
enum Unit<'o> {
    Character(char),
    Token(&'o Token),
}

fn units(output: &Output) -> impl Iterator<Item = Unit<'_>> {
    output.tokens.iter().flat_map(|Emitted { token, .. }| {
        let (text, token) = match token {
            Token::Characters(text) => (text.as_str(), None),
            token => ("", Some(Unit::Token(token))),
        };
        text.chars().map(Unit::Character).chain(token)
    })
}

/// Compares the output of two machines that may not have finished.
pub(super) fn outputs(one: &Output, other: &Output) -> Outputs {
    let mut all = [units(one), units(other)];
    loop {
        let [one, other] = &mut all;
        let (side, first) = match (one.next(), other.next()) {
            (None, None) => return Outputs::Same,
            (Some(one), Some(other)) if one == other => continue,
            (Some(_), Some(_)) => return Outputs::Parted,
            (Some(first), None) => (0, first),
            (None, Some(first)) => (1, first),
        };
        let rest = [first].into_iter().chain(&mut all[side as usize]);
        let is_token = |unit: Unit<'_>| matches!(unit, Unit::Token(_));
        let (tokens, characters): (Vec<bool>, Vec<bool>) = rest.map(is_token).partition(|it| *it);
        return Outputs::Ahead(side, tokens.len(), characters.len());
    }
}
