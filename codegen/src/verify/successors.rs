//! Where successors lead, when they are held in registers too.

// A new action, guard or value must be named here.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::lower::Lowered;
use crate::lower::traced::{Body, End};
use crate::machine::{Action, RegisterId, RegisterType, StateId, Target};
use std::collections::BTreeMap;

/// The states that each state register can hold.
pub(super) struct Held(BTreeMap<RegisterId, Vec<StateId>>);

impl Held {
    pub(super) fn new(lowered: &Lowered) -> Self {
        let mut held: BTreeMap<RegisterId, Vec<StateId>> = BTreeMap::new();
        // A register that was not set holds the initial state.
        let initial = lowered.entries.first().map(|entry| entry.state);
        for (register, id) in lowered.registers.iter().zip(0..) {
            if register.ty == RegisterType::State {
                held.insert(RegisterId(id), initial.into_iter().collect());
            }
        }
        for body in lowered.states.iter().flat_map(|state| state.bodies()) {
            each_body(body, &mut |body| {
                let actions = body.actions.iter().map(|(action, _)| action);
                for (register, value) in actions.flat_map(Action::registers) {
                    if let Some(held) = held.get_mut(&register) {
                        let all = 0..lowered.states.len() as u32;
                        let values = value.map_or(all, |value| value..value + 1);
                        held.extend(values.map(StateId));
                    }
                }
            });
        }
        for states in held.values_mut() {
            states.sort_unstable();
            states.dedup();
        }
        Self(held)
    }

    /// The states that a successor can lead to.
    pub(super) fn targets(&self, target: Target) -> &[StateId] {
        match target {
            Target::Register(register) => self.0.get(&register).map_or(&[], Vec::as_slice),
            Target::State(_) | Target::End => &[],
        }
    }

    /// Calls `visit` with each state that a successor can lead to.
    pub(super) fn each_target(&self, target: Target, visit: &mut impl FnMut(StateId)) {
        if let Target::State(state) = target {
            visit(state);
        }
        self.targets(target).iter().copied().for_each(visit);
    }
}

/// Calls `visit` with a body and all bodies in it.
pub(super) fn each_body<'b>(body: &'b Body, visit: &mut impl FnMut(&'b Body)) {
    visit(body);
    if let End::If {
        then, otherwise, ..
    } = &body.end
    {
        each_body(then, visit);
        each_body(otherwise, visit);
    }
}
