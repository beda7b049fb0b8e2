//! Arms are the same when their keys mean the same, however they are written.

use crate::diagnostic::{Code, Faults};
use crate::set_notation::{Classes, Meaning, parse, resolve};
use crate::suggest::did_you_mean;
use crate::written::{Arm, Body, State, Table, Text};
use std::collections::{HashMap, HashSet};

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
#[derive(PartialEq, Eq, Hash)]
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

/// Numbers for addresses: equal ones have the same.
#[derive(Default)]
struct Numbers(HashMap<Address, usize>);

impl Numbers {
    fn number(&mut self, key: &Text, classes: &mut Classes) -> usize {
        let next = self.0.len();
        *self.0.entry(address(key, classes)).or_insert(next)
    }
}

/// Applies changes to arms.
pub(super) fn merge(
    base: Vec<Arm>,
    over: Vec<Arm>,
    classes: &mut Classes,
    faults: &mut Faults,
) -> Vec<Arm> {
    let mut numbers = Numbers::default();
    let mut arms: Vec<Option<Arm>> = base.into_iter().map(Some).collect();
    // The arms in their order: the number of the address, and the place in `arms`.
    let mut order: Vec<(usize, usize)> = (arms.iter().flatten().zip(0..))
        .map(|(arm, place)| (numbers.number(&arm.key, classes), place))
        .collect();
    let in_order = |order: &[(usize, usize)], arms: &[Option<Arm>]| -> Vec<String> {
        let arms = order.iter().filter_map(|&(_, place)| arms[place].as_ref());
        arms.map(|arm| arm.key.text.clone()).collect()
    };
    for mut arm in over {
        let own = numbers.number(&arm.key, classes);
        let same = order.iter().position(|&(address, _)| address == own);
        if arm.removed {
            match same {
                Some(at) => {
                    order.remove(at);
                }
                None => unknown(&arm.key, &in_order(&order, &arms), faults),
            }
            continue;
        }
        let after = arm.after.take();
        let new = (own, arms.len());
        arms.push(Some(arm));
        let Some(after) = after else {
            match same {
                Some(at) => order[at] = new,
                None => {
                    let is_last = |arm: &Arm| arm.key.text == "anything else";
                    let last = order
                        .iter()
                        .position(|&(_, place)| arms[place].as_ref().is_some_and(is_last));
                    order.insert(last.unwrap_or(order.len()), new);
                }
            }
            continue;
        };
        if let Some(at) = same {
            order.remove(at);
        }
        let wanted = numbers.number(&after, classes);
        let found = order.iter().position(|&(address, _)| address == wanted);
        if found.is_none() {
            unknown(&after, &in_order(&order, &arms), faults);
        }
        order.insert(found.map_or(order.len(), |at| at + 1), new);
    }
    let merged = order
        .into_iter()
        .filter_map(|(_, place)| arms[place].take());
    merged.collect()
}

fn unknown(key: &Text, arms: &[String], faults: &mut Faults) {
    let help = did_you_mean(&key.text, arms.iter().map(String::as_str), || {
        "name an arm by its whole set".to_owned()
    });
    let message = format!("the base's state has no arm `{}`", key.text);
    faults.add(Code::UnknownArm, key.at, message).help(help);
}

/// The keys of the base's arms that the changes replace or remove: errata beside them are void.
pub(super) fn changed(base: &State, over: &State, classes: &mut Classes) -> Vec<String> {
    let arms = |state: &State| match &state.body {
        Some(Body::Consume(arms) | Body::LookAhead(arms) | Body::Match { arms, .. }) => {
            arms.iter().map(|arm| arm.key.clone()).collect()
        }
        _ => Vec::new(),
    };
    let over: HashSet<Address> = arms(over).iter().map(|key| address(key, classes)).collect();
    arms(base)
        .into_iter()
        .filter(|key| over.contains(&address(key, classes)))
        .map(|key| key.text)
        .collect()
}
