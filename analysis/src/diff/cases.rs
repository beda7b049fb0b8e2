//! Bodies as cases: what must hold, what is done, and where it leads. Two bodies that say the same in other
//! words have the same cases.

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, Body, Machine, Value};

use super::codes::names_agree;
use crate::say::Words;
use crate::ways::{Way, ways};

/// One way through a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What holds, as said.
    pub when: Vec<String>,
    /// The codes of the errors.
    pub errors: Vec<String>,
    /// What is done.
    pub actions: Vec<String>,
    /// Where it leads.
    pub target: String,
    /// Which end of the body's decision tree it is.
    pub(super) leaf: u32,
}

/// The cases of a body for people.
pub(super) fn said(machine: &Machine, body: &Body, on: Option<&CharSet>) -> Vec<Case> {
    cases(&Words::new(machine), body, on)
}

/// The cases of a body for comparison: under the names given, and with the current input character said as
/// what it is.
pub(super) fn canonical(
    machine: &Machine,
    names: &[String],
    body: &Body,
    on: Option<&CharSet>,
) -> Vec<Case> {
    let words = Words {
        machine,
        names: names.to_vec(),
        current: on.cloned(),
    };
    cases(&words, body, on)
}

/// Whether two bodies do the same, where an error without a name may be any.
pub(super) fn same(one: &[Case], other: &[Case]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| same_case(a, b))
}

pub(super) fn same_case(a: &Case, b: &Case) -> bool {
    a.when == b.when && same_deeds(a, b) && same_errors(a, b)
}

/// Whether two cases do the same but for errors, whenever that is.
pub(super) fn same_deeds(a: &Case, b: &Case) -> bool {
    a.actions == b.actions && a.target == b.target
}

/// Whether two cases report the same, where an error without a name may be any.
pub(super) fn same_errors(one: &Case, other: &Case) -> bool {
    let one: Vec<&str> = one.errors.iter().map(String::as_str).collect();
    let other: Vec<&str> = other.errors.iter().map(String::as_str).collect();
    names_agree(&one, &other)
}

fn cases(words: &Words<'_>, body: &Body, on: Option<&CharSet>) -> Vec<Case> {
    let case = |way: Way<'_>| {
        // When an error is reported among the other actions makes no difference.
        let errors = way.actions.iter().filter_map(|action| words.error(action));
        let others = way.actions.iter().copied();
        let others = others.filter(|action| words.error(action).is_none());
        Case {
            when: way.when(words),
            errors: errors.map(str::to_owned).collect(),
            actions: joined(others)
                .iter()
                .map(|action| words.action(action))
                .collect(),
            target: words.target(way.target, way.reconsume),
            leaf: way.number,
        }
    };
    ways(body, on).into_iter().map(case).collect()
}

/// Texts that are emitted one after the other are one text.
fn joined<'m>(actions: impl Iterator<Item = &'m Action>) -> Vec<Action> {
    let mut all: Vec<Action> = Vec::new();
    for action in actions {
        if let (
            Some(Action::EmitText(Value::Literal(before))),
            Action::EmitText(Value::Literal(text)),
        ) = (all.last_mut(), action)
        {
            before.push_str(text);
        } else {
            all.push(action.clone());
        }
    }
    all
}
