//! Both parts together: for each structural difference whether and where it shows.

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, Body, Guard, Machine};

use super::errors::ErrorComparison;
use super::matching::Matching;
use super::passage::{Passage, PassedArms};
use super::product::{ArmPair, Kind};
use super::replay::Setup;
use super::runner::steps::TakenPath;
use super::search::{Certainty, Limits};
use super::structure;
use super::structure::{ArmRow, OnlyState, Part, Structure, TableRow};
use super::witness::{Explored, ReachedArms, Searched, Witness, WitnessFinder};
use crate::body::{asks, visit};
use crate::paths::{Arm, ArmIndex, arms};
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
    /// On no input: the search closed, and no difference follows from where this was met.
    Proven,
    /// On no input do the tokenizers fall out of step with it and then differ: the search closed. Whether it has
    /// a part in a difference that begins elsewhere is not known.
    BeginsNone,
    /// No witness goes through it, but a difference may begin with it: the search did not follow all that does.
    Undecided,
    /// It was not found on inputs up to this length.
    NotFound(usize),
    /// It is a matter of the sink or of a name that neither table uses, not of the input.
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
    /// What of their errors is compared.
    pub compared: ErrorComparison,
    /// What differs in their states.
    pub structure: Structure,
    /// What differs elsewhere.
    pub tables: Vec<TableRow>,
    /// Where it shows, if there was a search.
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
    let tables = structure::rows(one, other, &matching);
    let behaviour = search.then(|| behaviour(one, other, &matching, &structure, &tables));
    Diff {
        names: [one.name.clone(), other.name.clone()],
        titles: [one.title.clone(), other.title.clone()],
        compared: ErrorComparison::of(one, other),
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
    /// What was taken before tokens differed.
    explored: Explored,
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

/// Whether a side takes the arm of a row, on what the row is about.
fn takes(row: &ArmRow, side: usize, passage: &Passage) -> bool {
    let arm = [row.arms.0, row.arms.1][side];
    let is_about = |set: &CharSet| passage.on.is_some_and(|c| set.contains(c));
    passage.taken.state == row.ids[side]
        && arm == Some(passage.taken.arm)
        && row.set.as_ref().is_none_or(is_about)
}

/// Whether an input goes through a row: on a side that has an arm for it.
fn goes_through(row: &ArmRow, passed: &PassedArms) -> bool {
    (0..2).any(|side| row.own[side] && passed[side].iter().any(|it| takes(row, side, it)))
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
                .all(|taken| self.explored.reached.contains_key(&(side, *taken)));
        }
        if !explored {
            return Status::NotFound(self.searched.length);
        }
        let is_one = |side: usize, taken: &TakenPath| {
            sides.iter().any(|(of, is_it)| *of == side && is_it(taken))
        };
        let is_pair = |suspect: &ArmPair| {
            let arms = [&suspect.0, &suspect.1];
            sides.iter().all(|&(side, is_it)| is_it(arms[side]))
        };
        match self.explored.suspects.certainty(&is_one, &is_pair) {
            Certainty::Harmless => Status::Proven,
            Certainty::BeginsNone => Status::BeginsNone,
            Certainty::None => Status::Undecided,
        }
    }

    /// The arms of one table that any input reaches.
    fn reachable(&mut self, side: usize) -> &ReachedArms {
        let machine = self.machines[side];
        let limits = self.limits;
        self.reached[side].get_or_insert_with(|| {
            let itself = Matching::new(machine, machine);
            let (_, explored) = WitnessFinder::new(machine, machine, &itself).run(limits);
            explored.reached
        })
    }

    fn find(&self, is_it: impl Fn(&Witness) -> bool) -> Option<usize> {
        self.searched.witnesses.iter().position(is_it)
    }

    fn arm(&mut self, row: &ArmRow) -> Status {
        if let Some(index) =
            self.find(|witness| is_cause(row, witness) && goes_through(row, &witness.passed))
        {
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
                    let mut passed = passed[side].iter();
                    passed.any(|it| takes(row, side, it) && it.taken.path == paths[side])
                })
            })
        };
        let both = |passed: &PassedArms| {
            (0..2).all(|side| passed[side].iter().any(|it| takes(row, side, it)))
        };
        let one = |passed: &PassedArms| goes_through(row, passed);
        let reached: [OneSide<'_>; 2] = [(0, &sides[0]), (1, &sides[1])];
        if self.without_witness(&reached) == Status::Proven {
            return Status::Proven;
        }
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
            let mut passed = witness.passed[side].iter();
            arms[side].state == id && passed.any(|it| it.taken.state == id)
        };
        if let Some(index) = self.find(cause) {
            return Status::Shows(index);
        }
        let taken = move |taken: &TakenPath| taken.state == id;
        let reached: [OneSide<'_>; 1] = [(side, &taken)];
        if self.without_witness(&reached) == Status::Proven {
            return Status::Proven;
        }
        let passes = |passed: &PassedArms| passed[side].iter().any(|it| taken(&it.taken));
        match self.through(&reached, &passes) {
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
        let mut found: Option<Witness> = None;
        for input in &self.inputs_to(reached) {
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

    /// The shortest inputs that lead to certain arms.
    fn inputs_to(&mut self, arms: &[OneSide<'_>]) -> Vec<(Setup, String)> {
        let mut inputs = Vec::new();
        for (side, taken) in arms {
            let all = self.reachable(*side).iter();
            let these = all.filter(|((_, arm), _)| taken(arm));
            inputs.extend(these.map(|(_, input)| input.clone()));
        }
        inputs.sort_by_key(|(setup, input)| (input.chars().count(), setup.clone(), input.clone()));
        inputs.dedup();
        inputs.truncate(MOST_INPUTS);
        inputs
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
            // The search follows the states alone.
            Part::Elements => Status::Undecided,
            Part::Codes | Part::Tokens => self.declared(row),
            Part::Emitting => self.emitting(row),
            Part::Entries => self.entry(row),
            Part::Preprocessing | Part::References | Part::Numbers => self.by_inputs(row),
        }
    }

    /// A code or a token that is not declared alike.
    fn declared(&mut self, row: &TableRow) -> Status {
        let shows = |outputs: &[Output; 2]| shows(row, outputs);
        if let Some(index) = self.find(|witness| shows(&witness.outputs)) {
            return Status::Shows(index);
        }
        let machines = self.machines;
        let uses = [0, 1].map(|side| {
            move |taken: &TakenPath| {
                let arm = arm(machines[side], taken);
                arm.is_some_and(|arm| uses(machines[side], arm.body, row))
            }
        });
        let sides: [OneSide<'_>; 2] = [(0, &uses[0]), (1, &uses[1])];
        for input in &self.inputs_to(&sides) {
            if let Some(witness) = self.finder.showing(&shows, input) {
                return Status::Shows(self.add(witness));
            }
        }
        if machines.iter().any(|machine| uses_anywhere(machine, row)) {
            Status::NotFound(self.searched.length)
        } else {
            Status::Declared
        }
    }

    /// What is done on emitting a token.
    fn emitting(&mut self, row: &TableRow) -> Status {
        let machines = self.machines;
        let emits = [0, 1].map(|side| {
            move |taken: &TakenPath| {
                let arm = arm(machines[side], taken);
                arm.is_some_and(|arm| emits(machines[side], arm.body, &row.what))
            }
        });
        let causes = |witness: &Witness| emits[0](&witness.arms.0) && emits[1](&witness.arms.1);
        if let Some(index) = self.find(causes) {
            return Status::Shows(index);
        }
        let sides: [OneSide<'_>; 2] = [(0, &emits[0]), (1, &emits[1])];
        if self.without_witness(&sides) == Status::Proven {
            return Status::Proven;
        }
        let both = |passed: &PassedArms| {
            (0..2).all(|side| passed[side].iter().any(|it| emits[side](&it.taken)))
        };
        match self.through(&sides, &both) {
            Some(index) => Status::Behind(index),
            None => self.without_witness(&sides),
        }
    }

    /// The state in which a content starts.
    fn entry(&mut self, row: &TableRow) -> Status {
        let mut contents = self.machines[0].contents();
        let initial = contents.next().map(|(_, content)| content);
        let content = |of: &Option<String>| of.as_deref().or(initial).map(str::to_owned);
        let started = content(&row.content);
        let starts = |witness: &Witness| content(&witness.setup.content) == started;
        let causes = |witness: &Witness| {
            let (a, b) = witness.arms;
            starts(witness) && row.starts == Some([a.state, b.state])
        };
        if let Some(index) = self.find(causes) {
            return Status::Shows(index);
        }
        match self.find(starts) {
            Some(index) => Status::Behind(index),
            None if self.searched.closed() && self.searched.witnesses.is_empty() => Status::Proven,
            None => Status::NotFound(self.searched.length),
        }
    }

    /// A row that has inputs which should show it.
    fn by_inputs(&mut self, row: &TableRow) -> Status {
        if let Some(witness) = row.inputs.iter().find_map(|input| self.finder.plain(input)) {
            return Status::Shows(self.add(witness));
        }
        let machines = self.machines;
        let uses = [0, 1].map(|side| {
            move |taken: &TakenPath| {
                let arm = arm(machines[side], taken);
                arm.is_some_and(|arm| match row.part {
                    Part::Numbers => looks_up_numbers(arm.body),
                    Part::References => {
                        matches!(arm.index, ArmIndex::Matched | ArmIndex::Unmatched)
                    }
                    // Any arm may meet what preprocessing makes of the input.
                    _ => true,
                })
            }
        });
        self.without_witness(&[(0, &uses[0]), (1, &uses[1])])
    }
}

/// An arm that was taken.
fn arm<'m>(machine: &'m Machine, taken: &TakenPath) -> Option<Arm<'m>> {
    let state = machine.states.get(taken.state as usize)?;
    arms(state).into_iter().find(|arm| arm.index == taken.arm)
}

/// Whether a code or a token comes out on one side only, or the token with another number of fields.
fn shows(row: &TableRow, outputs: &[Output; 2]) -> bool {
    let [one, other] = outputs.each_ref().map(|output| match row.part {
        Part::Codes => {
            let mut errors = output.errors.iter();
            let reported = errors.any(|error| error.code == row.what);
            Vec::from_iter(reported.then_some((row.what.as_str(), 0)))
        }
        _ => {
            let tokens = output.tokens.iter().map(|emitted| &emitted.token);
            let tokens = tokens.filter_map(|token| match token {
                Token::Declared { kind, fields } => Some((kind.as_str(), fields.len())),
                Token::Characters(_) => None,
            });
            tokens
                .filter(|(kind, _)| row.kinds.contains(*kind))
                .collect()
        }
    });
    one != other
}

/// Whether a body may report a code or emit a token.
fn uses(machine: &Machine, body: &Body, row: &TableRow) -> bool {
    let mut found = false;
    visit(body, &mut |actions, _| {
        found |= actions
            .iter()
            .any(|action| action_uses(machine, action, row));
    });
    found
}

fn action_uses(machine: &Machine, action: &Action, row: &TableRow) -> bool {
    match action {
        Action::Error(id) => {
            let code = machine.errors.get(id.0 as usize);
            row.part == Part::Codes && code == Some(&row.what)
        }
        Action::Emit(id) if row.part == Part::Codes => {
            let on_emit = machine.on_emit.iter().filter(|on| on.token == *id);
            let mut actions = on_emit.flat_map(|on| &on.steps).flat_map(|(_, all)| all);
            actions.any(|action| {
                matches!(action, Action::Error(_)) && action_uses(machine, action, row)
            })
        }
        Action::Emit(id) => {
            let token = machine.vocabulary.tokens.get(id.0 as usize);
            let mut kinds = token.into_iter().flat_map(|token| &token.kinds);
            kinds.any(|kind| row.kinds.contains(&kind.name))
        }
        _ => false,
    }
}

/// Whether a table has a use for a code or a token at all.
fn uses_anywhere(machine: &Machine, row: &TableRow) -> bool {
    let mut stream = machine.preprocessing.errors.iter();
    let arms = machine.states.iter().flat_map(arms);
    stream.any(|(_, error)| action_uses(machine, &Action::Error(*error), row))
        || arms.into_iter().any(|arm| uses(machine, arm.body, row))
}

/// Whether a body may emit a token as this kind.
fn emits(machine: &Machine, body: &Body, kind: &str) -> bool {
    let mut found = false;
    visit(body, &mut |actions, _| {
        found |= actions.iter().any(|action| match action {
            Action::Emit(id) => {
                let token = machine.vocabulary.tokens.get(id.0 as usize);
                let mut kinds = token.into_iter().flat_map(|token| &token.kinds);
                kinds.any(|declared| declared.name == kind)
            }
            _ => false,
        });
    });
    found
}

/// Whether a body looks up a number in the table of numbers.
fn looks_up_numbers(body: &Body) -> bool {
    let mut found = asks(body, |guard| matches!(guard, Guard::HasReplacement(_)));
    visit(body, &mut |actions, _| {
        let mut actions = actions.iter();
        found |= actions.any(|action| matches!(action, Action::Replace(_)));
    });
    found
}
