//! Arms that end alike: they emit the same token and go to the same state. That part is generated once,
//! as a step between two states, so that a sink is called in one place.

use std::collections::BTreeMap;

use crate::machine::{Action, Arm, Body, Machine, Next, StateId, StateKind, Target, TokenId};

/// What some arms for one ASCII character end with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Emission {
    /// The token that is emitted.
    pub token: TokenId,
    /// The state after it.
    pub next: StateId,
}

impl Emission {
    /// The emission that a body ends with, when nothing that was consumed is put back.
    pub fn ending(body: &Body) -> Option<Self> {
        let Next::Go {
            target: Target::State(next),
            reconsume: false,
        } = body.next
        else {
            return None;
        };
        match body.actions.last()? {
            Action::Emit(token) if !body.actions.contains(&Action::Rewind) => Some(Self {
                token: *token,
                next,
            }),
            _ => None,
        }
    }
}

/// Whether the arm consumes one ASCII character.
pub fn consumes_ascii(arm: &Arm) -> bool {
    !arm.peeked && arm.set.ranges().iter().all(|(_, last)| *last < 0x80)
}

/// The emissions in which two arms or more end, each with the states of these arms.
pub fn shared(machine: &Machine) -> Vec<(Emission, Vec<StateId>)> {
    let mut found: BTreeMap<Emission, Vec<StateId>> = BTreeMap::new();
    for (index, state) in machine.states.iter().enumerate() {
        if let StateKind::Consume(consume) = &state.kind {
            for arm in consume.arms.iter().filter(|arm| consumes_ascii(arm)) {
                each_ending(&arm.body, &mut |emission| {
                    let states = found.entry(emission).or_default();
                    states.push(StateId(index as u32));
                });
            }
        }
    }
    found.into_iter().filter(|(_, s)| s.len() > 1).collect()
}

fn each_ending(body: &Body, found: &mut impl FnMut(Emission)) {
    match &body.next {
        Next::Go { .. } => Emission::ending(body).into_iter().for_each(found),
        Next::If {
            then, otherwise, ..
        } => {
            each_ending(then, found);
            each_ending(otherwise, found);
        }
    }
}
