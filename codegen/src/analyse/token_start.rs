//! Where tokens start: at the character with which the machine leaves an entry state without emitting
//! it.

use std::collections::BTreeSet;

use crate::machine::{Action, Machine, StateId, Target, Value};

use super::Path;

/// The entry states.
pub fn entry_states(machine: &Machine) -> BTreeSet<StateId> {
    machine.entries.iter().map(|e| e.state).collect()
}

/// Whether this path through an entry state starts a token, or text that is not the character itself.
pub fn starts_token(path: &Path<'_>, id: StateId) -> bool {
    let leaves = path.target != Target::State(id) && path.target != Target::End;
    let emits = |a: &&Action| matches!(a, Action::EmitText(_) | Action::Emit(_));
    let is_current = |a: &&Action| matches!(a, Action::EmitText(Value::Current));
    match path.actions.iter().copied().find(emits) {
        Some(first) => !is_current(&first),
        None => leaves,
    }
}
