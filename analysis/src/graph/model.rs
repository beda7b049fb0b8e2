//! The diagram of a machine: which states there are, and how one leads to another.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::analyse::Path;
use speclex_codegen::machine::{Machine, State, Target};
use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::{Arm, BodyId, Mode, ModeId, Step};
use speclex_codegen::tree::ways::Ways;

use super::labels;
use crate::paths::{ArmInput, arms, possible_paths, spelled_actions, spelled_guards};
use crate::spelling::Spelling;

/// What the marks mean in diagrams of states.
const LEGEND: [&str; 6] = [
    "▶ a content starts here",
    "↻ the state stays",
    "↺ the input is reconsumed",
    "→ goes to a state of another group, or back",
    "⚠ red, broken line: a parse error",
    "from: what leads here without a line",
];

/// And in those of insertion modes.
const LEGEND_OF_TREES: [&str; 6] = [
    "▶ takes the first token",
    "→ switches to it",
    "↺ the token is reprocessed there",
    "⊂ its rules have the token, and the insertion mode stays",
    "⚠ red, broken line: a parse error in any case",
    "from: what leads here without a line",
];

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

/// How an arm leads to another insertion mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// It switches to it. So do states.
    Switches,
    /// It switches to it and reprocesses the token.
    Reprocesses,
    /// It processes the token using its rules.
    UsesRules,
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
    /// How an insertion mode leads to another.
    pub(super) how: How,
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
    /// What a node is: `state`.
    pub(super) called: String,
    /// What the marks mean.
    pub(super) legend: &'static [&'static str],
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
            links.extend(linked(nodes.len(), &paths));
            nodes.push(Node {
                paths: paths.into_iter().map(|(_, path)| path).collect(),
                ..node(machine, id, state)
            });
        }
        Self {
            table: machine.name.clone(),
            title: machine.title.clone(),
            called: "state".to_owned(),
            legend: &LEGEND,
            nodes,
            links,
        }
    }

    /// The insertion modes of a table of tree construction: which arms switch to another, reprocess the token there or hand it to its
    /// rules.
    pub(super) fn of_tree(machine: &TreeMachine) -> Self {
        let mut ways = Ways::new(machine);
        let mut nodes = Vec::new();
        let mut links = Vec::new();
        for (mode, rules) in machine.modes.iter().enumerate() {
            let mut leading = Vec::new();
            let mut paths = Vec::new();
            for arm in &rules.arms {
                let path = shown_arm(machine, arm);
                let mut seen = BTreeSet::new();
                leads(
                    machine,
                    &mut ways,
                    mode,
                    arm.body,
                    &mut seen,
                    &mut |goal, how| {
                        leading.push((
                            goal,
                            ShownPath {
                                how,
                                ..path.clone()
                            },
                        ))
                    },
                );
                paths.push(path);
            }
            links.extend(linked(mode, &leading));
            let starts = mode == machine.initial;
            nodes.push(Node {
                name: rules.name.clone(),
                origin: rules.name.clone(),
                section: rules.section.clone(),
                entries: starts
                    .then(|| "the first token".to_owned())
                    .into_iter()
                    .collect(),
                paths,
            });
        }
        Self {
            table: machine.name.clone(),
            title: machine.title.clone(),
            called: machine.called.clone(),
            legend: &LEGEND_OF_TREES,
            nodes,
            links,
        }
    }

    /// The links from a state.
    pub(super) fn from(&self, state: usize) -> impl Iterator<Item = &Link> {
        self.links.iter().filter(move |link| link.from == state)
    }
}

/// The links from a node.
fn linked(from: usize, paths: &[(Goal, ShownPath)]) -> impl Iterator<Item = Link> {
    let mut goals: BTreeMap<Goal, Vec<ShownPath>> = BTreeMap::new();
    for (goal, path) in paths {
        goals.entry(goal.clone()).or_default().push(path.clone());
    }
    let link = move |(to, paths)| Link { from, to, paths };
    goals.into_iter().map(link)
}

/// Where a body leads: `found` gets each goal.
fn leads(
    machine: &TreeMachine,
    ways: &mut Ways<'_>,
    from: ModeId,
    body: BodyId,
    seen: &mut BTreeSet<BodyId>,
    found: &mut dyn FnMut(Goal, How),
) {
    if !seen.insert(body) {
        return;
    }
    let goal = |mode: &Mode| match mode {
        Mode::Named(mode) => Goal::State(*mode),
        Mode::Current => Goal::Register(format!("current {}", machine.called)),
        Mode::Original => Goal::Register(format!("original {}", machine.called)),
        Mode::CurrentTemplate => Goal::Register(format!("current template {}", machine.called)),
    };
    let leads = ways.of(body);
    let switches: BTreeSet<_> = leads.ends.iter().filter_map(|(to, _)| *to).collect();
    let again: BTreeSet<_> = leads.reprocesses.keys().map(|(to, _)| *to).collect();
    let rules: BTreeSet<_> = leads.delegates.iter().map(|(_, mode)| *mode).collect();
    for mode in &switches {
        found(goal(mode), How::Switches);
    }
    for mode in again {
        let to = mode.map_or(Goal::State(from), |mode| goal(&mode));
        found(to, How::Reprocesses);
    }
    for mode in &rules {
        found(goal(mode), How::UsesRules);
    }
    if leads.stops {
        found(Goal::End, How::Switches);
    }
    for (_, mode, arm) in leads.acts {
        match mode == from {
            true => self::leads(machine, ways, from, machine.body_of(mode, arm), seen, found),
            false => found(Goal::State(mode), How::UsesRules),
        }
    }
}

/// An arm of an insertion mode.
fn shown_arm(machine: &TreeMachine, arm: &Arm) -> ShownPath {
    let key = arm.key.split_whitespace().collect::<Vec<_>>().join(" ");
    let body = machine.bodies.get(arm.body);
    let lines = body.map_or(&[][..], |body| &body.lines);
    let lines: Vec<_> = lines.iter().map(|line| line.trim_start()).collect();
    let first = body.and_then(|body| body.blocks.first());
    ShownPath {
        short: labels::cut(&key, labels::LONGEST),
        full: format!("{key}: {}", lines.join("; ").replace(":;", ":")),
        error: first.is_some_and(|block| block.steps.contains(&Step::ParseError)),
        reconsume: false,
        how: How::Switches,
        eof: false,
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
        how: How::Switches,
        eof: on == ArmInput::Eof,
    }
}
