//! Arms are the same when their keys mean the same, however they are written.

use crate::diagnostic::{Code, Faults};
use crate::set_notation::{Classes, Meaning, parse, resolve};
use crate::suggest::did_you_mean;
use crate::written::{Arm, Body, State, Table, Text};

/// The classes of a table that is not checked yet; their faults are found later.
pub(super) fn classes(table: &Table) -> Classes {
    let mut classes = Classes::default();
    let mut ignored = Faults::default();
    for entry in &table.classes {
        let mut ranges = Vec::new();
        for text in entry.value.iter().flatten() {
            let written = parse(&text.text, text.span(), &mut ignored);
            let meaning = resolve(&written, &mut classes, &mut ignored);
            ranges.extend_from_slice(meaning.set.ranges());
        }
        let set = crate::charset::CharSet::from_ranges(ranges);
        classes.declare(entry.name.text.clone(), set);
    }
    classes
}

/// What tells arms apart.
#[derive(PartialEq, Eq)]
enum Address {
    Meaning(Meaning),
    /// A key that cannot be read stands for itself, as do `match` and `no match`.
    Text(String),
}

fn address(key: &Text, classes: &mut Classes) -> Address {
    let mut ignored = Faults::default();
    let written = parse(&key.text, key.span(), &mut ignored);
    let mut meaning = resolve(&written, classes, &mut ignored);
    meaning.literals.sort();
    if ignored.any_error() {
        Address::Text(key.text.clone())
    } else {
        Address::Meaning(meaning)
    }
}

/// Applies changes to arms.
pub(super) fn merge(
    base: Vec<Arm>,
    over: Vec<Arm>,
    classes: &mut Classes,
    faults: &mut Faults,
) -> Vec<Arm> {
    let mut merged = base;
    for mut arm in over {
        let own = address(&arm.key, classes);
        let same = merged.iter().position(|a| address(&a.key, classes) == own);
        if arm.removed {
            match same {
                Some(at) => {
                    merged.remove(at);
                }
                None => unknown(&arm.key, &merged, faults),
            }
            continue;
        }
        let after = arm.after.take();
        let Some(after) = after else {
            match same {
                Some(at) => merged[at] = arm,
                None => {
                    let last = merged.iter().position(|a| a.key.text == "anything else");
                    merged.insert(last.unwrap_or(merged.len()), arm);
                }
            }
            continue;
        };
        if let Some(at) = same {
            merged.remove(at);
        }
        let wanted = address(&after, classes);
        let found = merged
            .iter()
            .position(|a| address(&a.key, classes) == wanted);
        if found.is_none() {
            unknown(&after, &merged, faults);
        }
        merged.insert(found.map_or(merged.len(), |at| at + 1), arm);
    }
    merged
}

fn unknown(key: &Text, arms: &[Arm], faults: &mut Faults) {
    let help = did_you_mean(&key.text, arms.iter().map(|a| a.key.text.as_str()), || {
        "an arm is named by its whole set".to_owned()
    });
    faults
        .add(
            Code::UnknownArm,
            key.at,
            format!("the base's state has no arm `{}`", key.text),
        )
        .help(help);
}

/// The keys of the base's arms that the changes replace or remove: errata beside them are void.
pub(super) fn changed(base: &State, over: &State, classes: &mut Classes) -> Vec<String> {
    let arms = |state: &State| match &state.body {
        Some(Body::Consume(arms) | Body::LookAhead(arms) | Body::Match { arms, .. }) => {
            arms.iter().map(|arm| arm.key.clone()).collect()
        }
        _ => Vec::new(),
    };
    let over: Vec<Address> = arms(over).iter().map(|key| address(key, classes)).collect();
    arms(base)
        .into_iter()
        .filter(|key| over.contains(&address(key, classes)))
        .map(|key| key.text)
        .collect()
}
