//! Attributes that are done with: nothing that follows changes or asks for them.

// A new action, guard or value must be named here.
#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;

use super::{Path, paths};
use crate::charset::CharSet;
use crate::machine::{Action, Guard, Machine, StateId, StateKind, Target, TokenId};
use crate::uses::Place;

/// Whether nothing more happens to the current attribute from a state on: the next one is started, or the token
/// emitted or created anew, before anything is appended, dropped or compared.
pub(super) fn is_finished(machine: &Machine, token: TokenId, from: StateId) -> bool {
    // With the characters that a state may see when one was put back; with none of them at the end of the input.
    let mut reached: BTreeSet<(StateId, CharSet)> = BTreeSet::new();
    let at_end = CharSet::new();
    let mut todo = vec![(from, CharSet::all()), (from, at_end.clone())];
    while let Some((id, seen)) = todo.pop() {
        if !reached.insert((id, seen.clone())) {
            continue;
        }
        let StateKind::Consume(consume) = &machine.states[id.0 as usize].kind else {
            return false;
        };
        let mut onward: Vec<(Path<'_>, CharSet)> = Vec::new();
        for arm in &consume.arms {
            let set = arm.set.intersection(&seen);
            if !set.is_empty() {
                let all = paths(&arm.body).into_iter();
                onward.extend(all.map(|path| match arm.peeked || path.reconsume {
                    true => (path, set.clone()),
                    false => (path, CharSet::all()),
                }));
            }
        }
        if seen.is_empty() {
            onward.extend(paths(&consume.eof).into_iter().map(|p| (p, at_end.clone())));
        } else {
            let literals = consume.literals.iter().flat_map(|l| paths(&l.body));
            onward.extend(literals.map(|path| (path, CharSet::all())));
        }
        for (path, next_sees) in onward {
            match follow(&path, token) {
                Follow::Ends => {}
                Follow::Goes(next) => {
                    if next_sees == CharSet::all() {
                        todo.push((next, at_end.clone()));
                    }
                    todo.push((next, next_sees));
                }
                Follow::Changes => return false,
            }
        }
    }
    true
}

/// What a path does to the current attribute.
enum Follow {
    /// It is done with.
    Ends,
    /// Nothing; it goes on in a state.
    Goes(StateId),
    /// Something.
    Changes,
}

fn follow(path: &Path<'_>, token: TokenId) -> Follow {
    let asks = |guard: &Guard| *guard == Guard::DuplicateAttribute(token);
    if path.questions().any(asks) {
        return Follow::Changes;
    }
    for action in path.actions() {
        if let Action::StartAttribute(of) | Action::Emit(of) | Action::Create(of, _) = action
            && *of == token
        {
            return Follow::Ends;
        }
        let changes = |(place, _)| match place {
            Place::CurrentAttribute(of) | Place::Attribute(of, _) => of == token,
            Place::Register(_)
            | Place::Token(_)
            | Place::Kind(_)
            | Place::Field(_)
            | Place::Mark => false,
        };
        if action.touches().any(changes) {
            return Follow::Changes;
        }
    }
    match path.target {
        Target::State(next) => Follow::Goes(next),
        Target::End => Follow::Ends,
        Target::Register(_) => Follow::Changes,
    }
}
