//! Paths through bodies.

use std::collections::{BTreeMap, BTreeSet};

use crate::machine::{
    Action, Body, Guard, Machine, Next, RegisterId, RegisterType, StateId, Target, TokenId,
};
use crate::uses::{Variable, bodies};

/// One path through a body.
#[derive(Clone, Debug)]
pub struct Path<'m> {
    /// The questions asked, with their answers.
    pub guards: Vec<(&'m Guard, bool)>,
    /// The actions, in order.
    pub actions: Vec<&'m Action>,
    /// Where it leads.
    pub target: Target,
    /// Whether what was consumed is put back.
    pub reconsume: bool,
}

/// All paths through a body.
pub fn paths(body: &Body) -> Vec<Path<'_>> {
    let mut tails = match &body.next {
        Next::Go { target, reconsume } => vec![Path {
            guards: Vec::new(),
            actions: Vec::new(),
            target: *target,
            reconsume: *reconsume,
        }],
        Next::If {
            guard,
            then,
            otherwise,
        } => [(then, true), (otherwise, false)]
            .into_iter()
            .flat_map(|(body, answer)| {
                paths(body).into_iter().map(move |mut path| {
                    path.guards.insert(0, (guard, answer));
                    path
                })
            })
            .collect(),
    };
    for tail in &mut tails {
        tail.actions.splice(0..0, &body.actions);
    }
    tails
}

/// The answer to a guard, if those of its parts that `part` knows decide it.
pub fn decided(guard: &Guard, part: &dyn Fn(&Guard) -> Option<bool>) -> Option<bool> {
    let all = |guards: &[Guard], decisive: bool| {
        let answers: Vec<_> = guards.iter().map(|guard| decided(guard, part)).collect();
        if answers.contains(&Some(decisive)) {
            Some(decisive)
        } else {
            (!answers.contains(&None)).then_some(!decisive)
        }
    };
    match guard {
        Guard::Not(inner) => Some(!decided(inner, part)?),
        Guard::All(guards) => all(guards, false),
        Guard::Any(guards) => all(guards, true),
        _ => part(guard),
    }
}

/// The states that each state register may hold.
pub fn states_in_registers(machine: &Machine) -> BTreeMap<RegisterId, BTreeSet<StateId>> {
    let initial = machine.entries.first().map(|entry| entry.state);
    let is_state = |id: &RegisterId| machine.registers[id.0 as usize].ty == RegisterType::State;
    let registers = (0..machine.registers.len() as u32).map(RegisterId);
    let mut held: BTreeMap<_, BTreeSet<_>> = registers
        .filter(is_state)
        .map(|id| (id, initial.into_iter().collect()))
        .collect();
    for path in machine.states.iter().flat_map(bodies).flat_map(paths) {
        for action in path.actions {
            if let Action::SetState(register, state) = action {
                held.entry(*register).or_default().insert(*state);
            }
        }
    }
    held
}

/// Whether a machine ever emits a token.
pub(crate) fn emits(machine: &Machine, token: TokenId) -> bool {
    let mut bodies = machine.states.iter().flat_map(bodies);
    bodies.any(|body| body.all_actions().any(|it| *it == Action::Emit(token)))
}

/// Whether any state asks for the name of the last start tag.
pub fn uses_last_start_tag(machine: &Machine) -> bool {
    let bodies = machine.states.iter().flat_map(bodies);
    let mut asked = bodies.flat_map(Body::all_questions).flat_map(Guard::reads);
    asked.any(|variable| variable == Variable::LastStartTag)
}
