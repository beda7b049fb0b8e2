//! What the answer to a question may depend on, and the values worth trying: one for each way in which the
//! questions of both sides can be answered.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::charset::{CharSet, MAX};

use super::facts::{Act, Body, Cond, State, Step, walk};

/// Something that a question asks about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Var {
    Word(String),
    State(String),
    Text(String),
    Number(String),
    Kind(String),
    Yes(String),
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
const MOST: usize = 60_000;

/// A word that no text or table uses.
const OTHER: &str = "\u{1}";

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
    pub(crate) fn ask_state(&mut self, state: &State) {
        self.ask_body(&state.body);
        for list in [&state.entry, &state.leaving] {
            self.ask_steps(list);
        }
    }

    fn ask_body(&mut self, body: &Body) {
        if let Body::Branch(cond, then, otherwise) = body {
            self.ask(cond);
            self.ask_body(then);
            self.ask_body(otherwise);
        } else {
            body.lists(&mut |steps| self.ask_steps(steps));
        }
    }

    pub(crate) fn ask_steps(&mut self, steps: &[Step]) {
        walk(steps, &mut |step| match step {
            Step::If(cond, ..) => self.ask(cond),
            Step::Do(Act::Replace(register)) => self.numbers(register, &[]),
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

    fn ask(&mut self, cond: &Cond) {
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
        match cond {
            Cond::True
            | Cond::CurrentIn(_)
            | Cond::NextIs(_)
            | Cond::Matched
            | Cond::AtEof
            | Cond::ReturnedNothing
            | Cond::ReturnedToken
            | Cond::InAttribute => {}
            Cond::Appropriate => self.add(yes("appropriate"), both),
            Cond::StartTagEmitted => self.add(yes("emitted"), both),
            Cond::Duplicate => self.add(yes("duplicate"), both),
            Cond::HasAttributes => self.add(yes("attributes"), both),
            Cond::LastConsumed(text) => self.add(yes(&format!("last {text}")), both),
            Cond::Question(question) => self.add(yes(&format!("question {question}")), both),
            Cond::FlagIs(flag) => self.add(yes(&format!("flag {flag}")), both),
            Cond::NextAre(run, then) => self.add(next_are(run, then), both),
            Cond::TextIs {
                register, any_of, ..
            } => {
                let mut values = words(any_of);
                for word in any_of {
                    values.push(Val::Word(word.to_ascii_uppercase()));
                    values.push(Val::Word(word.to_ascii_lowercase()));
                }
                self.add(Var::Text(register.clone()), values);
            }
            Cond::WordIs(register, any_of) => self.add(Var::Word(register.clone()), words(any_of)),
            Cond::StateIs(register, any_of) => {
                self.add(Var::State(register.clone()), words(any_of));
            }
            Cond::KindIs(token, kind) => {
                self.add(Var::Kind(token.clone()), words(std::slice::from_ref(kind)));
            }
            Cond::Caller(callers) => self.add(Var::Caller, callers.iter().cloned().map(Val::Word)),
            Cond::NumberIn(register, ranges) => self.numbers(register, ranges),
            Cond::HasReplacement(register) => self.numbers(register, &[]),
            Cond::CurrentIsAllowed => self.add(Var::Allowed, [Val::None]),
            Cond::LastMatched(set) => self.characters(Var::LastMatched, &[set]),
            Cond::Next(set, _) => {
                self.characters(Var::Next, &[set]);
                self.add(Var::Next, [Val::None]);
            }
            Cond::NextIsName => self.add(Var::Name, [Val::Mismatch, Val::Char('\u{1}')]),
            Cond::NextIsNameThen(set, _) => {
                self.characters(Var::Name, &[set]);
                self.add(Var::Name, [Val::Mismatch, Val::None]);
            }
            Cond::Not(inner) => self.ask(inner),
            Cond::All(all) | Cond::Any(all) => all.iter().for_each(|cond| self.ask(cond)),
        }
    }

    /// All combinations.
    pub(crate) fn assignments(&self) -> Vec<Assignment> {
        let mut all = vec![Assignment::new()];
        for (var, values) in &self.0 {
            if all.len().saturating_mul(values.len().max(1)) > MOST {
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
pub(crate) fn yes(name: &str) -> Var {
    Var::Yes(name.to_owned())
}

/// The variable of a look at a run of characters.
pub(crate) fn next_are(run: &CharSet, then: &CharSet) -> Var {
    yes(&format!("{run} then {then}"))
}

/// Characters of which every set either has one or is told from the others by one: the ends of the ranges
/// and those beside them.
pub(crate) fn representatives(sets: &[&CharSet]) -> BTreeSet<char> {
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
