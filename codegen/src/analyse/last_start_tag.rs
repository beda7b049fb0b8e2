//! Whether the last start tag's name can be asked for in a state that is reached without an answer of
//! the sink. If not, it need only be remembered when the sink answers with a content.

use std::collections::BTreeSet;

use super::bodies;
use crate::machine::{Action, Body, Guard, Machine, Next, State, StateId, Target};

/// Whether every start tag's name must be remembered.
pub fn always(machine: &Machine) -> bool {
    let mut reached = BTreeSet::new();
    let mut todo: Vec<StateId> = machine
        .entries
        .first()
        .map(|e| e.state)
        .into_iter()
        .collect();
    while let Some(id) = todo.pop() {
        if reached.insert(id) {
            todo.extend(successors(&machine.states[id.0 as usize]));
        }
    }
    reached
        .iter()
        .any(|id| bodies(&machine.states[id.0 as usize]).into_iter().any(asks))
}

/// Whether any state asks for it.
pub fn ever(machine: &Machine) -> bool {
    machine
        .states
        .iter()
        .any(|state| bodies(state).into_iter().any(asks))
}

/// The states that a state may go to, those that its register successors may hold included.
fn successors(state: &State) -> Vec<StateId> {
    let mut found = Vec::new();
    for body in bodies(state) {
        collect(body, &mut found);
    }
    found
}

fn collect(body: &Body, found: &mut Vec<StateId>) {
    for action in &body.actions {
        // What a state register is set to, a later state may switch to.
        if let Action::SetState(_, id) = action {
            found.push(*id);
        }
    }
    match &body.next {
        Next::Go {
            target: Target::State(id),
            ..
        } => found.push(*id),
        Next::Go { .. } => {}
        Next::If {
            then, otherwise, ..
        } => {
            collect(then, found);
            collect(otherwise, found);
        }
    }
}

fn asks(body: &Body) -> bool {
    match &body.next {
        Next::Go { .. } => false,
        Next::If {
            guard,
            then,
            otherwise,
        } => guard_asks(guard) || asks(then) || asks(otherwise),
    }
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
