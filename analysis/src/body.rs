//! What a body may do, wherever its open questions lead.

use speclex_codegen::machine::{Action, Body, Guard, Next};

/// Shows the actions and the end of a body and of all bodies in it.
pub(crate) fn visit<'m>(body: &'m Body, see: &mut impl FnMut(&'m [Action], &'m Next)) {
    see(&body.actions, &body.next);
    if let Next::If {
        then, otherwise, ..
    } = &body.next
    {
        visit(then, see);
        visit(otherwise, see);
    }
}

/// The questions that a guard is made of.
pub(crate) fn parts(guard: &Guard) -> Vec<&Guard> {
    match guard {
        Guard::Not(guard) => parts(guard),
        Guard::All(guards) | Guard::Any(guards) => guards.iter().flat_map(parts).collect(),
        _ => vec![guard],
    }
}

/// Whether a body asks such a question.
pub(crate) fn asks(body: &Body, is_it: fn(&Guard) -> bool) -> bool {
    let mut found = false;
    visit(body, &mut |_, next| {
        if let Next::If { guard, .. } = next {
            found |= parts(guard).into_iter().any(is_it);
        }
    });
    found
}

/// Whether the step puts back what it consumed, wherever its open questions lead.
pub(crate) fn reconsumes(body: &Body) -> bool {
    match &body.next {
        Next::Go { reconsume, .. } => *reconsume,
        Next::If {
            then, otherwise, ..
        } => reconsumes(then) && reconsumes(otherwise),
    }
}

/// Whether the step puts back all since the mark, wherever its open questions lead.
pub(crate) fn rewinds(body: &Body) -> bool {
    match &body.next {
        Next::Go { .. } => body.actions.contains(&Action::Rewind),
        Next::If {
            then, otherwise, ..
        } => rewinds(then) && rewinds(otherwise),
    }
}
