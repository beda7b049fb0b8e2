//! Arms as paths: on what input an arm runs, what must hold, what is done, and where it leads.

use speclex_codegen::analyse::{Event, Path, decided, paths};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Body, Guard, LiteralArm, State, StateKind};

use crate::spelling::{Spelling, quoted};

/// An arm of a state, of whatever kind the state is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm<'m> {
    pub(crate) index: ArmIndex,
    /// On what it runs.
    pub(crate) on: ArmInput<'m>,
    /// Whether it leaves the character to be read again, without saying so in each of its paths.
    pub(crate) is_peeked: bool,
    /// What it does.
    pub(crate) body: &'m Body,
}

/// Which arm of a state it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArmIndex {
    /// The string with this number.
    Literal(u32),
    /// The set with this number.
    Set(u32),
    /// The end of the input.
    Eof,
    /// The body of a state that consumes nothing.
    Steps,
    /// A named character reference.
    Matched,
    /// Anything but a named character reference.
    Unmatched,
}

impl ArmIndex {
    /// The number of the string.
    pub(crate) fn literal(self) -> Option<u32> {
        match self {
            Self::Literal(number) => Some(number),
            _ => None,
        }
    }
}

/// On what an arm runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArmInput<'m> {
    /// A string.
    Literal(&'m LiteralArm),
    /// A character of a set, with the table's name for it.
    Set(&'m CharSet, &'m str),
    /// The end of the input.
    Eof,
    /// Nothing is consumed.
    Entering,
    /// A named character reference.
    Matched,
    /// Anything but a named character reference.
    Unmatched,
}

impl<'m> ArmInput<'m> {
    /// As a reader of the text knows it.
    pub(crate) fn spelled(self) -> String {
        match self {
            Self::Literal(literal) => {
                let case = if literal.ignore_case {
                    " in any case"
                } else {
                    ""
                };
                format!("the string {}{case}", quoted(&literal.text))
            }
            Self::Set(_, label) => label.to_owned(),
            Self::Eof => "EOF".to_owned(),
            Self::Entering => "entering the state".to_owned(),
            Self::Matched => "a reference that matches".to_owned(),
            Self::Unmatched => "no reference that matches".to_owned(),
        }
    }

    /// What the current input character may be.
    pub(crate) fn set(self) -> Option<&'m CharSet> {
        match self {
            Self::Set(set, _) => Some(set),
            _ => None,
        }
    }
}

/// All arms of a state that an input can take.
pub(crate) fn arms(state: &State) -> Vec<Arm<'_>> {
    let arm = |index, on, body| Arm {
        index,
        on,
        is_peeked: false,
        body,
    };
    match &state.kind {
        StateKind::Steps(body) => vec![arm(ArmIndex::Steps, ArmInput::Entering, body)],
        StateKind::Match { matched, unmatched } => vec![
            arm(ArmIndex::Matched, ArmInput::Matched, matched),
            arm(ArmIndex::Unmatched, ArmInput::Unmatched, unmatched),
        ],
        StateKind::Consume(consume) => {
            let literals = (0..).zip(&consume.literals).map(|(index, literal)| {
                let on = ArmInput::Literal(literal);
                arm(ArmIndex::Literal(index), on, &literal.body)
            });
            let sets = (0..).zip(&consume.arms);
            let sets = sets.filter(|(_, set)| !set.set.is_empty());
            let sets = sets.map(|(index, set)| {
                let on = ArmInput::Set(&set.set, &set.label);
                Arm {
                    is_peeked: set.peeked,
                    ..arm(ArmIndex::Set(index), on, &set.body)
                }
            });
            let eof = arm(ArmIndex::Eof, ArmInput::Eof, &consume.eof);
            literals.chain(sets).chain([eof]).collect()
        }
    }
}

/// Whether the state to which a path leads reads the same character.
pub(crate) fn is_read_again(on: ArmInput<'_>, is_peeked: bool, path: &Path<'_>) -> bool {
    let consumes = matches!(on, ArmInput::Literal(_) | ArmInput::Set(..) | ArmInput::Eof);
    is_peeked || path.reconsume || !consumes
}

/// What holds on a path, as said.
pub(crate) fn spelled_guards(spelling: &Spelling<'_>, path: &Path<'_>) -> Vec<String> {
    let guards = path.guards();
    let said = guards.map(|(guard, holds)| spelled_answer(spelling, guard, holds));
    said.collect()
}

/// What is done on a path, errors among it.
pub(crate) fn spelled_actions(spelling: &Spelling<'_>, path: &Path<'_>) -> Vec<String> {
    let said = path.actions().map(|action| match spelling.error(action) {
        Some(code) => format!("error {code}"),
        None => spelling.action(action),
    });
    said.collect()
}

/// A question with its answer, as what holds.
pub(crate) fn spelled_answer(spelling: &Spelling<'_>, guard: &Guard, holds: bool) -> String {
    match (guard, holds) {
        (Guard::Not(guard), false) => spelling.guard(guard),
        (_, true) => spelling.guard(guard),
        (_, false) => spelling.negated(guard),
    }
}

/// All paths through a body that a character of the set may take, without the questions that this answers.
pub(crate) fn possible_paths<'m>(body: &'m Body, on: Option<&CharSet>) -> Vec<Path<'m>> {
    let known = |guard: &Guard| on.and_then(|set| answer(guard, set));
    let mut possible = taken_paths(body, on);
    for path in &mut possible {
        path.events.retain(|event| match event {
            Event::Asks(guard, _) => known(guard).is_none(),
            Event::Does(_) => true,
        });
    }
    possible
}

/// The same, with all questions.
pub(crate) fn taken_paths<'m>(body: &'m Body, on: Option<&CharSet>) -> Vec<Path<'m>> {
    let known = |guard: &Guard| on.and_then(|set| answer(guard, set));
    let mut possible = paths(body);
    possible.retain(|path| path.guards().all(|(it, holds)| known(it) != Some(!holds)));
    possible
}

/// What is known of the current input character says of a question.
pub(crate) fn answer(guard: &Guard, on: &CharSet) -> Option<bool> {
    decided(guard, &|part| match part {
        Guard::CurrentIn(set) if on.difference(set).is_empty() => Some(true),
        Guard::CurrentIn(set) if on.intersection(set).is_empty() => Some(false),
        _ => None,
    })
}
