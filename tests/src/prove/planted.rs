//! Planting changes in a table, and what `diff` says of each.

use speclex_analysis::diff::{self, ErrorComparison, Gap, Searched};
use speclex_analysis::prove::prove as proof_of;
use speclex_analysis::testing::{Neighbours, first_difference, reference_difference};
use speclex_codegen::machine::{Machine, StateKind};

use super::aimed::Aimed;
use super::report::Summary;
use super::verdict::Verdict;
use crate::mutations;
use crate::random::Random;
use crate::refactorings::{self, Refactoring};

/// Which changes are planted, and how hard they are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Of so many states (and rows) one is chosen.
    pub one_in: usize,
    /// Which ones.
    pub seed: u64,
    /// How many random inputs are tried on what is called equal.
    pub inputs: usize,
    /// Of so many changes that show one is compiled.
    pub compile_one_in: usize,
}

impl Sample {
    /// Whether a state or a row is chosen.
    fn has(&self, table: &str, part: &str, index: usize) -> bool {
        let mut random = Random::named(&format!("{}/{table}/{part}/{index}", self.seed));
        random.below(self.one_in) == 0
    }

    /// Whether a change that shows is compiled.
    fn compiles(&self, what: &str) -> bool {
        Random::named(&format!("{}/{what}", self.seed)).below(self.compile_one_in) == 0
    }
}

/// A part of a table whose changes are planted together.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// A state.
    State(usize),
    /// The rows of numbers.
    Numbers,
    /// The rows of references.
    References,
    /// What elements hold.
    Elements,
    /// One way to write the whole table differently.
    Rewritten(usize),
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::State(state) => write!(f, "state {state}"),
            Self::Numbers => f.write_str("numbers"),
            Self::References => f.write_str("references"),
            Self::Elements => f.write_str("elements"),
            Self::Rewritten(index) => write!(f, "rewritten: {}", refactorings::ALL[*index].name),
        }
    }
}

/// The parts of a table that are chosen.
pub fn parts(table: &Machine, sample: Sample) -> Vec<Part> {
    let all = 0..table.states.len();
    let states = all.filter(|&state| sample.has(&table.name, "state", state));
    let numbers = sample
        .has(&table.name, "numbers", 0)
        .then_some(Part::Numbers);
    let all = 0..refactorings::ALL.len();
    let rewritten = all.filter(|&index| sample.has(&table.name, "rewritten", index));
    let rows = numbers
        .into_iter()
        .chain([Part::References, Part::Elements]);
    let states = states.map(Part::State);
    states
        .chain(rows)
        .chain(rewritten.map(Part::Rewritten))
        .collect()
}

/// Plants all changes of a part, and says what becomes of them.
pub fn prove(table: &Machine, part: Part, sample: Sample) -> Summary {
    let mut summary = Summary::default();
    match part {
        Part::State(state) => of_state(table, state, sample, &mut summary),
        Part::Numbers => of_numbers(table, sample, &mut summary),
        Part::References => of_references(table, sample, &mut summary),
        Part::Elements => of_elements(table, sample, &mut summary),
        Part::Rewritten(index) => rewritten(table, &refactorings::ALL[index], &mut summary),
    }
    summary
}

fn of_state(table: &Machine, state: usize, sample: Sample, summary: &mut Summary) {
    let mut planted: Vec<(String, StateKind)> = Vec::new();
    mutations::of_state(table, state, &mut |what, mutant| {
        let kind = &mutant.states[state].kind;
        if *kind != table.states[state].kind {
            planted.push((what.to_owned(), kind.clone()));
        }
    });
    let mut mutant = table.clone();
    let own = &table.states[state].kind;
    planted.retain(|(what, kind)| {
        mutant.states[state].kind.clone_from(kind);
        let is_no_table = mutations::changes_replaced_only(table, own, kind)
            || mutations::leads_into_procedure(table, &mutant, state);
        if is_no_table {
            summary.add([table, &mutant], what, Verdict::NoTable, false);
        }
        !is_no_table
    });
    // Without those that are no tables: they would make all machines tell apart what no table does.
    let kinds: Vec<StateKind> = planted.iter().map(|(_, kind)| kind.clone()).collect();
    let neighbours = Neighbours::new(table, state, &kinds);
    for (what, kind) in planted {
        mutant.states[state].kind = kind;
        let searched = neighbours.first_difference(&mutant);
        let aimed = || Aimed::at_state(table, &neighbours, state);
        let verdict = verdict(searched, [table, &mutant], aimed, (&what, sample));
        summary.add([table, &mutant], &what, verdict, sample.compiles(&what));
    }
}

fn of_numbers(table: &Machine, sample: Sample, summary: &mut Summary) {
    mutations::of_numbers(table, &mut |what, mutant| {
        let mutant = Machine {
            references: table.references.clone(),
            ..mutant.clone()
        };
        let searched = first_difference(table, &mutant);
        let aimed = || Aimed::at_numbers(table);
        let verdict = verdict(searched, [table, &mutant], aimed, (what, sample));
        summary.add([table, &mutant], what, verdict, sample.compiles(what));
    });
}

/// A search tries one reference of those that are alike; the others are tried directly.
fn of_references(table: &Machine, sample: Sample, summary: &mut Summary) {
    let mut index = 0;
    mutations::of_references(table, &mut |what, mutant| {
        index += 1;
        if sample.has(&table.name, "reference", index) {
            let verdict = match reference_difference(table, mutant) {
                Some(witness) => Verdict::Different(Box::new(witness)),
                None => Verdict::Undecided("no input that was tried shows it".to_owned()),
            };
            summary.add([table, mutant], what, verdict, sample.compiles(what));
        }
    });
}

/// What elements hold is tried directly, in a page.
fn of_elements(table: &Machine, sample: Sample, summary: &mut Summary) {
    let mut index = 0;
    mutations::of_elements(table, &mut |what, mutant| {
        index += 1;
        if sample.has(&table.name, "element", index) {
            let searched = diff::compare(table, mutant, true).behaviour;
            let mut witnesses = searched.into_iter().flat_map(|it| it.searched.witnesses);
            let verdict = match witnesses.next() {
                Some(witness) => Verdict::Different(Box::new(witness)),
                None => Verdict::Undecided("no input that was tried shows it".to_owned()),
            };
            summary.add([table, mutant], what, verdict, false);
        }
    });
}

/// A table that is written differently does the same.
fn rewritten(table: &Machine, refactoring: &Refactoring, summary: &mut Summary) {
    let mut rewritten = table.clone();
    (refactoring.apply)(&mut rewritten);
    if rewritten == *table {
        return;
    }
    let diff = diff::compare(table, &rewritten, true);
    summary.add_rewritten(table, refactoring.name, &diff);
}

fn verdict(
    searched: Searched,
    tables: [&Machine; 2],
    aimed: impl FnOnce() -> Aimed,
    (what, sample): (&str, Sample),
) -> Verdict {
    let [table, mutant] = tables;
    let proof = proof_of(table, mutant, ErrorComparison::of(table, mutant));
    let is_stuck = searched.unknown.iter().any(|it| it.gap == Gap::Stuck);
    if let Some(witness) = searched.witnesses.first() {
        return match proof {
            Ok(_) => Verdict::False(witness.input.clone()),
            Err(_) => Verdict::Different(Box::new(witness.clone())),
        };
    }
    if searched.refused.is_some() || is_stuck {
        return Verdict::NoTable;
    }
    if let Err(unproved) = proof {
        return Verdict::Undecided(unproved.to_string());
    }
    let mut random = Random::named(&format!("{}/{what}", tables[0].name));
    match aimed().difference(tables, sample.inputs, &mut random) {
        Some(input) => Verdict::False(input),
        None => Verdict::Equal,
    }
}
