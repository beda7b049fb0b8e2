//! States that may put back characters consumed by states before them: while one of them waits for
//! more input, what was consumed since the mark must be kept.

use std::collections::BTreeSet;

use super::{bodies, paths, states_in_registers};
use crate::machine::{Action, Machine, StateId, Target};

/// The states from which a rewind can be reached without passing a mark.
pub fn rewinding(machine: &Machine) -> BTreeSet<StateId> {
    let held = states_in_registers(machine);
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        for (index, state) in machine.states.iter().enumerate() {
            let rewinds = bodies(state).into_iter().flat_map(paths).any(|path| {
                for action in path.actions() {
                    match action {
                        Action::Rewind => return true,
                        Action::Mark => return false,
                        _ => {}
                    }
                }
                match path.target {
                    Target::State(id) => found.contains(&id),
                    Target::Register(id) => {
                        (held.get(&id).into_iter().flatten()).any(|state| found.contains(state))
                    }
                    Target::End => false,
                }
            });
            if rewinds {
                found.insert(StateId(index as u32));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
