//! No text is appended to itself, which would double it at each step, or set to itself; nor by way of others.

use super::successors::each_body;
use super::terminate::{Edges, drop_ends};
use crate::diagnostic::{Code, Faults};
use crate::lower::Lowered;
use crate::machine::{Action, FieldId, RegisterId, Value};
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

/// The text that an action changes, the one that it puts there, and whether behind what stands there.
fn copied(action: &Action) -> Option<(Text, Text, bool)> {
    let (to, value, appends) = match action {
        Action::Append(field, value) => (Text::Field(*field), value, true),
        Action::Set(field, value) => (Text::Field(*field), value, false),
        Action::AppendRegister(register, value) => (Text::Register(*register), value, true),
        Action::SetText(register, value) => (Text::Register(*register), value, false),
        _ => return None,
    };
    let from = match value {
        Value::Register(register) => Text::Register(*register),
        Value::Field(field) => Text::Field(*field),
        _ => return None,
    };
    Some((to, from, appends))
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
