//! States that no entry leads to.

use super::successors::{Held, each_body};
use crate::check::model::{Checked, Named};
use crate::diagnostic::{Code, Faults};
use crate::lower::Lowered;
use crate::lower::traced::End;
use crate::machine::StateId;
use std::collections::{BTreeMap, HashSet};

/// Warns of them: a text may have such a state, and the table then has it too. Of a chain of such states one
/// warning names the first.
pub(super) fn check(checked: &Checked, lowered: &Lowered, faults: &mut Faults) {
    let held = Held::new(lowered);
    let mut reached = HashSet::new();
    let entries = lowered.entries.iter().map(|entry| entry.state).collect();
    let live: HashSet<Named> = reach(lowered, &held, entries, &mut reached);
    // A procedure that no state attempts is reported as such.
    let attempted: HashSet<usize> = live
        .iter()
        .filter_map(|named| checked.states[named.0].procedure)
        .collect();
    let counts = |named: &Named| {
        let state = &checked.states[named.0];
        !live.contains(named) && state.procedure.is_none_or(|p| attempted.contains(&p))
    };
    // Those that another one leads to come last: they are reported by themselves only if they lead to each other.
    let mut own: BTreeMap<Named, Vec<StateId>> = BTreeMap::new();
    let mut inner: HashSet<Named> = HashSet::new();
    for (id, state) in (0..).map(StateId).zip(&lowered.states) {
        if !live.contains(&state.named) {
            own.entry(state.named).or_default().push(id);
            each_successor(lowered, &held, id, &mut |next| {
                let next = lowered.states.get(next.0 as usize).map(|next| next.named);
                inner.extend(next.filter(|next| *next != state.named));
            });
        }
    }
    let all = || (0..checked.states.len()).map(Named).filter(counts);
    let (last, first): (Vec<Named>, Vec<Named>) = all().partition(|named| inner.contains(named));
    let mut told: HashSet<Named> = HashSet::new();
    for named in first.into_iter().chain(last) {
        if !told.insert(named) {
            continue;
        }
        let from = own.remove(&named).unwrap_or_default();
        let mut behind = reach(lowered, &held, from, &mut reached);
        behind.retain(|behind| counts(behind) && !told.contains(behind));
        let state = &checked.states[named.0];
        let also = match behind.len() {
            0 => String::new(),
            1 => ", nor to the state behind it".to_owned(),
            many => format!(", nor to the {many} states behind it"),
        };
        told.extend(behind);
        let message = format!("no entry state leads to `{}`{also}", state.name);
        faults
            .add(Code::UnreachableState, state.span, message)
            .help("remove it, or add a way to it; if it is unreachable in the text too, record that in an erratum");
    }
}

/// The states that these lead to, with them, but for those that are reached already.
fn reach(
    lowered: &Lowered,
    held: &Held,
    mut open: Vec<StateId>,
    reached: &mut HashSet<StateId>,
) -> HashSet<Named> {
    let mut found = HashSet::new();
    while let Some(id) = open.pop() {
        if let Some(state) = lowered.states.get(id.0 as usize)
            && reached.insert(id)
        {
            found.insert(state.named);
            each_successor(lowered, held, id, &mut |next| open.push(next));
        }
    }
    found
}

/// Calls `visit` with each state that this one leads to.
fn each_successor(lowered: &Lowered, held: &Held, id: StateId, visit: &mut impl FnMut(StateId)) {
    let bodies = lowered
        .states
        .get(id.0 as usize)
        .map(|state| state.bodies());
    for body in bodies.into_iter().flatten() {
        each_body(body, &mut |body| {
            if let End::Go { target, .. } = body.end {
                held.each_target(target, visit);
            }
        });
    }
}
