//! What a state may still read: the rest of what a machine remembers makes no difference.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::analyse::{Event, Path, paths, states_in_registers};
use speclex_codegen::machine::{Action, Machine, RegisterId, StateId, Target};
use speclex_codegen::uses::Variable;

use crate::paths::{ArmInput, arms};

/// A set of variables, as bits.
type Bits = u128;

/// Which variables may be read before they are written.
#[derive(Debug)]
pub(super) struct Liveness {
    /// How many registers there are: tokens have the bits behind theirs.
    registers: usize,
    /// For each state.
    live: Vec<Bits>,
}

impl Liveness {
    /// Finds the least solution.
    pub(super) fn new(machine: &Machine) -> Self {
        Self::through(machine, &states_in_registers(machine))
    }

    /// The same if nothing is read behind a state that a register names: a reference in text would seem to lead into an attribute.
    pub(super) fn direct(machine: &Machine) -> Self {
        Self::through(machine, &BTreeMap::new())
    }

    fn through(machine: &Machine, in_registers: &BTreeMap<RegisterId, BTreeSet<StateId>>) -> Self {
        let ways = |state| {
            let arms = arms(state).into_iter();
            let ways = arms.map(|arm| {
                let matches = matches!(arm.on, ArmInput::Matched | ArmInput::Unmatched);
                (matches, paths(arm.body))
            });
            ways.collect()
        };
        let ways: Vec<Vec<(bool, Vec<Path<'_>>)>> = machine.states.iter().map(ways).collect();
        let mut all = Self {
            registers: machine.registers.len(),
            live: vec![0; machine.states.len()],
        };
        loop {
            let mut changed = false;
            // Backwards, since most ways lead to states that come later.
            for state in (0..ways.len()).rev() {
                let ways = ways[state].iter();
                let ways = ways.flat_map(|(matches, paths)| paths.iter().map(|it| (*matches, it)));
                let before = ways.map(|(matches, path)| {
                    let behind = match path.target {
                        Target::State(state) => all.of_state(state.0),
                        Target::Register(register) => {
                            let held = in_registers.get(&register).into_iter().flatten();
                            let held = held.map(|state| all.of_state(state.0));
                            held.fold(all.bit(Variable::Register(register)), |a, b| a | b)
                        }
                        Target::End => 0,
                    };
                    let before = all.before(machine, path, behind);
                    match matches {
                        true => before & !all.bit(Variable::Matched),
                        false => before,
                    }
                });
                let before = before.fold(0, |a, b| a | b);
                changed |= before != all.live[state];
                all.live[state] = before;
            }
            if !changed {
                return all;
            }
        }
    }

    fn of_state(&self, state: u32) -> Bits {
        self.live.get(state as usize).copied().unwrap_or(0)
    }

    fn bit(&self, variable: Variable) -> Bits {
        let bit = match variable {
            Variable::Register(id) => id.0,
            Variable::Token(id) => self.registers as u32 + id.0,
            Variable::Matched => 127,
            Variable::Mark => 126,
            Variable::LastStartTag => 125,
        };
        1u128.checked_shl(bit).unwrap_or(0)
    }

    fn bits(&self, variables: impl IntoIterator<Item = Variable>) -> Bits {
        let bits = variables.into_iter().map(|it| self.bit(it));
        bits.fold(0, |all, one| all | one)
    }

    /// What is live before a path, from what is live behind it.
    fn before(&self, machine: &Machine, path: &Path<'_>, mut live: Bits) -> Bits {
        for event in path.events.iter().rev() {
            live = match event {
                Event::Asks(guard, _) => live | self.bits(guard.reads()),
                Event::Does(action) => self.before_action(machine, action, live),
            };
        }
        live
    }

    fn before_action(&self, machine: &Machine, action: &Action, mut live: Bits) -> Bits {
        if let Action::Emit(token) = action {
            let on_emit = machine.on_emit.iter().filter(|on| on.token == *token);
            for (guard, actions) in on_emit.flat_map(|on| &on.steps) {
                for action in actions.iter().rev() {
                    // It may not run, so that it overwrites nothing.
                    live |= self.before_action(machine, action, live);
                }
                live |= self.bits(guard.iter().flat_map(|guard| guard.reads()));
            }
        }
        live & !self.bits(action.makes_anew()) | self.bits(action.reads())
    }

    /// Whether a variable is live in a state.
    pub(super) fn is_live(&self, state: u32, variable: Variable) -> bool {
        self.of_state(state) & self.bit(variable) != 0
    }

    /// Whether a register may be read before it is written.
    pub(super) fn is_live_at_start(&self, machine: &Machine, register: usize) -> bool {
        let register = Variable::Register(RegisterId(register as u32));
        let mut entries = machine.entries.iter();
        entries.any(|entry| self.is_live(entry.state.0, register))
    }
}
