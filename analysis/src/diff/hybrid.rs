//! Machines between two tables: the first with any set of differences taken from the second.

mod changes;

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{
    Action, Arm, Body, Consume, Entry, Guard, LiteralArm, Machine, Next, StateKind,
};

use super::base::{Extent, Extents};
use super::matching::Matching;
use super::model::Model;
use super::outside::{self, Part, TableRow};
use super::passage::{Passage, PassedArms};
use super::structure::{ArmRow, OnlyState, Structure};
use super::union::union;
use crate::error_comparison::ErrorComparison;
use crate::paths::{ArmIndex, arms};

/// Two tables under one numbering, and what differs between them.
///
/// Differences are numbered: first those in arms, then those outside the states.
#[derive(Debug)]
pub(super) struct Hybrids {
    tables: [Machine; 2],
    arms: Vec<ArmRow>,
    rows: Vec<TableRow>,
    /// For each state its differences.
    of_state: BTreeMap<u32, Vec<usize>>,
    pub(super) changes: Vec<Change>,
    /// How many states the first table has, and those that only the second has.
    own: u32,
    theirs: Vec<u32>,
}

/// Differences that need each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Change {
    /// Their numbers.
    pub(super) differences: BTreeSet<usize>,
    /// The states of one table only that belong to it, by side and number there.
    pub(super) only: BTreeSet<(usize, u32)>,
    /// Whether some of it is not in a state.
    pub(super) outside: bool,
}

impl Change {
    /// Whether the search covers all of it: it tries no byte order marks and no newlines, of references one for each
    /// outcome, and no sink that answers.
    pub(super) fn is_searched(&self, hybrids: &Hybrids) -> bool {
        let (_, rows) = hybrids.parts(self);
        let mut rows = rows.into_iter().filter_map(|row| hybrids.rows.get(row));
        rows.all(|row| match row.part {
            Part::References | Part::Elements => false,
            Part::Preprocessing => !matches!(row.about.as_str(), "mark" | "newlines"),
            Part::Numbers
            | Part::Emitting
            | Part::Entries
            | Part::Contents
            | Part::Codes
            | Part::Registers
            | Part::Tokens => true,
        })
    }
}

/// A table without its rules that replace characters: lowering has made arms of them. What such a character is left
/// with is the arm of its replacement, with itself as the current input character.
pub(super) fn without_rules(machine: &Machine) -> Machine {
    for_each_rule(machine.clone(), |consume, from, to| {
        let raw = CharSet::single(from);
        for arm in &mut consume.arms {
            arm.set = match arm.set.contains(to) {
                true => arm.set.union(&raw),
                false => arm.set.difference(&raw),
            };
        }
    })
}

/// Changes all states that consume for each rule that a character is replaced.
fn for_each_rule(mut machine: Machine, change: fn(&mut Consume, char, char)) -> Machine {
    for &(from, to) in &machine.preprocessing.replace {
        for state in &mut machine.states {
            if let StateKind::Consume(consume) = &mut state.kind {
                change(consume, from, to);
            }
        }
    }
    machine
}

/// Makes arms of the rule that a character is seen as another.
fn apply_rule(consume: &mut Consume, from: char, to: char) {
    let raw = CharSet::single(from);
    for arm in &mut consume.arms {
        arm.set = arm.set.difference(&raw);
    }
    let Some(arm) = consume.arms.iter_mut().find(|arm| arm.set.contains(to)) else {
        return;
    };
    let body = seen_as(&arm.body, to);
    if body == arm.body {
        arm.set = arm.set.union(&raw);
    } else {
        let arm = Arm {
            set: raw,
            body,
            ..arm.clone()
        };
        let end = consume.arms.len().saturating_sub(1);
        consume.arms.insert(end, arm);
    }
}

/// A body with a fixed current input character.
fn seen_as(body: &Body, c: char) -> Body {
    let actions = body.actions.iter().map(|action| action.clone().on(c));
    let actions: Vec<Action> = actions.collect();
    match &body.next {
        Next::Go { .. } => Body {
            actions,
            next: body.next.clone(),
        },
        Next::If {
            guard,
            then,
            otherwise,
        } => {
            let guard = guard.clone().on(c);
            let known = speclex_codegen::analyse::decided(&guard, &|_| None);
            let [then, otherwise] = [then, otherwise].map(|body| seen_as(body, c));
            match known {
                Some(answer) => {
                    let chosen = if answer { then } else { otherwise };
                    Body {
                        actions: [actions, chosen.actions].concat(),
                        next: chosen.next,
                    }
                }
                None => Body {
                    actions,
                    next: Next::If {
                        guard,
                        then: Box::new(then),
                        otherwise: Box::new(otherwise),
                    },
                },
            }
        }
    }
}

impl Hybrids {
    /// Finds what differs in two tables, what of it can be switched, and what belongs together.
    pub(super) fn of(tables: [&Machine; 2]) -> (Self, Structure, Vec<TableRow>) {
        let [one, other] = &tables.map(without_rules);
        let matching = &Matching::new(one, other);
        let compared = ErrorComparison::of(one, other);
        let tables = union(one, other, matching);
        let structure = Structure::new([one, other], &tables, matching, compared);
        let rows = outside::rows([one, other], &tables, compared);
        let mut of_state: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, row) in structure.arms.iter().enumerate() {
            of_state.entry(row.ids[0]).or_default().push(number);
        }
        let mut hybrids = Self {
            tables,
            arms: structure.arms.clone(),
            rows: rows.clone(),
            of_state,
            changes: Vec::new(),
            own: one.states.len() as u32,
            theirs: (0..)
                .zip(&matching.back)
                .filter(|(_, it)| it.is_none())
                .map(|(id, _)| id)
                .collect(),
        };
        hybrids.changes = hybrids.find_changes(matching);
        (hybrids, structure, rows)
    }

    /// The rows of a change: of arms, and outside the states.
    pub(super) fn parts(&self, change: &Change) -> (Vec<usize>, Vec<usize>) {
        let count = self.arms.len();
        let (arms, rows): (Vec<usize>, Vec<usize>) = change
            .differences
            .iter()
            .partition(|number| **number < count);
        (
            arms,
            rows.into_iter().map(|number| number - count).collect(),
        )
    }

    /// What a change alters in the states that both tables have.
    pub(super) fn extents(&self, change: &Change) -> Extents {
        let mut extents = Extents::new();
        let rows = change.differences.iter();
        for row in rows.filter_map(|number| self.arms.get(*number)) {
            let extent = extents.entry(row.ids[0]).or_insert_with(Extent::none);
            extent.add(row.set.as_ref(), row.arms.0);
        }
        extents
    }

    /// Whether an input goes through the arms of a row.
    pub(super) fn goes_through(
        &self,
        row: &ArmRow,
        machines: [&Machine; 2],
        passed: &PassedArms,
    ) -> bool {
        let in_state = |it: &&Passage| it.taken.state == row.ids[0];
        if !passed.iter().flatten().any(|it| in_state(&it)) {
            return false;
        }
        let spelled = |machine: &Machine, index: ArmIndex| {
            let all = machine.states.get(row.ids[0] as usize).map(arms);
            let mut all = all.into_iter().flatten();
            all.find(|arm| arm.index == index)
                .map(|arm| arm.on.spelled())
        };
        let own = [row.arms.0, row.arms.1];
        (0..2).any(|side| {
            let own = own[side].and_then(|own| spelled(&self.tables[side], own));
            let mut passed = passed[side].iter().filter(in_state);
            passed.any(|passage| {
                let index = passage.taken.arm;
                match (&row.set, index) {
                    (Some(set), ArmIndex::Set(_)) => passage.on.is_some_and(|c| set.contains(c)),
                    (Some(_), _) => false,
                    (None, _) => own.is_some() && spelled(machines[side], index) == own,
                }
            })
        })
    }

    /// Whether an input meets a change: what is not in a state may be met anywhere.
    pub(super) fn touches(
        &self,
        change: usize,
        machines: [&Machine; 2],
        passed: &PassedArms,
    ) -> bool {
        self.changes[change].outside || self.touches_in_states(change, machines, passed)
    }

    /// Whether an input goes through arms of a change.
    pub(super) fn touches_in_states(
        &self,
        change: usize,
        machines: [&Machine; 2],
        passed: &PassedArms,
    ) -> bool {
        let mut rows = self.changes[change]
            .differences
            .iter()
            .filter_map(|it| self.arms.get(*it));
        rows.any(|row| self.goes_through(row, machines, passed))
    }

    /// Whether an input spells a reference that a change is about, if it is about nothing else.
    pub(super) fn is_spelled(&self, change: usize, input: &str) -> bool {
        let (arms, rows) = self.parts(&self.changes[change]);
        let mut rows = rows.into_iter().filter_map(|row| self.rows.get(row));
        !arms.is_empty()
            || rows.any(|row| row.part != Part::References || input.contains(&row.about))
    }

    /// The first table with a change made, and the second with it taken back.
    pub(super) fn with_and_without(&self, change: &Change) -> [Machine; 2] {
        let is_it = |number: usize| change.differences.contains(&number);
        [self.machine(&is_it), self.machine(&|number| !is_it(number))]
    }

    /// The first table with some changes made.
    pub(super) fn with(&self, changes: &[usize]) -> Machine {
        let differences = changes.iter().map(|&it| &self.changes[it].differences);
        self.machine(&|number| differences.clone().any(|it| it.contains(&number)))
    }

    /// What a change is called in both tables: by its first arm, or what else it is.
    pub(super) fn labels(&self, change: usize) -> [String; 2] {
        let (arms, rows) = self.parts(&self.changes[change]);
        match (arms.first(), rows.first()) {
            (Some(arm), _) => self.arms[*arm].labels(),
            (None, row) => {
                let row = row.and_then(|row| self.rows.get(*row));
                let what = row.map(|row| row.what.clone()).unwrap_or_default();
                [what.clone(), what]
            }
        }
    }

    /// The number of a state that one table has alone.
    pub(super) fn state(&self, state: &OnlyState) -> u32 {
        let at = self.theirs.iter().position(|id| *id == state.id);
        match (state.side, at) {
            (1, Some(at)) => self.own + at as u32,
            _ => state.id,
        }
    }

    /// How many differences are in arms.
    pub(super) fn arms(&self) -> usize {
        self.arms.len()
    }

    /// How many differences there are.
    pub(super) fn len(&self) -> usize {
        self.arms.len() + self.rows.len()
    }

    /// The first table with all differences for which this holds taken from the second.
    pub(super) fn machine(&self, is_switched: &dyn Fn(usize) -> bool) -> Machine {
        let [one, other] = &self.tables;
        let mut machine = one.clone();
        for (&state, numbers) in &self.of_state {
            let numbers = numbers.iter().filter(|number| is_switched(**number));
            let rows: Vec<&ArmRow> = numbers
                .filter_map(|number| self.arms.get(*number))
                .collect();
            let (Some(mixed), Some(with)) = (
                machine.states.get_mut(state as usize),
                other.states.get(state as usize),
            ) else {
                continue;
            };
            if !rows.is_empty() {
                mix(&mut mixed.kind, &with.kind, &rows);
            }
        }
        let rows = self.rows.iter().enumerate();
        let rows = rows.filter(|(index, _)| is_switched(self.arms.len() + index));
        let rows: Vec<&TableRow> = rows.map(|(_, row)| row).collect();
        self.switch(&mut machine, &rows);
        self.enter(&mut machine, &rows);
        for_each_rule(machine, apply_rule)
    }

    /// Both tables whole, with what cannot be switched.
    pub(super) fn whole(&self) -> [Machine; 2] {
        let tables = self.tables.clone();
        tables.map(|table| for_each_rule(table, apply_rule))
    }

    /// Takes rows from the second table, but for entries.
    fn switch(&self, machine: &mut Machine, rows: &[&TableRow]) {
        let other = &self.tables[1];
        let about: BTreeSet<(Part, &str)> =
            rows.iter().map(|row| (row.part, &*row.about)).collect();
        let is_taken = |part: Part, about_it: &str| about.contains(&(part, about_it));
        let (ours, theirs) = (&mut machine.preprocessing, &other.preprocessing);
        if is_taken(Part::Preprocessing, "mark") {
            ours.drop_bom = theirs.drop_bom;
        }
        if is_taken(Part::Preprocessing, "newlines") {
            ours.normalize_newlines = theirs.normalize_newlines;
        }
        if is_taken(Part::Preprocessing, "errors") {
            ours.errors.clone_from(&theirs.errors);
        }
        take(&mut ours.replace, &theirs.replace, &|(from, _)| {
            is_taken(Part::Preprocessing, &from.to_string())
        });
        take(&mut machine.references, &other.references, &|(name, _)| {
            is_taken(Part::References, name)
        });
        machine.references.sort();
        take(&mut machine.replacements, &other.replacements, &|(
            number,
            _,
        )| {
            is_taken(Part::Numbers, &number.to_string())
        });
        machine.replacements.sort_unstable();
        take(&mut machine.on_emit, &other.on_emit, &|on| {
            let token = other.vocabulary.tokens.get(on.token.0 as usize);
            let kind = token.and_then(|token| token.kinds.get(on.kind as usize));
            kind.is_some_and(|kind| is_taken(Part::Emitting, &kind.name))
        });
        let elements = &other.contents_after.elements;
        take(&mut machine.contents_after.elements, elements, &|element| {
            is_taken(Part::Elements, &element.name)
        });
    }

    /// Sets where contents start.
    fn enter(&self, machine: &mut Machine, switched: &[&TableRow]) {
        let [one, other] = &self.tables;
        let is_switched = |content: u32| {
            let name = one.vocabulary.contents.get(content as usize);
            let about = |row: &&&TableRow| {
                matches!(row.part, Part::Entries | Part::Contents) && Some(&row.about) == name
            };
            switched.iter().any(|row| about(&row))
        };
        let initial = switched
            .iter()
            .any(|row| row.part == Part::Entries && row.about.is_empty());
        let table = |content: u32| if is_switched(content) { other } else { one };
        let entry = |content: u32| {
            let mut entries = table(content).entries.iter();
            entries.find(|entry| entry.content == content).cloned()
        };
        let first = if initial { other } else { one }.entries.first();
        let mut contents: Vec<u32> = first.iter().map(|entry| entry.content).collect();
        contents.extend(
            one.entries
                .iter()
                .chain(&other.entries)
                .map(|entry| entry.content),
        );
        let mut seen = BTreeSet::new();
        contents.retain(|content| seen.insert(*content));
        let entries: Vec<Entry> = contents.into_iter().filter_map(entry).collect();
        machine.entries = entries;
    }

    /// What all machines between the two tables tell apart.
    pub(super) fn model(&self, compared: ErrorComparison) -> Model {
        Model::new(self.either(), self.tables.each_ref(), compared)
    }

    /// One table that may do what either does. It tells apart all that a machine between them tells apart.
    fn either(&self) -> Machine {
        let [one, other] = &self.tables;
        let mut machine = one.clone();
        // A machine between the two may replace characters or not.
        let whole = self.whole();
        let replacing = whole
            .iter()
            .filter(|it| !it.preprocessing.replace.is_empty());
        for with in [other].into_iter().chain(replacing) {
            for (state, with) in machine.states.iter_mut().zip(&with.states) {
                if state.kind != with.kind {
                    state.kind = either(&state.kind, &with.kind);
                }
            }
        }
        machine.references.extend(other.references.iter().cloned());
        machine.references.sort();
        machine.references.dedup();
        machine.replacements.extend(&other.replacements);
        machine.replacements.sort_unstable();
        machine.replacements.dedup();
        machine.on_emit.extend(other.on_emit.iter().cloned());
        machine.entries.extend(other.entries.iter().cloned());
        let (ours, theirs) = (&mut machine.preprocessing, &other.preprocessing);
        ours.drop_bom |= theirs.drop_bom;
        ours.normalize_newlines |= theirs.normalize_newlines;
        ours.errors.extend(theirs.errors.iter().cloned());
        ours.replace.extend(&theirs.replace);
        machine
    }
}

/// Takes what is of a kind from another list.
fn take<T: Clone>(ours: &mut Vec<T>, theirs: &[T], is_it: &dyn Fn(&T) -> bool) {
    ours.retain(|it| !is_it(it));
    ours.extend(theirs.iter().filter(|it| is_it(it)).cloned());
}

/// Takes arms of a state from the other table.
fn mix(kind: &mut StateKind, with: &StateKind, rows: &[&ArmRow]) {
    match (kind, with) {
        (StateKind::Consume(ours), StateKind::Consume(theirs)) => {
            let mut taken: BTreeMap<u32, CharSet> = BTreeMap::new();
            let (mut dropped, mut added) = (BTreeSet::new(), BTreeSet::new());
            for row in rows {
                match row.arms {
                    (Some(ArmIndex::Set(arm)), Some(ArmIndex::Set(with))) => {
                        let set = row.set.clone().unwrap_or_default();
                        if let Some(arm) = ours.arms.get_mut(arm as usize) {
                            arm.set = arm.set.difference(&set);
                        }
                        let all = taken.entry(with).or_default();
                        *all = all.union(&set);
                    }
                    (Some(ArmIndex::Eof), _) => ours.eof.clone_from(&theirs.eof),
                    (own, with) => {
                        dropped.extend(own.and_then(ArmIndex::literal));
                        added.extend(with.and_then(ArmIndex::literal));
                    }
                }
            }
            let new = taken.into_iter().filter_map(|(arm, set)| {
                let arm = theirs.arms.get(arm as usize)?;
                Some(Arm { set, ..arm.clone() })
            });
            ours.arms.extend(new);
            // What is nowhere is not run, and leads nowhere.
            ours.arms.retain(|arm| !arm.set.is_empty());
            let mut index = 0u32..;
            ours.literals
                .retain(|_| index.next().is_some_and(|it| !dropped.contains(&it)));
            insert_literals(&mut ours.literals, &theirs.literals, &added);
        }
        (
            StateKind::Match { matched, unmatched },
            StateKind::Match {
                matched: theirs,
                unmatched: others,
            },
        ) => {
            for row in rows {
                match row.arms.0 {
                    Some(ArmIndex::Matched) => matched.clone_from(theirs),
                    _ => unmatched.clone_from(others),
                }
            }
        }
        (ours, theirs) => ours.clone_from(theirs),
    }
}

/// Puts literals where they stand among those that are there.
fn insert_literals(ours: &mut Vec<LiteralArm>, theirs: &[LiteralArm], added: &BTreeSet<u32>) {
    let mut place = 0;
    for (index, literal) in (0..).zip(theirs) {
        let same =
            |own: &LiteralArm| (&own.text, own.ignore_case) == (&literal.text, literal.ignore_case);
        if added.contains(&index) {
            ours.insert(place, literal.clone());
            place += 1;
        } else if let Some(at) = ours.iter().position(same) {
            place = at + 1;
        }
    }
}

/// A state that may do what either does.
pub(super) fn either(one: &StateKind, other: &StateKind) -> StateKind {
    fn all(kind: &StateKind) -> Consume {
        let arm = |body: &Body| Arm {
            set: CharSet::all(),
            peeked: true,
            body: body.clone(),
            label: String::new(),
        };
        match kind {
            StateKind::Consume(consume) => consume.clone(),
            StateKind::Steps(body) => Consume {
                literals: Vec::new(),
                arms: vec![arm(body)],
                eof: body.clone(),
            },
            StateKind::Match { matched, unmatched } => Consume {
                literals: Vec::new(),
                arms: vec![arm(matched)],
                eof: unmatched.clone(),
            },
        }
    }
    let (mut both, other) = (all(one), all(other));
    let is_new = |arm: &Arm| !both.arms.contains(arm);
    let new: Vec<Arm> = other.arms.into_iter().filter(is_new).collect();
    both.arms.extend(new);
    let is_new = |literal: &LiteralArm| !both.literals.contains(literal);
    let new: Vec<LiteralArm> = other.literals.into_iter().filter(is_new).collect();
    both.literals.extend(new);
    if both.eof == other.eof {
        return StateKind::Consume(both);
    }
    both.eof = Body {
        actions: Vec::new(),
        next: Next::If {
            // A question that nothing is known of.
            guard: Guard::Question(0),
            then: Box::new(both.eof),
            otherwise: Box::new(other.eof),
        },
    };
    StateKind::Consume(both)
}
