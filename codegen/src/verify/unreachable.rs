//! States that no entry leads to.

use super::successors::{Held, each_body};
use crate::check::model::{Checked, Named};
use crate::diagnostic::{Code, Faults};
use crate::lower::Lowered;
use crate::lower::traced::End;
use crate::machine::StateId;
use std::collections::HashSet;

/// Warns of them: a text may have such a state, and the table then has it too.
pub(super) fn check(checked: &Checked, lowered: &Lowered, faults: &mut Faults) {
    let held = Held::new(lowered);
    let mut reached: HashSet<StateId> = HashSet::new();
    let mut open: Vec<StateId> = lowered.entries.iter().map(|entry| entry.state).collect();
    while let Some(id) = open.pop() {
        let Some(state) = lowered.states.get(id.0 as usize) else {
            continue;
        };
        if !reached.insert(id) {
            continue;
        }
        for body in state.bodies() {
            each_body(body, &mut |body| {
                if let End::Go { target, .. } = body.end {
                    held.each_target(target, &mut |next| open.push(next));
                }
            });
        }
    }
    let live: HashSet<Named> = reached
        .iter()
        .filter_map(|id| lowered.states.get(id.0 as usize))
        .map(|state| state.named)
        .collect();
    // A procedure that nobody attempts is reported as such.
    let attempted: HashSet<usize> = live
        .iter()
        .filter_map(|named| checked.states[named.0].procedure)
        .collect();
    for (index, state) in checked.states.iter().enumerate() {
        let counts = state.procedure.is_none_or(|p| attempted.contains(&p));
        if counts && !live.contains(&Named(index)) {
            let message = format!("no entry state leads to `{}`", state.name);
            faults
                .add(Code::UnreachableState, state.span, message)
                .help("remove it, or add a way to it; if it is unreachable in the text too, record that in an erratum");
        }
    }
}
