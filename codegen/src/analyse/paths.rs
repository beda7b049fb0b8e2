//! Paths through bodies.

use std::collections::{BTreeMap, BTreeSet};

use crate::machine::{
    Action, Body, Guard, Machine, Next, RegisterId, RegisterType, StateId, Target, TokenId,
};
use crate::uses::Variable;

/// What happens on a path.
#[derive(Clone, Copy, Debug)]
pub enum Event<'m> {
    /// Something is done.
    Does(&'m Action),
    /// A question is asked, and gets this answer.
    Asks(&'m Guard, bool),
}

/// One path through a body.
#[derive(Clone, Debug)]
pub struct Path<'m> {
    /// What is done and asked, in order.
    pub events: Vec<Event<'m>>,
    /// Where it leads.
    pub target: Target,
    /// Whether what was consumed is put back.
    pub reconsume: bool,
    /// The body with which it ends.
    pub leaf: &'m Body,
    /// The number of that body.
    pub number: u32,
}

/// The number of the body with which a decision tree begins.
pub const FIRST: u32 = 1;

/// The number of the body to which an answer leads: another one for each run of answers.
pub fn next_number(number: u32, answer: bool) -> u32 {
    number.checked_mul(2).unwrap_or(1 << 31) | u32::from(answer)
}

impl<'m> Path<'m> {
    /// What is done, in order.
    pub fn actions(&self) -> impl DoubleEndedIterator<Item = &'m Action> + Clone {
        self.events.iter().filter_map(|event| match *event {
            Event::Does(action) => Some(action),
            Event::Asks(..) => None,
        })
    }

    /// The questions asked, with their answers.
    pub fn guards(&self) -> impl DoubleEndedIterator<Item = (&'m Guard, bool)> {
        self.events.iter().filter_map(|event| match *event {
            Event::Asks(guard, answer) => Some((guard, answer)),
            Event::Does(_) => None,
        })
    }

    /// The questions asked, without connectives.
    pub fn questions(&self) -> impl Iterator<Item = &'m Guard> {
        self.guards().flat_map(|(guard, _)| guard.parts())
    }

    /// Whether it reports an error.
    pub fn reports(&self) -> bool {
        self.actions().any(|it| matches!(it, Action::Error(_)))
    }

    /// Whether all since the mark is put back.
    pub fn rewinds(&self) -> bool {
        self.actions().any(|it| *it == Action::Rewind)
    }
}

/// All paths through a body.
pub fn paths(body: &Body) -> Vec<Path<'_>> {
    let mut found = Vec::new();
    follow((body, FIRST), &mut Vec::new(), &mut found);
    found
}

fn follow<'m>(
    (body, number): (&'m Body, u32),
    events: &mut Vec<Event<'m>>,
    found: &mut Vec<Path<'m>>,
) {
    let before = events.len();
    events.extend(body.actions.iter().map(Event::Does));
    match &body.next {
        Next::Go { target, reconsume } => found.push(Path {
            events: events.clone(),
            target: *target,
            reconsume: *reconsume,
            leaf: body,
            number,
        }),
        Next::If {
            guard,
            then,
            otherwise,
        } => {
            for (answer, body) in [(true, then), (false, otherwise)] {
                events.push(Event::Asks(guard, answer));
                follow((body, next_number(number, answer)), events, found);
                events.pop();
            }
        }
    }
    events.truncate(before);
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
    for (register, value) in machine.all_actions().flat_map(Action::registers) {
        if let Some(held) = held.get_mut(&register) {
            let all = 0..machine.states.len() as u32;
            let values = value.map_or(all, |value| value..value + 1);
            held.extend(values.map(StateId));
        }
    }
    held
}

/// Whether a machine ever emits a token.
pub(crate) fn emits(machine: &Machine, token: TokenId) -> bool {
    machine.all_actions().any(|it| *it == Action::Emit(token))
}

/// Whether anything asks for the name of the last start tag.
pub fn uses_last_start_tag(machine: &Machine) -> bool {
    let mut asked = machine.all_questions().flat_map(Guard::reads);
    asked.any(|variable| variable == Variable::LastStartTag)
}
