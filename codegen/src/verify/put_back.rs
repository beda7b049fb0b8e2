//! How often a character is put back is bounded. If an attempt can begin at each of the characters that `return nothing` puts
//! back, and there is no bound on how many these are, each of them is read again for each one before it: in quadratic time.
//!
//! States of a sub-machine that can repeat, and then lead to `return nothing`, are read over again as a whole. So none of them may
//! consume a character after which the sub-machine is attempted.

use super::successors::{Held, each_body};
use super::terminate::{Edges, drop_ends};
use crate::charset::{CharSet, display_char};
use crate::check::model::Checked;
use crate::diagnostic::{Code, Faults, Span};
use crate::lower::Lowered;
use crate::lower::traced::{Body, End, Kind, State};
use crate::machine::{Action, StateId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub(super) fn check(checked: &Checked, lowered: &Lowered, faults: &mut Faults) {
    let ways = ways(checked, lowered);
    if !ways.iter().any(|way| way.rewinds) {
        return;
    }
    let procedure = |id: StateId| {
        let named = lowered.states[id.0 as usize].named;
        checked.states[named.0].procedure
    };
    let mut within: BTreeMap<usize, Vec<&Way>> = BTreeMap::new();
    let mut leading = Leading::default();
    for way in &ways {
        let from = procedure(way.from);
        if let Some(from) = from {
            within.entry(from).or_default().push(way);
        }
        let before = match (way.rewinds, &way.consumed) {
            (true, _) => from.map(Before::Attempts),
            (false, Some(set)) => Some(Before::Characters(set)),
            (false, None) => Some(Before::State(way.from)),
        };
        leading.states.entry(way.to).or_default().extend(before);
        if way.marks
            && let Some(to) = procedure(way.to)
        {
            leading.attempts.entry(to).or_default().extend(before);
        }
    }
    for entry in &lowered.entries {
        leading
            .states
            .entry(entry.state)
            .or_default()
            .push(Before::Anything);
    }
    for (number, ways) in within {
        let repeated = repeated(&ways);
        if repeated.is_empty() {
            continue;
        }
        let before = leading.characters(number);
        let name = &checked.procedures[number].name;
        for way in ways {
            let again = way
                .consumed
                .as_ref()
                .and_then(|set| set.intersection(&before).first());
            if let Some(c) = again
                && [way.from, way.to].iter().all(|id| repeated.contains(id))
            {
                let c = display_char(c);
                let message = format!(
                    "`{name}` is attempted after each {c} and may put back any number of them"
                );
                faults
                    .add(Code::UnboundedLookAhead, way.span, message)
                    .label("this repeats before `return nothing`")
                    .help(format!(
                        "many of them take quadratic time: give {c} an arm with `return nothing`, or return what was read: `return VALUE`"
                    ));
            }
        }
    }
}

/// From one state to another.
struct Way {
    from: StateId,
    to: StateId,
    /// What the last character can be that is consumed, if one is.
    consumed: Option<Rc<CharSet>>,
    /// Whether a sub-machine is attempted.
    marks: bool,
    /// Whether it returns nothing.
    rewinds: bool,
    span: Span,
}

fn ways(checked: &Checked, lowered: &Lowered) -> Vec<Way> {
    let held = Held::new(lowered);
    let mut ways = Vec::new();
    for (from, state) in (0..).map(StateId).zip(&lowered.states) {
        consumed(state, checked, &mut |body, set| {
            each_body(body, &mut |body| {
                let End::Go {
                    target,
                    reconsume,
                    span,
                } = body.end
                else {
                    return;
                };
                let does = |action| body.actions.iter().any(|(other, _)| *other == action);
                held.each_target(target, &mut |to| {
                    ways.push(Way {
                        from,
                        to,
                        consumed: set.clone().filter(|_| !reconsume),
                        marks: does(Action::Mark),
                        rewinds: does(Action::Rewind),
                        span,
                    });
                });
            });
        });
    }
    ways
}

/// Calls `visit` with each body of a state, and with what the last character can be that is consumed before it.
fn consumed(state: &State, checked: &Checked, visit: &mut impl FnMut(&Body, Option<Rc<CharSet>>)) {
    match &state.kind {
        Kind::Consume {
            literals,
            arms,
            eof,
        } => {
            for (head, body) in literals {
                let last = head.text.chars().next_back().into_iter();
                let set = last.flat_map(|c| match head.ignore_case {
                    true => [c.to_ascii_lowercase(), c.to_ascii_uppercase()],
                    false => [c, c],
                });
                visit(body, Some(Rc::new(set.collect())));
            }
            for (head, body) in arms {
                let set = (!head.peeked).then(|| Rc::new(head.set.clone()));
                visit(body, set);
            }
            visit(eof, None);
        }
        Kind::Steps(body) => visit(body, None),
        Kind::Match { matched, unmatched } => {
            let names = checked.references.iter();
            let last = names.filter_map(|(name, _)| name.chars().next_back());
            visit(matched, Some(Rc::new(last.collect())));
            visit(unmatched, None);
        }
    }
}

/// The states of a sub-machine that can be gone through again and again, and then lead to one that puts back.
fn repeated(ways: &[&Way]) -> BTreeSet<StateId> {
    let mut edges = Edges::new();
    let mut open = Vec::new();
    for way in ways {
        match way.rewinds {
            true => open.push(way.from),
            false => edge(&mut edges, way.from, way.to, way.span),
        }
    }
    let mut back = turned(&edges);
    let mut found = BTreeSet::new();
    while let Some(state) = open.pop() {
        if found.insert(state) {
            let from = back.remove(&state).unwrap_or_default();
            open.extend(from.into_iter().map(|(from, _)| from));
        }
    }
    edges.retain(|state, _| found.contains(state));
    drop_ends(&mut edges);
    let mut back = turned(&edges);
    drop_ends(&mut back);
    back.into_keys().collect()
}

fn turned(edges: &Edges<StateId>) -> Edges<StateId> {
    let mut turned = Edges::new();
    for (&from, next) in edges {
        for &(to, span) in next {
            edge(&mut turned, to, from, span);
        }
    }
    turned
}

fn edge(edges: &mut Edges<StateId>, from: StateId, to: StateId, span: Span) {
    let next: &mut Vec<_> = edges.entry(from).or_default();
    next.push((to, span));
}

/// What comes before a place in the input.
#[derive(Clone, Copy)]
enum Before<'w> {
    Characters(&'w CharSet),
    /// What comes before this state, which consumes nothing.
    State(StateId),
    /// What comes before the attempts of this procedure, which puts back.
    Attempts(usize),
    Anything,
}

/// What leads to each state, and to the attempts of each procedure.
#[derive(Default)]
struct Leading<'w> {
    states: BTreeMap<StateId, Vec<Before<'w>>>,
    attempts: BTreeMap<usize, Vec<Before<'w>>>,
}

impl Leading<'_> {
    /// What the character can be after which a procedure is attempted.
    fn characters(&self, procedure: usize) -> CharSet {
        let mut ranges = Vec::new();
        let (mut states, mut procedures) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![Before::Attempts(procedure)];
        while let Some(before) = open.pop() {
            let more = match before {
                Before::Anything => return CharSet::all(),
                Before::Characters(set) => {
                    ranges.extend_from_slice(set.ranges());
                    continue;
                }
                Before::State(id) => self.states.get(&id).filter(|_| states.insert(id)),
                Before::Attempts(of) => self.attempts.get(&of).filter(|_| procedures.insert(of)),
            };
            open.extend(more.into_iter().flatten());
        }
        CharSet::from_ranges(ranges)
    }
}
