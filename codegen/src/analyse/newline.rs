//! Where a CR may be treated as the LF it becomes without looking at the character behind it.

use super::scan::looping;
use super::{Path, paths};
use crate::machine::{Action, Arm, Body, Guard, Machine, Next, StateId, StateKind, Target, Value};

/// How a state takes a CR where newlines are normalized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakesCr<'m> {
    /// As an LF, by the arm for it: whether an LF follows changes nothing.
    AsLf,
    /// By the arm that does nothing but emit its character, with an LF behind the CR.
    Emitted,
    /// By a copy of the arm for LF. Where the arm consumes its character, the copy takes an LF behind the CR, too.
    Apart(&'m Arm),
}

/// How the state takes a CR; `None` where it sees none.
pub fn takes_cr(machine: &Machine, id: StateId) -> Option<TakesCr<'_>> {
    let arm = newline_arm(machine, id).filter(|_| machine.preprocessing.normalize_newlines)?;
    let only_emits = |(_, default): (_, &Arm)| {
        std::ptr::eq(default, arm) && arm.body.actions == [Action::EmitText(Value::Current)]
    };
    Some(if is_taken_as_lf(machine, arm) {
        TakesCr::AsLf
    } else if looping(machine, id).is_ok_and(only_emits) {
        TakesCr::Emitted
    } else {
        TakesCr::Apart(arm)
    })
}

/// Whether the arm takes a CR as the LF that it has.
pub(crate) fn is_taken_as_lf(machine: &Machine, arm: &Arm) -> bool {
    machine.preprocessing.normalize_newlines
        && arm.set.contains('\n')
        && (arm.peeked && !uses_current_character(&arm.body) || may_split_pair(machine, &arm.body))
}

/// The arm that takes LF.
fn newline_arm(machine: &Machine, id: StateId) -> Option<&Arm> {
    let StateKind::Consume(consume) = &machine.states[id.0 as usize].kind else {
        return None;
    };
    consume.arms.iter().find(|arm| arm.set.contains('\n'))
}

/// Whether consuming only the CR of a CR LF pair by this body changes nothing: the character is not
/// used, and the LF is ignored where the body leads, or the CR is put back.
fn may_split_pair(machine: &Machine, body: &Body) -> bool {
    paths(body).iter().all(|path| {
        // What comes next does not come behind the CR of a pair.
        if (path.questions().flat_map(Guard::parts)).any(Guard::looks_ahead) {
            return false;
        }
        path.reconsume && !uses_current_on(path)
            || path.actions().next().is_none()
                && match path.target {
                    Target::State(id) => ignores_newline(machine, id),
                    Target::Register(_) | Target::End => false,
                }
    })
}

/// Whether the body says something with the character it took, which is an LF if it was a CR.
fn uses_current_character(body: &Body) -> bool {
    paths(body).iter().any(uses_current_on)
}

fn uses_current_on(path: &Path<'_>) -> bool {
    let asks = |guard: &Guard| matches!(guard, Guard::CurrentIsCharacter(_));
    path.actions().any(uses_current) || path.questions().any(asks)
}

fn uses_current(action: &Action) -> bool {
    matches!(action, Action::AddDigit(_))
        || matches!(action.value(), Some(Value::Current | Value::LowerCurrent))
}

fn ignores_newline(machine: &Machine, id: StateId) -> bool {
    newline_arm(machine, id).is_some_and(|arm| {
        arm.body.actions.is_empty()
            && arm.body.next
                == Next::Go {
                    target: Target::State(id),
                    reconsume: false,
                }
    })
}
