//! Preprocessing that replaces characters becomes arms: the arm for a replaced character does what
//! the arm of its replacement does, with the replacement as the current input character.

use super::Lowering;
use super::facts::{Facts, Folded};
use super::traced::{ArmHead, Body, End, Kind, State};
use crate::charset::{CharSet, display_char};

impl Lowering<'_, '_> {
    pub(super) fn replace(&mut self, states: &mut [State]) {
        for &(from, to) in &self.checked.preprocessing.replace {
            for state in states.iter_mut() {
                if let Kind::Consume { arms, .. } = &mut state.kind {
                    let span = self.checked.states[state.named.0].span;
                    if self.spend(1, span) {
                        return;
                    }
                    replace_in(arms, from, to);
                }
            }
        }
    }
}

fn replace_in(arms: &mut Vec<(ArmHead, Body)>, from: char, to: char) {
    let raw = CharSet::single(from);
    for (head, _) in arms.iter_mut().filter(|(head, _)| head.set.contains(from)) {
        head.set = head.set.difference(&raw);
    }
    let Some(at) = arms.iter().position(|(head, _)| head.set.contains(to)) else {
        return;
    };
    let (head, body) = &mut arms[at];
    let replaced = substitute(body.clone(), to);
    if replaced.clone().strip() == body.clone().strip() {
        head.set = head.set.union(&raw);
        return;
    }
    let arm = ArmHead {
        set: raw,
        peeked: head.peeked,
        label: display_char(from),
    };
    // The arm for anything else stays last.
    let end = arms.len().saturating_sub(1);
    arms.insert(end, (arm, replaced));
}

/// The body with a fixed current input character.
fn substitute(body: Body, current: char) -> Body {
    let actions = body
        .actions
        .into_iter()
        .map(|(action, span)| (action.on(current), span))
        .collect();
    let End::If {
        guard,
        span,
        then,
        otherwise,
    } = body.end
    else {
        return Body {
            actions,
            end: body.end,
        };
    };
    match Facts::default().fold(guard.on(current)) {
        Folded::Known(answer) => {
            let chosen = if answer { then } else { otherwise };
            super::path::join(actions, substitute(*chosen, current))
        }
        Folded::Open(guard) => Body {
            actions,
            end: End::If {
                guard,
                span,
                then: Box::new(substitute(*then, current)),
                otherwise: Box::new(substitute(*otherwise, current)),
            },
        },
    }
}
