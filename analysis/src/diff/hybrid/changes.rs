//! Which differences need each other, so that they are one change.

// A new action, guard or value must be named here.
#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::analyse::bodies;
use speclex_codegen::machine::{Action, Body, Guard, Machine, Target};
use speclex_codegen::uses::{Constant, Effect, Place, Variable};

use super::{Change, Hybrids};
use crate::diff::matching::Matching;
use crate::diff::outside::{Part, TableRow};
use crate::paths::arms;

/// What differences may have in common, so that they need each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shared {
    Difference(usize),
    State(u32),
    Register(u32),
    Value(u32, u32),
    Token(u32),
    Kind(u32, u32),
    /// The table of numbers.
    Numbers,
    /// A state that is of another sort, as a whole.
    Whole(u32),
    /// Where the initial content starts.
    Initial,
}

/// Things that belong together: each leads to another of its group, or to itself.
#[derive(Default)]
struct Groups(BTreeMap<Shared, Shared>);

impl Groups {
    fn find(&mut self, of: Shared) -> Shared {
        let mut at = of;
        while let Some(next) = self.0.get(&at).copied().filter(|next| *next != at) {
            at = next;
        }
        self.0.insert(of, at);
        at
    }

    fn join(&mut self, one: Shared, other: Shared) {
        let (one, other) = (self.find(one), self.find(other));
        self.0.insert(one, other);
    }
}

impl Hybrids {
    /// Groups of differences.
    pub(super) fn find_changes(&self, matching: &Matching) -> Vec<Change> {
        let own = self.own;
        let is_own = |side: usize, state: u32| match side {
            0 => state < own,
            _ => matching.forth.get(state as usize) != Some(&None),
        };
        let used = [0, 1].map(|side| used(&self.tables[side], &|state| is_own(side, state)));
        let in_one_only = |shared: &Shared| match shared {
            Shared::State(state) => {
                *state >= own || matching.forth.get(*state as usize) == Some(&None)
            }
            Shared::Numbers => true,
            Shared::Difference(_)
            | Shared::Register(_)
            | Shared::Value(..)
            | Shared::Token(_)
            | Shared::Kind(..)
            | Shared::Whole(_)
            | Shared::Initial => used[0].contains(shared) != used[1].contains(shared),
        };
        let mut groups = Groups::default();
        let join = |groups: &mut Groups, with: Shared, body: &Body| {
            for shared in mentions(body).into_iter().filter(in_one_only) {
                groups.join(with, shared);
            }
        };
        for (side, table) in self.tables.iter().enumerate() {
            for (number, row) in self.arms.iter().enumerate() {
                let difference = Shared::Difference(number);
                groups.find(difference);
                let arm = [row.arms.0, row.arms.1][side];
                let state = table.states.get(row.ids[0] as usize);
                let all = state.map(arms).unwrap_or_default();
                for body in all
                    .iter()
                    .filter(|it| Some(it.index) == arm)
                    .map(|it| it.body)
                {
                    join(&mut groups, difference, body);
                }
                let sorts = self.tables.each_ref().map(|table| {
                    let state = table.states.get(row.ids[0] as usize);
                    state.map(|state| std::mem::discriminant(&state.kind))
                });
                if sorts[0] != sorts[1] {
                    groups.join(difference, Shared::Whole(row.ids[0]));
                }
            }
            for (state, declared) in (0..).zip(&table.states) {
                if in_one_only(&Shared::State(state)) {
                    for body in bodies(declared) {
                        join(&mut groups, Shared::State(state), body);
                    }
                }
            }
            let others = self.rows.iter().zip(self.arms.len()..);
            for (row, difference) in others.map(|(row, n)| (row, Shared::Difference(n))) {
                let rows = self.mentioned_by(row, table);
                for shared in rows
                    .iter()
                    .filter(|it| **it == Shared::Initial || in_one_only(it))
                {
                    groups.join(difference, *shared);
                }
            }
        }
        // Rows of numbers matter to changed code only if there is any.
        let numbers = groups.find(Shared::Numbers);
        let looked_up =
            (0..self.arms.len()).any(|it| groups.find(Shared::Difference(it)) == numbers);
        // Of tables with little in common no part can be taken over by itself.
        let common = matching.forth.iter().flatten().count();
        let are_unlike = common * 3 < matching.forth.len().max(matching.back.len());
        let row = |number: usize| self.rows.get(number.checked_sub(self.arms.len())?);
        let switches = (0..self.len()).filter(|&it| row(it).is_none_or(TableRow::is_switch));
        let only = (0..self.tables[0].states.len() as u32)
            .filter(|state| in_one_only(&Shared::State(*state)));
        for number in switches.clone() {
            let with = match row(number) {
                _ if are_unlike => Shared::Initial,
                Some(row) if row.part == Part::Numbers && looked_up => Shared::Numbers,
                _ => continue,
            };
            groups.join(Shared::Difference(number), with);
        }
        for state in only.clone().filter(|_| are_unlike) {
            groups.join(Shared::State(state), Shared::Initial);
        }
        let mut changes: BTreeMap<Shared, Change> = BTreeMap::new();
        for number in switches {
            let group = groups.find(Shared::Difference(number));
            let change = changes.entry(group).or_default();
            change.differences.insert(number);
            change.outside |= number >= self.arms.len();
        }
        for state in only {
            let group = groups.find(Shared::State(state));
            if let Some(change) = changes.get_mut(&group) {
                let theirs = state
                    .checked_sub(own)
                    .and_then(|at| self.theirs.get(at as usize));
                change.only.insert(theirs.map_or((0, state), |id| (1, *id)));
            }
        }
        let mut changes: Vec<Change> = changes.into_values().collect();
        changes.sort_by_key(|change| change.differences.first().copied());
        changes
    }

    /// What a row outside the states is about.
    fn mentioned_by(&self, row: &TableRow, table: &Machine) -> BTreeSet<Shared> {
        let mut shared = BTreeSet::new();
        match row.part {
            Part::Entries | Part::Contents => {
                let first = |content: &str| {
                    let firsts = self.tables.iter().map(|table| table.contents().next());
                    firsts.flatten().any(|(_, first)| first == content)
                };
                if row.about.is_empty() || first(&row.about) {
                    shared.insert(Shared::Initial);
                }
                let entry = match row.about.as_str() {
                    "" => table.entries.first(),
                    content => table.entry(content),
                };
                if let Some(entry) = entry {
                    shared.insert(Shared::State(entry.state.0));
                    for &(register, value) in &entry.sets {
                        shared.extend([
                            Shared::Register(register.0),
                            Shared::Value(register.0, value),
                        ]);
                    }
                }
            }
            Part::Emitting => {
                let steps = table.on_emit.iter().filter(|on| {
                    let token = table.vocabulary.tokens.get(on.token.0 as usize);
                    let kind = token.and_then(|token| token.kinds.get(on.kind as usize));
                    kind.is_some_and(|kind| kind.name == row.about)
                });
                for (guard, actions) in steps.flat_map(|on| &on.steps) {
                    let guards = guard.iter().flat_map(Guard::parts);
                    shared.extend(guards.flat_map(mentioned_in_guard));
                    shared.extend(actions.iter().flat_map(mentioned_in_action));
                }
            }
            Part::Preprocessing
            | Part::References
            | Part::Numbers
            | Part::Tokens
            | Part::Codes
            | Part::Registers
            | Part::Elements => {}
        }
        shared
    }
}

/// What a table mentions anywhere in its own states.
fn used(table: &Machine, is_own: &dyn Fn(u32) -> bool) -> BTreeSet<Shared> {
    let states = (0..).zip(&table.states).filter(|(id, _)| is_own(*id));
    let all = states
        .flat_map(|(_, state)| bodies(state))
        .flat_map(mentions);
    let mut used: BTreeSet<Shared> = all.collect();
    for &(register, value) in table.entries.iter().flat_map(|entry| &entry.sets) {
        used.extend([
            Shared::Register(register.0),
            Shared::Value(register.0, value),
        ]);
    }
    used
}

/// What a body mentions, wherever its questions lead.
fn mentions(body: &Body) -> BTreeSet<Shared> {
    let ends = body.ends().filter_map(|(target, _)| match target {
        Target::State(state) => Some(Shared::State(state.0)),
        Target::Register(register) => Some(Shared::Register(register.0)),
        Target::End => None,
    });
    let actions = body.all_actions().flat_map(mentioned_in_action);
    let guards = body.all_questions().flat_map(mentioned_in_guard);
    ends.chain(actions).chain(guards).collect()
}

fn variable(variable: Variable) -> Option<Shared> {
    match variable {
        Variable::Register(id) => Some(Shared::Register(id.0)),
        Variable::Token(id) => Some(Shared::Token(id.0)),
        Variable::Matched | Variable::Mark | Variable::LastStartTag => None,
    }
}

fn mentioned_in_action(action: &Action) -> impl Iterator<Item = Shared> {
    let set = |(place, effect): (Place, Effect)| {
        let Effect::Set(constant) = effect else {
            return None;
        };
        match (constant, place.variable()) {
            (Constant::State(state), _) => Some(Shared::State(state.0)),
            (Constant::Word(word), Variable::Register(id)) => Some(Shared::Value(id.0, word)),
            (Constant::Kind(kind), Variable::Token(id)) => Some(Shared::Kind(id.0, kind)),
            (Constant::Number(_) | Constant::Word(_) | Constant::Kind(_), _) => None,
        }
    };
    let numbers = matches!(action, Action::Replace(_)).then_some(Shared::Numbers);
    let variables = action.changes().chain(action.reads());
    let variables = variables.filter_map(variable);
    variables
        .chain(action.touches().filter_map(set))
        .chain(numbers)
}

fn mentioned_in_guard(guard: &Guard) -> Vec<Shared> {
    let mut shared: Vec<Shared> = guard.reads().into_iter().filter_map(variable).collect();
    match guard {
        Guard::HasReplacement(_) => shared.push(Shared::Numbers),
        Guard::FiniteIs(id, values) => {
            shared.extend(values.iter().map(|value| Shared::Value(id.0, *value)));
        }
        Guard::StateIs(_, states) => {
            shared.extend(states.iter().map(|state| Shared::State(state.0)));
        }
        Guard::KindIs(id, kind) => shared.push(Shared::Kind(id.0, *kind)),
        Guard::AppropriateEndTag(_)
        | Guard::TextIs { .. }
        | Guard::NumberIn(..)
        | Guard::CurrentIn(_)
        | Guard::CurrentIsCharacter(_)
        | Guard::LastMatchedIn(_)
        | Guard::NextIn { .. }
        | Guard::NextAre { .. }
        | Guard::NextIsLastStartTag { .. }
        | Guard::StartTagEmitted
        | Guard::LastConsumed(_)
        | Guard::Question(_)
        | Guard::DuplicateAttribute(_)
        | Guard::HasAttributes(_)
        | Guard::FlagIs(_)
        | Guard::Not(_)
        | Guard::All(_)
        | Guard::Any(_) => {}
    }
    shared
}
