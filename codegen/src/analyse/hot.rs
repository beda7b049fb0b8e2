//! Which states are compiled into the hot loop, in which order.

use std::collections::{BTreeSet, VecDeque};

use super::{bodies, paths};
use crate::machine::{Machine, StateId, Target};

/// How many states a table without hints has in its hot loop.
const DEFAULT: usize = 16;

/// The hot states in path order: those of the table's hint, or else those nearest to the initial state
/// by paths that report no error.
pub fn hot(machine: &Machine) -> Vec<StateId> {
    if !machine.hot.is_empty() {
        return machine.hot.clone();
    }
    let mut seen = BTreeSet::new();
    let mut order = Vec::new();
    let mut todo: VecDeque<StateId> = machine
        .entries
        .first()
        .map(|e| e.state)
        .into_iter()
        .collect();
    while let Some(id) = todo.pop_front() {
        if order.len() == DEFAULT {
            break;
        }
        if !seen.insert(id) {
            continue;
        }
        order.push(id);
        for path in bodies(&machine.states[id.0 as usize])
            .into_iter()
            .flat_map(paths)
        {
            if let (Target::State(id), false) = (path.target, path.reports()) {
                todo.push_back(id);
            }
        }
    }
    order
}
