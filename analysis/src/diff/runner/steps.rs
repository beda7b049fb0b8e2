//! The input that a machine reads, the steps it takes, and what comes out of them.

use std::rc::Rc;

use super::configuration::{Building, Symbol};
use crate::diff::facts::{Alphabet, Kinds};
use crate::paths::ArmIndex;

/// Which body of a state, and which end of its decision tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::diff) struct TakenPath {
    /// The state.
    pub(in crate::diff) state: u32,
    /// The body.
    pub(in crate::diff) arm: ArmIndex,
    /// The answers to its questions, from the top: a one, then a bit for each.
    pub(in crate::diff) path: u32,
}

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub(in crate::diff) struct StepTaken {
    pub(in crate::diff) taken: TakenPath,
    /// The places before and after it.
    pub(in crate::diff) start: u32,
    pub(in crate::diff) end: u32,
    /// Whether it changes a register that is no text.
    pub(in crate::diff) remembers: bool,
}

/// A token that came out.
#[derive(Clone, Debug)]
pub(in crate::diff) enum Item {
    /// One character of a character token. If it is the first of a text, where that begins if no other stands before it.
    Character(Symbol, Option<u32>),
    /// The end of a run of character tokens, with its span.
    RunEnd(u32, u32),
    /// A declared token.
    Token(Box<EmittedToken>),
}

/// A declared token that came out.
#[derive(Clone, Debug)]
pub(in crate::diff) struct EmittedToken {
    pub(in crate::diff) token: u32,
    pub(in crate::diff) building: Rc<Building>,
    pub(in crate::diff) span: (u32, u32),
    /// The step that emitted it.
    pub(in crate::diff) step: u32,
}

/// A parse error that came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::diff) struct Reported {
    pub(in crate::diff) code: u32,
    pub(in crate::diff) place: u32,
    pub(in crate::diff) step: u32,
}

/// What steps produce.
#[derive(Clone, Debug, Default)]
pub(in crate::diff) struct StepOutput {
    pub(in crate::diff) items: Vec<Item>,
    pub(in crate::diff) errors: Vec<Reported>,
    pub(in crate::diff) steps: Vec<StepTaken>,
    /// For each question of the vocabulary that was asked, how much had come out before.
    pub(in crate::diff) asked: Vec<usize>,
    /// How many tokens were emitted that the sink may answer with a content.
    pub(in crate::diff) answerable: usize,
    /// A guard's answer is not known to be the same for all numbers that a number stands for.
    pub(in crate::diff) not_uniform: bool,
}

/// The input as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(in crate::diff) struct KnownInput<'i> {
    pub(in crate::diff) characters: &'i [char],
    pub(in crate::diff) ended: bool,
    /// The sink's answer to questions.
    pub(in crate::diff) answer: bool,
    /// The characters that each character stands for; nothing where each stands for itself.
    pub(in crate::diff) stands_for: Option<(&'i Kinds, &'i Alphabet)>,
}

/// How many of these are tokens.
pub(in crate::diff) fn count_tokens<'i>(items: impl IntoIterator<Item = &'i Item>) -> usize {
    let items = items.into_iter();
    items.filter(|item| matches!(item, Item::Token(_))).count()
}

impl KnownInput<'_> {
    /// The least and the greatest of the digits that a digit stands for.
    pub(in crate::diff) fn digits(&self, c: char) -> (u32, u32) {
        let digit = c.to_digit(16).unwrap_or(0);
        let kind = self
            .stands_for
            .and_then(|(kinds, alphabet)| kinds.digits(alphabet.class(c)));
        match kind {
            Some((least, greatest)) => (least.min(digit), greatest.max(digit)),
            None => (digit, digit),
        }
    }
}

/// The character at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::diff) enum InputAt {
    Character(char),
    End,
    Unknown,
}

impl KnownInput<'_> {
    pub(in crate::diff) fn at(&self, place: u32) -> InputAt {
        match self.characters.get(place as usize) {
            Some(&c) => InputAt::Character(c),
            None if self.ended => InputAt::End,
            None => InputAt::Unknown,
        }
    }
}

/// How a try to take a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::diff) enum StepOutcome {
    Ran,
    /// It depends on characters that have not come.
    Waits,
    /// The end was reached before.
    Finished,
    /// The machine goes round in circles, or is malformed.
    Stuck,
}

/// Whether a side read several characters again, and what comes of that depends on their order: all but the first in the same
/// state, which remembers nothing of them, is the same in any order.
pub(in crate::diff) fn rereads_unevenly(known: u32, steps: &[Vec<StepTaken>; 2]) -> bool {
    steps.iter().any(|steps| {
        let again: Vec<&StepTaken> = (steps.iter())
            .filter(|step| step.start < known && step.end == step.start + 1)
            .collect();
        let rest = again.get(2..).unwrap_or_default();
        let second = again.get(1).map(|step| step.taken.state);
        rest.iter().any(|step| Some(step.taken.state) != second)
            || !rest.is_empty() && again.iter().skip(1).any(|step| step.remembers)
    })
}
