//! Which change is to blame for which difference: each change is made alone in the first table and taken back alone in
//! the second, and what that alters is searched for.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::analyse::paths;
use speclex_codegen::machine::Machine;

use super::base::Base;
use super::hybrid::{Change, Hybrids};
use super::model::{Model, Side, Trail};
use super::outside::TableRow;
use super::passage::{PassedArms, TakenPath, address};
use super::replay::{Kind, Runs, Setup, difference};
use super::search::{Findings, Limits, hunt};
use super::structure::{ArmRow, OnlyState, Structure};
use super::trial::{Rank, Tables, Trial};
use super::witness::{Searched, Witness};
use crate::paths::arms;
use crate::prove::{Unproved, prove};

/// The part that a change has in what differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// There is an input on which the tables differ because of it.
    Cause,
    /// There is one, but the change alters something only if others are made too.
    WithOthers,
    /// It alters inputs on which the tables do not differ: it needs others, or others hide it.
    Companion,
    /// No input shows it, which is proven.
    NoEffect,
    /// It is not known, for this reason.
    Undecided(Reason),
}

/// Why it is not known whether a change shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Inputs were tried and showed nothing, and the prover could not follow this.
    Unproved(Unproved),
    /// Inputs were tried and showed nothing; the prover does not cover this part.
    Tried,
    /// It shows nothing alone, but that was not proven of all such changes together, for this reason if the prover was asked.
    Together(Option<Unproved>),
}

/// A change, and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Its part.
    pub role: Role,
    /// The gravest difference that it makes.
    pub kind: Option<Kind>,
    /// The rows of the structure's arms that it consists of.
    pub arms: Vec<usize>,
    /// The states of one table only that belong to it.
    pub only: Vec<usize>,
    /// The rows outside the states.
    pub tables: Vec<usize>,
    /// Inputs that show it, the gravest and shortest first: their numbers.
    pub examples: Vec<usize>,
    /// For each of the arms an example that goes through it.
    pub through: Vec<Option<usize>>,
    /// For each of the states of one table only the numbers of examples that go through its arms.
    pub passing: Vec<Vec<usize>>,
    /// Other changes without which it alters nothing.
    pub needs: Vec<usize>,
    /// Other changes with which it alters nothing.
    pub hidden_by: Vec<usize>,
    /// Whether the search for it ended at a limit.
    pub(super) is_cut: bool,
}

impl Cause {
    fn new(role: Role, kind: Option<Kind>) -> Self {
        Self {
            role,
            kind,
            arms: Vec::new(),
            only: Vec::new(),
            tables: Vec::new(),
            examples: Vec::new(),
            through: Vec::new(),
            passing: Vec::new(),
            needs: Vec::new(),
            hidden_by: Vec::new(),
            is_cut: false,
        }
    }

    /// Whether it consists of a difference, among others.
    pub(super) fn has(&self, difference: usize, hybrids: &Hybrids) -> bool {
        match difference.checked_sub(hybrids.arms()) {
            Some(row) => self.tables.contains(&row),
            None => self.arms.contains(&difference),
        }
    }
}

/// As few of these as still do it.
pub(super) fn least(mut all: Vec<usize>, do_it: &mut dyn FnMut(&[usize]) -> bool) -> Vec<usize> {
    for index in (0..all.len()).rev() {
        let mut fewer = all.clone();
        fewer.remove(index);
        if do_it(&fewer) {
            all = fewer;
        }
    }
    all
}

/// Changes that show come first, the gravest and shortest before the others; then those that go with others.
fn sorted(causes: Vec<Cause>, searched: &Searched) -> Vec<Cause> {
    let rank = |cause: &Cause| {
        let role = match cause.role {
            Role::Cause | Role::WithOthers => 0,
            Role::Companion => 1,
            Role::Undecided(_) => 2,
            Role::NoEffect => 3,
        };
        let first = cause
            .examples
            .first()
            .and_then(|index| searched.witnesses.get(*index));
        let length = first.map(|witness| witness.input.chars().count());
        // Names and numbers are many.
        (
            role,
            cause.arms.is_empty(),
            cause.kind,
            std::cmp::Reverse(cause.only.len()),
            length,
        )
    };
    let mut order: Vec<usize> = (0..causes.len()).collect();
    order.sort_by_key(|&index| rank(&causes[index]));
    let place = |index: &usize| order.iter().position(|it| it == index).unwrap_or(*index);
    let cause = |&index: &usize| {
        let cause = causes[index].clone();
        Cause {
            needs: cause.needs.iter().map(place).collect(),
            hidden_by: cause.hidden_by.iter().map(place).collect(),
            ..cause
        }
    };
    order.iter().map(cause).collect()
}

/// How far the search for one change goes.
const LIMITS: Limits = Limits {
    inputs: 400_000,
    after: [5_000, 15_000],
    trails: 2,
};

/// How far it goes for one arm of a change.
const PART: Limits = Limits {
    inputs: 3_000,
    after: [500, 2_000],
    trails: 1,
};

/// Nothing more is searched.
const SPENT: Limits = Limits {
    inputs: 0,
    ..LIMITS
};

/// How many of the differences of each kind that a search meets are tried.
const EVENTS: usize = 60;

/// How many inputs of the rows of a change are tried.
const DIRECT: usize = 240;

/// After this many inputs were continued the search stops, and the remaining changes are not decided.
const WORK: usize = 1_000_000;

/// Two tables, made ready.
pub(super) struct Causes<'h> {
    hybrids: &'h Hybrids,
    model: &'h Model,
    machines: [&'h Machine; 2],
    sides: [&'h Side<'h>; 2],
    bases: [OnceCell<Base>; 2],
    pub(super) tables: Tables<'h>,
    pub(super) searched: Searched,
    /// Whether the tables are proven equal, and differ in one change only.
    pub(super) is_proven: bool,
}

/// What was found by making a change and by taking it back.
struct Looked {
    found: [Findings; 2],
    /// Inputs that it is to blame for.
    ranks: Vec<(Rank, PassedArms)>,
    /// Inputs on which it alters something.
    altered: Vec<(Setup, String)>,
    machines: [Machine; 2],
}

impl<'h> Causes<'h> {
    pub(super) fn new(
        hybrids: &'h Hybrids,
        model: &'h Model,
        tables: [&'h Machine; 2],
        sides: [&'h Side<'h>; 2],
    ) -> Self {
        let machines = sides.map(|side| side.machine);
        Self {
            hybrids,
            model,
            machines,
            sides,
            bases: Default::default(),
            tables: Tables::new(tables, machines, model.compared),
            searched: Searched::default(),
            is_proven: false,
        }
    }

    /// One arm of a change of several, by itself.
    fn part(&mut self, arm: usize) -> Vec<(Rank, PassedArms)> {
        let change = Change {
            differences: [arm].into(),
            ..Change::default()
        };
        self.look(&change, &[], PART).ranks
    }

    fn base(&self, side: usize) -> &Base {
        self.bases[side].get_or_init(|| Base::new(self.model, self.sides[side]))
    }

    /// What a machine does that the table on one side does not do. What is not in a state may be met anywhere.
    fn search(&self, side: usize, machine: &Machine, change: &Change, limits: Limits) -> Findings {
        let base = self.base(side);
        let changed = self.hybrids.extents(change);
        let seeds = base.seeds(&changed);
        let seeds: Vec<&Trail> = match change.outside {
            true => base.trails.iter().collect(),
            false => seeds.collect(),
        };
        let sides = [self.sides[side], &Side::new(machine)];
        hunt(self.model, sides, seeds.into_iter(), limits, &mut |_| false)
    }

    /// Searches with a change made and taken back, and tries what is found.
    fn look(&mut self, change: &Change, inputs: &[(Setup, String)], limits: Limits) -> Looked {
        let machines = self.hybrids.with_and_without(change);
        let has_states = !self.hybrids.extents(change).is_empty() || !change.only.is_empty();
        let is_searched = has_states || change.is_searched(self.hybrids);
        let found = match is_searched && !self.is_proven {
            // If it is all that differs, to take it back is the same as to make it.
            true if machines[0] == *self.machines[1] => [
                self.search(0, &machines[0], change, limits),
                Findings::default(),
            ],
            true => [0, 1].map(|side| self.search(side, &machines[side], change, limits)),
            false => Default::default(),
        };
        let mut candidates: BTreeSet<(usize, Setup, String)> = BTreeSet::new();
        for found in &found {
            self.searched.add(found);
            let of_kind = |kind| {
                let events = found.events.iter();
                events
                    .filter(move |(event, _)| event.kind == kind)
                    .take(EVENTS)
            };
            let events = Kind::ALL.into_iter().flat_map(of_kind);
            let trails = events.flat_map(|(_, trails)| trails);
            candidates.extend(trails.filter_map(|trail| {
                let (setup, input) = trail.given(self.model)?;
                Some((input.chars().count(), setup, input))
            }));
        }
        let direct = inputs.iter().take(DIRECT).cloned();
        candidates.extend(direct.map(|(setup, input)| (0, setup, input)));
        let mut trial = Trial::new(&mut self.tables, machines.each_ref());
        let mut ranks: BTreeSet<Rank> = BTreeSet::new();
        let mut altered = Vec::new();
        for (_, setup, input) in candidates {
            if trial.matters(&setup, &input) {
                ranks.extend(trial.best(&setup, &input));
                altered.push((setup, input));
            }
        }
        let tables = &mut self.tables;
        let ranks = ranks.into_iter().map(|rank| {
            let passed = tables.passed(&rank.given, &rank.input);
            (rank, passed)
        });
        Looked {
            found,
            ranks: ranks.collect(),
            altered,
            machines,
        }
    }

    /// The part of each change, with examples, which go to the witnesses.
    pub(super) fn find(
        &mut self,
        structure: &Structure,
        rows: &[TableRow],
        tell: &mut dyn FnMut(usize, usize),
    ) -> Vec<Cause> {
        let hybrids = self.hybrids;
        let mut causes: Vec<Cause> = Vec::new();
        let mut altered = Vec::new();
        for (index, change) in hybrids.changes.iter().enumerate() {
            let (arms, tables) = hybrids.parts(change);
            let inputs = tables.iter().filter_map(|&row| rows.get(row));
            let inputs: Vec<(Setup, String)> = inputs.flat_map(|row| row.inputs.clone()).collect();
            let limits = match self.searched.situations < WORK {
                true => LIMITS,
                false => SPENT,
            };
            let looked = self.look(change, &inputs, limits);
            let mut ranks = looked.ranks.iter();
            let role = if ranks.any(|(rank, _)| !rank.effect.needs_others) {
                Role::Cause
            } else if !looked.ranks.is_empty() {
                Role::WithOthers
            } else if !looked.altered.is_empty() {
                Role::Companion
            } else if !change.is_searched(hybrids) || hybrids.read_other_words(&looked.machines) {
                Role::Undecided(Reason::Tried)
            } else {
                let proven = self.prove(&looked.machines);
                proven.map_or_else(
                    |why| Role::Undecided(Reason::Unproved(why)),
                    |()| Role::NoEffect,
                )
            };
            let only = structure.only.iter().enumerate();
            let only = only.filter(|(_, state)| change.only.contains(&(state.side, state.id)));
            let mut cause = Cause {
                is_cut: looked.found.iter().any(|found| !found.gaps.is_empty()),
                only: only.map(|(index, _)| index).collect(),
                arms,
                tables,
                ..Cause::new(role, None)
            };
            let shows = matches!(cause.role, Role::Cause | Role::WithOthers);
            let mut ranks = looked.ranks;
            // Each arm of a rewrite gets an example of its own.
            let parts = cause.arms.iter().filter(|_| shows && cause.arms.len() > 1);
            let parts: Vec<Option<Rank>> = parts
                .map(|&arm| {
                    let found = self.part(arm);
                    let best = found.first().map(|(rank, _)| rank.clone());
                    ranks.extend(found.into_iter().take(1));
                    best
                })
                .collect();
            ranks.sort_by(|one, other| one.0.cmp(&other.0));
            cause.kind = ranks.first().map(|(rank, _)| rank.effect.kind);
            self.examples(index, &mut cause, (&ranks, &parts), structure);
            // No graver than what an example shows: another change may hide what this one does.
            let shown = cause.examples.iter();
            let shown = shown.map(|&example| self.searched.witnesses[example].kind);
            cause.kind = cause.kind.max(shown.min());
            for &state in cause.only.iter().filter(|_| shows) {
                let known = [&cause.examples[..], &cause.passing.concat()].concat();
                let passing = self.passing(&looked.machines, &structure.only[state], known);
                cause.passing.push(passing);
            }
            causes.push(cause);
            altered.push(looked.altered.into_iter().next());
            tell(causes.len(), hybrids.changes.len());
        }
        self.group(&mut causes);
        if rows.iter().any(TableRow::is_of_one_table) {
            let silent = causes.iter_mut().filter(|it| it.role == Role::NoEffect);
            silent.for_each(|cause| cause.role = Role::Undecided(Reason::Tried));
        }
        for (index, altered) in altered.into_iter().enumerate() {
            let example = causes[index].examples.first();
            let example = example.and_then(|&example| self.searched.witnesses.get(example));
            let input = match causes[index].role {
                // It was found with these.
                _ if !causes[index].needs.is_empty() => None,
                Role::WithOthers => example.map(|it| (it.setup.clone(), it.input.clone())),
                Role::Companion => altered,
                _ => None,
            };
            if let Some((setup, input)) = input {
                let [needs, hidden_by] = self.others(index, &setup, &input);
                causes[index].needs = needs;
                causes[index].hidden_by = hidden_by;
            }
        }
        sorted(causes, &self.searched)
    }

    /// For each arm of a state of one table only an input that goes through it and that the change is to blame for: one of
    /// those that are known, if any does.
    fn passing(
        &mut self,
        machines: &[Machine; 2],
        state: &OnlyState,
        mut known: Vec<usize>,
    ) -> Vec<usize> {
        let id = self.hybrids.state(state);
        let base = self.base(state.side);
        let declared = self.machines[state.side].states.get(id as usize);
        let mut taken: Vec<(TakenPath, (Setup, String))> = Vec::new();
        for arm in declared.into_iter().flat_map(arms) {
            taken.extend(paths(arm.body).into_iter().filter_map(|path| {
                let trail = base.trails.get(*base.taken.get(&address(path.leaf))?)?;
                let taken = TakenPath {
                    state: id,
                    arm: arm.index,
                    path: path.number,
                };
                Some((taken, trail.given(self.model)?))
            }));
        }
        taken.sort();
        let mut numbers = BTreeSet::new();
        for (taken, (setup, input)) in taken {
            let goes = |it: &&usize| {
                let witness = &self.searched.witnesses[**it];
                let passed = self.tables.passed(&witness.setup, &witness.input);
                passed[state.side].iter().any(|it| it.taken == taken)
            };
            if let Some(&number) = known.iter().find(goes) {
                numbers.insert(number);
                continue;
            }
            let mut trial = Trial::new(&mut self.tables, machines.each_ref());
            let rank = trial.through(&setup, &input, (state.side, taken));
            let labels = [&state.name; 2].map(String::clone);
            let witness = rank.and_then(|rank| self.tables.witness(&rank, labels));
            if let Some(witness) = witness {
                numbers.insert(self.searched.witnesses.len());
                known.push(self.searched.witnesses.len());
                self.searched.witnesses.push(witness);
            }
        }
        numbers.into_iter().collect()
    }

    /// For each kind of difference, and for each arm, the best example.
    fn examples(
        &mut self,
        of: usize,
        cause: &mut Cause,
        (ranks, parts): (&[(Rank, PassedArms)], &[Option<Rank>]),
        structure: &Structure,
    ) {
        let (hybrids, machines) = (self.hybrids, self.machines);
        let mut chosen: BTreeSet<usize> = BTreeSet::new();
        for kind in Kind::ALL {
            chosen.extend(ranks.iter().position(|(rank, _)| rank.effect.kind == kind));
        }
        let mut through = Vec::new();
        for (index, &arm) in cause.arms.iter().enumerate() {
            let row = structure.arms.get(arm);
            let own = parts.get(index).and_then(Option::as_ref);
            let goes = |(_, passed): &(Rank, PassedArms)| {
                row.is_some_and(|row| hybrids.goes_through(row, machines, passed))
            };
            let own = own.and_then(|own| ranks.iter().position(|(rank, _)| rank == own));
            let found = own.or_else(|| ranks.iter().position(goes));
            chosen.extend(found);
            through.push(found);
        }
        let mut numbers = BTreeMap::new();
        for index in chosen {
            let (rank, passed) = &ranks[index];
            let rows = cause.arms.iter().filter_map(|arm| structure.arms.get(*arm));
            let row = rows
                .clone()
                .find(|row| hybrids.goes_through(row, machines, passed))
                .or(rows.clone().next());
            let labels = row.map_or_else(|| hybrids.labels(of), ArmRow::labels);
            let number = self
                .tables
                .witness(rank, labels)
                .map(|it| self.number(it, &numbers));
            numbers.extend(number.map(|number| (index, number)));
        }
        for number in numbers.values() {
            if !cause.examples.contains(number) {
                cause.examples.push(*number);
            }
        }
        cause.through = through
            .into_iter()
            .map(|index| index.and_then(|index| numbers.get(&index).copied()))
            .collect();
    }

    /// The number of a witness, which may be one of these already.
    fn number(&mut self, witness: Witness, known: &BTreeMap<usize, usize>) -> usize {
        let all = &mut self.searched.witnesses;
        let same = |w: &Witness| (&w.setup, &w.input) == (&witness.setup, &witness.input);
        let known = known.values().copied().find(|&number| same(&all[number]));
        known.unwrap_or_else(|| {
            all.push(witness);
            all.len() - 1
        })
    }

    /// What is to blame for a difference of the tables that no change alone makes: changes together, or what is only declared.
    pub(super) fn blame(
        &mut self,
        causes: &mut Vec<Cause>,
        witness: Witness,
        declared: Vec<usize>,
    ) {
        let machine = self.hybrids.machine(&|_| true);
        let request = witness.setup.request(&witness.input);
        let output = Runs::new(&machine).output(&request);
        let compared = self.model.compared;
        let is_theirs = |it| difference(&it, &witness.outputs[1], compared).is_none();
        if !causes.is_empty() && output.is_some_and(is_theirs) {
            let all: Vec<usize> = (0..causes.len()).collect();
            return self.together(causes, &all, (&witness.setup, &witness.input));
        }
        let cause = Cause {
            tables: declared,
            examples: vec![self.searched.witnesses.len()],
            ..Cause::new(Role::Cause, Some(witness.kind))
        };
        causes.insert(0, cause);
        self.searched.witnesses.push(witness);
    }

    /// On an input on which some changes show only together: as few of them as do, and others that do in the place of one of
    /// these.
    fn together(&mut self, causes: &mut [Cause], among: &[usize], (setup, input): (&Setup, &str)) {
        let hybrids = self.hybrids;
        let between = |these: &[usize]| {
            let all = these.iter().map(|it| &causes[*it]);
            let is_in = |number| all.clone().any(|cause| cause.has(number, hybrids));
            [
                hybrids.machine(&is_in),
                hybrids.machine(&|number| !is_in(number)),
            ]
        };
        let tables = &mut self.tables;
        let mut matters = |these: &[usize]| {
            let machines = between(these);
            Trial::new(tables, machines.each_ref()).matters(setup, input)
        };
        let few = least(among.to_vec(), &mut matters);
        let mut all = few.clone();
        for &other in among.iter().filter(|it| !few.contains(it)) {
            let instead = |of: &usize| {
                let kept = few.iter().copied().filter(|it| it != of);
                kept.chain([other]).collect::<Vec<usize>>()
            };
            if few.len() > 1 && few.iter().any(|of| matters(&instead(of))) {
                all.push(other);
            }
        }
        let machines = between(&few);
        let rank = Trial::new(&mut self.tables, machines.each_ref()).best(setup, input);
        let labels = hybrids.labels(few.first().copied().unwrap_or_default());
        let witness = rank.and_then(|rank| self.tables.witness(&rank, labels));
        for &index in &all {
            let needs = all.iter().copied().filter(|it| *it != index);
            causes[index].needs = needs.collect();
            causes[index].role = Role::Companion;
            if let Some(witness) = &witness {
                causes[index].role = Role::WithOthers;
                causes[index].kind = Some(witness.kind);
                causes[index].examples = vec![self.searched.witnesses.len()];
            }
        }
        self.searched.witnesses.extend(witness);
    }

    /// Changes may show only together: those without effect are tried as one, until no input shows those that are left.
    fn group(&mut self, causes: &mut [Cause]) {
        loop {
            let numbers = (0..causes.len()).filter(|&it| causes[it].role == Role::NoEffect);
            let numbers: Vec<usize> = numbers.collect();
            let mut all = Change::default();
            for change in numbers.iter().map(|&number| &self.hybrids.changes[number]) {
                all.differences.extend(&change.differences);
                all.outside |= change.outside;
            }
            if numbers.len() < 2 {
                return;
            }
            let looked = self.look(&all, &[], LIMITS);
            let ranks = looked.ranks.iter();
            let mut shown = ranks.map(|(rank, _)| (&rank.given, &rank.input));
            let altered = looked.altered.first().map(|(setup, input)| (setup, input));
            match shown.next().or(altered) {
                Some((setup, input)) => self.together(causes, &numbers, (setup, input)),
                None => {
                    let unproved = match self.hybrids.read_other_words(&looked.machines) {
                        true => None,
                        false => match self.prove(&looked.machines) {
                            Ok(()) => return,
                            Err(unproved) => Some(unproved),
                        },
                    };
                    for number in numbers {
                        let reason = Reason::Together(unproved.clone());
                        causes[number].role = Role::Undecided(reason);
                    }
                    return;
                }
            }
        }
    }

    /// Proves that the first table is equal to one with a change made, and the second to one with it taken back.
    fn prove(&self, machines: &[Machine; 2]) -> Result<(), Unproved> {
        if self.is_proven {
            return Ok(());
        }
        let both = self.machines.into_iter().zip(machines);
        let is_all = machines[0] == *self.machines[1];
        let mut both = both.take(if is_all { 1 } else { 2 });
        both.try_for_each(|(table, with)| prove(table, with, self.model.compared).map(|_| ()))
    }

    /// On an input, the changes without which a change alters nothing in the first table, and those with which it alters
    /// nothing: of those that the input goes through, each by itself.
    fn others(&mut self, of: usize, setup: &Setup, input: &str) -> [Vec<usize>; 2] {
        let passed = self.tables.passed(setup, input);
        let (hybrids, machines) = (self.hybrids, self.machines);
        let matters = |with: Option<usize>| {
            let output = |and_own: bool| {
                let changes = with.into_iter().chain(and_own.then_some(of));
                let changes: Vec<&Change> = changes.map(|it| &hybrids.changes[it]).collect();
                let is_in = |number| changes.iter().any(|it| it.differences.contains(&number));
                Runs::new(&hybrids.machine(&is_in)).output(&setup.request(input))
            };
            let (without, both) = (output(false)?, output(true)?);
            Some(difference(&both, &without, self.model.compared).is_some())
        };
        let alone = matters(None) == Some(true);
        let touched = (0..hybrids.changes.len())
            .filter(|&it| it != of && hybrids.is_spelled(it, input))
            .filter(|&it| hybrids.touches(it, machines, &passed))
            .filter(|&it| matters(Some(it)) == Some(!alone));
        let found: Vec<usize> = touched.collect();
        match alone {
            true => [Vec::new(), found],
            false => [found, Vec::new()],
        }
    }
}
