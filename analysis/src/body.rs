//! What a body may do, wherever its open questions lead.

use speclex_codegen::machine::{Action, Body, Next};

/// Bodies are told apart by where they are.
pub(crate) fn address(body: &Body) -> usize {
    std::ptr::from_ref(body).addr()
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
