//! Characters that an arm leaves to the next state's scan: those that it appends before it goes to a state which
//! would append them by itself, and the first ones of a token.

use super::scan::loop_actions;
use crate::machine::{Action, Arm, Machine, Next, StateId, StateKind, Target, Value};

/// The state that appends what the arm consumes, and the arm's actions but for the last, which does.
pub fn left_to_next<'m>(
    machine: &Machine,
    from: StateId,
    arm: &'m Arm,
) -> Option<(StateId, &'m [Action])> {
    let Next::Go {
        target: Target::State(next),
        reconsume: false,
    } = arm.body.next
    else {
        return None;
    };
    let (last, before) = arm.body.actions.split_last()?;
    let StateKind::Consume(consume) = &machine.states[next.0 as usize].kind else {
        return None;
    };
    let run = loop_actions(machine, next)?;
    let takes = consume.arms.last()?;
    let alike = next != from
        && !arm.peeked
        && consume.literals.is_empty()
        && arm.set.intersection(&takes.set) == arm.set
        && *run == [appending(last)?]
        && before.iter().all(does_not_look);
    alike.then_some((next, before))
}

/// Whether the arm creates a token and leaves the character to a state whose self-loop appends to it. There the
/// scan starts where the token's characters are expected.
pub fn creates_for_next(machine: &Machine, from: StateId, arm: &Arm) -> bool {
    let next = match arm.body.next {
        Next::Go {
            target: Target::State(next),
            reconsume: true,
        } => next,
        _ => match left_to_next(machine, from, arm) {
            Some((next, _)) => next,
            None => return false,
        },
    };
    let Some(run) = loop_actions(machine, next) else {
        return false;
    };
    let creates = |token| {
        (arm.body.actions.iter()).any(|a| matches!(a, Action::Create(of, _) if *of == token))
    };
    match run {
        [Action::Append(field, _)] => next != from && creates(field.token),
        _ => false,
    }
}

/// The action that appends the current character to what this one appends it to or sets to it.
fn appending(action: &Action) -> Option<Action> {
    Some(match action {
        Action::Append(field, Value::Current) | Action::Set(field, Value::Current) => {
            Action::Append(*field, Value::Current)
        }
        Action::AppendAttribute(token, part, Value::Current)
        | Action::SetAttribute(token, part, Value::Current) => {
            Action::AppendAttribute(*token, *part, Value::Current)
        }
        _ => return None,
    })
}

/// Whether it does not matter to the action what has been consumed.
fn does_not_look(action: &Action) -> bool {
    match action {
        Action::Create(..)
        | Action::SetKind(..)
        | Action::StartAttribute(_)
        | Action::SetFlag(..)
        | Action::Error(_) => true,
        Action::Set(_, value) | Action::SetAttribute(_, _, value) => {
            matches!(value, Value::Literal(_))
        }
        _ => false,
    }
}
