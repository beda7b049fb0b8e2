//! What only shows once all phases are known: tokens that never get anywhere, and phases without tokens.

use super::check::{Checked, Move};
use crate::diagnostic::{Code, Faults};

/// Verifies a machine.
pub(super) fn verify(checked: &Checked, faults: &mut Faults) {
    let mut by_kind: Vec<Vec<&Move>> = vec![Vec::new(); checked.machine.kinds.len()];
    for step in checked.moves.iter().filter(|step| step.reprocesses) {
        if let Some(moves) = by_kind.get_mut(step.kind) {
            moves.push(step);
        }
    }
    for (kind, moves) in checked.machine.kinds.iter().zip(by_kind) {
        endless(checked, kind, moves, faults);
    }
    unreachable(checked, faults);
}

/// Reports phases that hand a token to each other: a walk along the moves that comes back to a phase it
/// has not left.
fn endless(checked: &Checked, kind: &str, moves: Vec<&Move>, faults: &mut Faults) {
    let phases = checked.machine.phases.len();
    let mut from: Vec<Vec<&Move>> = vec![Vec::new(); phases];
    for step in moves {
        from[step.from].push(step);
    }
    let (mut entered, mut left) = (vec![false; phases], vec![false; phases]);
    let mut way = Vec::new();
    for start in 0..phases {
        if !entered[start] {
            entered[start] = true;
            way.push(start);
        }
        while let Some(&phase) = way.last() {
            let Some(step) = from[phase].pop() else {
                left[phase] = true;
                way.pop();
                continue;
            };
            if !entered[step.to] {
                entered[step.to] = true;
                way.push(step.to);
            } else if !left[step.to] {
                let message = format!("phases hand the {kind} token to each other forever");
                faults
                    .add(Code::EndlessLoop, step.span, message)
                    .label("the loop returns from here")
                    .help("one of them must deal with the token");
            }
        }
    }
}

fn unreachable(checked: &Checked, faults: &mut Faults) {
    let phases = checked.machine.phases.len();
    let mut to: Vec<Vec<usize>> = vec![Vec::new(); phases];
    for step in &checked.moves {
        to[step.from].push(step.to);
    }
    let mut reached = vec![false; phases];
    let mut todo = vec![checked.machine.initial];
    while let Some(phase) = todo.pop() {
        if let Some(reached @ false) = reached.get_mut(phase) {
            *reached = true;
            todo.extend(&to[phase]);
        }
    }
    for (number, &at) in checked.names.iter().enumerate() {
        if !reached[number] {
            let name = &checked.machine.phases[number].name;
            let message = format!("no phase leads to `{name}`");
            faults
                .add(Code::UnreachablePhase, at, message)
                .help("switch to it somewhere, or remove it");
        }
    }
}
