//! What a text says twice: where both are not the same, only one would be compared.

use speclex_codegen::charset::CharSet;

use super::facts::{Arm, Body, Consume, Facts, State};
use super::report::Finding;

/// States with the same name, and inputs with two arms.
pub(crate) fn find(facts: &Facts) -> Vec<Finding> {
    let mut found = Vec::new();
    // A procedure by its first state.
    let begins = |state: &&State| !state.inner || state.name.ends_with(", start");
    let own: Vec<&State> = facts.states.iter().filter(begins).collect();
    for (index, state) in own.iter().enumerate() {
        if let Some(before) = own[..index].iter().find(|s| s.name == state.name) {
            found.push(Finding {
                text: format!("it has it in line {} already", before.line),
                ..finding("the text has this state twice", state, state.line)
            });
        }
    }
    for state in &facts.states {
        bodies(&state.body, &mut |consume| {
            found.extend(arms(consume).map(|(arm, before)| Finding {
                arm: Some(arm.label.clone()),
                text: format!("line {} has it already", before.line),
                ..finding("the text has two arms for this input", state, arm.line)
            }));
        });
    }
    found
}

fn finding(kind: &str, state: &State, line: usize) -> Finding {
    Finding {
        kind: kind.to_owned(),
        state: Some(state.name.clone()),
        section: Some(state.section.clone()),
        text_line: Some(line),
        ..Finding::default()
    }
}

fn bodies(body: &Body, visit: &mut dyn FnMut(&Consume)) {
    match body {
        Body::Consume(consume) => visit(consume),
        Body::Branch(_, then, otherwise) => {
            bodies(then, visit);
            bodies(otherwise, visit);
        }
        Body::Steps(_) | Body::Match { .. } => {}
    }
}

/// Each arm that does something else for an input of an earlier one, and that. (The standard's classes of
/// hexadecimal digits all have the decimal ones.)
fn arms(consume: &Consume) -> impl Iterator<Item = (&Arm, &Arm)> {
    let all = &consume.arms;
    all.iter().enumerate().filter_map(move |(index, arm)| {
        let other = consume
            .anything_else
            .as_ref()
            .filter(|_| is_anything_else(arm));
        let before = other.or_else(|| {
            all[..index]
                .iter()
                .find(|b| b.steps != arm.steps && meet(arm, b))
        });
        before.map(|before| (arm, before))
    })
}

/// Whether it is for what the others leave.
fn is_anything_else(arm: &Arm) -> bool {
    arm.set.is_empty() && !arm.eof && !arm.allowed && arm.literal.is_none()
}

fn meet(one: &Arm, other: &Arm) -> bool {
    if one.literal.is_some() || other.literal.is_some() {
        return one.literal == other.literal;
    }
    let outside = |set: &CharSet| set.difference(&other.set);
    (one.eof && other.eof) || outside(&one.set) != one.set
}
