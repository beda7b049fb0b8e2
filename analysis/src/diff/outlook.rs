//! What a machine may emit next. Where two machines can no longer emit the same, their tokens differ
//! whatever follows.

use std::collections::HashMap;

use speclex_codegen::machine::{
    Action, Body, Machine, Next, State, StateKind, Target, Value as Source,
};

use super::liveness::{Liveness, Node};
use super::side::{Building, Side, Symbol, Value};
use super::steps::{EmittedToken, Item};
use crate::walk::bodies;

/// A set of what may come next: nothing, text, or a token.
type Emissions = u64;

const NOTHING: Emissions = 1;
const TEXT: Emissions = 2;

/// More tokens than this have no bits: nothing is known then.
const TOKENS: usize = 60;

fn token(token: u32) -> Emissions {
    4u64.checked_shl(token).unwrap_or(0)
}

/// What is known of a state's future.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Future {
    /// What may come out first.
    first: Emissions,
    /// The tokens that may lose something they hold before that.
    renewed: Emissions,
}

impl Future {
    const UNKNOWN: Self = Self {
        first: Emissions::MAX,
        renewed: Emissions::MAX,
    };

    fn add(&mut self, other: Self) {
        self.first |= other.first;
        self.renewed |= other.renewed;
    }
}

/// The futures of each state, before the end of the input and at it.
#[derive(Debug)]
pub(super) struct Outlook {
    futures: HashMap<(Node, bool), Future>,
    /// The tokens that may lose something whenever they are emitted.
    on_emit: Emissions,
}

impl Outlook {
    pub(super) fn new(machine: &Machine, liveness: &Liveness) -> Self {
        let mut nodes: Vec<(Node, bool)> = Vec::new();
        if machine.vocabulary.tokens.len() <= TOKENS {
            for node in liveness.nodes() {
                nodes.extend([(node.clone(), false), (node.clone(), true)]);
            }
        }
        let on_emit = machine.on_emit.iter().flat_map(|on_emit| &on_emit.steps);
        let on_emit = on_emit.flat_map(|(_, actions)| actions.iter().map(renewed));
        let mut outlook = Self {
            futures: nodes
                .iter()
                .map(|node| (node.clone(), Future::default()))
                .collect(),
            on_emit: on_emit.fold(0, |all, one| all | one),
        };
        loop {
            let mut changed = false;
            for node in &nodes {
                let Some(state) = machine.states.get(node.0.0 as usize) else {
                    continue;
                };
                let mut future = Future::default();
                for (body, at_end) in bodies_here(state, node.1) {
                    future.add(outlook.body(liveness, body, &node.0.1, at_end));
                }
                changed |= outlook.futures.insert(node.clone(), future) != Some(future);
            }
            if !changed {
                return outlook;
            }
        }
    }

    fn body(&self, liveness: &Liveness, body: &Body, values: &[u32], at_end: bool) -> Future {
        let mut future = Future::default();
        for action in &body.actions {
            future.renewed |= renewed(action);
            match action {
                Action::Emit(id) => {
                    future.first |= token(id.0);
                    future.renewed |= self.on_emit;
                    return future;
                }
                // A register may be empty.
                Action::EmitText(Source::Register(_) | Source::Field(_)) => future.first |= TEXT,
                Action::EmitText(_) => {
                    future.first |= TEXT;
                    return future;
                }
                _ => {}
            }
        }
        let after = liveness.after(&body.actions, values);
        match &body.next {
            Next::Go {
                target: Target::End,
                ..
            } => future.first |= NOTHING,
            Next::Go { target, .. } => {
                // What went back to a mark is no longer at the end.
                let goes_back = body.actions.iter().any(|a| matches!(a, Action::Rewind));
                let node = liveness.target(*target, &after);
                let known = node.and_then(|node| self.futures.get(&(node, at_end && !goes_back)));
                future.add(known.copied().unwrap_or(Future::UNKNOWN));
            }
            Next::If {
                guard,
                then,
                otherwise,
            } => {
                let holds = liveness.decided(guard, &after);
                if holds != Some(false) {
                    future.add(self.body(liveness, then, &after, at_end));
                }
                if holds != Some(true) {
                    future.add(self.body(liveness, otherwise, &after, at_end));
                }
            }
        }
        future
    }

    fn of(&self, liveness: &Liveness, side: &Side) -> Future {
        match liveness.node(side) {
            None => Future {
                first: NOTHING,
                renewed: 0,
            },
            Some(node) => {
                let known = self.futures.get(&(node, false));
                known.copied().unwrap_or(Future::UNKNOWN)
            }
        }
    }

    /// What a side may emit next; everything where that is not known.
    pub(super) fn emissions(&self, liveness: &Liveness, side: &Side) -> Emissions {
        self.of(liveness, side).first
    }

    /// Whether a side can still emit this token: it must have gathered nothing else so far.
    pub(super) fn may_become(
        &self,
        liveness: &Liveness,
        side: &Side,
        wanted: &EmittedToken,
        same: &dyn Fn(Symbol, Symbol) -> bool,
    ) -> bool {
        let future = self.of(liveness, side);
        if future.renewed & token(wanted.token) != 0 {
            return true;
        }
        let Some(held) = side.tokens.get(wanted.token as usize) else {
            return true;
        };
        let pairs = held.fields.iter().zip(&wanted.building.fields);
        pairs
            .into_iter()
            .all(|(held_value, value)| match (held_value, value) {
                (Value::Text(start), Value::Text(text)) => begins(text, start, same),
                (Value::Text(_), Value::Missing) => false,
                (Value::Attributes(_), Value::Attributes(all)) => {
                    let settled = settled_attributes(held);
                    settled.len() <= all.len()
                        && settled.iter().zip(all).all(
                            |((name, value), (other_name, other_value))| {
                                name.len() == other_name.len()
                                    && value.len() == other_value.len()
                                    && begins(other_name, name, same)
                                    && begins(other_value, value, same)
                            },
                        )
                }
                _ => true,
            })
    }
}

/// The bodies that may run, and whether only the end of the input is left then.
fn bodies_here(state: &State, at_end: bool) -> Vec<(&Body, bool)> {
    match &state.kind {
        StateKind::Consume(consume) if at_end => vec![(&consume.eof, true)],
        StateKind::Consume(consume) => {
            let rest = bodies(state).filter(|body| !std::ptr::eq(*body, &consume.eof));
            rest.map(|body| (body, false))
                .chain([(&consume.eof, true)])
                .collect()
        }
        _ => bodies(state).map(|body| (body, at_end)).collect(),
    }
}

/// The token that loses something by an action, or may.
fn renewed(action: &Action) -> Emissions {
    match action {
        Action::Create(id, _) | Action::SetAttribute(id, ..) => token(id.0),
        Action::Set(field, _) => token(field.token.0),
        _ => 0,
    }
}

fn begins(text: &[Symbol], start: &[Symbol], same: &dyn Fn(Symbol, Symbol) -> bool) -> bool {
    text.len() >= start.len() && text.iter().zip(start).all(|(&a, &b)| same(a, b))
}

/// The attributes that can no longer change: all but the current one.
fn settled_attributes(building: &Building) -> &[(Vec<Symbol>, Vec<Symbol>)] {
    let all = building.attributes();
    match all.split_last() {
        Some((_, earlier)) if building.has_current => earlier,
        _ => all,
    }
}

/// What an item is.
pub(super) fn emission(item: &Item) -> Emissions {
    match item {
        Item::Character(..) => TEXT,
        // What ends a run is another token, or the end.
        Item::RunEnd(..) => Emissions::MAX & !TEXT,
        Item::Token(emitted) => token(emitted.token),
    }
}
