//! What is known along a path, so that questions whose answer is known are not asked.

use crate::machine::{Action, Guard, RegisterId};
use crate::ranges::{Ranges, merged, within, without};
use std::collections::BTreeMap;

/// The values that registers can have.
pub(crate) type Registers = BTreeMap<RegisterId, Ranges>;

/// What registers can hold, and the answers about the input so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    registers: Registers,
    answers: Vec<(Guard, bool)>,
}

/// A guard whose answer may be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Folded {
    Known(bool),
    Open(Guard),
}

impl Facts {
    /// Only what is known of registers.
    pub(crate) fn of(registers: Registers) -> Self {
        Self {
            registers,
            answers: Vec::new(),
        }
    }

    /// What is known of registers.
    pub(crate) fn registers(self) -> Registers {
        self.registers
    }

    /// A register holds this value.
    pub(crate) fn know(&mut self, register: RegisterId, value: u32) {
        self.registers.insert(register, vec![(value, value)]);
    }

    /// Takes what is known out of a guard.
    pub(crate) fn fold(&self, guard: Guard) -> Folded {
        match guard {
            Guard::Not(inner) => match self.fold(*inner) {
                Folded::Known(answer) => Folded::Known(!answer),
                Folded::Open(Guard::Not(inner)) => Folded::Open(*inner),
                Folded::Open(inner) => Folded::Open(Guard::Not(Box::new(inner))),
            },
            Guard::All(parts) => self.fold_list(parts, false),
            Guard::Any(parts) => self.fold_list(parts, true),
            guard => {
                let Some((register, asked)) = question(&guard) else {
                    let known = self.answers.iter().find(|(asked, _)| *asked == guard);
                    return known.map_or(Folded::Open(guard), |&(_, answer)| Folded::Known(answer));
                };
                match self.registers.get(&register) {
                    Some(known) if without(known, &asked).is_empty() => Folded::Known(true),
                    Some(known) if within(known, &asked).is_empty() => Folded::Known(false),
                    _ => Folded::Open(guard),
                }
            }
        }
    }

    /// `decides` is the answer of one part that decides the whole.
    fn fold_list(&self, parts: Vec<Guard>, decides: bool) -> Folded {
        let mut open = Vec::new();
        for part in parts {
            match self.fold(part) {
                Folded::Known(answer) if answer == decides => return Folded::Known(decides),
                Folded::Known(_) => {}
                Folded::Open(part) => open.push(part),
            }
        }
        if decides {
            open = unite(open);
        }
        match (open.len(), decides) {
            (0, _) => Folded::Known(!decides),
            (1, _) => open.pop().map_or(Folded::Known(!decides), Folded::Open),
            (_, true) => Folded::Open(Guard::Any(open)),
            (_, false) => Folded::Open(Guard::All(open)),
        }
    }

    /// What is known when the guard has this answer.
    pub(crate) fn assume(&mut self, guard: &Guard, answer: bool) {
        match (guard, answer) {
            (Guard::Not(inner), _) => self.assume(inner, !answer),
            (Guard::All(parts), true) | (Guard::Any(parts), false) => {
                for part in parts {
                    self.assume(part, answer);
                }
            }
            _ => {
                let Some((register, asked)) = question(guard) else {
                    if holds_to_path_end(guard) {
                        self.answers.push((guard.clone(), answer));
                    }
                    return;
                };
                let known = self.registers.get(&register);
                let known = known.map_or_else(|| vec![(0, u32::MAX)], Clone::clone);
                let left = if answer {
                    within(&known, &asked)
                } else {
                    without(&known, &asked)
                };
                self.registers.insert(register, left);
            }
        }
    }

    /// What is known after an action.
    pub(crate) fn after(&mut self, action: &Action) {
        for (register, value) in action.registers() {
            match value {
                Some(value) => self.know(register, value),
                None => drop(self.registers.remove(&register)),
            }
        }
        // Emission runs steps of its own, and the host may set words and change its answers.
        if let Action::Emit(_) = action {
            self.registers.clear();
            let is_question = |guard: &Guard| matches!(guard, Guard::Question(_));
            self.answers.retain(|(guard, _)| !is_question(guard));
        }
    }
}

/// The register that a guard asks about and the values for which it holds.
fn question(guard: &Guard) -> Option<(RegisterId, Ranges)> {
    let single = |n: &u32| (*n, *n);
    Some(match guard {
        Guard::NumberIn(register, ranges) => (*register, ranges.clone()),
        Guard::FiniteIs(register, words) => (*register, words.iter().map(single).collect()),
        Guard::StateIs(register, states) => {
            (*register, states.iter().map(|s| single(&s.0)).collect())
        }
        _ => return None,
    })
}

/// Whether the answer holds until the path ends: nothing is consumed in between. The outside's answers
/// hold until a token is emitted.
fn holds_to_path_end(guard: &Guard) -> bool {
    matches!(
        guard,
        Guard::CurrentIn(_)
            | Guard::LastMatchedIn(_)
            | Guard::NextIn { .. }
            | Guard::NextAre { .. }
            | Guard::LastConsumed(_)
            | Guard::Question(_)
    )
}

/// Joins alternatives about one register into one question.
fn unite(parts: Vec<Guard>) -> Vec<Guard> {
    let mut united: Vec<Guard> = Vec::new();
    for part in parts {
        let register = question(&part).map(|(register, _)| register);
        let same = united
            .iter_mut()
            .find(|other| register.is_some() && question(other).map(|(r, _)| r) == register);
        match (same, part) {
            (Some(Guard::NumberIn(_, all)), Guard::NumberIn(_, more)) => {
                all.extend(more);
                *all = merged(std::mem::take(all));
            }
            (Some(Guard::FiniteIs(_, all)), Guard::FiniteIs(_, more)) => {
                all.extend(more);
                all.sort_unstable();
                all.dedup();
            }
            (Some(Guard::StateIs(_, all)), Guard::StateIs(_, more)) => {
                all.extend(more);
                all.sort_unstable();
                all.dedup();
            }
            (_, part) => united.push(part),
        }
    }
    united
}
