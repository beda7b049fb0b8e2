//! What all machines between two tables tell apart, and the machines made ready to run.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use rustc_hash::FxHashMap;
use speclex_codegen::analyse::{bodies, live_unanswered, paths, states_in_registers};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{
    Action, Body, Guard, Machine, RegisterId, State, StateId, StateKind, Target,
};
use speclex_codegen::uses::Variable;

use super::facts::{Alphabet, Facts, other_case};
use super::passage::{Watch, watched};
use super::replay::Setup;
use crate::engine::Permissions;
use crate::error_comparison::ErrorComparison;
use crate::interpreter::{Fault, Interpreter};
use crate::paths::{arms, is_read_again};

/// What is tried in a state.
#[derive(Debug, Default)]
pub(super) struct Tried {
    /// A class of each kind of characters that it tells apart, or a state that reads the same character.
    pub(super) classes: Vec<usize>,
    /// Characters with which words begin.
    pub(super) letters: BTreeSet<char>,
    /// The registers of numbers to which it adds a digit.
    pub(super) digits: BTreeSet<RegisterId>,
    /// Whether it looks for the name of a reference.
    pub(super) matches: bool,
    /// Whether it adds digits in either table.
    pub(super) counts: bool,
}

/// What all machines between two tables tell apart.
#[derive(Debug)]
pub(super) struct Model {
    /// Does what either table does.
    pub(super) machine: Machine,
    pub(super) facts: Facts,
    pub(super) alphabet: Alphabet,
    pub(super) compared: ErrorComparison,
    /// For each state what may be read there before it is set anew.
    pub(super) live: Vec<BTreeSet<Variable>>,
    /// For each state.
    pub(super) tried: Vec<Tried>,
    /// The first number of each interval of a register that digits are added to, decimal and hexadecimal.
    pub(super) spelled: BTreeSet<String>,
    /// Of references that have the same outcome only one is tried.
    pub(super) names: Vec<String>,
    /// What inputs start with, in contents that both tables have.
    pub(super) starts: Vec<Setup>,
}

impl Model {
    /// The model of two tables, from a machine that does what either does.
    pub(super) fn new(machine: Machine, tables: [&Machine; 2], compared: ErrorComparison) -> Self {
        let facts = Facts::of(&machine);
        let alphabet = Alphabet::new(&facts);
        let names = facts.names(tables);
        let matches = |state: &State| matches!(state.kind, StateKind::Match { .. });
        let adds = |state: &State| {
            let mut actions = bodies(state).into_iter().flat_map(Body::all_actions);
            actions.any(|action| matches!(action, Action::AddDigit(_)))
        };
        let readers = Readers::new(&machine);
        let tried = (0..machine.states.len()).map(|id| {
            let readers = readers.of(id as u32);
            let mut tried = tried(&machine, &readers, &facts, &alphabet);
            let read = |is_it: &dyn Fn(&State) -> bool| {
                let of_tables = tables.map(|table| &table.states);
                let mut states = readers.iter();
                states.any(|&id| {
                    of_tables
                        .iter()
                        .any(|it| it.get(id as usize).is_some_and(is_it))
                })
            };
            tried.counts = read(&adds);
            tried.matches = read(&matches);
            if tried.matches {
                let first = names.iter().filter_map(|name| name.chars().next());
                tried.letters.extend(first);
            }
            tried
        });
        let tried: Vec<Tried> = tried.collect();
        let of_digits = tried.iter().flat_map(|it| &it.digits);
        let numbers = of_digits.filter_map(|register| facts.cuts.get(&register.0));
        let numbers: BTreeSet<u32> = numbers.flatten().copied().collect();
        let spelled = numbers.into_iter();
        let spelled = spelled.flat_map(|number| [format!("{number}"), format!("{number:X}")]);
        Self {
            spelled: spelled.collect(),
            live: live_unanswered(&machine),
            starts: starts(tables, &facts),
            tried,
            names,
            alphabet,
            compared,
            facts,
            machine,
        }
    }
}

/// Which states read a character that another one puts back.
struct Readers<'m> {
    machine: &'m Machine,
    in_registers: BTreeMap<RegisterId, BTreeSet<StateId>>,
}

impl<'m> Readers<'m> {
    fn new(machine: &'m Machine) -> Self {
        Self {
            machine,
            in_registers: states_in_registers(machine),
        }
    }

    /// The state, and those that read the same character after it, or act before the next one is read.
    fn of(&self, state: u32) -> BTreeSet<u32> {
        let mut readers = BTreeSet::new();
        let mut open = vec![state];
        while let Some(id) = open.pop() {
            let declared = self.machine.states.get(id as usize);
            let Some(declared) = declared.filter(|_| readers.insert(id)) else {
                continue;
            };
            for arm in arms(declared) {
                for path in paths(arm.body) {
                    if !is_read_again(arm.on, arm.is_peeked, &path) {
                        continue;
                    }
                    match path.target {
                        Target::State(state) => open.push(state.0),
                        Target::Register(register) => {
                            let held = self.in_registers.get(&register).into_iter().flatten();
                            open.extend(held.map(|state| state.0));
                        }
                        Target::End => {}
                    }
                }
            }
        }
        readers
    }
}

fn tried(machine: &Machine, readers: &BTreeSet<u32>, facts: &Facts, alphabet: &Alphabet) -> Tried {
    let mut tried = Tried::default();
    let mut sets: Vec<&CharSet> = Vec::new();
    let mut firsts: BTreeSet<char> = BTreeSet::new();
    sets.extend(machine.preprocessing.errors.iter().map(|(set, _)| set));
    firsts.extend(facts.behind.iter().flat_map(|text| text.chars()));
    let states = readers.iter();
    let states = states.filter_map(|&id| machine.states.get(id as usize));
    for state in states {
        state_sets(state, &mut sets, &mut firsts);
        let actions = bodies(state).into_iter().flat_map(Body::all_actions);
        for action in actions {
            if let Action::SetCharacter(_, Some(c)) = action {
                firsts.insert(*c);
            }
            if let Action::AddDigit(register) = action {
                tried.digits.insert(*register);
            }
            for (register, _) in action.registers().filter(|_| action.value().is_some()) {
                let words = facts.words.iter().filter(|it| it.register == register.0);
                let words = words.flat_map(|words| &words.words);
                let first = words.filter_map(|word| word.chars().next());
                let both = first.flat_map(|c| [c, other_case(c)]);
                tried.letters.extend(both);
            }
        }
    }
    sets.sort_by_key(|set| set.ranges());
    sets.dedup();
    let classes = alphabet.classes.iter().map(|class| {
        let c = class.set.first().unwrap_or_default();
        let in_sets = sets.iter().map(|set| set.contains(c));
        let are_firsts = firsts.iter().map(|first| *first == c);
        let alike = in_sets.chain([c.is_ascii_uppercase()]).chain(are_firsts);
        alike.collect::<Vec<bool>>()
    });
    let preference = |class: &usize| {
        let size = alphabet.classes.get(*class).map_or(0, |it| it.set.len());
        let sample = alphabet.sample(*class, 0);
        let printable = sample.is_some_and(|it| it.is_ascii_graphic());
        (printable && size > 1, size > 1, printable, size)
    };
    let best = |group: Vec<usize>| group.into_iter().max_by_key(preference);
    tried.classes = grouped(classes).into_iter().filter_map(best).collect();
    tried
}

/// The sets that a state tells characters apart with, and the characters with which its strings begin.
fn state_sets<'m>(state: &'m State, sets: &mut Vec<&'m CharSet>, firsts: &mut BTreeSet<char>) {
    if let StateKind::Consume(consume) = &state.kind {
        sets.extend(consume.arms.iter().map(|arm| &arm.set));
        let first = consume.literals.iter();
        let first = first.filter_map(|literal| literal.text.chars().next());
        firsts.extend(first.flat_map(|first| [first, other_case(first)]));
    }
    let questions = bodies(state).into_iter().flat_map(Body::all_questions);
    sets.extend(questions.flat_map(Guard::sets));
}

/// The numbers of those that are the same.
fn grouped<T: Eq + Hash>(all: impl Iterator<Item = T>) -> Vec<Vec<usize>> {
    let mut groups: FxHashMap<T, usize> = FxHashMap::default();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for (index, one) in all.enumerate() {
        let group = *groups.entry(one).or_insert_with(|| {
            members.push(Vec::new());
            members.len() - 1
        });
        members[group].push(index);
    }
    members
}

/// All contents that both have, with and without a last start tag: its name may be of one letter or more.
fn starts([one, other]: [&Machine; 2], facts: &Facts) -> Vec<Setup> {
    let both = |content: &&String| one.entry(content).is_some() && other.entry(content).is_some();
    let contents = one.vocabulary.contents.iter().filter(both).cloned();
    let names: &[Option<&str>] = match facts.start_tags {
        true => &[None, Some("a"), Some("ab")],
        false => &[None],
    };
    let start = |content: Option<String>| {
        names.iter().map(move |name| Setup {
            content: content.clone(),
            last_start_tag: name.map(str::to_owned),
            ..Setup::default()
        })
    };
    [None]
        .into_iter()
        .chain(contents.map(Some))
        .flat_map(start)
        .collect()
}

/// An input, and what it starts with.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    /// In which order inputs are tried.
    pub(super) length: usize,
    pub(super) input: String,
    /// Which of the model's starts.
    pub(super) start: u16,
    pub(super) answers: Answers,
    /// Whether what is searched for is met on it.
    pub(super) is_seed: bool,
}

impl Trail {
    /// The input with more behind it.
    pub(super) fn with(&self, more: &str, answers: Answers) -> Self {
        Self {
            length: self.length + more.chars().count(),
            input: format!("{}{more}", self.input),
            start: self.start,
            answers,
            is_seed: false,
        }
    }

    /// As a setup and an input.
    pub(super) fn given(&self, model: &Model) -> Option<(Setup, String)> {
        Some((self.setup(model)?, self.input.clone()))
    }

    fn setup(&self, model: &Model) -> Option<Setup> {
        let Answers { asked, yes } = self.answers;
        let questions = (0..).zip(&model.machine.vocabulary.questions);
        let questions = questions.filter(|(number, _)| Answers::bit(*number) & yes != 0);
        let questions = questions.map(|(_, question)| question.clone());
        Some(Setup {
            answer: yes != 0,
            questions: questions.filter(|_| asked != yes).collect(),
            ..model.starts.get(usize::from(self.start))?.clone()
        })
    }
}

/// The answers to the questions that were asked, a bit for each question. A table hardly has more than there are bits; further
/// questions are answered with no.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Answers {
    asked: u64,
    yes: u64,
}

impl Answers {
    fn bit(question: usize) -> u64 {
        1u64.checked_shl(question as u32).unwrap_or(0)
    }

    /// With a question answered, if it has not been.
    pub(super) fn with(self, question: usize, answer: bool) -> Option<Self> {
        let bit = Self::bit(question);
        (bit & !self.asked != 0).then_some(Self {
            asked: self.asked | bit,
            yes: self.yes | if answer { bit } else { 0 },
        })
    }

    /// Whether whoever answers like this answers like another one, too.
    pub(super) fn is_within(self, other: Self) -> bool {
        other.asked & !self.asked == 0 && self.yes & other.asked == other.yes
    }
}

/// A machine made ready to run.
#[derive(Debug)]
pub(super) struct Side<'m> {
    pub(super) machine: &'m Machine,
    fresh: Interpreter<'m, Watch>,
}

/// A machine that runs.
pub(super) type Running<'m> = Interpreter<'m, Watch>;

impl<'m> Side<'m> {
    pub(super) fn new(machine: &'m Machine) -> Self {
        Self {
            machine,
            fresh: watched(machine),
        }
    }

    /// The machine after it has read an input; more may follow.
    pub(super) fn after(&self, model: &Model, trail: &Trail) -> Result<Running<'m>, Fault> {
        let mut running = self.fresh.clone();
        if let Some(start) = trail.setup(model) {
            let request = start.request("");
            running.host().permissions = Permissions::of(&request);
            running.start_as(&request)?;
        }
        let last = trail.input.char_indices().next_back();
        let (before, last) = trail.input.split_at(last.map_or(0, |(at, _)| at));
        running.feed(before)?;
        running.host().ran.clear();
        running.feed(last)?;
        Ok(running)
    }
}
