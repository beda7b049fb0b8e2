//! Whether the last start tag's name can be asked for in a state that is reached without an answer of
//! the sink. If not, it need only be remembered when the sink answers with a content.

use std::collections::{BTreeMap, BTreeSet};

use super::{bodies, paths};
use crate::machine::{
    Action, Body, Guard, Machine, Next, RegisterId, RegisterType, StateId, Target,
};

/// Whether every start tag's name must be remembered.
pub fn always(machine: &Machine) -> bool {
    let values = Values::without_answers(machine);
    let mut reached = BTreeSet::new();
    let mut todo: Vec<StateId> = machine
        .entries
        .first()
        .map(|e| e.state)
        .into_iter()
        .collect();
    while let Some(id) = todo.pop() {
        if reached.insert(id) {
            for body in bodies(&machine.states[id.0 as usize]) {
                successors(&values, body, &mut todo);
            }
        }
    }
    reached.iter().any(|id| {
        let mut bodies = bodies(&machine.states[id.0 as usize]).into_iter();
        bodies.any(|body| asks(&values, body))
    })
}

/// Whether any state asks for it.
pub fn ever(machine: &Machine) -> bool {
    let values = Values::default();
    machine
        .states
        .iter()
        .flat_map(bodies)
        .any(|body| asks(&values, body))
}

/// The values that finite registers may have; any, where nothing is said of a register.
#[derive(Default)]
struct Values(BTreeMap<RegisterId, BTreeSet<u32>>);

impl Values {
    /// Those that they may have as long as no sink answers: the first of each register, and what any step
    /// sets it to.
    fn without_answers(machine: &Machine) -> Self {
        let mut values = BTreeMap::new();
        for (index, register) in machine.registers.iter().enumerate() {
            if matches!(register.ty, RegisterType::Finite(_)) {
                values.insert(RegisterId(index as u32), BTreeSet::from([0]));
            }
        }
        let entry = machine.entries.first().into_iter();
        let entry = entry.flat_map(|entry| entry.sets.iter().copied());
        let steps = machine.states.iter().flat_map(bodies).flat_map(paths);
        let steps = steps.flat_map(|path| path.actions);
        let hooks = machine.on_emit.iter().flat_map(|hook| &hook.steps);
        let hooks = hooks.flat_map(|(_, actions)| actions);
        let set = steps.chain(hooks).filter_map(|action| match action {
            Action::SetFinite(register, value) => Some((*register, *value)),
            _ => None,
        });
        for (register, value) in entry.chain(set) {
            values.entry(register).or_default().insert(value);
        }
        Self(values)
    }

    /// Whether a guard may have this answer.
    fn may(&self, guard: &Guard, answer: bool) -> bool {
        match guard {
            Guard::FiniteIs(register, wanted) => match self.0.get(register) {
                Some(values) => values.iter().any(|v| wanted.contains(v) == answer),
                None => true,
            },
            Guard::Not(inner) => self.may(inner, !answer),
            Guard::All(guards) if answer => guards.iter().all(|g| self.may(g, true)),
            Guard::All(guards) => guards.iter().any(|g| self.may(g, false)),
            Guard::Any(guards) if answer => guards.iter().any(|g| self.may(g, true)),
            Guard::Any(guards) => guards.iter().all(|g| self.may(g, false)),
            _ => true,
        }
    }
}

/// The states that a body may lead to, those that its register successors may hold included.
fn successors(values: &Values, body: &Body, found: &mut Vec<StateId>) {
    for action in &body.actions {
        // What a state register is set to, a later state may switch to.
        if let Action::SetState(_, id) = action {
            found.push(*id);
        }
    }
    match &body.next {
        Next::Go {
            target: Target::State(id),
            ..
        } => found.push(*id),
        Next::Go { .. } => {}
        Next::If {
            guard,
            then,
            otherwise,
        } => {
            for (body, answer) in [(then, true), (otherwise, false)] {
                if values.may(guard, answer) {
                    successors(values, body, found);
                }
            }
        }
    }
}

fn asks(values: &Values, body: &Body) -> bool {
    match &body.next {
        Next::Go { .. } => false,
        Next::If {
            guard,
            then,
            otherwise,
        } => {
            let may = [true, false].map(|answer| values.may(guard, answer));
            // Where only one answer is possible, nothing depends on the name.
            may == [true, true] && guard_asks(guard)
                || may[0] && asks(values, then)
                || may[1] && asks(values, otherwise)
        }
    }
}

fn guard_asks(guard: &Guard) -> bool {
    match guard {
        Guard::AppropriateEndTag(_) | Guard::NextIsLastStartTag { .. } | Guard::StartTagEmitted => {
            true
        }
        Guard::Not(inner) => guard_asks(inner),
        Guard::All(all) | Guard::Any(all) => all.iter().any(guard_asks),
        _ => false,
    }
}
