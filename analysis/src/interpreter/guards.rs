//! Questions.

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::Guard;

use super::fault::{Fault, dangling};
use super::input::Next;
use super::registers::Register;
use super::{Host, Interpreter, Step};
use crate::token::Value;

/// The answer to a question; `None` while it depends on input that has not come yet.
type Decision = Result<Option<bool>, Fault>;

fn equals(text: &str, other: &str, ignore_case: bool) -> bool {
    if ignore_case {
        text.eq_ignore_ascii_case(other)
    } else {
        text == other
    }
}

impl<H: Host> Interpreter<'_, H> {
    /// Whether a guard holds.
    pub(super) fn holds(&mut self, guard: &Guard, step: &Step<'_>) -> Decision {
        let decided = match guard {
            Guard::Not(guard) => return Ok(self.holds(guard, step)?.map(|holds| !holds)),
            Guard::All(guards) => return self.all_are(guards, true, step),
            Guard::Any(guards) => {
                let none_holds = self.all_are(guards, false, step)?;
                return Ok(none_holds.map(|none_holds| !none_holds));
            }
            Guard::NextIn { set, eof } => return Ok(self.next_in(self.place, set, *eof)),
            Guard::NextAre { run, then } => return Ok(self.next_are(guard, run, then)),
            Guard::NextIsLastStartTag { followed_by, eof } => {
                return Ok(self.next_is_last_start_tag(guard, followed_by, *eof));
            }
            Guard::AppropriateEndTag(token) => {
                let name = self.tokens.get(*token)?.name();
                match (&self.last_start_tag, name) {
                    (Some(last), Some(name)) => last.iter().copied().eq(name.chars()),
                    _ => false,
                }
            }
            Guard::TextIs {
                register,
                any_of,
                ignore_case,
            } => {
                let text = self.registers.text(*register)?;
                any_of.iter().any(|one| equals(text, one, *ignore_case))
            }
            Guard::FiniteIs(register, values) => match self.registers.get(*register) {
                Some(Register::Finite(value)) => values.contains(value),
                _ => return Err(dangling("finite register")),
            },
            Guard::StateIs(register, states) => match self.registers.get(*register) {
                Some(Register::State(state)) => state.is_some_and(|state| states.contains(&state)),
                _ => return Err(dangling("state register")),
            },
            Guard::NumberIn(register, ranges) => {
                let number = self.registers.number(*register)?;
                ranges.iter().any(|&(a, b)| (a..=b).contains(&number))
            }
            Guard::HasReplacement(register) => self
                .replacement(self.registers.number(*register)?)
                .is_some(),
            Guard::CurrentIn(set) => step.current.is_some_and(|c| set.contains(c)),
            Guard::CurrentIsCharacter(register) => match self.registers.get(*register) {
                Some(Register::Character(character)) => {
                    character.is_some() && *character == step.current
                }
                _ => return Err(dangling("character register")),
            },
            Guard::LastMatchedIn(set) => {
                let (name, _) = self.matched_reference()?;
                name.chars().next_back().is_some_and(|c| set.contains(c))
            }
            Guard::StartTagEmitted => self.last_start_tag.is_some(),
            Guard::LastConsumed(text) => (text.chars().rev())
                .enumerate()
                .all(|(i, c)| self.place >= i && self.input.before(self.place - i) == Some(c)),
            Guard::Question(question) => {
                let questions = &self.machine.vocabulary.questions;
                let question = questions.get(*question as usize);
                self.host
                    .question(question.ok_or_else(|| dangling("question"))?)
            }
            Guard::DuplicateAttribute(token) => self.tokens.get(*token)?.has_duplicate_attribute(),
            Guard::HasAttributes(token) => !self.tokens.get(*token)?.attributes().is_empty(),
            Guard::FlagIs(field) => *self.tokens.field(*field)? == Value::Flag(true),
            Guard::KindIs(token, kind) => self.tokens.get(*token)?.kind == *kind,
        };
        Ok(Some(decided))
    }

    /// Whether all guards have this answer; asked in order until one has not.
    fn all_are(&mut self, guards: &[Guard], answer: bool, step: &Step<'_>) -> Decision {
        for guard in guards {
            match self.holds(guard, step)? {
                Some(holds) if holds == answer => {}
                Some(_) => return Ok(Some(false)),
                None => return Ok(None),
            }
        }
        Ok(Some(true))
    }

    fn next_in(&self, place: usize, set: &CharSet, eof: bool) -> Option<bool> {
        match self.input.at(place) {
            Next::Char(c) => Some(set.contains(c)),
            Next::End => Some(eof),
            Next::Unknown => None,
        }
    }

    fn next_are(&mut self, guard: &Guard, run: &CharSet, then: &CharSet) -> Option<bool> {
        let mut seen = self.looked_ahead(guard);
        loop {
            match self.input.at(self.place + seen) {
                Next::Char(c) if seen > 0 && then.contains(c) => return Some(true),
                Next::Char(c) if run.contains(c) => seen += 1,
                Next::Char(_) | Next::End => return Some(false),
                Next::Unknown => {
                    self.remember_look_ahead(guard, seen);
                    return None;
                }
            }
        }
    }

    fn next_is_last_start_tag(
        &mut self,
        guard: &Guard,
        followed_by: &CharSet,
        eof: bool,
    ) -> Option<bool> {
        let seen = self.looked_ahead(guard);
        let Some(name) = &self.last_start_tag else {
            return Some(false);
        };
        for (i, expected) in name.iter().enumerate().skip(seen) {
            match self.input.at(self.place + i) {
                Next::Char(c) if c.eq_ignore_ascii_case(expected) => {}
                Next::Char(_) | Next::End => return Some(false),
                Next::Unknown => {
                    self.remember_look_ahead(guard, i);
                    return None;
                }
            }
        }
        let length = name.len();
        let followed = self.next_in(self.place + length, followed_by, eof);
        if followed.is_none() {
            self.remember_look_ahead(guard, length);
        }
        followed
    }

    /// How many characters this guard has found to fit before input ran out, in this step.
    fn looked_ahead(&self, guard: &Guard) -> usize {
        let key = std::ptr::from_ref(guard).addr();
        let found = self.look_aheads.iter().find(|(of, _)| *of == key);
        found.map_or(0, |&(_, seen)| seen)
    }

    /// Without this, input in many small chunks would be looked at again and again.
    fn remember_look_ahead(&mut self, guard: &Guard, seen: usize) {
        let key = std::ptr::from_ref(guard).addr();
        self.look_aheads.retain(|(of, _)| *of != key);
        self.look_aheads.push((key, seen));
    }
}
