//! Arms for comparison: the inputs that two machines tell apart with the body that each leads to, and bodies as the ways
//! through them: in words for people, and as what is the same in both tables.

use std::collections::BTreeSet;

use speclex_codegen::analyse::{Event, Path, paths};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{
    Action, Body, ErrorId, Guard, Machine, State, StateKind, Target, Value,
};

use crate::error_comparison::ErrorComparison;
use crate::paths::{possible_paths, spelled_answer, taken_paths};
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
    /// In how many other cases the two tables differ in the same.
    pub(super) more: usize,
}

/// The cases of a body.
pub(super) fn cases(spelling: &Spelling<'_>, body: &Body, on: Option<&CharSet>) -> Vec<Case> {
    let case = |path: Path<'_>| Case {
        when: conditions(spelling, &path),
        target: spelling.target(path.target, path.reconsume),
        ..case(spelling, path.actions())
    };
    let possible = possible_paths(body, on).into_iter();
    possible.map(case).collect()
}

/// What holds on a path, and after which action, if that has to do with it.
fn conditions(spelling: &Spelling<'_>, path: &Path<'_>) -> Vec<String> {
    let asked = path.events.iter().enumerate();
    let asked = asked.filter_map(|(index, event)| match event {
        Event::Asks(guard, answer) => Some((index, *guard, *answer)),
        Event::Does(_) => None,
    });
    let said = asked.map(|(index, guard, answer)| {
        let mut before = path.events[..index].iter().rev();
        let after = before.find_map(|event| match event {
            Event::Does(action) if action.bears_on(guard) => Some(*action),
            _ => None,
        });
        let said = spelled_answer(spelling, guard, answer);
        match after {
            Some(action) => format!("{said} after “{}”", spelling.action(action)),
            None => said,
        }
    });
    said.collect()
}

/// A case that does this: when an error is reported among the other actions makes no difference.
pub(super) fn case<'m>(
    spelling: &Spelling<'_>,
    actions: impl Iterator<Item = &'m Action> + Clone,
) -> Case {
    let errors = actions.clone().filter_map(|it| spelling.error(it));
    let others = joined(actions);
    Case {
        when: Vec::new(),
        errors: errors.map(str::to_owned).collect(),
        actions: others.iter().map(|it| spelling.action(it)).collect(),
        target: String::new(),
        more: 0,
    }
}

/// The steps that are taken on emitting.
pub(super) fn emission_cases(
    machine: &Machine,
    steps: &[(Option<Guard>, Vec<Action>)],
) -> Vec<Case> {
    let spelling = Spelling::new(machine);
    let cases = steps.iter().map(|(guard, actions)| Case {
        when: guard.iter().map(|guard| spelling.guard(guard)).collect(),
        ..case(&spelling, actions.iter())
    });
    cases.collect()
}

/// A question on a way through a body.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    guard: Guard,
    answer: bool,
    /// What bears on it of what is done before, and the errors there.
    actions: Vec<Action>,
    errors: Vec<ErrorId>,
}

/// One way through a body of tables under one numbering. Two bodies with the same ways do the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Way {
    asked: Vec<Asked>,
    errors: Vec<ErrorId>,
    /// What else is done.
    actions: Vec<Action>,
    next: Option<(Target, bool)>,
}

impl Way {
    pub(super) fn is_same(&self, other: &Self, compared: ErrorComparison) -> bool {
        compared.agree(&self.errors, &other.errors)
            && (&self.asked, &self.actions, self.next) == (&other.asked, &other.actions, other.next)
    }

    fn new<'m>(actions: impl Iterator<Item = &'m Action> + Clone, on: Option<&CharSet>) -> Self {
        let errors = actions.clone().filter_map(error);
        let upper = CharSet::from_ranges([('A' as u32, 'Z' as u32)]);
        let is_lower = on.is_some_and(|set| set.intersection(&upper).is_empty());
        let single = on.filter(|set| set.len() == 1).and_then(CharSet::first);
        // What is known of the current input character is said of it.
        let known = |action: Action| match single {
            Some(c) => action.on(c),
            None => action.map_value(|value| match value {
                Value::LowerCurrent if is_lower => Value::Current,
                other => other,
            }),
        };
        let others = joined(actions).into_iter().map(known);
        Self {
            errors: errors.collect(),
            actions: others.collect(),
            ..Self::default()
        }
    }
}

/// The ways through a body, for characters of a set.
pub(super) fn ways(body: &Body, on: Option<&CharSet>) -> Vec<Way> {
    // The place of an error and the end of a text depend on what is put back, and a question may decide that.
    let puts_back = paths(body).iter().any(|it| it.reconsume || it.rewinds());
    let bears = |action: &Action, guard: &Guard| {
        let has_place = matches!(action, Action::Error(_) | Action::EmitText(_));
        action.bears_on(guard) || puts_back && has_place
    };
    let way = |path: Path<'_>| {
        let mut before: Vec<&Action> = Vec::new();
        let mut asked = Vec::new();
        for event in &path.events {
            match event {
                Event::Does(action) => before.push(action),
                Event::Asks(guard, answer) => {
                    let bearing = before.iter().copied().filter(|action| bears(action, guard));
                    let Way {
                        actions, errors, ..
                    } = Way::new(bearing, on);
                    asked.push(Asked {
                        guard: (*guard).clone(),
                        answer: *answer,
                        actions,
                        errors,
                    });
                }
            }
        }
        Way {
            asked,
            next: Some((path.target, path.reconsume)),
            ..Way::new(path.actions(), on)
        }
    };
    // Where a token ends depends on whether all that may follow puts back the same, also where that is not possible.
    let put_back: BTreeSet<[bool; 2]> = paths(body)
        .iter()
        .map(|it| [it.reconsume, it.rewinds()])
        .collect();
    let is_mixed = put_back.len() > 1;
    let has_place = |action: &Action| matches!(action, Action::Emit(_) | Action::EmitText(_));
    let is_placed = is_mixed
        && paths(body).iter().any(|path| {
            let has_place = |it: &Event| matches!(it, Event::Does(action) if has_place(action));
            let first = path.events.iter().position(has_place);
            let mut behind = path.events.iter().skip(first.unwrap_or(path.events.len()));
            behind.any(|it| matches!(it, Event::Asks(..)))
        });
    let all = match is_placed {
        true => taken_paths(body, on),
        false => possible_paths(body, on),
    };
    all.into_iter().map(way).collect()
}

/// What the steps on emitting do.
pub(super) fn emission_ways(steps: &[(Option<Guard>, Vec<Action>)]) -> Vec<Way> {
    let asked = |guard: &Guard| Asked {
        guard: guard.clone(),
        answer: true,
        actions: Vec::new(),
        errors: Vec::new(),
    };
    let ways = steps.iter().map(|(guard, actions)| Way {
        asked: guard.iter().map(asked).collect(),
        ..Way::new(actions.iter(), None)
    });
    ways.collect()
}

/// The error that is reported.
fn error(action: &Action) -> Option<ErrorId> {
    match action {
        Action::Error(id) => Some(*id),
        _ => None,
    }
}

/// Whether two bodies do the same.
pub(super) fn same(one: &[Way], other: &[Way], compared: ErrorComparison) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.is_same(b, compared))
}

/// What is done but for errors. Texts that are emitted one after the other are one text.
fn joined<'m>(actions: impl Iterator<Item = &'m Action>) -> Vec<Action> {
    let mut all: Vec<Action> = Vec::new();
    for action in actions.filter(|it| !matches!(it, Action::Error(_))) {
        if let (
            Some(Action::EmitText(Value::Literal(before))),
            Action::EmitText(Value::Literal(text)),
        ) = (all.last_mut(), action)
            && !before.is_empty()
            && !text.is_empty()
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
