//! Bodies as cases: what must hold, what is done, and where it leads. Two bodies that say the same in other
//! words have the same cases.

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, Body, Guard, Machine, Next, Value};

use super::codes::names_agree;
use super::say::Words;
use super::steps::next_leaf;

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
    let mut cases = Vec::new();
    let start = Path {
        leaf: 1,
        ..Path::default()
    };
    start.follow(words, body, on, &mut cases);
    cases
}

/// What was met on the way through a body.
#[derive(Clone, Debug, Default)]
struct Path {
    when: Vec<String>,
    actions: Vec<Action>,
    leaf: u32,
}

impl Path {
    fn follow(
        mut self,
        words: &Words<'_>,
        body: &Body,
        on: Option<&CharSet>,
        cases: &mut Vec<Case>,
    ) {
        self.actions.extend(body.actions.iter().cloned());
        match &body.next {
            Next::Go { target, reconsume } => {
                // When an error is reported among the other actions makes no difference.
                let errors = self.actions.iter().filter_map(|action| words.error(action));
                let others = self
                    .actions
                    .iter()
                    .filter(|action| words.error(action).is_none());
                cases.push(Case {
                    when: self.when,
                    errors: errors.map(str::to_owned).collect(),
                    actions: joined(others)
                        .iter()
                        .map(|action| words.action(action))
                        .collect(),
                    target: words.target(*target, *reconsume),
                    leaf: self.leaf,
                });
            }
            Next::If {
                guard,
                then,
                otherwise,
            } => {
                let holds = on.and_then(|set| decided(guard, set));
                for (answer, body) in [(true, then), (false, otherwise)] {
                    if holds.is_some_and(|holds| holds != answer) {
                        continue;
                    }
                    let mut path = self.clone();
                    path.leaf = next_leaf(self.leaf, answer);
                    if holds.is_none() {
                        let said = words.guard(guard);
                        path.when
                            .push(if answer { said } else { format!("not: {said}") });
                    }
                    path.follow(words, body, on, cases);
                }
            }
        }
    }
}

/// What is known of the current input character says of a question.
fn decided(guard: &Guard, on: &CharSet) -> Option<bool> {
    match guard {
        Guard::CurrentIn(set) if on.difference(set).is_empty() => Some(true),
        Guard::CurrentIn(set) if on.intersection(set).is_empty() => Some(false),
        Guard::Not(guard) => decided(guard, on).map(|holds| !holds),
        _ => None,
    }
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
