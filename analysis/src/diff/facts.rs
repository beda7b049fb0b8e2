//! What a machine ever compares its input, its strings and its numbers with.

use std::collections::BTreeSet;

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, Guard, Machine, Next, StateKind, Value as Source};

use super::acts::SATURATED;
use crate::walk::{bodies, visit};

/// Words that a text register is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) register: u32,
    pub(super) words: Vec<String>,
    pub(super) ignore_case: bool,
}

/// All that a machine compares with.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Sets of characters.
    pub(super) sets: Vec<CharSet>,
    /// Characters in literals, written or compared.
    pub(super) literals: BTreeSet<char>,
    /// Words of text registers.
    pub(super) words: Vec<Words>,
    /// Strings that the last characters consumed are compared with.
    pub(super) behind: Vec<String>,
    /// The first numbers of the intervals within which all numbers are alike.
    pub(super) cuts: BTreeSet<u32>,
    /// Whether attributes' names are compared with each other.
    pub(super) duplicates: bool,
    /// Whether names are compared with the last start tag's.
    pub(super) start_tags: bool,
    /// Whether any state matches references.
    pub(super) matches: bool,
    /// Registers that digits are added to.
    pub(super) digits: BTreeSet<u32>,
}

impl Facts {
    pub(super) fn of(machine: &Machine) -> Self {
        let mut facts = Self::default();
        facts.cuts.extend([0, 1, 2, 0xD800, 0xE000, SATURATED]);
        for &(number, code) in &machine.replacements {
            facts.one(number);
            facts.one(code);
        }
        for (set, _) in &machine.preprocessing.errors {
            facts.set(set);
        }
        for &(from, to) in &machine.preprocessing.replace {
            facts.literals.extend([from, to]);
        }
        for state in &machine.states {
            match &state.kind {
                StateKind::Consume(consume) => {
                    for literal in &consume.literals {
                        facts.literals.extend(literal.text.chars());
                        if literal.ignore_case {
                            let other = literal.text.chars().map(other_case);
                            facts.literals.extend(other);
                        }
                    }
                    consume.arms.iter().for_each(|arm| facts.set(&arm.set));
                }
                StateKind::Match { .. } => facts.matches = true,
                StateKind::Steps(_) => {}
            }
            for body in bodies(state) {
                visit(body, &mut |actions, next| {
                    actions.iter().for_each(|action| facts.action(action));
                    if let Next::If { guard, .. } = next {
                        facts.guard(guard);
                    }
                });
            }
        }
        for (guard, actions) in machine.on_emit.iter().flat_map(|on_emit| &on_emit.steps) {
            guard.iter().for_each(|guard| facts.guard(guard));
            actions.iter().for_each(|action| facts.action(action));
        }
        facts.cuts.retain(|&cut| cut <= SATURATED);
        facts
    }

    fn set(&mut self, set: &CharSet) {
        if !self.sets.contains(set) {
            self.sets.push(set.clone());
        }
    }

    fn one(&mut self, number: u32) {
        self.cuts.extend([number, number.saturating_add(1)]);
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::EmitText(source)
            | Action::Append(_, source)
            | Action::Set(_, source)
            | Action::AppendAttribute(_, _, source)
            | Action::SetAttribute(_, _, source)
            | Action::AppendRegister(_, source)
            | Action::SetText(_, source) => match source {
                Source::Literal(text) => self.literals.extend(text.chars()),
                Source::LowerCurrent => {
                    self.set(&CharSet::from_ranges([('A' as u32, 'Z' as u32)]));
                }
                _ => {}
            },
            Action::SetNumber(_, number) => self.one(*number),
            Action::SetCharacter(_, Some(c)) => self.literals.extend([*c]),
            Action::AddDigit(register) => {
                self.digits.insert(register.0);
            }
            _ => {}
        }
    }

    fn guard(&mut self, guard: &Guard) {
        match guard {
            Guard::Not(guard) => self.guard(guard),
            Guard::All(guards) | Guard::Any(guards) => guards.iter().for_each(|g| self.guard(g)),
            Guard::TextIs {
                register,
                any_of,
                ignore_case,
            } => {
                let words = Words {
                    register: register.0,
                    words: any_of.clone(),
                    ignore_case: *ignore_case,
                };
                if !self.words.contains(&words) {
                    self.words.push(words);
                }
            }
            Guard::NumberIn(_, ranges) => {
                for &(first, last) in ranges {
                    self.cuts.extend([first, last.saturating_add(1)]);
                }
            }
            Guard::CurrentIn(set) | Guard::LastMatchedIn(set) | Guard::NextIn { set, .. } => {
                self.set(set);
            }
            Guard::NextAre { run, then } => {
                self.set(run);
                self.set(then);
            }
            Guard::NextIsLastStartTag { followed_by, .. } => {
                self.set(followed_by);
                self.start_tags = true;
            }
            Guard::AppropriateEndTag(_) => self.start_tags = true,
            Guard::LastConsumed(text) => {
                self.literals.extend(text.chars());
                if !self.behind.contains(text) {
                    self.behind.push(text.clone());
                }
            }
            Guard::DuplicateAttribute(_) => self.duplicates = true,
            Guard::FiniteIs(..)
            | Guard::StateIs(..)
            | Guard::HasReplacement(_)
            | Guard::CurrentIsCharacter(_)
            | Guard::StartTagEmitted
            | Guard::Question(_)
            | Guard::HasAttributes(_)
            | Guard::FlagIs(_)
            | Guard::KindIs(..) => {}
        }
    }
}

/// The other case of an ASCII letter.
pub(super) fn other_case(c: char) -> char {
    if c.is_ascii_lowercase() {
        c.to_ascii_uppercase()
    } else {
        c.to_ascii_lowercase()
    }
}
