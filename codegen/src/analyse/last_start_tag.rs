//! Whether the last start tag's name can be asked for in a state that is reached without an answer of
//! the sink. If not, it need only be remembered when the sink answers with a content.

use std::collections::BTreeSet;

use super::{Path, bodies, decided, paths, states_in_registers};
use crate::machine::{Action, Guard, Machine, RegisterId, RegisterType, State, StateId, Target};

/// Which start tags' names must be remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remembered {
    /// Those to which the sink answers with a content.
    Answered,
    /// Those, and others while a register has any but these values.
    Unless(RegisterId, Vec<u32>),
    /// All.
    All,
}

/// Which start tags' names must be remembered.
pub fn remembered(machine: &Machine) -> Remembered {
    let behind = behind_tags(machine);
    if !asks_from(machine, behind.iter().copied(), None) {
        return Remembered::Answered;
    }
    for (index, register) in machine.registers.iter().enumerate() {
        let id = RegisterId(index as u32);
        if let RegisterType::Finite(values) = &register.ty {
            let values = 0..values.len() as u32;
            let asks = |value: &u32| asks_from(machine, behind.iter().copied(), Some((id, *value)));
            let never: Vec<_> = values.filter(|value| !asks(value)).collect();
            if !never.is_empty() {
                return Remembered::Unless(id, never);
            }
        }
    }
    Remembered::All
}

/// The states behind emissions of tokens that may be start tags.
fn behind_tags(machine: &Machine) -> BTreeSet<StateId> {
    let held = states_in_registers(machine);
    let is_tag = |action: &Action| match action {
        Action::Emit(token) => {
            let kinds = &machine.vocabulary.tokens[token.0 as usize].kinds;
            kinds.iter().any(|kind| kind.is_start_tag)
        }
        _ => false,
    };
    let paths = machine.states.iter().flat_map(bodies).flat_map(paths);
    let emitting = paths.filter(|path| path.actions.iter().any(|action| is_tag(action)));
    emitting
        .flat_map(|path| match path.target {
            Target::State(id) => vec![id],
            Target::Register(id) => held.get(&id).into_iter().flatten().copied().collect(),
            Target::End => Vec::new(),
        })
        .collect()
}

/// Whether a state that is reached from these without an answer of the sink asks for it. `known`: the value that a
/// register has at first.
fn asks_from(
    machine: &Machine,
    from: impl IntoIterator<Item = StateId>,
    known: Option<(RegisterId, u32)>,
) -> bool {
    let held = states_in_registers(machine);
    let mut reached = BTreeSet::new();
    // With the state that a register was last set to: where a character reference returns to.
    let mut todo: Vec<_> = (from.into_iter()).map(|id| (id, known, None)).collect();
    while let Some((id, known, returns)) = todo.pop() {
        if !reached.insert((id, known, returns)) {
            continue;
        }
        for path in bodies(&machine.states[id.0 as usize])
            .into_iter()
            .flat_map(paths)
        {
            let sets = values_set(machine, &path, known);
            // Where the path itself sets the register, its questions may come behind that.
            let known_first = known.filter(|_| sets.is_empty());
            let answer = |guard: &Guard| {
                decided(guard, &|guard| match (guard, known_first) {
                    (Guard::FiniteIs(id, values), Some((register, value))) if *id == register => {
                        Some(values.contains(&value))
                    }
                    _ => None,
                })
            };
            if path
                .guards
                .iter()
                .any(|(guard, given)| answer(guard) == Some(!given))
            {
                continue;
            }
            let mut open = path
                .guards
                .iter()
                .filter(|(guard, _)| answer(guard).is_none());
            if open.any(|(guard, _)| guard_asks(guard)) {
                return true;
            }
            let last_set = path.actions.iter().rev().find_map(|action| match action {
                Action::SetState(register, state) => Some((*register, *state)),
                _ => None,
            });
            let returns = last_set.or(returns);
            let targets: Vec<StateId> = match (path.target, returns) {
                (Target::State(id), _) => vec![id],
                (Target::Register(id), Some((register, state))) if id == register => vec![state],
                (Target::Register(id), _) => held.get(&id).into_iter().flatten().copied().collect(),
                (Target::End, _) => Vec::new(),
            };
            for next in targets {
                todo.push((next, known, returns));
                todo.extend(sets.iter().map(|set| (next, Some(*set), returns)));
            }
        }
    }
    false
}

/// The values that a path, or what is done when it emits a token, may set the register to.
fn values_set(
    machine: &Machine,
    path: &Path<'_>,
    known: Option<(RegisterId, u32)>,
) -> Vec<(RegisterId, u32)> {
    let Some((register, _)) = known else {
        return Vec::new();
    };
    let hooks = machine.on_emit.iter().filter(|on| {
        let emits = |action: &&Action| **action == Action::Emit(on.token);
        path.actions.iter().any(emits)
    });
    let hooked = hooks
        .flat_map(|on| &on.steps)
        .flat_map(|(_, actions)| actions);
    let actions = path.actions.iter().copied().chain(hooked);
    actions
        .filter_map(|action| match action {
            Action::SetFinite(id, value) if *id == register => Some((register, *value)),
            _ => None,
        })
        .collect()
}

/// Whether any state asks for it.
pub fn ever(machine: &Machine) -> bool {
    let asks = |state: &State| {
        let mut paths = bodies(state).into_iter().flat_map(paths);
        paths.any(|path| path.guards.iter().any(|(guard, _)| guard_asks(guard)))
    };
    machine.states.iter().any(asks)
}

fn guard_asks(guard: &Guard) -> bool {
    match guard {
        Guard::AppropriateEndTag(_) | Guard::NextIsLastStartTag { .. } | Guard::StartTagEmitted => {
            true
        }
        Guard::Not(inner) => guard_asks(inner),
        Guard::All(all) | Guard::Any(all) => all.iter().any(guard_asks),
        _ => false,
    }
}
