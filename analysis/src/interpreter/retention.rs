//! How much input behind the position a machine may look at again; the rest need not be kept.

use speclex_codegen::analyse::{bodies, states_in_registers};
use speclex_codegen::machine::{Action, Body, Guard, Machine, Next, StateId, Target};

/// How many characters a machine looks behind itself: the longest string of a `LastConsumed`.
pub(super) fn look_behind(machine: &Machine) -> usize {
    let lengths = machine.all_questions().map(|part| match part {
        Guard::LastConsumed(text) => text.chars().count(),
        _ => 0,
    });
    lengths.max().unwrap_or(0)
}

/// For each state, whether a `Rewind` can be reached without a `Mark` on the way. In the other states
/// an old mark is forgotten, so that it does not keep the input in memory.
pub(super) fn states_needing_mark(machine: &Machine) -> Vec<bool> {
    let dynamic_targets: Vec<StateId> = (states_in_registers(machine).into_values())
        .flatten()
        .collect();
    let mut needs = vec![false; machine.states.len()];
    loop {
        let needed = |id: StateId| needs.get(id.0 as usize).copied().unwrap_or(false);
        let next: Vec<bool> = machine
            .states
            .iter()
            .map(|state| {
                bodies(state).into_iter().any(|body| {
                    body_needs_mark(body, &|target| match target {
                        Target::State(id) => needed(id),
                        Target::Register(_) => dynamic_targets.iter().copied().any(needed),
                        Target::End => false,
                    })
                })
            })
            .collect();
        if next == needs {
            return needs;
        }
        needs = next;
    }
}

fn body_needs_mark(body: &Body, target_needs: &impl Fn(Target) -> bool) -> bool {
    for action in &body.actions {
        match action {
            Action::Mark => return false,
            Action::Rewind => return true,
            _ => {}
        }
    }
    match &body.next {
        Next::Go { target, .. } => target_needs(*target),
        Next::If {
            then, otherwise, ..
        } => body_needs_mark(then, target_needs) || body_needs_mark(otherwise, target_needs),
    }
}
