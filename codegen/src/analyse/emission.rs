//! Bodies that end alike: they emit the same token and go to the same state. That part is generated once,
//! as a step between two states, so that a sink is called in one place.

use std::collections::BTreeMap;

use crate::machine::{Action, Arm, Body, Machine, Next, StateId, StateKind, Target, TokenId};

/// What bodies end with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Emission {
    /// The token that is emitted.
    pub token: TokenId,
    /// The state after it.
    pub next: StateId,
}

impl Emission {
    /// The emission that a body ends with, when what was consumed stays consumed; at the end of the input
    /// there is nothing to put back.
    fn ending(body: &Body, eof: bool) -> Option<Self> {
        let Next::Go {
            target: Target::State(next),
            reconsume,
        } = body.next
        else {
            return None;
        };
        match body.actions.last()? {
            Action::Emit(token) if eof || !reconsume => Some(Self {
                token: *token,
                next,
            }),
            _ => None,
        }
        .filter(|_| !body.actions.contains(&Action::Rewind))
    }
}

/// An emission in which two bodies or more end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// What they end with.
    pub emission: Emission,
    /// The states of which arms for characters do.
    pub states: Vec<StateId>,
}

/// Whether the arm consumes one ASCII character.
pub(crate) fn consumes_ascii(arm: &Arm) -> bool {
    !arm.peeked && arm.set.ranges().iter().all(|(_, last)| *last < 0x80)
}

/// The emissions in which two bodies or more end: of arms for one ASCII character, and for EOF.
pub fn shared(machine: &Machine) -> Vec<Shared> {
    let mut found: BTreeMap<Emission, (usize, Vec<StateId>)> = BTreeMap::new();
    for (index, state) in machine.states.iter().enumerate() {
        if let StateKind::Consume(consume) = &state.kind {
            for arm in consume.arms.iter().filter(|arm| consumes_ascii(arm)) {
                each_ending(&arm.body, false, &mut |emission| {
                    let (bodies, states) = found.entry(emission).or_default();
                    *bodies += 1;
                    states.push(StateId(index as u32));
                });
            }
            each_ending(&consume.eof, true, &mut |emission| {
                found.entry(emission).or_default().0 += 1;
            });
        }
    }
    let found = found.into_iter().filter(|(_, (bodies, _))| *bodies > 1);
    found
        .map(|(emission, (_, states))| Shared { emission, states })
        .collect()
}

fn each_ending(body: &Body, eof: bool, found: &mut impl FnMut(Emission)) {
    match &body.next {
        Next::Go { .. } => Emission::ending(body, eof).into_iter().for_each(found),
        Next::If {
            then, otherwise, ..
        } => {
            each_ending(then, eof, found);
            each_ending(otherwise, eof, found);
        }
    }
}
