//! How much input behind the position a machine may look at again; the rest need not be kept.

use speclex_codegen::analyse::{bodies, states_in_registers};
use speclex_codegen::machine::{Action, Body, Guard, Machine, Next, StateId, Target};

use crate::body::{parts, visit};

/// How many characters a machine looks behind itself: the longest string of a `LastConsumed`.
pub(super) fn look_behind(machine: &Machine) -> usize {
    let mut longest = 0;
    for body in machine.states.iter().flat_map(bodies) {
        visit(body, &mut |_, next| {
            if let Next::If { guard, .. } = next {
                longest = longest.max(guard_looks_behind(guard));
            }
        });
    }
    let on_emit = machine.on_emit.iter().flat_map(|on_emit| &on_emit.steps);
    let on_emit = on_emit.filter_map(|(guard, _)| guard.as_ref());
    longest.max(on_emit.map(guard_looks_behind).max().unwrap_or(0))
}

fn guard_looks_behind(guard: &Guard) -> usize {
    let lengths = parts(guard).into_iter().map(|part| match part {
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
