//! The diagram of a machine: which states there are, and how one leads to another.

use std::collections::BTreeMap;

use speclex_codegen::analyse::Path;
use speclex_codegen::machine::{Machine, State, Target};

use super::labels;
use crate::paths::{ArmInput, arms, possible_paths, spelled_actions, spelled_guards};
use crate::spelling::Spelling;

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

/// A path through an arm, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShownPath {
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

/// All paths from a state to a goal.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: Goal,
    pub(super) paths: Vec<ShownPath>,
}

impl Link {
    /// Whether any path is on more than the end of the input.
    pub(super) fn reads(&self) -> bool {
        self.paths.iter().any(|path| !path.eof)
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
    pub(super) paths: Vec<ShownPath>,
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
        let spelling = Spelling::new(machine);
        let mut nodes = Vec::new();
        let mut links = Vec::new();
        for (id, state) in (0..).zip(&machine.states) {
            let paths = leaving(machine, &spelling, state);
            let from = nodes.len();
            let mut goals: BTreeMap<Goal, Vec<ShownPath>> = BTreeMap::new();
            for (goal, path) in &paths {
                goals.entry(goal.clone()).or_default().push(path.clone());
            }
            let link = |(to, paths)| Link { from, to, paths };
            links.extend(goals.into_iter().map(link));
            nodes.push(Node {
                paths: paths.into_iter().map(|(_, path)| path).collect(),
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
    let entries = machine.contents();
    let entries = entries.filter(|(entry, _)| entry.state.0 == id);
    let entries = entries.map(|(_, content)| content.to_owned());
    Node {
        name: state.name.clone(),
        origin: state.origin.clone(),
        section: state.section.clone(),
        entries: entries.collect(),
        paths: Vec::new(),
    }
}

fn leaving(machine: &Machine, spelling: &Spelling<'_>, state: &State) -> Vec<(Goal, ShownPath)> {
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
        let paths = possible_paths(arm.body, arm.on.set());
        leaving.extend(
            paths
                .iter()
                .map(|path| (goal(path.target), shown(spelling, arm.on, path))),
        );
    }
    leaving
}

fn shown(spelling: &Spelling<'_>, on: ArmInput<'_>, path: &Path<'_>) -> ShownPath {
    let mut full = on.spelled();
    for (index, question) in spelled_guards(spelling, path).iter().enumerate() {
        full += if index == 0 { ", if " } else { " and " };
        full += question;
    }
    full += ": ";
    full += &spelled_actions(spelling, path).join("; ");
    if path.actions().next().is_some() {
        full += "; ";
    }
    full += &spelling.target(path.target, path.reconsume);
    ShownPath {
        short: labels::path_label(spelling, on, path),
        full,
        error: path.reports(),
        reconsume: path.reconsume,
        eof: on == ArmInput::Eof,
    }
}
