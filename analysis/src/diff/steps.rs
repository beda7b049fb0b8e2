//! The input that a machine reads, the steps it takes, and what comes out of them.

use std::rc::Rc;

use super::side::{Building, Symbol};

/// Which body of a state, and which end of its decision tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Taken {
    /// The state.
    pub(super) state: u32,
    /// The body.
    pub(super) arm: ArmIndex,
    /// The answers to its questions, from the top: a one, then a bit for each.
    pub(super) leaf: u32,
}

impl Taken {
    /// The same whatever the answers to questions were.
    pub(super) fn arm_only(self) -> Self {
        Self { leaf: 0, ..self }
    }
}

/// A body of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum ArmIndex {
    Literal(u32),
    Set(u32),
    Eof,
    Steps,
    Matched,
    Unmatched,
}

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepTaken {
    pub(super) taken: Taken,
    /// The places before and after it.
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A token that came out.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// One character of a character token.
    Character(Symbol),
    /// The end of a run of character tokens, with its span.
    RunEnd(u32, u32),
    /// A declared token.
    Token(Box<EmittedToken>),
}

/// A declared token that came out.
#[derive(Clone, Debug)]
pub(super) struct EmittedToken {
    pub(super) token: u32,
    pub(super) building: Rc<Building>,
    pub(super) span: (u32, u32),
    /// The step that emitted it.
    pub(super) step: u32,
}

/// A parse error that came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reported {
    pub(super) code: u32,
    pub(super) place: u32,
    pub(super) step: u32,
}

/// What steps produce.
#[derive(Clone, Debug, Default)]
pub(super) struct Produced {
    pub(super) items: Vec<Item>,
    pub(super) errors: Vec<Reported>,
    pub(super) steps: Vec<StepTaken>,
    /// A question of the vocabulary was asked.
    pub(super) asked: bool,
    /// A token was emitted that the sink may answer with a content.
    pub(super) answerable: bool,
    /// A guard's answer is not the same for all numbers that a number stands for.
    pub(super) not_uniform: bool,
}

/// The input as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'i> {
    pub(super) characters: &'i [char],
    pub(super) ended: bool,
    /// The sink's answer to questions.
    pub(super) answer: bool,
    /// Whether start tags are answered as tree construction does.
    pub(super) feedback: bool,
}

/// The character at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    Character(char),
    End,
    Unknown,
}

impl Known<'_> {
    pub(super) fn at(&self, place: u32) -> At {
        match self.characters.get(place as usize) {
            Some(&c) => At::Character(c),
            None if self.ended => At::End,
            None => At::Unknown,
        }
    }
}

/// How a try to take a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    Ran,
    /// It depends on characters that have not come.
    Waits,
    /// The end was reached before.
    Finished,
    /// The machine goes round in circles, or is malformed.
    Stuck,
}

/// Whether a side read several characters again, and not all but the first in the same state.
pub(super) fn rereads_unevenly(known: u32, steps: &[Vec<StepTaken>; 2]) -> bool {
    steps.iter().any(|steps| {
        let again: Vec<&StepTaken> = (steps.iter())
            .filter(|step| step.start < known && step.end == step.start + 1)
            .collect();
        let mut rest = again.iter().skip(2).map(|step| step.taken.state);
        let second = again.get(1).map(|step| step.taken.state);
        rest.any(|state| Some(state) != second)
    })
}
