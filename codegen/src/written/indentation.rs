//! What is not indented below its key. YAML reads `consume:` and the arms below it, at the same indentation, as keys
//! of one mapping, the first of them without a value.

use super::Key;
use super::arms::is_branch;
use super::keys::{STATE, TOP, VOCABULARY};
use crate::diagnostic::{Code, Faults};
use crate::read::quoting::outside_brackets;
use crate::read::{Node, Yaml};
use crate::suggest::closest;

/// The table as it is meant, with a fault for each key that has nothing and is followed by what belongs to it.
pub(super) fn indented(mut node: Node, faults: &mut Faults) -> Node {
    let is_other = |keys: &'static [Key]| {
        let names = keys.iter().map(|key| key.name);
        move |key: &str, _: &Node| {
            !is_branch(key)
                && names.clone().all(|n| n != key)
                && closest(key, names.clone()).is_none()
        }
    };
    let of_states = |name: &str, state: &Node| {
        let is_key = STATE.iter().any(|key| key.name == name) || is_branch(name);
        let is_arm = matches!(state.value, Yaml::List(_));
        is_key || is_arm || state.text().is_some_and(|text| text != "removed")
    };
    let mut states = |node: &mut Node| {
        adopt(node, of_states, faults);
        for (_, state) in entries(node) {
            adopt(state, is_other(STATE), faults);
        }
    };
    for (key, value) in entries(&mut node) {
        match key.text() {
            Some("states") => states(value),
            Some("procedures") => {
                let procedures = entries(value).iter_mut();
                let keys = procedures.flat_map(|(_, procedure)| entries(procedure));
                keys.filter(|(key, _)| key.text() == Some("states"))
                    .for_each(|(_, value)| states(value));
            }
            _ => {}
        }
    }
    adopt(&mut node, is_other(TOP), faults);
    for (key, value) in entries(&mut node) {
        if key.text() == Some("vocabulary") {
            adopt(value, is_other(VOCABULARY), faults);
            let keys = entries(value).iter_mut();
            keys.filter(|(key, _)| key.text() == Some("tokens"))
                .for_each(|(_, tokens)| adopt(tokens, |_, ty| ty.text().is_some(), faults));
        }
    }
    node
}

fn entries(node: &mut Node) -> &mut [(Node, Node)] {
    match &mut node.value {
        Yaml::Map(entries) => entries,
        _ => &mut [],
    }
}

/// Moves entries that do not belong into a mapping to the key above them, if that has nothing.
fn adopt(node: &mut Node, is_other: impl Fn(&str, &Node) -> bool, faults: &mut Faults) {
    let Yaml::Map(entries) = &mut node.value else {
        return;
    };
    let is_other = |(key, value): &(Node, Node)| key.text().is_some_and(|key| is_other(key, value));
    let mut kept: Vec<(Node, Node)> = Vec::with_capacity(entries.len());
    let mut others = std::mem::take(entries).into_iter().peekable();
    while let Some(entry) = others.next() {
        kept.push(entry);
        let Some((parent, hole)) = kept.last_mut().and_then(|(key, value)| hole(key, value)) else {
            continue;
        };
        let mut children = Vec::new();
        while let Some(child) = others.next_if(is_other) {
            children.push(child);
        }
        let Some((child, value)) = children.first() else {
            continue;
        };
        let name = child.text().unwrap_or_default();
        let written = outside_brackets(name);
        let said = value.text().map_or("…".to_owned(), outside_brackets);
        let message = format!("`{name}` is not indented below `{parent}`");
        faults.add(Code::UnknownKey, child.at, message).help(format!(
            "indent it, and all that belongs to `{parent}`, by two more spaces:\n{parent}:\n  {written}: {said}"
        ));
        hole.value = Yaml::Map(children);
    }
    *entries = kept;
}

/// The key without a value that ends an entry.
fn hole<'n>(key: &'n Node, value: &'n mut Node) -> Option<(&'n str, &'n mut Node)> {
    if matches!(value.value, Yaml::Null) {
        return Some((key.text()?, value));
    }
    let (key, value) = entries(value).last_mut()?;
    hole(key, value)
}
