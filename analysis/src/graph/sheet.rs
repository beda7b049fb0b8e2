//! What is drawn: boxes for states, in panels for groups; lines between the states of a panel; and all else
//! as rows in the boxes, so that lines stay few.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::groups::Group;
use super::model::{Goal, How, Link, Model, ShownPath};

/// What is drawn.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub(super) title: String,
    /// What a box is: `state`.
    pub(super) called: String,
    /// What the marks mean, for the edge of the picture.
    pub(super) legend: &'static [&'static str],
    pub(super) panels: Vec<Panel>,
}

/// A group of states.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    /// Empty when there is only one.
    pub(super) name: String,
    pub(super) boxes: Vec<StateBox>,
    pub(super) lines: Vec<Line>,
}

/// A state.
#[derive(Clone, Debug)]
pub(super) struct StateBox {
    pub(super) state: usize,
    pub(super) name: String,
    pub(super) section: String,
    /// The contents that start in it.
    pub(super) entries: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// Whether the picture is about it.
    pub(super) chosen: bool,
}

/// A line of text in a box.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) text: String,
    /// All of it, for those who point at it.
    pub(super) full: String,
    pub(super) error: bool,
    /// The state that it names.
    pub(super) link: Option<usize>,
}

/// A line between two boxes of a panel.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Indices of boxes.
    pub(super) from: usize,
    pub(super) to: usize,
    /// What it says, and whether that is an error.
    pub(super) label: Vec<(String, bool)>,
    pub(super) full: String,
    /// Whether all of its paths are errors.
    pub(super) error: bool,
}

/// How many lines may lead back to a state.
const BACK: usize = 3;

/// What marks an error.
pub(super) const ERROR: &str = "⚠ ";
/// What marks that the state stays the same.
const STAYS: &str = "↻ ";
/// What marks that the input is put back.
const AGAIN: &str = " ↺";
/// Something that has its own rows and labels.
const HOW: [How; 3] = [How::Switches, How::Reprocesses, How::UsesRules];
/// What marks that the rules of an insertion mode have the token.
const BY_RULES: &str = " ⊂";

impl Sheet {
    /// The whole machine.
    pub(super) fn whole(model: &Model, groups: &[Group]) -> Self {
        let panels = groups.iter().map(|group| panel(model, group)).collect();
        Self {
            title: format!("{}: {}", model.table, model.title),
            called: model.called.clone(),
            legend: model.legend,
            panels,
        }
    }
}

fn panel(model: &Model, group: &Group) -> Panel {
    let place: BTreeMap<usize, usize> = (group.states.iter().enumerate())
        .map(|(index, &state)| (state, index))
        .collect();
    let inner = |link: &&Link| match link.to {
        Goal::State(to) => to != link.from && place.contains_key(&to) && link.reads(),
        _ => false,
    };
    let inside: Vec<&Link> = (model.links.iter())
        .filter(|link| place.contains_key(&link.from))
        .filter(inner)
        .collect();
    let depth = depths(model, group, &inside);
    let mut back: BTreeMap<usize, usize> = BTreeMap::new();
    let leads_back = |link: &Link, to: usize| depth.get(&link.from) >= depth.get(&to);
    for link in &inside {
        if let Goal::State(to) = link.to
            && leads_back(link, to)
        {
            *back.entry(to).or_default() += 1;
        }
    }
    let is_line = |link: &Link| match link.to {
        Goal::State(to) => {
            inner(&link)
                && !(leads_back(link, to) && back.get(&to).is_some_and(|lines| *lines > BACK))
        }
        _ => false,
    };
    let lines = inside
        .iter()
        .filter(|link| is_line(link))
        .filter_map(|link| {
            let Goal::State(to) = link.to else {
                return None;
            };
            Some(line(link, *place.get(&link.from)?, *place.get(&to)?, false))
        });
    let boxes = group.states.iter().map(|&state| {
        let hidden: Vec<&Link> = (model.links.iter())
            .filter(|link| link.to == Goal::State(state) && link.from != state && link.reads())
            .filter(|link| !place.contains_key(&link.from) || !is_line(link))
            .collect();
        let mut made = state_box(model, state);
        made.rows.extend(sources(model, &hidden));
        for link in model.from(state) {
            let line = place.contains_key(&link.from) && is_line(link);
            made.rows.extend(rows(model, link, line));
        }
        made.rows.extend(at_end(model, state));
        made
    });
    Panel {
        name: group.name.clone(),
        boxes: boxes.collect(),
        lines: lines.collect(),
    }
}

/// A box without rows.
pub(super) fn state_box(model: &Model, state: usize) -> StateBox {
    let node = &model.nodes[state];
    StateBox {
        state,
        name: node.name.clone(),
        section: node.section.clone(),
        entries: node.entries.clone(),
        rows: Vec::new(),
        chosen: false,
    }
}

/// How far states are from those through which a group is entered.
fn depths(model: &Model, group: &Group, inside: &[&Link]) -> BTreeMap<usize, usize> {
    let is_in = |state: usize| group.states.binary_search(&state).is_ok();
    let entered = |state: usize| {
        let from_outside = |link: &Link| link.to == Goal::State(state) && !is_in(link.from);
        !model.nodes[state].entries.is_empty() || model.links.iter().any(from_outside)
    };
    let mut depth = BTreeMap::new();
    let mut todo: VecDeque<(usize, usize)> = (group.states.iter())
        .filter(|state| entered(**state))
        .map(|state| (*state, 0))
        .collect();
    if todo.is_empty() {
        todo.extend(group.states.first().map(|state| (*state, 0)));
    }
    while let Some((state, steps)) = todo.pop_front() {
        if depth.contains_key(&state) {
            continue;
        }
        depth.insert(state, steps);
        for link in inside.iter().filter(|link| link.from == state) {
            if let Goal::State(to) = link.to {
                todo.push_back((to, steps + 1));
            }
        }
    }
    depth
}

/// The paths of a link as one line, with or without those at the end of the input.
pub(super) fn line(link: &Link, from: usize, to: usize, at_end: bool) -> Line {
    let paths: Vec<&ShownPath> = link
        .paths
        .iter()
        .filter(|path| at_end || !path.eof)
        .collect();
    Line {
        from,
        to,
        label: labels(&paths),
        full: full(&paths),
        error: paths.iter().all(|path| path.error),
    }
}

/// What a link's paths are taken on, and whether with an error: those without one come first.
fn labels(paths: &[&ShownPath]) -> Vec<(String, bool)> {
    let labels = labelled(paths).into_iter();
    labels.map(|(label, error, _)| (label, error)).collect()
}

/// The same, with the paths.
fn labelled<'p>(paths: &[&'p ShownPath]) -> Vec<(String, bool, Vec<&'p ShownPath>)> {
    let mut labels = Vec::new();
    let kinds = [false, true].into_iter();
    for (error, how) in kinds.flat_map(|error| HOW.map(|how| (error, how))) {
        let some = paths.iter().copied();
        let some = some.filter(|path| (path.error, path.how) == (error, how));
        let some: Vec<&ShownPath> = some.collect();
        let mut shorts: Vec<&str> = Vec::new();
        for path in &some {
            if !shorts.contains(&path.short.as_str()) {
                shorts.push(&path.short);
            }
        }
        if shorts.is_empty() {
            continue;
        }
        let mark = if error { ERROR } else { "" };
        let again = match how {
            How::UsesRules => BY_RULES,
            How::Reprocesses => AGAIN,
            How::Switches if some.iter().all(|path| path.reconsume) => AGAIN,
            How::Switches => "",
        };
        let label = format!("{mark}{}{again}", shorts.join(", "));
        labels.push((label, error, some));
    }
    labels
}

fn full(paths: &[&ShownPath]) -> String {
    let lines: Vec<&str> = paths.iter().map(|path| path.full.as_str()).collect();
    lines.join("\n")
}

/// Rows for what a link says, but for the end of the input, unless it is a line.
fn rows(model: &Model, link: &Link, line: bool) -> Vec<Row> {
    if line {
        return Vec::new();
    }
    let paths: Vec<&ShownPath> = link.paths.iter().filter(|path| !path.eof).collect();
    let row = |(label, error, same): (String, bool, Vec<&ShownPath>)| {
        let (text, target) = match &link.to {
            Goal::State(to) if *to == link.from => (format!("{STAYS}{label}"), None),
            Goal::State(to) => {
                let name = &model.nodes[*to].name;
                (format!("{label} → {name}"), Some(*to))
            }
            Goal::Register(name) => (format!("{label} → the {name}"), None),
            Goal::End => (format!("{label} → the end"), None),
        };
        Row {
            text,
            full: full(&same),
            error,
            link: target,
        }
    };
    labelled(&paths).into_iter().map(row).collect()
}

/// A row for the end of the input.
fn at_end(model: &Model, state: usize) -> Option<Row> {
    let mut goals: Vec<String> = Vec::new();
    let mut link = None;
    let mut paths: Vec<&ShownPath> = Vec::new();
    for leaving in model.from(state) {
        let some: Vec<&ShownPath> = leaving.paths.iter().filter(|path| path.eof).collect();
        if some.is_empty() {
            continue;
        }
        let goal = match &leaving.to {
            Goal::State(to) => {
                link = Some(*to).filter(|to| *to != state);
                model.nodes[*to].name.clone()
            }
            Goal::Register(name) => format!("the {name}"),
            Goal::End => "the end".to_owned(),
        };
        goals.push(goal);
        paths.extend(some);
    }
    let error = paths.iter().any(|path| path.error);
    let mark = if error { ERROR } else { "" };
    (!paths.is_empty()).then(|| Row {
        text: format!("{mark}EOF → {}", goals.join(" or ")),
        full: full(&paths),
        error,
        link,
    })
}

/// A row for what leads to a state without a line.
fn sources(model: &Model, hidden: &[&Link]) -> Option<Row> {
    let mut names: Vec<&str> = Vec::new();
    for link in hidden {
        let name = model.nodes[link.from].name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let text = match names.as_slice() {
        [] => return None,
        [one] => format!("from: {one}"),
        [one, other] => format!("from: {one}; {other}"),
        [one, rest @ ..] => format!("from: {one} and {} others", rest.len()),
    };
    let link = match hidden {
        [one, ..] => Some(one.from),
        [] => None,
    };
    Some(Row {
        text,
        full: format!("from: {}", names.join("; ")),
        error: false,
        link,
    })
}

/// The picture of these states.
pub(super) fn neighbours(model: &Model, chosen: &BTreeSet<usize>) -> Sheet {
    let touches = |from: usize, to: &Goal| {
        let leads = matches!(to, Goal::State(to) if chosen.contains(to));
        chosen.contains(&from) || leads
    };
    let links = model.links.iter();
    let links: Vec<_> = links.filter(|link| touches(link.from, &link.to)).collect();
    let mut states = chosen.clone();
    for link in &links {
        states.insert(link.from);
        if let Goal::State(to) = link.to {
            states.insert(to);
        }
    }
    let states: Vec<usize> = states.into_iter().collect();
    let place = |state: usize| states.binary_search(&state).ok();
    let lines = links.iter().filter_map(|link| match link.to {
        Goal::State(to) if to != link.from => Some(line(link, place(link.from)?, place(to)?, true)),
        _ => None,
    });
    let boxes = states.iter().map(|&state| {
        let mut made = state_box(model, state);
        if chosen.contains(&state) {
            made.chosen = true;
            made.rows = all_paths(&model.nodes[state].paths);
        }
        made
    });
    let names: Vec<&str> = (chosen.iter())
        .map(|&state| model.nodes[state].name.as_str())
        .collect();
    Sheet {
        title: format!("{}: {}", model.table, names.join("; ")),
        called: model.called.clone(),
        legend: model.legend,
        panels: vec![Panel {
            name: String::new(),
            boxes: boxes.collect(),
            lines: lines.collect(),
        }],
    }
}

/// A row for each path, in the order of the table.
fn all_paths(paths: &[ShownPath]) -> Vec<Row> {
    let row = |path: &ShownPath| Row {
        text: format!("{}{}", if path.error { ERROR } else { "" }, path.full),
        full: path.full.clone(),
        error: path.error,
        link: None,
    };
    paths.iter().map(row).collect()
}
