//! The machine with the place in the table of every action and successor, for the checks that need
//! the whole machine.

use crate::charset::CharSet;
use crate::check::model::Named;
use crate::diagnostic::Span;
use crate::machine::{self, Action, Arm, Consume, Guard, LiteralArm, Next, StateKind, Target};

/// One state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) name: String,
    pub(crate) named: Named,
    pub(crate) origin: String,
    pub(crate) section: String,
    pub(crate) kind: Kind,
}

/// What it does.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Consume {
        literals: Vec<(LiteralHead, Body)>,
        arms: Vec<(ArmHead, Body)>,
        eof: Body,
    },
    Steps(Body),
    Match {
        matched: Body,
        unmatched: Body,
    },
}

/// What a literal arm matches.
#[derive(Clone, Debug)]
pub(crate) struct LiteralHead {
    pub(crate) text: String,
    pub(crate) ignore_case: bool,
}

/// What an arm matches.
#[derive(Clone, Debug)]
pub(crate) struct ArmHead {
    pub(crate) set: CharSet,
    pub(crate) peeked: bool,
    pub(crate) label: String,
}

/// Actions, then a successor or a question.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) actions: Vec<(Action, Span)>,
    pub(crate) end: End,
}

/// The end of a body.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Go {
        target: Target,
        reconsume: bool,
        span: Span,
    },
    If {
        guard: Guard,
        span: Span,
        then: Box<Body>,
        otherwise: Box<Body>,
    },
}

impl State {
    /// All bodies.
    pub(crate) fn bodies(&self) -> Vec<&Body> {
        match &self.kind {
            Kind::Consume {
                literals,
                arms,
                eof,
            } => {
                let literals = literals.iter().map(|(_, body)| body);
                let arms = arms.iter().map(|(_, body)| body);
                literals.chain(arms).chain([eof]).collect()
            }
            Kind::Steps(body) => vec![body],
            Kind::Match { matched, unmatched } => vec![matched, unmatched],
        }
    }

    /// The key of the arm that has the body with this number.
    pub(crate) fn label(&self, body: usize) -> Option<String> {
        let Kind::Consume { literals, arms, .. } = &self.kind else {
            return None;
        };
        if let Some((head, _)) = literals.get(body) {
            return Some(format!("\"{}\"", head.text));
        }
        let arm = arms.get(body - literals.len());
        Some(arm.map_or("EOF".to_owned(), |(head, _)| head.label.clone()))
    }

    /// All bodies, to change.
    pub(crate) fn bodies_mut(&mut self) -> Vec<&mut Body> {
        match &mut self.kind {
            Kind::Consume {
                literals,
                arms,
                eof,
            } => {
                let literals = literals.iter_mut().map(|(_, body)| body);
                let arms = arms.iter_mut().map(|(_, body)| body);
                literals.chain(arms).chain([eof]).collect()
            }
            Kind::Steps(body) => vec![body],
            Kind::Match { matched, unmatched } => vec![matched, unmatched],
        }
    }

    /// The state without places.
    pub(crate) fn strip(self) -> machine::State {
        let kind = match self.kind {
            Kind::Consume {
                literals,
                arms,
                eof,
            } => StateKind::Consume(Consume {
                literals: literals
                    .into_iter()
                    .map(|(head, body)| LiteralArm {
                        text: head.text,
                        ignore_case: head.ignore_case,
                        body: body.strip(),
                    })
                    .collect(),
                arms: arms
                    .into_iter()
                    .map(|(head, body)| Arm {
                        set: head.set,
                        peeked: head.peeked,
                        body: body.strip(),
                        label: head.label,
                    })
                    .collect(),
                eof: eof.strip(),
            }),
            Kind::Steps(body) => StateKind::Steps(body.strip()),
            Kind::Match { matched, unmatched } => StateKind::Match {
                matched: matched.strip(),
                unmatched: unmatched.strip(),
            },
        };
        machine::State {
            name: self.name,
            origin: self.origin,
            section: self.section,
            kind,
        }
    }
}

impl Body {
    /// Actions and a successor.
    pub(crate) fn go(
        actions: Vec<(Action, Span)>,
        target: Target,
        reconsume: bool,
        span: Span,
    ) -> Self {
        let end = End::Go {
            target,
            reconsume,
            span,
        };
        Self { actions, end }
    }

    /// A question and what follows from its answers.
    pub(crate) fn question(guard: Guard, span: Span, then: Self, otherwise: Self) -> Self {
        let end = End::If {
            guard,
            span,
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        };
        Self {
            actions: Vec::new(),
            end,
        }
    }

    /// The body without places.
    pub(crate) fn strip(self) -> machine::Body {
        machine::Body {
            actions: self.actions.into_iter().map(|(action, _)| action).collect(),
            next: match self.end {
                End::Go {
                    target, reconsume, ..
                } => Next::Go { target, reconsume },
                End::If {
                    guard,
                    then,
                    otherwise,
                    ..
                } => Next::If {
                    guard,
                    then: Box::new(then.strip()),
                    otherwise: Box::new(otherwise.strip()),
                },
            },
        }
    }

    /// Calls `change` on every list of actions.
    pub(crate) fn actions_mut(&mut self, change: &mut impl FnMut(&mut Vec<(Action, Span)>)) {
        change(&mut self.actions);
        if let End::If {
            then, otherwise, ..
        } = &mut self.end
        {
            then.actions_mut(change);
            otherwise.actions_mut(change);
        }
    }
}
