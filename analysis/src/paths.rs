//! Arms as paths: on what input an arm runs, what must hold, what is done, and where it leads.

use speclex_codegen::analyse::decided;
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, Body, Guard, LiteralArm, Next, State, StateKind, Target};

use crate::spelling::{Spelling, quoted};

/// An arm of a state, of whatever kind the state is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm<'m> {
    pub(crate) index: ArmIndex,
    /// On what it runs.
    pub(crate) on: ArmInput<'m>,
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
    let arm = |index, on, body| Arm { index, on, body };
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
                arm(ArmIndex::Set(index), on, &set.body)
            });
            let eof = arm(ArmIndex::Eof, ArmInput::Eof, &consume.eof);
            literals.chain(sets).chain([eof]).collect()
        }
    }
}

/// One path through a body.
#[derive(Clone, Debug)]
pub(crate) struct Path<'m> {
    /// The questions with their answers.
    pub(crate) guards: Vec<(&'m Guard, bool)>,
    /// What is done, errors among it.
    pub(crate) actions: Vec<&'m Action>,
    /// Where it leads.
    pub(crate) target: Target,
    /// Whether what was consumed is put back.
    pub(crate) reconsume: bool,
    /// The body with which it ends.
    pub(crate) leaf: &'m Body,
    /// Which end of the decision tree that is.
    pub(crate) number: u32,
}

/// The number of the body with which a decision tree begins.
pub(crate) const FIRST: u32 = 1;

/// The number of the body to which an answer leads: another one for each run of answers.
pub(crate) fn next_number(number: u32, answer: bool) -> u32 {
    number.checked_mul(2).unwrap_or(1 << 31) | u32::from(answer)
}

impl Path<'_> {
    /// What holds, as said.
    pub(crate) fn when(&self, spelling: &Spelling<'_>) -> Vec<String> {
        let said = |&(guard, holds): &(&Guard, bool)| spelled_answer(spelling, guard, holds);
        self.guards.iter().map(said).collect()
    }

    /// What is done, in order.
    pub(crate) fn actions(&self, spelling: &Spelling<'_>) -> Vec<String> {
        let said = |action: &&Action| match spelling.error(action) {
            Some(code) => format!("error {code}"),
            None => spelling.action(action),
        };
        self.actions.iter().map(said).collect()
    }

    /// Whether it reports an error.
    pub(crate) fn is_error(&self) -> bool {
        let mut actions = self.actions.iter();
        actions.any(|action| matches!(action, Action::Error(_)))
    }
}

/// A question with its answer, as what holds.
pub(crate) fn spelled_answer(spelling: &Spelling<'_>, guard: &Guard, holds: bool) -> String {
    match (guard, holds) {
        (Guard::Not(guard), false) => spelling.guard(guard),
        (_, true) => spelling.guard(guard),
        (_, false) => format!("not: {}", spelling.guard(guard)),
    }
}

/// All paths through a body, as far as they are possible for a character of the set.
pub(crate) fn paths<'m>(body: &'m Body, on: Option<&CharSet>) -> Vec<Path<'m>> {
    let mut found = Vec::new();
    follow(
        (body, FIRST),
        on,
        &mut Vec::new(),
        &mut Vec::new(),
        &mut found,
    );
    found
}

fn follow<'m>(
    (body, number): (&'m Body, u32),
    on: Option<&CharSet>,
    guards: &mut Vec<(&'m Guard, bool)>,
    actions: &mut Vec<&'m Action>,
    found: &mut Vec<Path<'m>>,
) {
    let before = actions.len();
    actions.extend(&body.actions);
    match &body.next {
        Next::Go { target, reconsume } => found.push(Path {
            guards: guards.clone(),
            actions: actions.clone(),
            target: *target,
            reconsume: *reconsume,
            leaf: body,
            number,
        }),
        Next::If {
            guard,
            then,
            otherwise,
        } => {
            let known = on.and_then(|set| answer(guard, set));
            for (holds, body) in [(true, then), (false, otherwise)] {
                if known.is_some_and(|known| known != holds) {
                    continue;
                }
                let unknown = known.is_none();
                guards.extend(unknown.then_some((guard, holds)));
                let end = (&**body, next_number(number, holds));
                follow(end, on, guards, actions, found);
                guards.truncate(guards.len() - usize::from(unknown));
            }
        }
    }
    actions.truncate(before);
}

/// What is known of the current input character says of a question.
fn answer(guard: &Guard, on: &CharSet) -> Option<bool> {
    decided(guard, &|part| match part {
        Guard::CurrentIn(set) if on.difference(set).is_empty() => Some(true),
        Guard::CurrentIn(set) if on.intersection(set).is_empty() => Some(false),
        _ => None,
    })
}
