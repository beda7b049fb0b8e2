//! What is left of changes once a base has been extended changes nothing.

use crate::diagnostic::{Code, Faults};
use crate::read::At;
use crate::written::{Arm, Body, NO_BASE, Place, Procedure, State, Table, refuse_removed};

/// Refuses the words that only a change to a base may use.
pub(crate) fn refuse_changes(table: &Table, faults: &mut Faults) {
    for section in table.sections() {
        section.refuse_removed(faults);
    }
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
    faults.add(Code::NothingToChange, at, message).help(NO_BASE);
}

fn state(state: &State, faults: &mut Faults) {
    if state.removed {
        refuse_removed(&state.name, "state", faults);
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
        refuse_removed(&arm.key, "arm", faults);
    }
    if let Some(after) = &arm.after {
        refuse(after.at, "`after arm` names an arm of a base", faults);
    }
}
