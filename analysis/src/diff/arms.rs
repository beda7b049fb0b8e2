//! Arms for comparison: the inputs that two machines tell apart with the body that each leads to, and bodies as
//! cases. Two bodies that say the same in other words have the same cases.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::analyse::{FIRST, Path};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, Body, Machine, State, StateKind, Value};

use super::errors::ErrorComparison;
use crate::paths::{possible_paths, spelled_guards};
use crate::spelling::Spelling;

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
    pub(super) path: u32,
}

/// The cases of a body for people.
pub(super) fn spelled_cases(machine: &Machine, body: &Body, on: Option<&CharSet>) -> Vec<Case> {
    cases(&Spelling::new(machine), body, on)
}

/// The cases of a body for comparison: under the names given, and with the current input character said as
/// what it is.
pub(super) fn canonical(
    machine: &Machine,
    names: &[String],
    body: &Body,
    on: Option<&CharSet>,
) -> Vec<Case> {
    let spelling = Spelling {
        machine,
        names: names.to_vec(),
        current: on.cloned(),
    };
    cases(&spelling, body, on)
}

/// Whether two bodies do the same.
pub(super) fn same(one: &[Case], other: &[Case], compared: ErrorComparison) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(a, b)| same_case(a, b, compared))
}

pub(super) fn same_case(a: &Case, b: &Case, compared: ErrorComparison) -> bool {
    a.when == b.when && same_effects(a, b) && same_errors(a, b, compared)
}

/// Whether two cases do the same but for errors, whenever that is.
pub(super) fn same_effects(a: &Case, b: &Case) -> bool {
    a.actions == b.actions && a.target == b.target
}

/// Whether two cases report the same.
pub(super) fn same_errors(one: &Case, other: &Case, compared: ErrorComparison) -> bool {
    compared.agree(&one.errors, &other.errors)
}

fn cases(spelling: &Spelling<'_>, body: &Body, on: Option<&CharSet>) -> Vec<Case> {
    let case = |path: Path<'_>| Case {
        when: spelled_guards(spelling, &path),
        target: spelling.target(path.target, path.reconsume),
        path: path.number,
        ..case(spelling, path.actions())
    };
    let possible = possible_paths(body, on).into_iter();
    possible.map(case).collect()
}

/// A case that does this: when an error is reported among the other actions makes no difference.
fn case<'m>(spelling: &Spelling<'_>, actions: impl Iterator<Item = &'m Action> + Clone) -> Case {
    let errors = actions.clone().filter_map(|it| spelling.error(it));
    let others = actions.filter(|it| spelling.error(it).is_none());
    let others = joined(others);
    Case {
        when: Vec::new(),
        errors: errors.map(str::to_owned).collect(),
        actions: others.iter().map(|it| spelling.action(it)).collect(),
        target: String::new(),
        path: FIRST,
    }
}

/// What is done on emitting a token, for each kind.
pub(super) fn on_emitting(machine: &Machine, names: &[String]) -> BTreeMap<String, Vec<Case>> {
    let spelling = Spelling {
        machine,
        names: names.to_vec(),
        current: None,
    };
    let mut all: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for on_emit in &machine.on_emit {
        let token = machine.vocabulary.tokens.get(on_emit.token.0 as usize);
        let Some(kind) = token.and_then(|token| token.kinds.get(on_emit.kind as usize)) else {
            continue;
        };
        let cases = on_emit.steps.iter().map(|(guard, actions)| Case {
            when: guard.iter().map(|guard| spelling.guard(guard)).collect(),
            ..case(&spelling, actions.iter())
        });
        all.entry(kind.name.clone()).or_default().extend(cases);
    }
    all
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

/// An input of a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Input {
    /// A character, which stands for others like it.
    Character(char),
    /// A string, and whether case matters.
    Literal(String, bool),
    /// The end of the input.
    End,
    /// The body with this number of a state that consumes nothing, or matches a reference.
    Body(u32),
}

impl Input {
    /// The characters it stands for.
    pub(super) fn set(&self) -> Option<CharSet> {
        match self {
            Self::Character(c) => Some(CharSet::single(*c)),
            _ => None,
        }
    }
}

/// All inputs that two machines tell apart.
pub(super) fn inputs(machines: [&Machine; 2]) -> Vec<Input> {
    let mut all: BTreeSet<Input> = [Input::End].into();
    let mut starts: BTreeSet<u32> = BTreeSet::new();
    for state in machines.iter().flat_map(|machine| &machine.states) {
        if let StateKind::Consume(consume) = &state.kind {
            for literal in &consume.literals {
                all.insert(Input::Literal(literal.text.clone(), literal.ignore_case));
            }
            for (first, last) in consume.arms.iter().flat_map(|arm| arm.set.ranges()) {
                starts.extend([*first, last + 1]);
            }
        }
    }
    all.extend(
        starts
            .into_iter()
            .filter_map(char::from_u32)
            .map(Input::Character),
    );
    all.into_iter().collect()
}

/// The body of a consuming state for an input.
pub(super) fn body_on<'m>(state: &'m State, input: &Input) -> Option<&'m Body> {
    let StateKind::Consume(consume) = &state.kind else {
        return None;
    };
    match input {
        Input::Character(c) => {
            let arm = consume.arms.iter().find(|arm| arm.set.contains(*c))?;
            Some(&arm.body)
        }
        Input::Literal(text, ignore_case) => {
            let same = |arm: &&speclex_codegen::machine::LiteralArm| {
                arm.text == *text && arm.ignore_case == *ignore_case
            };
            consume.literals.iter().find(same).map(|arm| &arm.body)
        }
        Input::End => Some(&consume.eof),
        Input::Body(_) => None,
    }
}
