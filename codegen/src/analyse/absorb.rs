//! Characters that an arm appends before it goes to a state which would append them by itself: the arm
//! leaves them to that state, whose scan takes them with what follows.

use super::scan::self_loop;
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
    let run = self_loop(machine, next).ok()?;
    let takes = consume.arms.last()?;
    let alike = next != from
        && !arm.peeked
        && consume.literals.is_empty()
        && arm.set.intersection(&takes.set) == arm.set
        && run.actions == [appending(last)?]
        && before.iter().all(does_not_look);
    alike.then_some((next, before))
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
