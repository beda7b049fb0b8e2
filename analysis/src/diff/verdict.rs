//! Both parts together: what is different in two tables, and which of it shows.

use speclex_codegen::machine::Machine;

use super::causes::{Cause, Causes};
use super::hybrid::Hybrids;
use super::legend::Legend;
use super::model::Side;
use super::outside::TableRow;
use super::structure::Structure;
use super::witness::Searched;
use crate::error_comparison::ErrorComparison;
use crate::prove::{Proof, Unproved, prove};

/// The behaviour of two tables.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// What was searched, with the examples of all causes.
    pub searched: Searched,
    /// All changes: those first that show.
    pub causes: Vec<Cause>,
    /// Whether the tables are proven equal, if no input tells them apart.
    pub proof: Option<Result<Proof, Unproved>>,
}

/// What is different between two tables.
#[derive(Clone, Debug)]
pub struct Diff {
    /// What reports call them: as they call themselves, unless the caller knows them by other names, such as paths.
    pub names: [String; 2],
    /// What they call themselves, by which the addresses of their texts are found.
    pub(super) own_names: [String; 2],
    /// Their titles.
    pub titles: [String; 2],
    /// What of their errors is compared.
    pub compared: ErrorComparison,
    /// What differs in their states.
    pub structure: Structure,
    /// What differs elsewhere.
    pub tables: Vec<TableRow>,
    /// Where it shows, if there was a search.
    pub behaviour: Option<Behaviour>,
    pub(super) legend: Legend,
}

impl Diff {
    /// Whether anything differs as far as was looked.
    pub fn differs(&self) -> bool {
        match &self.behaviour {
            Some(behaviour) => {
                let mut tables = self.tables.iter();
                !behaviour.searched.witnesses.is_empty() || tables.any(TableRow::is_content)
            }
            None => !self.structure.is_empty() || !self.tables.is_empty(),
        }
    }

    /// Why they are not proven equal, if no input tells them apart.
    pub fn unproved(&self) -> Option<&Unproved> {
        self.behaviour.as_ref()?.proof.as_ref()?.as_ref().err()
    }

    /// Whether no input tells the tables apart, and that is certain.
    pub fn proven_equal(&self) -> bool {
        let is_proven = |behaviour: &Behaviour| matches!(behaviour.proof, Some(Ok(_)));
        self.tables.iter().all(TableRow::is_switch)
            && self.behaviour.as_ref().is_some_and(is_proven)
    }
}

/// Compares two tables; with `search` also what they do.
pub fn compare(one: &Machine, other: &Machine, search: bool) -> Diff {
    compare_telling(one, other, search, &mut |_, _| {})
}

/// As [`compare`], which may take minutes; tells after each change how many of all have been looked at.
pub fn compare_telling(
    one: &Machine,
    other: &Machine,
    search: bool,
    tell: &mut dyn FnMut(usize, usize),
) -> Diff {
    let names = [one.name.clone(), other.name.clone()];
    let titles = [one.title.clone(), other.title.clone()];
    let compared = ErrorComparison::of(one, other);
    let (hybrids, structure, tables) = Hybrids::of([one, other]);
    let behaviour = search.then(|| {
        let machines = [hybrids.machine(&|_| false), hybrids.machine(&|_| true)];
        let model = hybrids.model(compared);
        let sides = machines.each_ref().map(Side::new);
        let mut causes = Causes::new(&hybrids, &model, [one, other], sides.each_ref());
        // If there is one change, it is all that differs.
        let known = (hybrids.changes.len() < 2).then(|| prove(one, other, compared));
        causes.is_proven = matches!(known, Some(Ok(_)));
        let found = causes.find(&structure, &tables, tell);
        let is_open = causes.searched.witnesses.is_empty();
        Behaviour {
            searched: causes.searched,
            causes: found,
            proof: is_open.then(|| known.unwrap_or_else(|| prove(one, other, compared))),
        }
    });
    Diff {
        own_names: names.clone(),
        names,
        titles,
        compared,
        structure,
        tables,
        behaviour,
        legend: Legend::of([one, other]),
    }
}
