//! Unbounded look-ahead decides about errors only, so that no input need be kept for it.

use super::successors::each_body;
use crate::diagnostic::{Code, Faults};
use crate::lower::Lowered;
use crate::lower::traced::{Body, End};
use crate::machine::{self, Action, Guard, Next};

pub(super) fn check(lowered: &Lowered, faults: &mut Faults) {
    for body in lowered.states.iter().flat_map(|state| state.bodies()) {
        each_body(body, &mut |body| one(body, faults));
    }
}

fn one(body: &Body, faults: &mut Faults) {
    let End::If {
        guard,
        span,
        then,
        otherwise,
    } = &body.end
    else {
        return;
    };
    if !looks(guard) {
        return;
    }
    let silent = |body: &Body| without_errors(body.clone().strip());
    if silent(then) != silent(otherwise) {
        let message = "look-ahead over any number of characters decides more than an error";
        faults
            .add(Code::UnboundedLookAhead, *span, message)
            .label("only errors may depend on this")
            .help("both branches must do the same, but for errors");
    } else if !matches!(guard, Guard::NextAre { .. })
        || !only_reports(&then.clone().strip(), &otherwise.clone().strip())
    {
        let message =
            "look-ahead over any number of characters does not only report errors at once";
        faults
            .add(Code::UnboundedLookAhead, *span, message)
            .label("only errors may stand in this branch, and nothing in others")
            .help("say `if the next input characters are one or more X then Y: error CODE`, and all else before or behind it");
    }
}

/// Whether the branch reports errors first, and then does what is done otherwise.
fn only_reports(then: &machine::Body, otherwise: &machine::Body) -> bool {
    let own = then.actions.len().checked_sub(otherwise.actions.len());
    own.is_some_and(|own| {
        let (own, others) = then.actions.split_at(own);
        let is_error = |action: &Action| matches!(action, Action::Error(_));
        own.iter().all(is_error) && others == otherwise.actions && then.next == otherwise.next
    })
}

fn looks(guard: &Guard) -> bool {
    match guard {
        Guard::NextAre { .. } => true,
        Guard::Not(inner) => looks(inner),
        Guard::All(parts) | Guard::Any(parts) => parts.iter().any(looks),
        _ => false,
    }
}

fn without_errors(body: machine::Body) -> machine::Body {
    let mut actions = body.actions;
    actions.retain(|action| !matches!(action, Action::Error(_)));
    let next = match body.next {
        Next::If {
            guard,
            then,
            otherwise,
        } => {
            let then = without_errors(*then);
            let otherwise = without_errors(*otherwise);
            if then == otherwise {
                actions.extend(then.actions);
                return machine::Body {
                    actions,
                    next: then.next,
                };
            }
            Next::If {
                guard,
                then: Box::new(then),
                otherwise: Box::new(otherwise),
            }
        }
        go => go,
    };
    machine::Body { actions, next }
}
