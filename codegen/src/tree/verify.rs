//! What only shows once all insertion modes are known: tokens that never get anywhere, and modes without tokens.

use super::check::{Checked, Move};
use super::machine::{BodyId, Mode};
use crate::diagnostic::{Code, Faults};

/// Verifies a machine.
pub(super) fn verify(checked: &Checked, faults: &mut Faults) {
    let mut moves: Vec<Vec<&Move>> = vec![Vec::new(); checked.machine.bodies.len()];
    for step in &checked.moves {
        moves[step.from].push(step);
    }
    for (kind, name) in checked.machine.kinds.iter().enumerate() {
        let of_mode = |mode: &Mode| {
            let of_arm = mode.arms.get(kind).map_or(&[][..], |&arm| &moves[arm]);
            let reprocess = of_arm.iter().filter(|step| step.reprocesses);
            reprocess.copied().collect()
        };
        let from = checked.machine.modes.iter().map(of_mode).collect();
        endless(checked, &name.name, from, faults);
    }
    unreachable(checked, &moves, faults);
}

/// Reports insertion modes that hand a token to each other: a walk along the moves that comes back to a mode that it
/// has not left. Of each mode the moves that are left to try.
fn endless(checked: &Checked, kind: &str, mut from: Vec<Vec<&Move>>, faults: &mut Faults) {
    let modes = from.len();
    let (mut entered, mut left) = (vec![false; modes], vec![false; modes]);
    let mut way = Vec::new();
    for start in 0..modes {
        if !entered[start] {
            entered[start] = true;
            way.push(start);
        }
        while let Some(&mode) = way.last() {
            let Some(step) = from[mode].pop() else {
                left[mode] = true;
                way.pop();
                continue;
            };
            if !entered[step.to] {
                entered[step.to] = true;
                way.push(step.to);
            } else if !left[step.to] {
                let called = &checked.machine.called;
                let message = format!("{called}s hand the {kind} token to each other forever");
                faults
                    .add(Code::EndlessLoop, step.span, message)
                    .label("the loop returns from here")
                    .help("one of them must deal with the token");
            }
        }
    }
}

fn unreachable(checked: &Checked, moves: &[Vec<&Move>], faults: &mut Faults) {
    let modes = &checked.machine.modes;
    let mut runs: Vec<Vec<BodyId>> = vec![Vec::new(); moves.len()];
    for &(from, to) in &checked.runs {
        runs[from].push(to);
    }
    let (mut reached, mut run) = (vec![false; modes.len()], vec![false; moves.len()]);
    let mut todo = vec![checked.machine.initial];
    while let Some(mode) = todo.pop() {
        if std::mem::replace(&mut reached[mode], true) {
            continue;
        }
        let mut bodies = modes[mode].arms.clone();
        while let Some(body) = bodies.pop() {
            if !std::mem::replace(&mut run[body], true) {
                todo.extend(moves[body].iter().map(|step| step.to));
                bodies.extend(&runs[body]);
            }
        }
    }
    for ((mode, reached), &at) in modes.iter().zip(reached).zip(&checked.names) {
        if !reached {
            let (called, name) = (&checked.machine.called, &mode.name);
            let message = format!("no {called} leads to `{name}`");
            faults
                .add(Code::UnreachableMode, at, message)
                .help("switch to it somewhere, or remove it");
        }
    }
}
