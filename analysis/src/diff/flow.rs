//! The ways through a machine: what may happen from each state, and where that leads.
//!
//! A state is looked at together with the values of the registers that only ever hold a few. Without them
//! a return from a character reference in text would seem to lead into an attribute.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use speclex_codegen::analyse::{Event, Path, decided, paths};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, Guard, Machine, RegisterType, Target, TokenId};

use super::runner::configuration::{Configuration, Register};
use crate::paths::{Arm, ArmInput, arms, is_read_again};

/// A state and the values of the registers with few.
type Node = (u32, Vec<u32>);

/// A way of a state, the node to which it leads (none at the end), and whether it does because a sink answered a token.
type Edge = (u32, Option<usize>, bool);

/// More nodes than this are not told apart.
const NODES: usize = 40_000;

/// A way through a state.
#[derive(Debug)]
pub(super) struct Way<'m> {
    pub(super) on: ArmInput<'m>,
    pub(super) path: Path<'m>,
    is_peeked: bool,
}

impl Way<'_> {
    /// Whether the state to which it leads reads the same character.
    pub(super) fn puts_back(&self) -> bool {
        is_read_again(self.on, self.is_peeked, &self.path)
    }
}

/// A machine as nodes with ways between them.
#[derive(Debug)]
pub(super) struct Flow<'m> {
    pub(super) machine: &'m Machine,
    /// The registers with few values, with those that they start with.
    few: Vec<(u32, u32)>,
    numbers: FxHashMap<Node, usize>,
    /// The node that was looked up last, which is often looked up again.
    looked_up: RefCell<(Node, Option<usize>)>,
    /// For each state all ways through it.
    ways: Vec<Vec<Way<'m>>>,
    /// For each node its state, and those ways that its values allow, with the nodes to which they lead.
    steps: Vec<(u32, Vec<Edge>)>,
}

impl<'m> Flow<'m> {
    /// Visits all nodes. If there are too many, none is known.
    pub(super) fn new(machine: &'m Machine) -> Self {
        let first = machine.entries.first();
        let initial = first.map_or(0, |entry| entry.state.0);
        let set = |id: u32| {
            let mut sets = first.into_iter().flat_map(|entry| &entry.sets);
            sets.find(|(register, _)| register.0 == id)
        };
        let few = (0..).zip(&machine.registers);
        let few = few.filter_map(|(id, register)| match register.ty {
            RegisterType::State => Some((id, initial)),
            RegisterType::Finite(_) => Some((id, set(id).map_or(0, |&(_, value)| value))),
            _ => None,
        });
        let ways = machine.states.iter().map(|state| {
            let paths = |arm: Arm<'m>| {
                let paths = paths(arm.body).into_iter();
                paths.map(move |path| Way {
                    on: arm.on,
                    path,
                    is_peeked: arm.is_peeked,
                })
            };
            arms(state).into_iter().flat_map(paths).collect()
        });
        let mut flow = Self {
            machine,
            few: few.collect(),
            numbers: FxHashMap::default(),
            looked_up: RefCell::new(((u32::MAX, Vec::new()), None)),
            ways: ways.collect(),
            steps: Vec::new(),
        };
        let start: Vec<u32> = flow.few.iter().map(|&(_, value)| value).collect();
        let mut nodes: Vec<Node> = Vec::new();
        flow.number((initial, start.clone()), &mut nodes);
        flow.enter(&start, &mut nodes);
        while let Some((state, values)) = nodes.get(flow.steps.len()).cloned() {
            if nodes.len() > NODES {
                flow.numbers.clear();
                flow.steps.clear();
                return flow;
            }
            let mut steps = Vec::new();
            for way in 0..flow.ways.get(state as usize).map_or(0, Vec::len) {
                let taken = &flow.ways[state as usize][way].path;
                let target = taken.target;
                let is_answered = taken.actions().any(|action| is_answered(machine, action));
                for after in flow.after(taken, &values) {
                    let to = flow.state_after(target, &after);
                    let to = to.map(|to| flow.number((to, after.clone()), &mut nodes));
                    steps.push((way as u32, to, false));
                    if is_answered && target != Target::End {
                        let entries = flow.enter(&after, &mut nodes).into_iter();
                        steps.extend(entries.map(|to| (way as u32, Some(to), true)));
                    }
                }
            }
            flow.steps.push((state, steps));
        }
        flow
    }

    /// The number of a node, which is a new one if it was not met before.
    fn number(&mut self, node: Node, nodes: &mut Vec<Node>) -> usize {
        *self.numbers.entry(node).or_insert_with_key(|node| {
            nodes.push(node.clone());
            nodes.len() - 1
        })
    }

    /// The nodes where contents start.
    fn enter(&mut self, values: &[u32], nodes: &mut Vec<Node>) -> Vec<usize> {
        let entered = self.machine.entries.iter().map(|entry| {
            let mut values = values.to_vec();
            for &(register, value) in &entry.sets {
                if let Some(at) = self.place(register.0) {
                    values[at] = value;
                }
            }
            self.number((entry.state.0, values), nodes)
        });
        entered.collect()
    }

    fn place(&self, register: u32) -> Option<usize> {
        self.few.iter().position(|&(few, _)| few == register)
    }

    /// All values that there may be behind a path; none if it is not gone with those before.
    fn after(&self, path: &Path<'_>, values: &[u32]) -> Vec<Vec<u32>> {
        let mut all = vec![values.to_vec()];
        for event in &path.events {
            match event {
                Event::Asks(guard, answer) => {
                    all.retain(|values| self.decided(guard, values) != Some(!answer));
                }
                Event::Does(action) => {
                    if let Action::Emit(token) = action {
                        self.emit(*token, &mut all);
                    }
                    for values in &mut all {
                        self.act(action, values);
                    }
                }
            }
        }
        all
    }

    /// Adds the values that there may be when a token has been emitted: each step of `on emitting` may run or not.
    fn emit(&self, token: TokenId, all: &mut Vec<Vec<u32>>) {
        let on_emit = self.machine.on_emit.iter();
        let steps = on_emit.filter(|on| on.token == token);
        for (_, actions) in steps.flat_map(|on| &on.steps) {
            // That many are not told apart.
            if all.len() > NODES {
                return;
            }
            for mut values in all.clone() {
                for action in actions {
                    self.act(action, &mut values);
                }
                all.push(values);
            }
            all.sort_unstable();
            all.dedup();
        }
    }

    fn act(&self, action: &Action, values: &mut [u32]) {
        let (register, value) = match action {
            Action::SetState(register, state) => (register.0, state.0),
            Action::SetFinite(register, value) => (register.0, *value),
            _ => return,
        };
        if let Some(at) = self.place(register) {
            values[at] = value;
        }
    }

    /// What the values say of a guard.
    fn decided(&self, guard: &Guard, values: &[u32]) -> Option<bool> {
        let value = |register: u32| values.get(self.place(register)?).copied();
        decided(guard, &|part| match part {
            Guard::FiniteIs(register, any_of) => Some(any_of.contains(&value(register.0)?)),
            Guard::StateIs(register, states) => {
                let state = value(register.0)?;
                Some(states.iter().any(|s| s.0 == state))
            }
            _ => None,
        })
    }

    fn state_after(&self, target: Target, values: &[u32]) -> Option<u32> {
        match target {
            Target::State(state) => Some(state.0),
            Target::Register(register) => values.get(self.place(register.0)?).copied(),
            Target::End => None,
        }
    }

    /// How many nodes there are; none if there are too many.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The state of a node.
    pub(super) fn state(&self, node: usize) -> u32 {
        self.steps[node].0
    }

    /// Whether contents start in a node's state.
    pub(super) fn is_entry(&self, node: usize) -> bool {
        let mut entries = self.machine.entries.iter();
        entries.any(|entry| entry.state.0 == self.state(node))
    }

    /// The ways from a node, and the nodes to which they lead.
    pub(super) fn ways(&self, node: usize) -> impl Iterator<Item = (&Way<'m>, Option<usize>)> {
        self.edges(node).map(|(way, to, _)| (way, to))
    }

    /// The same, and whether they lead there because a sink answered a token.
    pub(super) fn edges(
        &self,
        node: usize,
    ) -> impl Iterator<Item = (&Way<'m>, Option<usize>, bool)> {
        let (state, steps) = &self.steps[node];
        let ways = self.ways.get(*state as usize).into_iter();
        ways.flat_map(move |ways| {
            let steps = steps.iter();
            steps.map(|&(way, to, is_answered)| (&ways[way as usize], to, is_answered))
        })
    }

    /// The nodes that read the character which a way puts back: that to which it leads, and those to which these put it back.
    pub(super) fn readers_again(&self, way: &Way<'_>, to: Option<usize>) -> BTreeSet<usize> {
        let mut readers = BTreeSet::new();
        let Some(read) = way.on.set().filter(|_| way.puts_back()) else {
            return readers;
        };
        let mut open: Vec<usize> = to.into_iter().collect();
        while let Some(node) = open.pop() {
            if readers.insert(node) {
                let ways = self.ways(node);
                let again = ways.filter(|(way, _)| {
                    let is_met = |set: &CharSet| !set.intersection(read).is_empty();
                    way.puts_back() && way.on != ArmInput::Eof && way.on.set().is_none_or(is_met)
                });
                open.extend(again.filter_map(|(_, to)| to));
            }
        }
        readers
    }

    /// Visits the ways on which the first characters of a string may be read by other arms than the one for the string, each with
    /// what is left of the string before it.
    pub(super) fn beside_strings(&self, visit: &mut dyn FnMut(usize, &Way<'m>, &str)) {
        for (start, way) in
            (0..self.len()).flat_map(|node| self.ways(node).map(move |it| (node, it.0)))
        {
            let ArmInput::Literal(string) = way.on else {
                continue;
            };
            let fits = |set: &CharSet, c: char| {
                let cases = [c, c.to_ascii_lowercase(), c.to_ascii_uppercase()];
                let cases = &cases[..if string.ignore_case { 3 } else { 1 }];
                cases.iter().any(|c| set.contains(*c))
            };
            let mut open = vec![(start, &*string.text)];
            let mut seen = BTreeSet::new();
            while let Some((node, rest)) = open.pop() {
                let Some(first) = rest
                    .chars()
                    .next()
                    .filter(|_| seen.insert((node, rest.len())))
                else {
                    continue;
                };
                for (way, to) in self.ways(node) {
                    let after = match way.on {
                        ArmInput::Set(set, _) if !fits(set, first) => continue,
                        ArmInput::Set(..) if !way.puts_back() => &rest[first.len_utf8()..],
                        ArmInput::Literal(other) => match rest.get(..other.text.len()) {
                            Some(start)
                                if start.eq_ignore_ascii_case(&other.text) && other != string =>
                            {
                                &rest[other.text.len()..]
                            }
                            _ => continue,
                        },
                        ArmInput::Eof => continue,
                        ArmInput::Matched => "",
                        ArmInput::Set(..) | ArmInput::Entering | ArmInput::Unmatched => rest,
                    };
                    visit(node, way, rest);
                    open.extend(to.map(|to| (to, after)));
                }
            }
        }
    }

    /// The node where a side is, if it is known.
    pub(super) fn find(&self, side: &Configuration) -> Option<usize> {
        let looked_up = &mut *self.looked_up.borrow_mut();
        let (node, number) = (&mut looked_up.0, &mut looked_up.1);
        let state = side.state?;
        let mut is_same = std::mem::replace(&mut node.0, state) == state;
        node.1.resize(self.few.len(), u32::MAX);
        for (known, &(register, _)) in node.1.iter_mut().zip(&self.few) {
            let value = match side.registers().get(register as usize) {
                Some(Register::State(value) | Register::Finite(value)) => *value,
                _ => 0,
            };
            is_same &= std::mem::replace(known, value) == value;
        }
        if !is_same {
            *number = self.numbers.get(node).copied();
        }
        *number
    }

    /// The nodes that another machine has, too: their numbers here and there.
    pub(super) fn common(&self, other: &Self) -> impl Iterator<Item = (usize, usize)> {
        let both = self.numbers.iter();
        both.filter_map(|(node, here)| Some((*here, *other.numbers.get(node)?)))
    }

    /// The least solution: what is known of each node, from what is known of the others.
    pub(super) fn solve<T: Clone + Default + PartialEq>(
        &self,
        of_node: impl Fn(usize, &[T]) -> T,
    ) -> Vec<T> {
        let mut known = vec![T::default(); self.len()];
        loop {
            let mut changed = false;
            // Backwards, since most ways lead to nodes that were found later.
            for node in (0..self.len()).rev() {
                let new = of_node(node, &known);
                changed |= known[node] != new;
                known[node] = new;
            }
            if !changed {
                return known;
            }
        }
    }
}

/// Whether an action emits a token that the sink may answer with a content.
fn is_answered(machine: &Machine, action: &Action) -> bool {
    let Action::Emit(token) = action else {
        return false;
    };
    let token = machine.vocabulary.tokens.get(token.0 as usize);
    token.is_some_and(|token| token.kinds.iter().any(|kind| kind.answers))
}
