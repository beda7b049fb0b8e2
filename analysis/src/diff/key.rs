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

impl Model {
    /// Whether something of a machine may be read yet. After the actions of a step that waits it may be anything. A token that
    /// came out is created anew before it comes out again.
    pub(super) fn is_live(&self, at: &Running<'_>, variable: Variable) -> bool {
        let Some(state) = at.state() else {
            return false;
        };
        let is_done =
            matches!(variable, Variable::Token(token) if at.watched().emitted.contains(&token));
        let live = self.live.get(state.0 as usize);
        !is_done && (at.waiting().is_some() || live.is_some_and(|it| it.contains(&variable)))
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
        if tried.is_some_and(|tried| tried.counts || tried.matches) {
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

    /// Characters that are not consumed yet: all if they begin a string or a name, of others the last one.
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
        let literals = match self.machine.states.get(state).map(|state| &state.kind) {
            Some(StateKind::Consume(consume)) => consume.literals.as_slice(),
            _ => &[],
        };
        let is_name = self.tried.get(state).is_some_and(|tried| tried.matches)
            && self.names.iter().any(|name| name.starts_with(&unread));
        if is_name || literals.iter().any(|literal| begins(&literal.text)) {
            let folded = |c: char| if is_name { c } else { c.to_ascii_lowercase() };
            key.extend(unread.chars().map(folded).map(u32::from));
        } else {
            key.push(unread.chars().count().min(2) as u32);
            key.push(self.alphabet.class(last));
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
        let places = [one, other].map(|at| {
            let emitted = at.emitted().max(at.offset());
            [
                at.offset(),
                at.token_start(),
                emitted,
                at.mark().unwrap_or(u64::MAX),
            ]
        });
        let places = places[0].iter().zip(&places[1]);
        key.extend(places.map(|(one, other)| u32::from(one != other) + u32::from(one > other)));
        key.push((one.matched_name() != other.matched_name()).into());
        let is_live = |variable| [one, other].iter().any(|at| self.is_live(at, variable));
        if is_live(Variable::LastStartTag) {
            key.push((one.last_start_tag() != other.last_start_tag()).into());
        }
        for register in self
            .registers()
            .filter(|it| is_live(Variable::Register(*it)))
        {
            key.push((one.register(register) != other.register(register)).into());
        }
        for token in self.tokens().filter(|it| is_live(Variable::Token(*it))) {
            key.push((one.kind(token) != other.kind(token)).into());
            let current = |at: &Running<'_>| at.current_attribute(token).is_some();
            key.push((current(one) != current(other)).into());
            let fields = one.fields(token).iter().zip(other.fields(token));
            key.extend(fields.map(|(one, other)| u32::from(one != other)));
        }
        let ahead = ahead(one.output(), other.output());
        key.extend(ahead.map_or([END; 2], |it| it.map(|units| units.min(MANY) as u32)));
        let spans = |output: &Output| output.tokens.last().map(|last| last.span.clone());
        key.push((spans(one.output()) != spans(other.output())).into());
        let [ours, theirs] = [one, other].map(|it| it.output().errors.as_slice());
        key.push((!self.same_errors(ours, theirs)).into());
        key.push(u32::from(ours.len() != theirs.len()) + u32::from(ours.len() > theirs.len()));
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

/// How many characters and tokens each of two machines is ahead, which may not have finished; `None` where they are not the same,
/// whatever follows.
pub(super) fn ahead(one: &Output, other: &Output) -> Option<[usize; 2]> {
    let (mut one, mut other) = (units(one), units(other));
    loop {
        match (one.next(), other.next()) {
            (Some(one), Some(other)) if one != other => return None,
            (Some(_), Some(_)) => {}
            (None, None) => return Some([0, 0]),
            (Some(_), None) => return Some([1 + one.count(), 0]),
            (None, Some(_)) => return Some([0, 1 + other.count()]),
        }
    }
}
