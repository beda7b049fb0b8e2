//! The first difference between two tables, and between one and many that differ from it in one state.

use std::cell::OnceCell;

use speclex_codegen::machine::{Machine, StateKind};

use super::base::{Base, Extents};
use super::hybrid::{Hybrids, either};
use super::model::{Model, Side, Trail};
use super::outside;
use super::replay::Setup;
use super::search::{Limits, hunt};
use super::structure::changed;
use super::trial::Tables;
use super::witness::{Searched, Witness};
use crate::error_comparison::ErrorComparison;

/// How far the search for the first difference goes.
const LIMITS: Limits = Limits {
    inputs: 200_000,
    after: [usize::MAX; 2],
    trails: 2,
};

/// The first difference that a search finds.
pub fn first_difference(one: &Machine, other: &Machine) -> Searched {
    let compared = ErrorComparison::of(one, other);
    let (hybrids, ..) = Hybrids::of([one, other]);
    let machines = hybrids.whole();
    let model = hybrids.model(compared);
    let [ours, theirs] = machines.each_ref().map(Side::new);
    let base = Base::new(&model, &ours);
    let tables = Tables::new([one, other], machines.each_ref(), compared);
    confirmed(&model, tables, [&ours, &theirs], base.trails.iter())
}

/// A table beside others that differ from it in one state: what the table does by itself is searched once for all.
pub struct Neighbours<'m> {
    table: &'m Machine,
    state: u32,
    /// Tells apart all that any of them tells apart.
    model: Model,
    side: Side<'m>,
    base: OnceCell<Base>,
}

impl<'m> Neighbours<'m> {
    /// Those that have one of these in the place of a state.
    pub fn new(table: &'m Machine, state: usize, kinds: &[StateKind]) -> Self {
        let mut all = table.clone();
        if let Some(own) = all.states.get_mut(state) {
            own.kind = kinds
                .iter()
                .fold(own.kind.clone(), |all, one| either(&all, one));
        }
        Self {
            table,
            state: state as u32,
            model: Model::new(all, [table; 2], ErrorComparison::of(table, table)),
            side: Side::new(table),
            base: OnceCell::new(),
        }
    }

    fn base(&self) -> &Base {
        self.base.get_or_init(|| Base::new(&self.model, &self.side))
    }

    /// The first difference between the table and one of its neighbours, as [`first_difference`] finds it.
    pub fn first_difference(&self, other: &Machine) -> Searched {
        let with = Side::new(other);
        let machines = [self.table, other];
        let [one, two] = machines.map(|it| &it.states[self.state as usize]);
        let changed = Extents::from([(self.state, changed(one, two))]);
        let tables = Tables::new(machines, machines, self.model.compared);
        let seeds = self.base().seeds(&changed);
        confirmed(&self.model, tables, [&self.side, &with], seeds)
    }

    /// Inputs after which one more character, or the end, leads through the state.
    pub fn leading_there(&self) -> Vec<(Setup, String)> {
        let extents = Extents::from([(self.state, super::base::Extent::ALL)]);
        let trails = self.base().seeds(&extents);
        trails
            .filter_map(|trail| trail.given(&self.model))
            .collect()
    }
}

/// Searches until a difference is one of the tables too.
fn confirmed<'t>(
    model: &Model,
    mut tables: Tables<'_>,
    sides: [&Side<'_>; 2],
    seeds: impl Iterator<Item = &'t Trail>,
) -> Searched {
    let mut searched = Searched::default();
    let mut witness = None;
    let found = hunt(model, sides, seeds, LIMITS, &mut |trail| {
        let Some((setup, input)) = trail.given(model) else {
            return false;
        };
        match tables.plain(&setup, &input) {
            // What cannot be run is no less a reason to stop.
            None => {
                searched.refused = Some((setup, input));
                true
            }
            Some(found) => {
                witness = found;
                witness.is_some()
            }
        }
    });
    searched.add(&found);
    searched.witnesses.extend(witness);
    searched
}

/// A difference between two tables that differ in references, on an input that spells one of these.
pub fn reference_difference(one: &Machine, other: &Machine) -> Option<Witness> {
    let machines = [one, other];
    let mut tables = Tables::new(machines, machines, ErrorComparison::of(one, other));
    let rows = outside::references(machines).into_iter();
    let mut inputs = rows.flat_map(|row| row.inputs);
    inputs.find_map(|(setup, input)| tables.plain(&setup, &input).flatten())
}
