//! Where tokens start: at the character with which the machine leaves an entry state without emitting
//! it.

use std::collections::BTreeSet;

use crate::machine::{Action, Body, Machine, StateId, StateKind, Target, Value};

use super::newline::{TakesCr, takes_cr};
use super::{Path, bodies, paths};

/// The entry states.
pub fn entry_states(machine: &Machine) -> BTreeSet<StateId> {
    machine.entries.iter().map(|e| e.state).collect()
}

/// Whether the body of a state notes where a token starts. `is_as_it_stands`: whether it emits its character, if it does so first,
/// as it stands in the input.
pub fn notes_start(
    entry_states: &BTreeSet<StateId>,
    id: StateId,
    body: &Body,
    is_as_it_stands: bool,
) -> bool {
    let starts = |path: &Path<'_>| {
        starts_token(path, entry_states) || !is_as_it_stands && starts_with_current(path)
    };
    entry_states.contains(&id) && paths(body).iter().any(starts)
}

/// Whether tokens start where the state is left.
pub fn starts_tokens(machine: &Machine, entry_states: &BTreeSet<StateId>, id: StateId) -> bool {
    let state = &machine.states[id.0 as usize];
    let arms = match &state.kind {
        StateKind::Consume(consume) => consume.arms.as_slice(),
        StateKind::Steps(_) | StateKind::Match { .. } => &[],
    };
    let notes = |body, is_as_it_stands| notes_start(entry_states, id, body, is_as_it_stands);
    bodies(state).into_iter().any(|body| notes(body, true))
        || arms.iter().any(|arm| arm.peeked && notes(&arm.body, false))
        || matches!(takes_cr(machine, id), Some(TakesCr::Apart(arm)) if notes(&arm.body, false))
}

/// Whether this path through an entry state starts a token, or text that is not the character itself as it stands in the
/// input. Another entry state starts its own tokens.
fn starts_token(path: &Path<'_>, entry_states: &BTreeSet<StateId>) -> bool {
    let leaves = match path.target {
        Target::State(target) => !entry_states.contains(&target),
        Target::Register(_) => true,
        Target::End => false,
    };
    let puts_back = path.reconsume || path.rewinds();
    match first_emission(path) {
        Some(Action::EmitText(Value::Current)) => puts_back,
        Some(_) => true,
        None => leaves,
    }
}

/// Whether this path emits the current character before anything else.
fn starts_with_current(path: &Path<'_>) -> bool {
    first_emission(path) == Some(&Action::EmitText(Value::Current))
}

fn first_emission<'m>(path: &Path<'m>) -> Option<&'m Action> {
    let emits = |a: &&Action| matches!(a, Action::EmitText(_) | Action::Emit(_));
    path.actions().find(emits)
}
