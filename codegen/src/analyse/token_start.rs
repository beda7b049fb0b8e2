//! Where tokens start: at the character with which the machine leaves an entry state without emitting
//! it.

use std::collections::BTreeSet;

use crate::machine::{Action, Machine, StateId, Target, Value};

use super::Path;

/// The entry states.
pub fn entry_states(machine: &Machine) -> BTreeSet<StateId> {
    machine.entries.iter().map(|e| e.state).collect()
}

/// Whether this path through an entry state starts a token, or text that is not the character itself. Another entry state
/// starts its own tokens.
pub fn starts_token(path: &Path<'_>, entry_states: &BTreeSet<StateId>) -> bool {
    let leaves = match path.target {
        Target::State(target) => !entry_states.contains(&target),
        Target::Register(_) => true,
        Target::End => false,
    };
    let emits = |a: &&Action| matches!(a, Action::EmitText(_) | Action::Emit(_));
    let is_current = |a: &&Action| matches!(a, Action::EmitText(Value::Current));
    match path.actions.iter().copied().find(emits) {
        Some(first) => !is_current(&first),
        None => leaves,
    }
}
