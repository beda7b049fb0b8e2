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
use super::passage::{PassedArms, TakenPath};
use super::replay::{Kind, Setup};
use super::search::{Findings, Limits, hunt};
use super::structure::{ArmRow, OnlyState, Structure};
use super::trial::{Rank, Tables, Trial};
use super::witness::{Searched, Witness};
use crate::body::address;
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
    /// Inputs were tried and showed nothing; what the prover could not follow, or `None` if it does not cover this part.
    Undecided(Option<Unproved>),
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
    /// Whether the search for it ended at a limit.
    pub(super) is_cut: bool,
}

impl Cause {
    /// Whether it consists of a difference, among others.
    pub(super) fn has(&self, difference: usize, hybrids: &Hybrids) -> bool {
        match difference.checked_sub(hybrids.arms()) {
            Some(row) => self.tables.contains(&row),
            None => self.arms.contains(&difference),
        }
    }
}

/// Changes that show come first, the gravest and shortest before the others; then those that go with others.
fn sorted(mut causes: Vec<Cause>, searched: &Searched) -> Vec<Cause> {
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
    causes.sort_by_key(rank);
    causes
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
    /// Whether it alters something on any input.
    alters: bool,
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

    /// One arm of a change of several, by itself: the best input that it is to blame for.
    fn part(&mut self, arm: usize) -> Option<(Rank, PassedArms)> {
        let change = Change {
            differences: [arm].into(),
            ..Change::default()
        };
        self.look(&change, &[], PART).ranks.into_iter().next()
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
        let inputs = [0, limits.inputs][usize::from(self.searched.situations < WORK)];
        let limits = Limits { inputs, ..limits };
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
        let mut alters = false;
        for (_, setup, input) in candidates {
            if trial.matters(&setup, &input) {
                ranks.extend(trial.best(&setup, &input));
                alters = true;
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
            alters,
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
        for (index, change) in hybrids.changes.iter().enumerate() {
            let (arms, tables) = hybrids.parts(change);
            let inputs = tables.iter().filter_map(|&row| rows.get(row));
            let inputs: Vec<(Setup, String)> = inputs.flat_map(|row| row.inputs.clone()).collect();
            let mut looked = self.look(change, &inputs, LIMITS);
            let mut ranks = looked.ranks.iter();
            let role = if ranks.any(|(rank, _)| !rank.effect.needs_others) {
                Role::Cause
            } else if !looked.ranks.is_empty() {
                Role::WithOthers
            } else if looked.alters {
                Role::Companion
            } else if !change.is_searched(hybrids) {
                Role::Undecided(None)
            } else {
                match self.prove(&looked.machines) {
                    Ok(()) => Role::NoEffect,
                    Err(why) => Role::Undecided(Some(why)),
                }
            };
            let only = structure.only.iter().enumerate();
            let only = only.filter(|(_, state)| change.only.contains(&(state.side, state.id)));
            let mut cause = Cause {
                kind: looked.ranks.first().map(|(rank, _)| rank.effect.kind),
                is_cut: looked.found.iter().any(|found| !found.gaps.is_empty()),
                only: only.map(|(index, _)| index).collect(),
                role,
                arms,
                tables,
                examples: Vec::new(),
                through: Vec::new(),
                passing: Vec::new(),
            };
            let shows = matches!(cause.role, Role::Cause | Role::WithOthers);
            // Each arm of a rewrite gets an example of its own.
            if shows && cause.arms.len() > 1 {
                let parts = cause.arms.iter().filter_map(|&arm| self.part(arm));
                looked.ranks.extend(parts);
                looked.ranks.sort_by(|(one, _), (other, _)| one.cmp(other));
                looked.ranks.dedup();
                cause.kind = looked.ranks.first().map(|(rank, _)| rank.effect.kind);
            }
            self.examples(index, &mut cause, &looked.ranks, structure);
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
            tell(causes.len(), hybrids.changes.len());
        }
        self.prove_together(&mut causes);
        if rows.iter().any(TableRow::is_content) {
            let silent = causes.iter_mut().filter(|it| it.role == Role::NoEffect);
            silent.for_each(|cause| cause.role = Role::Undecided(None));
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
        // One that is longer may do for several arms.
        taken.sort_by_key(|(_, (_, input))| std::cmp::Reverse(input.len()));
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
        ranks: &[(Rank, PassedArms)],
        structure: &Structure,
    ) {
        let (hybrids, machines) = (self.hybrids, self.machines);
        let mut chosen: BTreeSet<usize> = BTreeSet::new();
        for kind in Kind::ALL {
            chosen.extend(ranks.iter().position(|(rank, _)| rank.effect.kind == kind));
        }
        let mut through = Vec::new();
        for &arm in &cause.arms {
            let row = structure.arms.get(arm);
            let goes = |(_, passed): &(Rank, PassedArms)| {
                row.is_some_and(|row| hybrids.goes_through(row, machines, passed))
            };
            let found = ranks.iter().position(goes);
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
            if let Some(witness) = self.tables.witness(rank, labels) {
                let all = &mut self.searched.witnesses;
                // One that shows the change may be that of an arm, too.
                let is_it = |known: &Witness| {
                    (&known.setup, &known.input) == (&witness.setup, &witness.input)
                };
                let known = cause
                    .examples
                    .iter()
                    .copied()
                    .find(|&known| is_it(&all[known]));
                numbers.insert(index, known.unwrap_or(all.len()));
                if known.is_none() {
                    cause.examples.push(all.len());
                    all.push(witness);
                }
            }
        }
        let through = through.into_iter();
        cause.through = through.map(|index| numbers.get(&index?).copied()).collect();
    }

    /// Changes may show only together: those without effect must be proven so as one.
    fn prove_together(&self, causes: &mut [Cause]) {
        let silent = (0..causes.len()).filter(|&it| causes[it].role == Role::NoEffect);
        let silent: Vec<usize> = silent.collect();
        let changes = silent.iter().map(|&it| &self.hybrids.changes[it]);
        let all = Change {
            differences: changes.flat_map(|it| &it.differences).copied().collect(),
            ..Change::default()
        };
        let machines = self.hybrids.with_and_without(&all);
        if silent.len() > 1
            && let Err(why) = self.prove(&machines)
        {
            for number in silent {
                causes[number].role = Role::Undecided(Some(why.clone()));
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
}
