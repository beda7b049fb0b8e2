//! The first difference between two tables, and between one and many that differ from it in one state.

use std::cell::OnceCell;

use speclex_codegen::machine::{Machine, StateKind};

use super::base::{Base, Trail};
use super::hybrid::{Hybrids, either};
use super::outside;
use super::product::{Model, Product, Side};
use super::replay::Setup;
use super::search::{Findings, Limits, Search};
use super::structure::changed;
use super::trial::Tables;
use super::witness::{Searched, Witness, setup, starts};
use crate::error_comparison::ErrorComparison;

/// How far the search for the first difference goes.
const LIMITS: Limits = Limits {
    length: 80,
    situations: 300_000,
    after: [usize::MAX; 2],
    trails: 2,
    first: true,
};

/// The first difference that a search finds; with nothing left out, no witness is a proof.
pub fn first_difference(one: &Machine, other: &Machine) -> Searched {
    let compared = ErrorComparison::of(one, other);
    let (hybrids, ..) = Hybrids::of([one, other]);
    let machines = hybrids.whole();
    let machines = machines.each_ref();
    let model = hybrids.model(compared);
    let sides = machines.map(|machine| Side::new(machine, &model));
    let product = Product {
        model: &model,
        sides: sides.each_ref(),
    };
    let starts = starts(machines, &product);
    let mut tables = Tables::new([one, other], machines, compared);
    confirmed(&mut tables, &starts, |is_true| {
        Search::new(&product, &starts, LIMITS).run(is_true)
    })
}

/// A table beside others that differ from it in one state: what the table does by itself is searched once for all.
pub struct Neighbours<'m> {
    table: &'m Machine,
    state: u32,
    /// Tells apart all that any of them tells apart.
    model: Model,
    side: Side<'m>,
    starts: Vec<Setup>,
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
        let model = Model::new(all, [table; 2], ErrorComparison::of(table, table));
        let side = Side::new(table, &model);
        let product = Product {
            model: &model,
            sides: [&side; 2],
        };
        Self {
            table,
            state: state as u32,
            starts: starts([table; 2], &product),
            model,
            side,
            base: OnceCell::new(),
        }
    }

    fn base(&self) -> &Base {
        self.base.get_or_init(|| {
            let product = Product {
                model: &self.model,
                sides: [&self.side; 2],
            };
            Search::new(&product, &self.starts, LIMITS).base()
        })
    }

    /// The first difference between the table and one of its neighbours, as [`first_difference`] finds it.
    pub fn first_difference(&self, other: &Machine) -> Searched {
        let with = Side::new(other, &self.model);
        let product = Product {
            model: &self.model,
            sides: [&self.side, &with],
        };
        let machines = [self.table, other];
        let mut tables = Tables::new(machines, machines, self.model.compared);
        let seeded = confirmed(&mut tables, &self.starts, |is_true| {
            let search = Search::new(&product, &self.starts, LIMITS);
            let [one, other] = machines.map(|it| &it.states[self.state as usize]);
            let changed = changed(one, other);
            search.run_from(self.base(), &[(self.state, changed)].into(), is_true)
        });
        let is_settled = !seeded.witnesses.is_empty() || seeded.refused.is_some();
        let is_served = || self.side.liveness.serves(&with.liveness);
        match is_settled || seeded.closed() && is_served() {
            true => seeded,
            // The other may read what the table forgets, or the table does too much for all changes at once.
            false => first_difference(self.table, other),
        }
    }

    /// Inputs after which one more character, or the end, leads through the state.
    pub fn leading_there(&self) -> Vec<(Setup, String)> {
        let trails = self.base().leading_to(self.state);
        trails
            .filter_map(|trail| setup(&self.starts, &trail))
            .collect()
    }
}

/// Searches until a difference is one of the tables too.
fn confirmed(
    tables: &mut Tables<'_>,
    starts: &[Setup],
    search: impl FnOnce(&mut dyn FnMut(&Trail) -> bool) -> Findings,
) -> Searched {
    let mut searched = Searched::default();
    let mut witness = None;
    let found = search(&mut |trail| {
        let Some((setup, input)) = setup(starts, trail) else {
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
    searched.unconfirmed = usize::from(witness.is_none() && !found.events.is_empty());
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
