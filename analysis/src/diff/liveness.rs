//! What a state may still read, and what it may emit first: the rest of what a machine remembers is no
//! difference, and where two machines can no longer emit the same, their tokens differ whatever follows.

use speclex_codegen::analyse::{Event, Path};
use speclex_codegen::machine::{Action, FieldId, Machine, RegisterType, Target, Value as Source};
use speclex_codegen::uses::Variable;

use super::facts::Copied;
use super::flow::Flow;
use super::runner::configuration::{Building, Configuration, Symbol, TextPlace, Value};
use super::runner::steps::{EmittedToken, Item};
use crate::paths::ArmInput;

/// A set of variables, as bits.
pub(super) type Live = u128;

/// Which variables may be read before they are written.
#[derive(Debug)]
pub(super) struct Liveness<'m> {
    pub(super) flow: Flow<'m>,
    /// For each node.
    live: Vec<Live>,
}

impl<'m> Liveness<'m> {
    /// The reference matched last.
    pub(super) const MATCHED: Live = 1 << 127;
    /// The place marked.
    pub(super) const MARK: Live = 1 << 126;
    /// The last start tag's name.
    pub(super) const START_TAG: Live = 1 << 125;

    /// Finds the least solution.
    pub(super) fn new(machine: &'m Machine) -> Self {
        let mut liveness = Self {
            flow: Flow::new(machine),
            live: Vec::new(),
        };
        liveness.live = liveness.flow.solve(|node, live: &[Live]| {
            let ways = liveness.flow.edges(node);
            let before = ways.map(|(way, to, is_answered)| {
                // The searches start in each content, with names of all kinds.
                let known = if is_answered { Self::START_TAG } else { 0 };
                let behind = to.map_or(0, |to| live[to]) & !known;
                let before = liveness.before(&way.path, behind);
                match way.on {
                    ArmInput::Matched | ArmInput::Unmatched => before & !Self::MATCHED,
                    _ => before,
                }
            });
            before.fold(0, |all, one| all | one)
        });
        liveness
    }

    pub(super) fn register(&self, register: usize) -> Live {
        1u128.checked_shl(register as u32).unwrap_or(0)
    }

    pub(super) fn token(&self, token: usize) -> Live {
        let bit = (self.flow.machine.registers.len() + token) as u32;
        1u128.checked_shl(bit).unwrap_or(0)
    }

    pub(super) fn copied(&self, copied: Copied) -> Live {
        match copied {
            Copied::Register(register) => self.register(register.0 as usize),
            Copied::Field(FieldId { token, .. }) | Copied::Attribute(token, _) => {
                self.token(token.0 as usize)
            }
        }
    }

    pub(super) fn text(&self, place: TextPlace) -> Live {
        match place {
            TextPlace::Register(register) => self.register(register),
            TextPlace::Field(token, _) | TextPlace::Name(token, _) | TextPlace::Value(token, _) => {
                self.token(token)
            }
        }
    }

    fn variable(&self, variable: Variable) -> Live {
        match variable {
            Variable::Register(id) => self.register(id.0 as usize),
            Variable::Token(id) => self.token(id.0 as usize),
            Variable::Matched => Self::MATCHED,
            Variable::Mark => Self::MARK,
            Variable::LastStartTag => Self::START_TAG,
        }
    }

    fn variables(&self, variables: impl IntoIterator<Item = Variable>) -> Live {
        let variables = variables.into_iter().map(|it| self.variable(it));
        variables.fold(0, |all, one| all | one)
    }

    /// What is live before a path, from what is live behind it.
    fn before(&self, path: &Path<'_>, mut live: Live) -> Live {
        if let Target::Register(register) = path.target {
            live |= self.register(register.0 as usize);
        }
        for event in path.events.iter().rev() {
            live = match event {
                Event::Asks(guard, _) => live | self.variables(guard.reads()),
                Event::Does(action) => self.before_action(action, live),
            };
        }
        live
    }

    fn before_action(&self, action: &Action, mut live: Live) -> Live {
        if let Action::Emit(token) = action {
            let on_emit = self.flow.machine.on_emit.iter();
            let steps = on_emit.filter(|on| on.token == *token);
            for (guard, actions) in steps.flat_map(|on| &on.steps) {
                for action in actions.iter().rev() {
                    // It may not run, so that it overwrites nothing.
                    live |= self.before_action(action, live);
                }
                live |= self.variables(guard.iter().flat_map(|guard| guard.reads()));
            }
        }
        let overwritten = action.changes().filter(|_| action.sets_anew());
        live & !self.variables(overwritten) | self.variables(action.reads())
    }

    /// What is live in a node.
    pub(super) fn of_node(&self, node: usize) -> Live {
        self.live[node]
    }

    /// What is live for a side; everything where that is not known.
    pub(super) fn of(&self, side: &Configuration) -> Live {
        let known = side.state.map(|_| self.flow.find(side));
        known.map_or(0, |node| node.map_or(Live::MAX, |node| self.live[node]))
    }

    /// For each state whether it may go back to the place marked.
    pub(super) fn may_rewind(&self) -> Vec<bool> {
        let nothing_is_known = self.live.is_empty();
        let mut may_rewind = vec![nothing_is_known; self.flow.machine.states.len()];
        for (node, live) in self.live.iter().enumerate() {
            if let Some(may_rewind) = may_rewind.get_mut(self.flow.state(node) as usize) {
                *may_rewind |= live & Self::MARK != 0;
            }
        }
        may_rewind
    }

    /// Whether a register may be read before it is written.
    pub(super) fn is_live_at_start(&self, register: usize) -> bool {
        let mut live = self.live.iter().enumerate();
        let is_known = self.register(register) != 0 && !self.live.is_empty();
        !is_known
            || live
                .any(|(node, live)| live & self.register(register) != 0 && self.flow.is_entry(node))
    }

    /// Whether situations that this machine tells apart are enough for another that may stand in its place: what the
    /// other reads this one reads too, and neither reads a string alone.
    pub(super) fn serves(&self, other: &Self) -> bool {
        let machine = other.flow.machine;
        let texts = (0..).zip(&machine.registers);
        let texts = texts.filter(|(_, register)| register.ty == RegisterType::Text);
        let texts = texts.map(|(index, _)| self.register(index));
        let tokens = (0..machine.vocabulary.tokens.len()).map(|token| self.token(token));
        let strings = texts.chain(tokens).fold(0, |all, one| all | one);
        let serves = |(here, there): (usize, usize)| {
            let (live, other) = (self.live[here], other.live[there]);
            other & !live == 0 && (live ^ other) & strings == 0
        };
        self.live.is_empty() == other.live.is_empty() && self.flow.common(&other.flow).all(serves)
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

/// The futures of each node.
#[derive(Debug)]
pub(super) struct FirstSets {
    /// Before the end of the input and at it.
    futures: Vec<[Future; 2]>,
}

impl FirstSets {
    pub(super) fn new(flow: &Flow<'_>) -> Self {
        let on_emit = flow
            .machine
            .on_emit
            .iter()
            .flat_map(|on_emit| &on_emit.steps);
        let on_emit = on_emit.flat_map(|(_, actions)| actions.iter().map(renewed));
        // Of whatever token, they may lose something whenever one is emitted.
        let on_emit = on_emit.fold(0, |all, one| all | one);
        let futures = |node, known: &[[Future; 2]]| {
            [false, true].map(|at_end| {
                let mut future = Future::default();
                for (way, to) in flow.ways(node) {
                    let at_end = match way.on {
                        ArmInput::Literal(_) | ArmInput::Set(..) if at_end => continue,
                        ArmInput::Literal(_) | ArmInput::Set(..) => false,
                        ArmInput::Eof => true,
                        _ => at_end,
                    };
                    future.add(future_of(&way.path, on_emit, || {
                        // What went back to a mark is no longer at the end.
                        let at_end = at_end && !way.path.rewinds();
                        to.map_or(Future::UNKNOWN, |to| known[to][usize::from(at_end)])
                    }));
                }
                future
            })
        };
        let is_known = flow.machine.vocabulary.tokens.len() <= TOKENS;
        Self {
            futures: if is_known {
                flow.solve(futures)
            } else {
                Vec::new()
            },
        }
    }

    fn of(&self, flow: &Flow<'_>, side: &Configuration) -> Future {
        if side.state.is_none() {
            return Future {
                first: NOTHING,
                renewed: 0,
            };
        }
        let futures = flow.find(side).and_then(|node| self.futures.get(node));
        futures.map_or(Future::UNKNOWN, |[before_end, _]| *before_end)
    }

    /// What a side may emit next; everything where that is not known.
    pub(super) fn emissions(&self, flow: &Flow<'_>, side: &Configuration) -> Emissions {
        self.of(flow, side).first
    }

    /// Whether a side can still emit this token: it must have gathered nothing else so far.
    pub(super) fn may_become(
        &self,
        flow: &Flow<'_>,
        side: &Configuration,
        wanted: &EmittedToken,
        same: &dyn Fn(Symbol, Symbol) -> bool,
    ) -> bool {
        let future = self.of(flow, side);
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

/// What comes of a path, from what comes behind it.
fn future_of(path: &Path<'_>, on_emit: Emissions, then: impl FnOnce() -> Future) -> Future {
    let mut future = Future::default();
    for action in path.actions() {
        future.renewed |= renewed(action);
        match action {
            Action::Emit(id) => {
                future.first |= token(id.0);
                future.renewed |= on_emit;
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
    match path.target {
        Target::End => future.first |= NOTHING,
        _ => future.add(then()),
    }
    future
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
