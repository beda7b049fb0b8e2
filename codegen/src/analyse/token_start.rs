//! Where tokens start: at the character with which the machine leaves an entry state without emitting
//! it.

use std::collections::BTreeSet;

use crate::machine::{Action, Machine, StateId, Target, Value};

use super::Path;

/// The entry states.
pub fn entry_states(machine: &Machine) -> BTreeSet<StateId> {
    machine.entries.iter().map(|e| e.state).collect()
}

/// Whether this path through an entry state starts a token, or text that is not the character itself as it stands in the
/// input. Another entry state starts its own tokens.
pub fn starts_token(path: &Path<'_>, entry_states: &BTreeSet<StateId>) -> bool {
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
pub(crate) fn starts_with_current(path: &Path<'_>) -> bool {
    first_emission(path) == Some(&Action::EmitText(Value::Current))
}

fn first_emission<'m>(path: &Path<'m>) -> Option<&'m Action> {
    let emits = |a: &&Action| matches!(a, Action::EmitText(_) | Action::Emit(_));
    path.actions().find(emits)
}
