//! Bodies as straight code: what both ways of a question have in common at their end stands once, behind
//! it.

use super::context::Context;
use crate::analyse::emission::Emission;
use crate::machine::{Action, Body, Guard, Next, Target};

/// How much of what was consumed a body gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PutBack {
    Nothing,
    /// What the state consumed.
    Character,
    /// All since the mark.
    ToMark,
}

/// Actions and questions, then where they lead.
#[derive(Debug, PartialEq)]
pub(crate) struct Flow<'b> {
    pub(crate) parts: Vec<Part<'b>>,
    pub(crate) end: End<'b>,
}

/// What is done on the way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part<'b> {
    /// An action.
    Do(&'b Action),
    /// A question; it goes on behind it whatever the answer.
    If {
        guard: &'b Guard,
        then: Vec<Part<'b>>,
        otherwise: Vec<Part<'b>>,
    },
}

/// Where it leads.
#[derive(Debug, PartialEq)]
pub(crate) enum End<'b> {
    /// To a state.
    Go { target: Target, put_back: PutBack },
    /// To different places.
    Branch {
        guard: &'b Guard,
        then: Box<Flow<'b>>,
        otherwise: Box<Flow<'b>>,
    },
}

impl<'b> Flow<'b> {
    /// The flow of a body.
    pub(crate) fn of(context: &Context<'_>, body: &'b Body) -> Self {
        let mut parts: Vec<_> = body.actions.iter().map(Part::Do).collect();
        let end = match &body.next {
            Next::Go { target, reconsume } => End::Go {
                target: *target,
                put_back: if body.actions.contains(&Action::Rewind) {
                    PutBack::ToMark
                } else if *reconsume {
                    PutBack::Character
                } else {
                    PutBack::Nothing
                },
            },
            Next::If {
                guard,
                then,
                otherwise,
            } => {
                let then = Self::of(context, then);
                let otherwise = Self::of(context, otherwise);
                question(context, &mut parts, guard, then, otherwise)
            }
        };
        Self { parts, end }
    }

    /// What it gives back wherever its open questions lead.
    pub(crate) fn put_back(&self) -> PutBack {
        match &self.end {
            End::Go { put_back, .. } => *put_back,
            End::Branch {
                then, otherwise, ..
            } => {
                let put_back = then.put_back();
                if put_back == otherwise.put_back() {
                    put_back
                } else {
                    PutBack::Nothing
                }
            }
        }
    }

    /// The emission with which it ends, and what is put back then.
    pub(crate) fn emission(&self) -> Option<(Emission, PutBack)> {
        match (self.parts.last()?, &self.end) {
            (
                Part::Do(Action::Emit(token)),
                End::Go {
                    target: Target::State(next),
                    put_back,
                },
            ) => {
                let emission = Emission {
                    token: *token,
                    next: *next,
                };
                Some((emission, *put_back))
            }
            _ => None,
        }
    }
}

/// Adds a question and what its ways have in common behind it; returns where that leads.
fn question<'b>(
    context: &Context<'_>,
    parts: &mut Vec<Part<'b>>,
    guard: &'b Guard,
    mut then: Flow<'b>,
    mut otherwise: Flow<'b>,
) -> End<'b> {
    let same_end = then.end == otherwise.end && matches!(then.end, End::Go { .. });
    let mut common = Vec::new();
    if same_end && !matches!(guard, Guard::NextAre { .. }) {
        while then.parts.last().is_some() && then.parts.last() == otherwise.parts.last() {
            otherwise.parts.pop();
            common.extend(then.parts.pop());
        }
        if !answers(context, &then.parts) && !answers(context, &otherwise.parts) {
            if !then.parts.is_empty() || !otherwise.parts.is_empty() {
                parts.push(Part::If {
                    guard,
                    then: then.parts,
                    otherwise: otherwise.parts,
                });
            }
            parts.extend(common.into_iter().rev());
            return then.end;
        }
        // Where a sink answers on one way only, each goes its own.
        let again: Vec<_> = common.into_iter().rev().collect();
        otherwise.parts.extend(again.iter().cloned());
        then.parts.extend(again);
    }
    End::Branch {
        guard,
        then: Box::new(then),
        otherwise: Box::new(otherwise),
    }
}

/// Whether a sink answers on the way, which decides where it leads.
pub(crate) fn answers(context: &Context<'_>, parts: &[Part<'_>]) -> bool {
    parts.iter().any(|part| match part {
        Part::Do(Action::Emit(token)) => context.answers(*token),
        // A question on whose ways a sink answers is a branch.
        Part::Do(_) | Part::If { .. } => false,
    })
}
