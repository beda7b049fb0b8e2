//! What a state may still read, and what it may emit first: the rest of what a machine remembers is no
//! difference, and where two machines can no longer emit the same, their tokens differ whatever follows.
//!
//! A state is looked at together with the values of the registers that only ever hold a few. Without them
//! a return from a character reference in text would seem to lead into an attribute.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use speclex_codegen::analyse::{bodies, decided};
use speclex_codegen::machine::{
    Action, Body, Guard, Machine, Next, RegisterType, State, StateKind, Target, Value as Source,
};

use super::runner::configuration::{Building, Configuration, Register, Symbol, Value};
use super::runner::steps::{EmittedToken, Item};

/// A set of variables, as bits.
pub(super) type Live = u128;

/// A state and the values of the registers with few.
pub(super) type Node = (u32, Vec<u32>);

/// More nodes than this are not told apart.
const NODES: usize = 40_000;

/// Which variables may be read before they are written.
#[derive(Debug)]
pub(super) struct Liveness {
    nodes: FxHashMap<Node, Live>,
    /// The node that was looked up last: one that is not made anew each time.
    looked_up: RefCell<Node>,
    /// The registers with few values, with those that they start with.
    few: Vec<(u32, u32)>,
    registers: usize,
}

impl Liveness {
    /// The reference matched last.
    pub(super) const MATCHED: Live = 1 << 127;
    /// The place marked.
    pub(super) const MARK: Live = 1 << 126;
    /// The last start tag's name.
    pub(super) const START_TAG: Live = 1 << 125;

    pub(super) fn register(&self, register: usize) -> Live {
        1u128.checked_shl(register as u32).unwrap_or(0)
    }

    pub(super) fn token(&self, token: usize) -> Live {
        let bit = (self.registers + token) as u32;
        1u128.checked_shl(bit).unwrap_or(0)
    }

    /// Whether a state may go back to the place marked.
    pub(super) fn may_rewind(&self, state: u32) -> bool {
        let nodes = self.nodes.iter().filter(|((of, _), _)| *of == state);
        self.nodes.is_empty() || nodes.into_iter().any(|(_, live)| live & Self::MARK != 0)
    }

    /// Whether a register may be read before it is written.
    pub(super) fn is_live_at_start(&self, machine: &Machine, register: usize) -> bool {
        let is_start = |state: u32| machine.entries.iter().any(|entry| entry.state.0 == state);
        let mut nodes = self.nodes.iter();
        let live =
            |(node, live): (&Node, &Live)| is_start(node.0) && live & self.register(register) != 0;
        self.nodes.is_empty() || nodes.any(live)
    }

    /// Whether situations that this machine tells apart are enough for another that may stand in its place: what the
    /// other reads this one reads too, and neither reads a string alone.
    pub(super) fn serves(&self, other: &Self, machine: &Machine) -> bool {
        let texts = (0..).zip(&machine.registers);
        let texts = texts.filter(|(_, register)| register.ty == RegisterType::Text);
        let texts = texts.map(|(index, _)| self.register(index));
        let tokens = (0..machine.vocabulary.tokens.len()).map(|token| self.token(token));
        let strings = texts.chain(tokens).fold(0, |all, one| all | one);
        let serves = |(node, live): (&Node, &Live)| {
            let other = other.nodes.get(node);
            other.is_none_or(|other| other & !live == 0 && (live ^ other) & strings == 0)
        };
        self.nodes.is_empty() == other.nodes.is_empty() && self.nodes.iter().all(serves)
    }

    /// All states with the values that registers may have there.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.keys()
    }

    /// What is known of the node where a side is; `None` at the end.
    fn look_up<T: Copy>(
        &self,
        known: &FxHashMap<Node, T>,
        side: &Configuration,
        otherwise: T,
    ) -> Option<T> {
        let mut node = self.looked_up.borrow_mut();
        node.0 = side.state?;
        node.1.clear();
        for &(register, _) in &self.few {
            node.1.push(match side.registers.get(register as usize) {
                Some(Register::State(value) | Register::Finite(value)) => *value,
                _ => 0,
            });
        }
        Some(known.get(&*node).copied().unwrap_or(otherwise))
    }

    /// What is live for a side; everything where that is not known.
    pub(super) fn of(&self, side: &Configuration) -> Live {
        self.look_up(&self.nodes, side, Live::MAX).unwrap_or(0)
    }

    /// Finds the least solution.
    pub(super) fn new(machine: &Machine) -> Self {
        let initial = machine.entries.first().map_or(0, |entry| entry.state.0);
        let few = (0..).zip(&machine.registers);
        let few = few.filter_map(|(id, register)| match register.ty {
            RegisterType::State => Some((id, initial)),
            RegisterType::Finite(_) => Some((id, 0)),
            _ => None,
        });
        let mut liveness = Self {
            nodes: FxHashMap::default(),
            looked_up: RefCell::default(),
            few: few.collect(),
            registers: machine.registers.len(),
        };
        liveness.explore(machine);
        liveness
    }

    /// Visits all nodes, then goes round until nothing changes.
    fn explore(&mut self, machine: &Machine) {
        let start: Vec<u32> = self.few.iter().map(|&(_, value)| value).collect();
        let mut order: Vec<Node> = Vec::new();
        let mut todo: Vec<Node> = Vec::new();
        let enter = |values: &[u32], few: &[(u32, u32)]| -> Vec<Node> {
            let entries = machine.entries.iter().map(|entry| {
                let mut values = values.to_vec();
                for &(register, value) in &entry.sets {
                    if let Some(at) = few.iter().position(|&(r, _)| r == register.0) {
                        values[at] = value;
                    }
                }
                (entry.state.0, values)
            });
            entries.collect()
        };
        todo.extend(enter(&start, &self.few));
        todo.push((machine.entries.first().map_or(0, |e| e.state.0), start));
        while let Some(node) = todo.pop() {
            if self.nodes.contains_key(&node) {
                continue;
            }
            if self.nodes.len() > NODES {
                self.nodes.clear();
                return;
            }
            self.nodes.insert(node.clone(), 0);
            let Some(state) = machine.states.get(node.0 as usize) else {
                continue;
            };
            for body in bodies(state) {
                self.ends(body, &node.1, &mut |values, target| {
                    todo.extend(self.target(target, values));
                    // The sink may name another content.
                    todo.extend(enter(values, &self.few));
                });
            }
            order.push(node);
        }
        loop {
            let mut changed = false;
            for node in order.iter().rev() {
                let Some(state) = machine.states.get(node.0 as usize) else {
                    continue;
                };
                let mut live = 0;
                for body in bodies(state) {
                    live |= self.body(machine, body, &node.1);
                }
                if let StateKind::Match { .. } = state.kind {
                    live &= !Self::MATCHED;
                }
                changed |= self.nodes.insert(node.clone(), live) != Some(live);
            }
            if !changed {
                return;
            }
        }
    }

    pub(super) fn target(&self, target: Target, values: &[u32]) -> Option<Node> {
        let state = match target {
            Target::State(state) => state.0,
            Target::Register(register) => {
                let at = self.few.iter().position(|&(r, _)| r == register.0)?;
                *values.get(at)?
            }
            Target::End => return None,
        };
        Some((state, values.to_vec()))
    }

    /// The values after some actions.
    pub(super) fn after(&self, actions: &[Action], values: &[u32]) -> Vec<u32> {
        let mut values = values.to_vec();
        for action in actions {
            let (register, value) = match action {
                Action::SetState(register, state) => (register.0, state.0),
                Action::SetFinite(register, value) => (register.0, *value),
                _ => continue,
            };
            if let Some(at) = self.few.iter().position(|&(r, _)| r == register) {
                values[at] = value;
            }
        }
        values
    }

    /// Where a body may end, with the values there.
    fn ends(&self, body: &Body, values: &[u32], see: &mut dyn FnMut(&[u32], Target)) {
        let values = self.after(&body.actions, values);
        match &body.next {
            Next::Go { target, .. } => see(&values, *target),
            Next::If {
                guard,
                then,
                otherwise,
            } => {
                let holds = self.decided(guard, &values);
                if holds != Some(false) {
                    self.ends(then, &values, see);
                }
                if holds != Some(true) {
                    self.ends(otherwise, &values, see);
                }
            }
        }
    }

    /// What the values say of a guard.
    pub(super) fn decided(&self, guard: &Guard, values: &[u32]) -> Option<bool> {
        let value = |register: u32| {
            let at = self.few.iter().position(|&(r, _)| r == register)?;
            values.get(at).copied()
        };
        decided(guard, &|part| match part {
            Guard::FiniteIs(register, any_of) => Some(any_of.contains(&value(register.0)?)),
            Guard::StateIs(register, states) => {
                let state = value(register.0)?;
                Some(states.iter().any(|s| s.0 == state))
            }
            _ => None,
        })
    }

    fn body(&self, machine: &Machine, body: &Body, values: &[u32]) -> Live {
        let after = self.after(&body.actions, values);
        let mut live = match &body.next {
            Next::Go { target, .. } => {
                let node = self.target(*target, &after);
                let live = node.and_then(|node| self.nodes.get(&node).copied());
                let through = match target {
                    Target::Register(register) => self.register(register.0 as usize),
                    _ => 0,
                };
                live.unwrap_or(0) | through
            }
            Next::If {
                guard,
                then,
                otherwise,
            } => {
                let holds = self.decided(guard, &after);
                let mut live = self.guard(guard);
                if holds != Some(false) {
                    live |= self.body(machine, then, &after);
                }
                if holds != Some(true) {
                    live |= self.body(machine, otherwise, &after);
                }
                live
            }
        };
        for action in body.actions.iter().rev() {
            live = self.action(machine, action, live);
        }
        live
    }

    fn action(&self, machine: &Machine, action: &Action, after: Live) -> Live {
        let register = |id: &speclex_codegen::machine::RegisterId| self.register(id.0 as usize);
        match action {
            Action::EmitText(source)
            | Action::AppendAttribute(_, _, source)
            | Action::SetAttribute(_, _, source)
            | Action::Append(_, source)
            | Action::Set(_, source)
            | Action::AppendRegister(_, source) => after | self.source(source),
            Action::SetText(id, source) => after & !register(id) | self.source(source),
            Action::Emit(token) => {
                let mut live = after | self.token(token.0 as usize);
                for on_emit in machine.on_emit.iter().filter(|on| on.token == *token) {
                    for (guard, actions) in &on_emit.steps {
                        for action in actions.iter().rev() {
                            // It may not run, so that it overwrites nothing.
                            live |= self.action(machine, action, live);
                        }
                        live |= guard.as_ref().map_or(0, |guard| self.guard(guard));
                    }
                }
                live
            }
            Action::Create(token, _) => after & !self.token(token.0 as usize),
            Action::SetState(id, _)
            | Action::SetNumber(id, _)
            | Action::SetCharacter(id, _)
            | Action::SetFinite(id, _) => after & !register(id),
            Action::Mark => after & !Self::MARK,
            Action::Rewind => after | Self::MARK,
            Action::Error(_)
            | Action::SetKind(..)
            | Action::EmitEof
            | Action::StartAttribute(_)
            | Action::DropAttribute(_)
            | Action::SetFlag(..)
            | Action::Multiply(..)
            | Action::AddDigit(_)
            | Action::Increase(_)
            | Action::Decrease(_)
            | Action::Replace(_) => after,
        }
    }

    fn source(&self, source: &Source) -> Live {
        match source {
            Source::Register(id) | Source::Code(id) => self.register(id.0 as usize),
            Source::Field(field) => self.token(field.token.0 as usize),
            Source::MatchedReplacement | Source::MatchedName => Self::MATCHED,
            Source::Current | Source::LowerCurrent | Source::Literal(_) => 0,
        }
    }

    fn guard(&self, guard: &Guard) -> Live {
        match guard {
            Guard::Not(guard) => self.guard(guard),
            Guard::All(guards) | Guard::Any(guards) => {
                guards.iter().fold(0, |all, guard| all | self.guard(guard))
            }
            Guard::TextIs { register, .. }
            | Guard::FiniteIs(register, _)
            | Guard::StateIs(register, _)
            | Guard::NumberIn(register, _)
            | Guard::HasReplacement(register)
            | Guard::CurrentIsCharacter(register) => self.register(register.0 as usize),
            Guard::AppropriateEndTag(token) => self.token(token.0 as usize) | Self::START_TAG,
            Guard::DuplicateAttribute(token)
            | Guard::HasAttributes(token)
            | Guard::KindIs(token, _) => self.token(token.0 as usize),
            Guard::FlagIs(field) => self.token(field.token.0 as usize),
            Guard::LastMatchedIn(_) => Self::MATCHED,
            Guard::NextIsLastStartTag { .. } | Guard::StartTagEmitted => Self::START_TAG,
            Guard::CurrentIn(_)
            | Guard::NextIn { .. }
            | Guard::NextAre { .. }
            | Guard::LastConsumed(_)
            | Guard::Question(_) => 0,
        }
    }
}

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
pub(super) struct FirstSets {
    futures: [FxHashMap<Node, Future>; 2],
    /// The tokens that may lose something whenever they are emitted.
    on_emit: Emissions,
}

impl FirstSets {
    pub(super) fn new(machine: &Machine, liveness: &Liveness) -> Self {
        let mut nodes: Vec<&Node> = Vec::new();
        if machine.vocabulary.tokens.len() <= TOKENS {
            nodes.extend(liveness.nodes());
        }
        let on_emit = machine.on_emit.iter().flat_map(|on_emit| &on_emit.steps);
        let on_emit = on_emit.flat_map(|(_, actions)| actions.iter().map(renewed));
        let mut first_sets = Self {
            futures: [false, true].map(|_| {
                let nodes = nodes.iter().map(|&node| node.clone());
                nodes.map(|node| (node, Future::default())).collect()
            }),
            on_emit: on_emit.fold(0, |all, one| all | one),
        };
        loop {
            let mut changed = false;
            for &node in &nodes {
                let Some(state) = machine.states.get(node.0 as usize) else {
                    continue;
                };
                for at_end in [false, true] {
                    let mut future = Future::default();
                    for (body, at_end) in bodies_here(state, at_end) {
                        future.add(first_sets.body(liveness, body, &node.1, at_end));
                    }
                    let known = &mut first_sets.futures[usize::from(at_end)];
                    changed |= known.insert(node.clone(), future) != Some(future);
                }
            }
            if !changed {
                return first_sets;
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
                let futures = &self.futures[usize::from(at_end && !goes_back)];
                let known = node.and_then(|node| futures.get(&node));
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

    fn of(&self, liveness: &Liveness, side: &Configuration) -> Future {
        let at_the_end = Future {
            first: NOTHING,
            renewed: 0,
        };
        let future = liveness.look_up(&self.futures[0], side, Future::UNKNOWN);
        future.unwrap_or(at_the_end)
    }

    /// What a side may emit next; everything where that is not known.
    pub(super) fn emissions(&self, liveness: &Liveness, side: &Configuration) -> Emissions {
        self.of(liveness, side).first
    }

    /// Whether a side can still emit this token: it must have gathered nothing else so far.
    pub(super) fn may_become(
        &self,
        liveness: &Liveness,
        side: &Configuration,
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
            let literals = consume.literals.iter().map(|literal| &literal.body);
            let rest = literals.chain(consume.arms.iter().map(|arm| &arm.body));
            rest.map(|body| (body, false))
                .chain([(&consume.eof, true)])
                .collect()
        }
        _ => bodies(state)
            .into_iter()
            .map(|body| (body, at_end))
            .collect(),
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
