//! The inputs that two machines tell apart in any state, and the body that each leads to.

use std::collections::BTreeSet;

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Body, Machine, State, StateKind};

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
