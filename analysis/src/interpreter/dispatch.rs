//! What is known about a state ahead of running it.

use speclex_codegen::machine::{Consume, State, StateKind};

use crate::character_classes::SetIndex;

/// What is known about a state ahead of running it.
#[derive(Clone, Debug)]
pub(super) struct Dispatch {
    /// For a consuming state: its arms.
    pub(super) arms: Option<SetIndex>,
    /// Whether it has literals that are to be tried first.
    pub(super) literals: bool,
    /// Whether the outside may switch to it.
    pub(super) is_entry: bool,
    /// Whether a mark set earlier may be returned to from here on.
    pub(super) needs_mark: bool,
}

impl Dispatch {
    pub(super) fn new(state: &State, is_entry: bool, needs_mark: bool) -> Self {
        let consume: Option<&Consume> = match &state.kind {
            StateKind::Consume(consume) => Some(consume),
            _ => None,
        };
        Self {
            arms: consume.map(|consume| SetIndex::new(consume.arms.iter().map(|arm| &arm.set))),
            literals: consume.is_some_and(|consume| !consume.literals.is_empty()),
            is_entry,
            needs_mark,
        }
    }
}
