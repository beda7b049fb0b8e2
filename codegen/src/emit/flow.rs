//! Bodies as straight code: what both ways of a question have in common at their end stands once, behind
//! it.

use crate::analyse::emission::Emission;
use crate::machine::{Action, Body, Guard, Machine, Next, Target};

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

impl<'b> Part<'b> {
    fn asks(&self) -> Vec<&'b Guard> {
        let Self::If {
            guard,
            then,
            otherwise,
        } = self
        else {
            return Vec::new();
        };
        let inner = then.iter().chain(otherwise).flat_map(Self::asks);
        guard.parts().into_iter().chain(inner).collect()
    }
}

/// What the generated code of a body asks: not what leads to the same whatever the answer.
pub fn asked<'b>(machine: &Machine, body: &'b Body) -> Vec<&'b Guard> {
    Flow::of(machine, body).asks()
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
    pub(crate) fn of(machine: &Machine, body: &'b Body) -> Self {
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
                let then = Self::of(machine, then);
                let otherwise = Self::of(machine, otherwise);
                question(machine, &mut parts, guard, then, otherwise)
            }
        };
        Self { parts, end }
    }

    /// What it asks, without connectives.
    fn asks(&self) -> Vec<&'b Guard> {
        let mut guards = self.parts.iter().flat_map(Part::asks).collect::<Vec<_>>();
        if let End::Branch {
            guard,
            then,
            otherwise,
        } = &self.end
        {
            guards.extend(guard.parts());
            guards.extend(then.asks());
            guards.extend(otherwise.asks());
        }
        guards
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
    machine: &Machine,
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
        if !answers(machine, &then.parts) && !answers(machine, &otherwise.parts) {
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
pub(crate) fn answers(machine: &Machine, parts: &[Part<'_>]) -> bool {
    parts.iter().any(|part| match part {
        Part::Do(Action::Emit(token)) => machine.vocabulary.answers(*token),
        // A question on whose ways a sink answers is a branch.
        Part::Do(_) | Part::If { .. } => false,
    })
}
