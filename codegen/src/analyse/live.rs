//! What must outlive the input at hand: tokens under construction and text registers that may be asked for, or
//! added to, before they are made anew. All else need not be copied when the input goes, and may stay as it is.

use std::collections::BTreeSet;

use super::{Event, Path, bodies, decided, paths, states_in_registers};
use crate::machine::{Action, Guard, Machine, RegisterId, RegisterType, StateId, Target, TokenId};
use crate::uses::Variable;

/// What holds characters of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Holder {
    /// A token under construction.
    Token(TokenId),
    /// A text register.
    Register(RegisterId),
}

/// For each state, what may be used from there on as it is.
pub(crate) fn live(machine: &Machine) -> Vec<BTreeSet<Holder>> {
    let entries: Vec<_> = machine.entries.iter().map(|entry| entry.state).collect();
    let live = live_before(machine, &entries, &[]);
    // From outside, any content may be entered at any time.
    let of_entries = entries.iter().map(|StateId(entry)| &live[*entry as usize]);
    let always: BTreeSet<Holder> = of_entries.flatten().copied().collect();
    let of_states = live.into_iter();
    of_states.map(|of| &of | &always).collect()
}

/// For each state, what may be used from there on before an entry state is reached: the token under construction, and what is
/// needed for it.
pub(crate) fn under_construction(machine: &Machine) -> Vec<BTreeSet<Holder>> {
    let entries: Vec<_> = machine.entries.iter().map(|entry| entry.state).collect();
    let mut live = live_before(machine, &[], &entries);
    for StateId(entry) in entries {
        live[entry as usize].clear();
    }
    live
}

/// For each state, what may be used from there on as it is. A sink may answer with any content; nothing is followed from `ends` on.
fn live_before(machine: &Machine, contents: &[StateId], ends: &[StateId]) -> Vec<BTreeSet<Holder>> {
    // One state register is followed: what is done behind a character reference depends on who asked for it.
    let held = states_in_registers(machine);
    let followed = held.first_key_value();
    let values: Vec<Option<StateId>> = match followed {
        Some((_, states)) => states.iter().copied().map(Some).collect(),
        None => vec![None],
    };
    let register = followed.map(|(register, _)| *register);
    // For each state, and each value of that register.
    let none = vec![BTreeSet::new(); values.len()];
    let mut live: Vec<Vec<BTreeSet<Holder>>> = vec![none; machine.states.len()];
    let paths_of_states: Vec<Vec<Path<'_>>> = (machine.states.iter())
        .map(|state| bodies(state).into_iter().flat_map(paths).collect())
        .collect();
    loop {
        let mut changed = false;
        for (state, paths) in paths_of_states.iter().enumerate() {
            for (index, value) in values.iter().enumerate() {
                for path in paths {
                    let set = path.actions().rev().find_map(|action| match action {
                        Action::SetState(id, to) if Some(*id) == register => Some(*to),
                        _ => None,
                    });
                    if set.is_none() && contradicts(path, register, *value) {
                        continue;
                    }
                    let value = set.or(*value);
                    let to = values.iter().position(|of| *of == value).unwrap_or(index);
                    let targets: Vec<StateId> = match path.target {
                        Target::State(id) => vec![id],
                        Target::Register(id) if Some(id) == register => value.into_iter().collect(),
                        Target::Register(id) => {
                            held.get(&id).into_iter().flatten().copied().collect()
                        }
                        Target::End => Vec::new(),
                    };
                    let emits = path.actions().any(|a| matches!(a, Action::Emit(_)));
                    let contents = contents.iter().filter(|_| emits);
                    let after = (targets.iter().chain(contents))
                        .filter(|next| !ends.contains(next))
                        .flat_map(|StateId(next)| live[*next as usize][to].clone());
                    for holder in before(machine, path, after.collect()) {
                        changed |= live[state][index].insert(holder);
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    let of_states = live.into_iter();
    of_states
        .map(|of| of.into_iter().flatten().collect())
        .collect()
}

/// Whether a path cannot be gone while the register has this value.
fn contradicts(path: &Path<'_>, register: Option<RegisterId>, value: Option<StateId>) -> bool {
    let (Some(register), Some(value)) = (register, value) else {
        return false;
    };
    let is_known = |guard: &Guard| match guard {
        Guard::StateIs(id, states) if *id == register => Some(states.contains(&value)),
        _ => None,
    };
    let mut guards = path.guards();
    guards.any(|(guard, given)| decided(guard, &is_known) == Some(!given))
}

/// What is live in front of a path, behind which this is.
fn before(machine: &Machine, path: &Path<'_>, after: BTreeSet<Holder>) -> BTreeSet<Holder> {
    let holder = |variable: Variable| match variable {
        Variable::Token(token) => Some(Holder::Token(token)),
        Variable::Register(id) => {
            let is_text = machine.registers[id.0 as usize].ty == RegisterType::Text;
            is_text.then_some(Holder::Register(id))
        }
        Variable::Matched | Variable::Mark | Variable::LastStartTag => None,
    };
    let mut live = after;
    for event in path.events.iter().rev() {
        let action = match event {
            Event::Does(action) => action,
            Event::Asks(guard, _) => {
                live.extend(guard.reads().into_iter().filter_map(holder));
                continue;
            }
        };
        if let Action::Emit(token) = action {
            let steps = machine.on_emit.iter().filter(|on| on.token == *token);
            for (guard, actions) in steps.flat_map(|on| &on.steps) {
                live.extend(guard.iter().flat_map(Guard::reads).filter_map(holder));
                live.extend(
                    actions
                        .iter()
                        .filter_map(Action::changes)
                        .filter_map(holder),
                );
            }
        }
        if let Some(changed) = action.changes().and_then(holder) {
            match action.sets_anew() {
                true => live.remove(&changed),
                false => live.insert(changed),
            };
        }
        live.extend(action.reads().and_then(holder));
    }
    live
}
