//! What two states are run with: inputs that either tells from others, in cases that either asks about. A question
//! may depend on variables; worth trying is one value for each way in which the questions of both models can be
//! answered.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::charset::{CharSet, MAX};

use crate::facts::{Action, Body, Guard, State, Step, walk};
use crate::model::Model;

/// What a state is given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Event {
    /// The state is entered.
    Enter,
    Char(char),
    /// The input continues with this.
    Text(String),
    Eof,
    /// A state that consumes nothing runs.
    Run,
    Match,
    NoMatch,
}

/// Something that a question asks about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Var {
    Word(String),
    State(String),
    Text(String),
    Number(String),
    Kind(String),
    Boolean(String),
    LastMatched,
    Next,
    Name,
    Allowed,
    Caller,
}

/// A value of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Val {
    Bool(bool),
    Word(String),
    Char(char),
    Number(u32),
    /// No character; the end of the input.
    None,
    /// Not the name.
    Mismatch,
}

/// One value for each variable.
pub(crate) type Assignment = BTreeMap<Var, Val>;

/// The values of each variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domain(BTreeMap<Var, BTreeSet<Val>>);

/// No more combinations than this are tried.
const MAX_ASSIGNMENTS: usize = 60_000;

/// A word that no text or table uses.
pub(crate) const OTHER: &str = "\u{1}";

impl Domain {
    pub(crate) fn add(&mut self, var: Var, values: impl IntoIterator<Item = Val>) {
        self.0.entry(var).or_default().extend(values);
    }

    pub(crate) fn has(&self, var: &Var) -> bool {
        self.0.contains_key(var)
    }

    /// Keeps only values that can occur.
    pub(crate) fn restrict(&mut self, var: &Var, possible: &BTreeSet<Val>) {
        if let Some(values) = self.0.get_mut(var) {
            values.retain(|value| possible.contains(value));
        }
    }

    /// All questions of a state.
    fn ask_state(&mut self, state: &State) {
        self.ask_body(&state.body);
        for list in [&state.entry, &state.leaving] {
            self.ask_steps(list);
        }
    }

    fn ask_body(&mut self, body: &Body) {
        if let Body::Branch(guard, then, otherwise) = body {
            self.ask(guard);
            self.ask_body(then);
            self.ask_body(otherwise);
        } else {
            body.lists(&mut |steps| self.ask_steps(steps));
        }
    }

    fn ask_steps(&mut self, steps: &[Step]) {
        walk(steps, &mut |step| match step {
            Step::If(guard, ..) => self.ask(guard),
            Step::Do(Action::Replace(register)) => self.numbers(register, &[]),
            _ => {}
        });
    }

    fn numbers(&mut self, register: &str, ranges: &[(u32, u32)]) {
        let near = ranges.iter().flat_map(|&(a, b)| {
            [a.saturating_sub(1), a, b, b.saturating_add(1)].map(|n| n.min(MAX + 1))
        });
        let values = near.chain([u32::from(b'A'), MAX + 1]).map(Val::Number);
        self.add(Var::Number(register.to_owned()), values);
    }

    fn characters(&mut self, var: Var, sets: &[&CharSet]) {
        self.add(var, representatives(sets).into_iter().map(Val::Char));
    }

    fn ask(&mut self, guard: &Guard) {
        let both = [true, false].map(Val::Bool);
        let words = |words: &[String]| -> Vec<Val> {
            let other = OTHER.to_owned();
            words
                .iter()
                .cloned()
                .chain([other])
                .map(Val::Word)
                .collect()
        };
        match guard {
            Guard::True
            | Guard::CurrentIn(_)
            | Guard::NextIs(_)
            | Guard::Matched
            | Guard::AtEof
            | Guard::ReturnedNothing
            | Guard::ReturnedToken
            | Guard::InAttribute => {}
            Guard::Appropriate => self.add(boolean("appropriate"), both),
            Guard::StartTagEmitted => self.add(boolean("emitted"), both),
            Guard::Duplicate => self.add(boolean("duplicate"), both),
            Guard::HasAttributes => self.add(boolean("attributes"), both),
            Guard::LastConsumed(text) => self.add(boolean(&format!("last {text}")), both),
            Guard::Question(question) => self.add(boolean(&format!("question {question}")), both),
            Guard::FlagIs(flag) => self.add(boolean(&format!("flag {flag}")), both),
            Guard::NextAre(run, then) => self.add(next_are(run, then), both),
            Guard::TextIs {
                register, any_of, ..
            } => {
                let mut values = words(any_of);
                for word in any_of {
                    values.push(Val::Word(word.to_ascii_uppercase()));
                    values.push(Val::Word(word.to_ascii_lowercase()));
                }
                self.add(Var::Text(register.clone()), values);
            }
            Guard::WordIs(register, any_of) => self.add(Var::Word(register.clone()), words(any_of)),
            Guard::StateIs(register, any_of) => {
                self.add(Var::State(register.clone()), words(any_of));
            }
            Guard::KindIs(token, kind) => {
                self.add(Var::Kind(token.clone()), words(std::slice::from_ref(kind)));
            }
            Guard::Caller(callers) => self.add(Var::Caller, callers.iter().cloned().map(Val::Word)),
            Guard::NumberIn(register, ranges) => self.numbers(register, ranges),
            Guard::HasReplacement(register) => self.numbers(register, &[]),
            Guard::CurrentIsAllowed => self.add(Var::Allowed, [Val::None]),
            Guard::LastMatched(set) => self.characters(Var::LastMatched, &[set]),
            Guard::Next(set, _) => {
                self.characters(Var::Next, &[set]);
                self.add(Var::Next, [Val::None]);
            }
            Guard::NextIsName => self.add(Var::Name, [Val::Mismatch, Val::Char('\u{1}')]),
            Guard::NextIsNameThen(set, _) => {
                self.characters(Var::Name, &[set]);
                self.add(Var::Name, [Val::Mismatch, Val::None]);
            }
            Guard::Not(inner) => self.ask(inner),
            Guard::All(all) | Guard::Any(all) => all.iter().for_each(|guard| self.ask(guard)),
        }
    }

    /// All combinations.
    pub(crate) fn assignments(&self) -> Vec<Assignment> {
        let mut all = vec![Assignment::new()];
        for (var, values) in &self.0 {
            if all.len().saturating_mul(values.len().max(1)) > MAX_ASSIGNMENTS {
                break;
            }
            all = all
                .into_iter()
                .flat_map(|one| {
                    values.iter().map(move |value| {
                        let mut one = one.clone();
                        one.insert(var.clone(), value.clone());
                        one
                    })
                })
                .collect();
        }
        all
    }
}

/// A yes/no variable.
pub(crate) fn boolean(name: &str) -> Var {
    Var::Boolean(name.to_owned())
}

/// The variable of a look at a run of characters.
pub(crate) fn next_are(run: &CharSet, then: &CharSet) -> Var {
    boolean(&format!("{run} then {then}"))
}

/// Characters of which every set either has one or is told from the others by one: the ends of the ranges
/// and those beside them.
fn representatives(sets: &[&CharSet]) -> BTreeSet<char> {
    let mut found = BTreeSet::new();
    for set in sets {
        for &(first, last) in set.ranges() {
            for near in [first.wrapping_sub(1), first, last, last + 1] {
                found.extend(char::from_u32(near));
            }
        }
    }
    if found.is_empty() {
        found.insert('a');
    }
    found
}

/// What the questions of two states can be answered with.
pub(crate) fn domain(
    text: &Model<'_>,
    table: &Model<'_>,
    text_state: &State,
    table_state: &State,
) -> Domain {
    let mut domain = Domain::default();
    domain.ask_state(text_state);
    domain.ask_state(table_state);
    if text_state.inner {
        let callers = text
            .callers
            .iter()
            .map(|caller| Val::Word(caller.name.clone()));
        domain.add(Var::Caller, callers);
        for caller in &text.callers {
            domain.ask_steps(caller.steps);
        }
    }
    let asks = |state: &State| {
        let mut asks = false;
        state.body.lists(&mut |steps| {
            walk(steps, &mut |step| {
                asks |= matches!(step, Step::If(Guard::CurrentIsAllowed, ..))
            });
        });
        asks || matches!(&state.body, Body::Consume(c) if c.arms.iter().any(|arm| arm.allowed))
    };
    if asks(text_state) || asks(table_state) {
        domain.add(Var::Allowed, [Val::None]);
        for model in [text, table] {
            domain.add(Var::Allowed, model.allowed().iter().map(|c| Val::Char(*c)));
        }
    }
    domain
}

/// The inputs to try.
pub(crate) fn events(
    text_state: &State,
    table_state: &State,
    text: &Model<'_>,
    domain: &Domain,
) -> Vec<Event> {
    let mut events = Vec::new();
    if !table_state.inner {
        // Inner states have no names: their entry steps belong to the way there.
        events.push(Event::Enter);
    }
    let (mut sets, mut literals) = (Vec::new(), BTreeSet::new());
    let (mut consumes, mut matches, mut runs) = (false, false, false);
    for state in [text_state, table_state] {
        for body in state.body.branches() {
            match body {
                Body::Consume(consume) => {
                    consumes = true;
                    for arm in &consume.arms {
                        sets.push(arm.set.clone());
                        literals.extend(arm.literal.clone());
                    }
                }
                Body::Match { .. } => matches = true,
                _ => runs = true,
            }
        }
        state.steps(&mut |step| {
            if let Step::If(guard, ..) = step {
                guard.each(&mut |question| match question {
                    Guard::NextIs(literal) => {
                        literals.insert(literal.clone());
                    }
                    Guard::CurrentIn(set) => sets.push(set.clone()),
                    _ => {}
                });
            }
        });
    }
    if matches {
        events.extend([Event::Match, Event::NoMatch]);
    }
    if runs && !consumes && literals.is_empty() {
        events.push(Event::Run);
    }
    if consumes || !literals.is_empty() {
        sets.push(text.replaced_characters());
        sets.push(CharSet::from_ranges([(0x41, 0x5A), (0x61, 0x7A)]));
        if domain.has(&Var::Allowed) {
            sets.push(text.allowed().iter().copied().collect());
        }
        let sets: Vec<&CharSet> = sets.iter().collect();
        events.extend(representatives(&sets).into_iter().map(Event::Char));
        events.push(Event::Eof);
        for literal in literals {
            if literal.ignore_case || literal.text.chars().any(|c| c.is_ascii_alphabetic()) {
                events.push(Event::Text(literal.text.to_ascii_lowercase()));
                events.push(Event::Text(literal.text.to_ascii_uppercase()));
            }
            events.push(Event::Text(literal.text));
        }
    }
    events.dedup();
    events
}
