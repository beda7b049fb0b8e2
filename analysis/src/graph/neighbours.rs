//! Some states with their arms in full, and what leads to them and from them.

use std::collections::BTreeSet;

use super::model::{Goal, Model, ShownPath};
use super::sheet::{ERROR, Panel, Row, Sheet, line, state_box};

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
            made.rows = rows(&model.nodes[state].paths);
        }
        made
    });
    let names: Vec<&str> = (chosen.iter())
        .map(|&state| model.nodes[state].name.as_str())
        .collect();
    Sheet {
        title: format!("{}: {}", model.table, names.join("; ")),
        panels: vec![Panel {
            name: String::new(),
            boxes: boxes.collect(),
            lines: lines.collect(),
        }],
    }
}

/// A row for each path, in the order of the table.
fn rows(paths: &[ShownPath]) -> Vec<Row> {
    let row = |way: &ShownPath| Row {
        text: format!("{}{}", if way.error { ERROR } else { "" }, way.full),
        full: way.full.clone(),
        error: way.error,
        link: None,
    };
    paths.iter().map(row).collect()
}
