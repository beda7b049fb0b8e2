//! Whole tags: one that has only a name is emitted where that ends, without being made.

use super::deferred_append::left_to_next;
use super::scan::self_loop;
use crate::machine::{
    Action, Arm, FieldId, FieldType, Guard, Machine, Next, StateId, StateKind, Target, Token,
    TokenId, Value,
};

/// The path through a tag that has only a name, from an arm that creates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeTag {
    /// The token.
    pub token: TokenId,
    /// Its kind.
    pub kind: u32,
    /// The field with the name.
    pub field: FieldId,
    /// The state whose self-loop appends to the name.
    pub name: StateId,
    /// The character after the name.
    pub close: u8,
    /// The state after the tag.
    pub next: StateId,
}

/// The path through a whole tag from an arm of a hot state, if nothing else is done on it.
pub fn whole_tag(machine: &Machine, hot: &[StateId], from: StateId, arm: &Arm) -> Option<WholeTag> {
    let (name, before) = match arm.body.next {
        Next::Go {
            target: Target::State(next),
            reconsume: true,
        } => (next, &arm.body.actions[..]),
        _ => left_to_next(machine, from, arm)?,
    };
    let &[Action::Create(token, kind)] = before else {
        return None;
    };
    let is_ascii = arm.set.ranges().iter().all(|(_, last)| *last < 0x80);
    if !is_ascii || !hot.contains(&from) || !hot.contains(&name) {
        return None;
    }
    let run = self_loop(machine, name).ok()?;
    let &[Action::Append(field, Value::Current)] = &run.actions[..] else {
        return None;
    };
    let is_plain = run.by_value.is_none() && run.stops.near.is_none();
    if field.token != token || !is_plain || !has_only_name(machine, field, kind) {
        return None;
    }
    let StateKind::Consume(consume) = &machine.states[name.0 as usize].kind else {
        return None;
    };
    let (close, next) = consume.arms.iter().find_map(|arm| match arm.body.next {
        Next::Go {
            target: Target::State(next),
            reconsume: false,
        } if arm.body.actions == [Action::Emit(token)] => match arm.set.ranges() {
            [(first, last)] if first == last && *first < 0x80 && !arm.peeked => {
                Some((*first as u8, next))
            }
            _ => None,
        },
        _ => None,
    })?;
    Some(WholeTag {
        token,
        kind,
        field,
        name,
        close,
        next,
    })
}

/// All of a machine.
pub fn whole_tags(machine: &Machine, hot: &[StateId]) -> Vec<WholeTag> {
    let arms = hot
        .iter()
        .flat_map(|id| match &machine.states[id.0 as usize].kind {
            StateKind::Consume(consume) => consume.arms.iter().map(|arm| (*id, arm)).collect(),
            StateKind::Steps(_) | StateKind::Match { .. } => Vec::new(),
        });
    arms.filter_map(|(id, arm)| whole_tag(machine, hot, id, arm))
        .collect()
}

/// Whether a token has attributes and one text, which may be all that it has.
pub(crate) fn has_one_text(token: &Token) -> bool {
    let count = |ty| token.fields.iter().filter(|field| field.ty == ty).count();
    count(FieldType::Text) == 1 && count(FieldType::Attributes) == 1
}

/// Whether a token that has only this text is known without being made, and nothing more is done when it is emitted.
fn has_only_name(machine: &Machine, field: FieldId, kind: u32) -> bool {
    let token = &machine.vocabulary.tokens[field.token.0 as usize];
    let is_tag = token.kinds.iter().any(|kind| kind.is_start_tag);
    let mut hooks = machine.on_emit.iter();
    let is_never = |guard: &Option<Guard>| match guard {
        Some(Guard::HasAttributes(of)) => *of == field.token,
        Some(Guard::FlagIs(of)) => of.token == field.token,
        _ => false,
    };
    is_tag
        && has_one_text(token)
        && hooks.all(|hook| {
            let is_it = hook.token == field.token && hook.kind == kind;
            !is_it || hook.steps.iter().all(|(guard, _)| is_never(guard))
        })
}
