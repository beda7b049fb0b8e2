//! Both parts together: for each structural difference whether and where it shows.

use speclex_codegen::machine::Machine;

use super::matching::Matching;
use super::product::Kind;
use super::runner::steps::TakenPath;
use super::search::Limits;
use super::structure;
use super::structure::{ArmRow, OnlyState, Part, Structure, TableRow};
use super::witness::{PassedArms, ReachedArms, Searched, Witness, WitnessFinder};
use crate::token::{Output, Token};

/// Inputs are tried up to a length, and no more situations than this are followed.
const LIMITS: Limits = Limits {
    length: 80,
    situations: 400_000,
    trails: 2,
    first: false,
};

/// Of the inputs that lead to certain arms so many, the shortest, are looked at.
const MOST_INPUTS: usize = 8;

/// Whether a structural difference shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// In this witness, where the tokenizers fall out of step with these arms.
    Shows(usize),
    /// In this witness, which goes through it after the tokenizers fell out of step elsewhere; it cannot be
    /// the first difference, or was not found to be.
    Behind(usize),
    /// On no input: the search closed.
    Proven,
    /// It was not found on inputs up to this length.
    NotFound(usize),
    /// It is a matter of the sink, not of the input.
    Declared,
}

/// The behaviour of two tables.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// The search, with all witnesses: first one for each cause, then those that structural differences need.
    pub searched: Searched,
    /// For each row of the structure's arms.
    pub arms: Vec<Status>,
    /// For each state of one table only.
    pub only: Vec<Status>,
    /// For each row of the tables.
    pub tables: Vec<Status>,
    /// How many of the witnesses are causes.
    pub causes: usize,
}

/// What is different between two tables.
#[derive(Clone, Debug)]
pub struct Diff {
    /// Their names.
    pub names: [String; 2],
    /// Their titles.
    pub titles: [String; 2],
    /// What differs in their states.
    pub structure: Structure,
    /// What differs elsewhere.
    pub tables: Vec<TableRow>,
    /// Where it shows, if that was asked for.
    pub behaviour: Option<Behaviour>,
}

impl Diff {
    /// Whether anything differs as far as was looked.
    pub fn differs(&self) -> bool {
        match &self.behaviour {
            Some(behaviour) => !behaviour.searched.witnesses.is_empty(),
            None => !self.structure.is_empty() || !self.tables.is_empty(),
        }
    }

    /// Whether no input tells the tables apart, and that is certain.
    pub fn proven_equal(&self) -> bool {
        let proven = |behaviour: &Behaviour| {
            let sure = |status: &Status| *status == Status::Proven;
            behaviour.searched.closed()
                && behaviour.searched.witnesses.is_empty()
                && behaviour.tables.iter().all(sure)
        };
        self.behaviour.as_ref().is_some_and(proven)
    }
}

/// Compares two tables; with `search` also what they do.
pub fn compare(one: &Machine, other: &Machine, search: bool) -> Diff {
    let matching = Matching::new(one, other);
    let structure = Structure::new(one, other, &matching);
    let tables = structure::rows(one, other);
    let behaviour = search.then(|| behaviour(one, other, &matching, &structure, &tables));
    Diff {
        names: [one.name.clone(), other.name.clone()],
        titles: [one.title.clone(), other.title.clone()],
        structure,
        tables,
        behaviour,
    }
}

/// The first difference that a search finds; with nothing left out, no witness is a proof.
pub fn first_difference(one: &Machine, other: &Machine) -> Searched {
    let matching = Matching::new(one, other);
    let limits = Limits {
        first: true,
        situations: 100_000,
        ..LIMITS
    };
    WitnessFinder::new(one, other, &matching).run(limits).0
}

fn behaviour(
    one: &Machine,
    other: &Machine,
    matching: &Matching,
    structure: &Structure,
    tables: &[TableRow],
) -> Behaviour {
    let limits = LIMITS;
    let mut finder = WitnessFinder::new(one, other, matching);
    let (searched, explored) = finder.run(limits);
    let mut finder = StatusFinder {
        searched,
        explored,
        reached: [None, None],
        machines: [one, other],
        limits,
        finder,
    };
    let causes = finder.searched.witnesses.len();
    let arms: Vec<Status> = structure.arms.iter().map(|row| finder.arm(row)).collect();
    let only = structure
        .only
        .iter()
        .map(|state| finder.only(state))
        .collect();
    let tables = tables.iter().map(|row| finder.table(row)).collect();
    Behaviour {
        searched: finder.searched,
        arms,
        only,
        tables,
        causes,
    }
}

/// Arms of one side.
type OneSide<'a> = (usize, &'a dyn Fn(&TakenPath) -> bool);

struct StatusFinder<'m> {
    searched: Searched,
    /// The arms that were taken before anything else differed.
    explored: ReachedArms,
    /// For each table the arms that can be reached, once that was asked.
    reached: [Option<ReachedArms>; 2],
    machines: [&'m Machine; 2],
    limits: Limits,
    finder: WitnessFinder<'m>,
}

/// Whether a witness falls out of step with the arms of a row.
fn is_cause(row: &ArmRow, witness: &Witness) -> bool {
    let (a, b) = witness.arms;
    [a.state, b.state] == row.ids
        && row.arms.0.is_none_or(|arm| arm == a.arm)
        && row.arms.1.is_none_or(|arm| arm == b.arm)
}

impl StatusFinder<'_> {
    /// What there is to say where no witness was found. The search ends where tokens differ: of arms that
    /// are only taken after that it says nothing.
    fn without_witness(&mut self, sides: &[OneSide<'_>]) -> Status {
        let mut explored = self.searched.closed();
        for &(side, is_it) in sides {
            let all = self.reachable(side).keys().map(|(_, taken)| *taken);
            let all: Vec<TakenPath> = all.filter(is_it).collect();
            explored &= all
                .iter()
                .all(|taken| self.explored.contains_key(&(side, *taken)));
        }
        if explored {
            Status::Proven
        } else {
            Status::NotFound(self.searched.length)
        }
    }

    /// The arms of one table that any input reaches.
    fn reachable(&mut self, side: usize) -> &ReachedArms {
        let machine = self.machines[side];
        let limits = self.limits;
        self.reached[side].get_or_insert_with(|| {
            let itself = Matching::new(machine, machine);
            let (_, reached) = WitnessFinder::new(machine, machine, &itself).run(limits);
            reached
        })
    }

    fn find(&self, is_it: impl Fn(&Witness) -> bool) -> Option<usize> {
        self.searched.witnesses.iter().position(is_it)
    }

    fn arm(&mut self, row: &ArmRow) -> Status {
        if let Some(index) = self.find(|witness| is_cause(row, witness)) {
            return Status::Shows(index);
        }
        let (state, arms) = (row.ids, [row.arms.0, row.arms.1]);
        let sides = [0, 1].map(|side| {
            move |taken: &TakenPath| taken.state == state[side] && arms[side] == Some(taken.arm)
        });
        // Best of all is an input on which the two arms do different things.
        let apart = |passed: &PassedArms| {
            row.differing_paths.iter().any(|paths| {
                (0..2).all(|side| {
                    let mut taken = passed[side].iter();
                    taken.any(|taken| sides[side](taken) && taken.path == paths[side])
                })
            })
        };
        let both = |passed: &PassedArms| (0..2).all(|side| passed[side].iter().any(&sides[side]));
        let one = |passed: &PassedArms| (0..2).any(|side| passed[side].iter().any(&sides[side]));
        let reached: [OneSide<'_>; 2] = [(0, &sides[0]), (1, &sides[1])];
        for passes in [&apart as &dyn Fn(&PassedArms) -> bool, &both, &one] {
            if let Some(index) = self.through(&reached, passes) {
                return Status::Behind(index);
            }
        }
        self.without_witness(&reached)
    }

    fn only(&mut self, state: &OnlyState) -> Status {
        let (side, id) = (state.side, state.id);
        let cause = |witness: &Witness| {
            let arms = [witness.arms.0, witness.arms.1];
            arms[side].state == id
        };
        if let Some(index) = self.find(cause) {
            return Status::Shows(index);
        }
        let taken = move |taken: &TakenPath| taken.state == id;
        let reached: [OneSide<'_>; 1] = [(side, &taken)];
        match self.through(&reached, &|passed| passed[side].iter().any(taken)) {
            Some(index) => Status::Behind(index),
            None => self.without_witness(&reached),
        }
    }

    /// A witness that goes through certain arms, which inputs reach: the gravest that is there or found.
    fn through(
        &mut self,
        reached: &[OneSide<'_>],
        passes: &dyn Fn(&PassedArms) -> bool,
    ) -> Option<usize> {
        let known = self.find(|witness| passes(&witness.passed));
        let gravest = self.find(|witness| witness.kind == Kind::Tokens && passes(&witness.passed));
        if gravest.is_some() {
            return gravest;
        }
        let mut inputs = Vec::new();
        for (side, taken) in reached {
            let all = self.reachable(*side).iter();
            let these = all.filter(|((_, arm), _)| taken(arm));
            inputs.extend(these.map(|(_, input)| input.clone()));
        }
        inputs.sort_by_key(|(setup, input)| (input.chars().count(), setup.clone(), input.clone()));
        inputs.dedup();
        inputs.truncate(MOST_INPUTS);
        let mut found: Option<Witness> = None;
        for input in &inputs {
            let Some(witness) = self.finder.through(passes, input) else {
                continue;
            };
            if witness.kind == Kind::Tokens {
                return Some(self.add(witness));
            }
            found = found.or(Some(witness));
        }
        known.or_else(|| found.map(|witness| self.add(witness)))
    }

    /// The number of a witness, which may be there.
    fn add(&mut self, witness: Witness) -> usize {
        let same = |w: &Witness| (&w.setup, &w.input) == (&witness.setup, &witness.input);
        self.find(same).unwrap_or_else(|| {
            self.searched.witnesses.push(witness);
            self.searched.witnesses.len() - 1
        })
    }

    fn table(&mut self, row: &TableRow) -> Status {
        match row.part {
            Part::Contents => Status::Declared,
            Part::Codes | Part::Tokens => match self.find(|witness| shows(row, witness)) {
                Some(index) => Status::Shows(index),
                None => Status::Declared,
            },
            Part::Preprocessing | Part::References | Part::Numbers => {
                match row.inputs.iter().find_map(|input| self.finder.plain(input)) {
                    Some(witness) => Status::Shows(self.add(witness)),
                    None => self.without_witness(&[]),
                }
            }
        }
    }
}

/// Whether a code or a token comes out on one side of a witness only.
fn shows(row: &TableRow, witness: &Witness) -> bool {
    let has = |output: &Output| match row.part {
        Part::Codes => output.errors.iter().any(|error| error.code == row.what),
        _ => output.tokens.iter().any(|emitted| match &emitted.token {
            Token::Declared { kind, .. } => row.what == format!("the {kind} token"),
            Token::Characters(_) => false,
        }),
    };
    let [one, other] = &witness.outputs;
    has(one) != has(other)
}
