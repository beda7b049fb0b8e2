//! The diagram of a machine: which states there are, and how one leads to another.

use std::collections::BTreeMap;

use speclex_codegen::machine::{Machine, State, Target};

use super::short;
use crate::say::Words;
use crate::ways::{On, Way, arms, ways};

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Goal {
    /// A state.
    State(usize),
    /// What a state register holds.
    Register(String),
    /// The end.
    End,
}

/// A way through an arm, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// In a few letters.
    pub(super) short: String,
    /// In full: on what, what must hold, what is done and where it leads.
    pub(super) full: String,
    /// Whether it reports an error.
    pub(super) error: bool,
    /// Whether what was consumed is put back.
    pub(super) reconsume: bool,
    /// Whether it is at the end of the input.
    pub(super) eof: bool,
}

/// All ways from a state to a goal.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: Goal,
    pub(super) ways: Vec<Shown>,
}

impl Link {
    /// Whether any way is on more than the end of the input.
    pub(super) fn reads(&self) -> bool {
        self.ways.iter().any(|way| !way.eof)
    }
}

/// A state.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) origin: String,
    pub(super) section: String,
    /// The contents that start in it.
    pub(super) entries: Vec<String>,
    /// All that it does, in the order of the table.
    pub(super) ways: Vec<Shown>,
}

/// A machine as a graph.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) table: String,
    pub(super) title: String,
    pub(super) nodes: Vec<Node>,
    /// Sorted by state, then by goal.
    pub(super) links: Vec<Link>,
}

impl Model {
    pub(super) fn new(machine: &Machine) -> Self {
        let words = Words::new(machine);
        let mut nodes = Vec::new();
        let mut links = Vec::new();
        for (id, state) in (0..).zip(&machine.states) {
            let ways = leaving(machine, &words, state);
            let from = nodes.len();
            let mut goals: BTreeMap<Goal, Vec<Shown>> = BTreeMap::new();
            for (goal, way) in &ways {
                goals.entry(goal.clone()).or_default().push(way.clone());
            }
            let link = |(to, ways)| Link { from, to, ways };
            links.extend(goals.into_iter().map(link));
            nodes.push(Node {
                ways: ways.into_iter().map(|(_, way)| way).collect(),
                ..node(machine, id, state)
            });
        }
        Self {
            table: machine.name.clone(),
            title: machine.title.clone(),
            nodes,
            links,
        }
    }

    /// The links from a state.
    pub(super) fn from(&self, state: usize) -> impl Iterator<Item = &Link> {
        self.links.iter().filter(move |link| link.from == state)
    }
}

fn node(machine: &Machine, id: u32, state: &State) -> Node {
    let entries = machine.entries.iter().filter(|entry| entry.state.0 == id);
    let contents = &machine.vocabulary.contents;
    let entries = entries.filter_map(|entry| contents.get(entry.content as usize).cloned());
    Node {
        name: state.name.clone(),
        origin: state.origin.clone(),
        section: state.section.clone(),
        entries: entries.collect(),
        ways: Vec::new(),
    }
}

fn leaving(machine: &Machine, words: &Words<'_>, state: &State) -> Vec<(Goal, Shown)> {
    let goal = |target| match target {
        Target::State(id) if (id.0 as usize) < machine.states.len() => Goal::State(id.0 as usize),
        Target::Register(id) => {
            let register = machine.registers.get(id.0 as usize);
            Goal::Register(register.map(|r| r.name.clone()).unwrap_or_default())
        }
        Target::State(_) | Target::End => Goal::End,
    };
    let mut leaving = Vec::new();
    for arm in arms(state) {
        let ways = ways(arm.body, arm.on.set());
        leaving.extend(
            ways.iter()
                .map(|way| (goal(way.target), shown(words, arm.on, way))),
        );
    }
    leaving
}

fn shown(words: &Words<'_>, on: On<'_>, way: &Way<'_>) -> Shown {
    let mut full = on.said();
    for (index, question) in way.when(words).iter().enumerate() {
        full += if index == 0 { ", if " } else { " and " };
        full += question;
    }
    full += ": ";
    full += &way.actions(words).join("; ");
    if !way.actions.is_empty() {
        full += "; ";
    }
    full += &words.target(way.target, way.reconsume);
    Shown {
        short: short::on(words, on, way),
        full,
        error: way.is_error(),
        reconsume: way.reconsume,
        eof: on == On::Eof,
    }
}
