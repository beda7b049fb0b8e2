//! What is left of changes once a base has been extended changes nothing.

use crate::diagnostic::{Code, Faults};
use crate::read::At;
use crate::written::{Arm, Body, Entry, Place, Procedure, State, Table};

/// Refuses the words that only a change to a base may use.
pub(crate) fn refuse_changes(table: &Table, faults: &mut Faults) {
    entries(&table.explanations, faults);
    entries(&table.links, faults);
    entries(&table.classes, faults);
    entries(&table.registers, faults);
    entries(&table.conditions, faults);
    entries(&table.remarks, faults);
    entries(&table.entries, faults);
    entries(&table.contents_after, faults);
    entries(&table.on_emitting, faults);
    entries(&table.procedures, faults);
    let procedures = table
        .procedures
        .iter()
        .filter_map(|entry| match &entry.value {
            Some(Procedure::States { states, .. }) => Some(states),
            _ => None,
        });
    for state in procedures.flatten().chain(&table.states) {
        self::state(state, faults);
    }
}

fn refuse(at: At, what: &str, faults: &mut Faults) {
    let message = format!("{what}, but this table has no base");
    faults
        .add(Code::NothingToChange, at, message)
        .help("a table with `extends` changes states, arms and names of its base; write everything else in full");
}

fn entries<T>(entries: &[Entry<T>], faults: &mut Faults) {
    for entry in entries.iter().filter(|e| e.value.is_none()) {
        refuse(entry.name.at, "`removed` removes what a base has", faults);
    }
}

fn state(state: &State, faults: &mut Faults) {
    if state.removed {
        refuse(state.name.at, "`removed` removes a state of a base", faults);
    }
    if let Some(Place::After(place) | Place::Before(place)) = &state.place {
        refuse(place.at, "a place is for a state that a base lacks", faults);
    }
    if let Some(body) = &state.body {
        self::body(body, faults);
    }
}

fn body(body: &Body, faults: &mut Faults) {
    match body {
        Body::Consume(arms) | Body::LookAhead(arms) | Body::Match { arms, .. } => {
            for arm in arms {
                self::arm(arm, faults);
            }
        }
        Body::Branches(branches) => {
            for (_, body) in branches {
                self::body(body, faults);
            }
        }
        Body::Steps(_) => {}
    }
}

fn arm(arm: &Arm, faults: &mut Faults) {
    if arm.removed {
        refuse(arm.key.at, "`removed` removes an arm of a base", faults);
    }
    if let Some(after) = &arm.after {
        refuse(after.at, "`after arm` names an arm of a base", faults);
    }
}
