//! No text is appended to itself, which would double it at each step, or set to itself; nor by way of others.

// A new action, guard or value must be named here.
#![deny(clippy::wildcard_enum_match_arm)]

use super::successors::each_body;
use super::terminate::{Edges, drop_ends};
use crate::diagnostic::{Code, Faults};
use crate::lower::Lowered;
use crate::machine::{Action, FieldId, RegisterId, Value};
use crate::uses::{Effect, Place};
use std::collections::{BTreeMap, BTreeSet};

/// A text of the machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Text {
    Register(RegisterId),
    Field(FieldId),
}

pub(super) fn check(lowered: &Lowered, faults: &mut Faults) {
    // From each text to those that come to be part of it.
    let mut parts: Edges<Text> = BTreeMap::new();
    let mut appended = Vec::new();
    for body in lowered.states.iter().flat_map(|state| state.bodies()) {
        each_body(body, &mut |body| {
            for (action, span) in &body.actions {
                let Some((to, from, appends)) = copied(action) else {
                    continue;
                };
                if to == from {
                    let (what, help) = if appends { APPENDED } else { SET };
                    faults.add(Code::MisplacedPhrase, *span, what).help(help);
                    continue;
                }
                parts.entry(from).or_default();
                parts.entry(to).or_default().push((from, *span));
                if appends {
                    appended.push((to, from, *span));
                }
            }
        });
    }
    drop_ends(&mut parts);
    let mut known = BTreeMap::new();
    for (to, from, span) in appended {
        let within = (known.entry(from)).or_insert_with(|| all_of(from, &parts));
        if within.contains(&to) {
            let message = "the text that is appended gets this one in turn";
            faults
                .add(Code::MisplacedPhrase, span, message)
                .help("both would double again and again; append another text");
        }
    }
}

/// The text that an action changes, the one that it puts there, and whether after what the first one held.
fn copied(action: &Action) -> Option<(Text, Text, bool)> {
    let from = match action.value()? {
        Value::Register(register) => Text::Register(*register),
        Value::Field(field) => Text::Field(*field),
        Value::Current
        | Value::LowerCurrent
        | Value::Literal(_)
        | Value::Code(_)
        | Value::MatchedReplacement
        | Value::MatchedName => return None,
    };
    action.touches().find_map(|(place, effect)| {
        let to = match place {
            Place::Register(register) => Text::Register(register),
            Place::Field(field) => Text::Field(field),
            Place::Token(_)
            | Place::Kind(_)
            | Place::CurrentAttribute(_)
            | Place::Attribute(..)
            | Place::Mark => return None,
        };
        Some((to, from, effect != Effect::Replaced))
    })
}

/// The texts that come to be part of one, also by way of others.
fn all_of(text: Text, parts: &Edges<Text>) -> BTreeSet<Text> {
    let (mut found, mut left) = (BTreeSet::new(), vec![text]);
    while let Some(text) = left.pop() {
        let more = parts.get(&text).into_iter().flatten();
        left.extend(more.filter_map(|(part, _)| found.insert(*part).then_some(*part)));
    }
    found
}

const APPENDED: (&str, &str) = (
    "a text is appended to itself",
    "it would double each time; append another text",
);

const SET: (&str, &str) = ("a text is set to itself", "this changes nothing: remove it");
