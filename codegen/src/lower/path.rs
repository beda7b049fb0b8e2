//! Lowering of step lists: branches become a tree, one path at a time.

use super::facts::{Facts, Folded};
use super::traced::Body;
use super::{Lowering, Returned, Site};
use crate::charset::CharSet;
use crate::check::model::{Branch, Cond, Goal, Named, Return, Sink, Step, StepKind, Text};
use crate::diagnostic::{Code, Span};
use crate::machine::{Action, RegisterId, Target, Value};

/// Where a list of steps runs.
#[derive(Clone, Debug)]
pub(super) struct Context<'c> {
    /// The state it belongs to.
    pub(super) named: Named,
    pub(super) place: Where,
    /// Faults about the end of a path are shown here.
    pub(super) span: Span,
    /// The steps of the arm for anything else.
    pub(super) anything_else: Option<&'c [Step]>,
    /// The characters that can be the current one.
    pub(super) current: Option<CharSet>,
    pub(super) leaving: &'c [Step],
}

/// What kind of place it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// An arm for characters.
    Arm {
        look_ahead: bool,
    },
    /// An arm for a literal.
    Literal {
        look_ahead: bool,
    },
    /// The end of the input.
    Eof {
        look_ahead: bool,
    },
    /// A state that consumes nothing.
    Steps,
    /// The steps on entering.
    First,
    /// After a match, and after none.
    Matched,
    Unmatched,
    /// The caller's steps after a sub-machine returned.
    Returned {
        reconsume: bool,
        rewind: bool,
    },
    /// The steps when a token is emitted.
    Emitted,
}

impl Where {
    fn looks_ahead(self) -> bool {
        matches!(
            self,
            Self::Arm { look_ahead: true }
                | Self::Literal { look_ahead: true }
                | Self::Eof { look_ahead: true }
        )
    }
}

/// A list being run.
#[derive(Clone, Debug)]
pub(super) struct Frame<'c> {
    pub(super) steps: &'c [Step],
    pub(super) kind: FrameKind,
}

/// Why a list runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    Arm,
    /// A branch, and whether a successor was named before it.
    Branch(bool),
    AnythingElse,
    Leaving,
    StepList(usize),
}

/// What has happened on a path.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    pub(super) successor: Option<(Goal, bool, Span)>,
    pub(super) consumed: bool,
    pub(super) left: bool,
    pub(super) returned: Option<Returned>,
    /// A step of it was refused: it may lack anything.
    pub(super) faulty: bool,
    /// How many questions have been asked on it, and how many parts they have.
    pub(super) questions: usize,
    pub(super) parts: usize,
    pub(super) facts: Facts,
}

/// Arms that grow beyond this are refused: branches multiply.
const MOST_BODIES: usize = 1024;

/// Paths with more questions are refused: bodies nest as deep.
const MOST_QUESTIONS: usize = 100;

/// Paths whose questions have more parts are refused: each is compared with those before it.
const MOST_PARTS_OF_A_PATH: usize = 1000;

impl<'c> Lowering<'c, '_> {
    /// Lowers one list from its start.
    pub(super) fn list(&mut self, context: &Context<'c>, steps: &'c [Step]) -> Body {
        let frame = Frame {
            steps,
            kind: FrameKind::Arm,
        };
        self.bodies = 0;
        self.run(context, vec![frame], Path::default())
    }

    pub(super) fn run(
        &mut self,
        context: &Context<'c>,
        mut frames: Vec<Frame<'c>>,
        mut path: Path,
    ) -> Body {
        let mut actions: Vec<(Action, Span)> = Vec::new();
        self.bodies += 1;
        if self.too_many(context, &path) {
            return Body::go(actions, Target::End, false, context.span);
        }
        loop {
            self.leave(context, &mut frames, &mut path);
            let Some(frame) = frames.last_mut() else {
                return self.end_path(context, path, actions);
            };
            let Some((step, rest)) = frame.steps.split_first() else {
                let kind = frame.kind;
                frames.pop();
                if kind == FrameKind::Branch(false) && path.successor.is_some() {
                    return self.end_path(context, path, actions);
                }
                continue;
            };
            frame.steps = rest;
            let span = step.span;
            // What is left in front of this place is walked through to find out whether the path leaves.
            if self.spend(1, context.span) {
                return Body::go(actions, Target::End, false, span);
            }
            match &step.kind {
                StepKind::Do(action) => {
                    self.require_digits(context, action, span);
                    path.facts.after(action);
                    actions.push((action.clone(), span));
                }
                StepKind::Text(sink, text) => {
                    if let Some(value) = self.value(context, &path, text, span) {
                        actions.push((text_action(*sink, value), span));
                    }
                }
                StepKind::SetState(register, state) => {
                    let action = Action::SetState(*register, self.ids[state.0].entry());
                    path.facts.after(&action);
                    actions.push((action, span));
                }
                StepKind::Go(goal, reconsume) => {
                    self.successor(context, &mut path, (*goal, *reconsume, span), &frames);
                }
                StepKind::EmitEof => {
                    actions.push((Action::EmitEof, span));
                    self.may_name_successor(context, span, &frames);
                    self.end_of_input(context, span);
                    return Body::go(actions, Target::End, false, span);
                }
                StepKind::Ignore => {}
                StepKind::Unknown => path.faulty = true,
                StepKind::ConsumeIt => self.consume_it(context, &mut path, span),
                StepKind::AsAnythingElse => {
                    if let Some(steps) = self.anything_else(context, &frames, span) {
                        frames.push(Frame {
                            steps,
                            kind: FrameKind::AnythingElse,
                        });
                    }
                }
                StepKind::StepList(index) => self.step_list(*index, &mut frames, span),
                StepKind::If(branches, otherwise) => {
                    let end = self.question(context, branches, otherwise, &frames, &path);
                    return join(actions, end);
                }
                StepKind::Attempt { procedure, with } => {
                    if let Some((register, c)) = with {
                        actions.push((Action::SetCharacter(*register, *c), span));
                    }
                    return self.attempt(context, *procedure, frames, path, actions, span);
                }
                StepKind::Return(returned) => {
                    let returned = match returned {
                        Return::Nothing => Returned::Nothing,
                        Return::Token(token) => Returned::Token(*token),
                        Return::Text(text) => Returned::Text(
                            self.value(context, &path, text, span)
                                .unwrap_or(Value::Literal(String::new())),
                        ),
                    };
                    return self.returns(context, returned, path, actions, span);
                }
            }
        }
    }

    /// A chain of `if`, `otherwise if` and `otherwise`.
    fn question(
        &mut self,
        context: &Context<'c>,
        branches: &'c [(Branch, Vec<Step>)],
        otherwise: &'c [Step],
        frames: &[Frame<'c>],
        path: &Path,
    ) -> Body {
        let enter = |this: &mut Self, steps: &'c [Step], path: Path| {
            let mut frames = frames.to_vec();
            frames.push(Frame {
                steps,
                kind: FrameKind::Branch(path.successor.is_some()),
            });
            this.run(context, frames, path)
        };
        let Some(((head, steps), rest)) = branches.split_first() else {
            return enter(self, otherwise, path.clone());
        };
        let mut path = path.clone();
        let parts = head.guard.as_ref().map_or(1, Cond::parts);
        path.questions += 1;
        path.parts += parts;
        if self.spend(parts, head.span) || self.too_many(context, &path) {
            return Body::go(Vec::new(), Target::End, false, context.span);
        }
        let path = &path;
        // A guard with a fault is as good as any.
        let folded = match &head.guard {
            Some(cond) => self.fold(context, path, cond, head.span),
            None => Folded::Known(true),
        };
        match folded {
            Folded::Known(true) => enter(self, steps, path.clone()),
            Folded::Known(false) => self.question(context, rest, otherwise, frames, path),
            Folded::Open(guard) => {
                let mut holds = path.clone();
                holds.facts.assume(&guard, true);
                let then = enter(self, steps, holds);
                let mut fails = path.clone();
                fails.facts.assume(&guard, false);
                let otherwise = self.question(context, rest, otherwise, frames, &fails);
                Body::question(guard, head.span, then, otherwise)
            }
        }
    }

    /// Reports branches that multiply beyond measure.
    fn too_many(&mut self, context: &Context<'c>, path: &Path) -> bool {
        let message = if self.bodies > MOST_BODIES {
            "its branches multiply to more than a thousand paths"
        } else if path.questions > MOST_QUESTIONS {
            "more than a hundred questions follow each other"
        } else if path.parts > MOST_PARTS_OF_A_PATH {
            "the questions that follow each other have more than a thousand parts"
        } else {
            return false;
        };
        self.faults
            .add(Code::TooManyBranches, context.span, message)
            .help("use `otherwise if` for cases that exclude each other, or split the state");
        true
    }

    /// The text that a step uses.
    fn value(
        &mut self,
        context: &Context<'c>,
        path: &Path,
        text: &Text,
        span: Span,
    ) -> Option<Value> {
        let value = match (text, &path.returned) {
            (Text::Is(value), _) => value.clone(),
            (Text::Returned, Some(Returned::Text(value))) => return Some(value.clone()),
            (Text::Returned, returned) => {
                let (message, help) = match returned {
                    Some(Returned::Token(_)) => (
                        "a token was returned on this path, not characters",
                        "ask first: `if the TOKEN token is returned: …`",
                    ),
                    Some(_) => (
                        "nothing was returned on this path",
                        "ask first: `if nothing is returned: …, otherwise: …`",
                    ),
                    None => (
                        "nothing was attempted that could return",
                        "it comes after `attempt to PROCEDURE`",
                    ),
                };
                self.faults
                    .add(Code::NothingReturned, span, message)
                    .help(help);
                return None;
            }
        };
        match value {
            Value::Current | Value::LowerCurrent if context.current.is_none() => {
                self.report_no_current(context, span);
                None
            }
            Value::MatchedReplacement | Value::MatchedName if context.place != Where::Matched => {
                self.report_no_match(span);
                None
            }
            value => Some(value),
        }
    }

    fn attempt(
        &mut self,
        context: &Context<'c>,
        procedure: usize,
        frames: Vec<Frame<'c>>,
        path: Path,
        mut actions: Vec<(Action, Span)>,
        span: Span,
    ) -> Body {
        let nested = self.checked.states[context.named.0].procedure.is_some()
            || matches!(context.place, Where::Returned { .. });
        let looking = context.place.looks_ahead() && !path.consumed;
        if nested || looking || matches!(context.place, Where::First) {
            let (code, message) = if nested {
                (Code::NestedProcedure, "a procedure runs already")
            } else {
                (Code::MisplacedPhrase, "nothing can be attempted here")
            };
            self.faults
                .add(code, span, message)
                .help("attempt it in a state of its own");
            return Body::go(actions, Target::End, false, span);
        }
        let consumed = match context.place {
            Where::Arm { .. } | Where::Literal { .. } | Where::Matched => true,
            Where::Eof { .. }
            | Where::Steps
            | Where::Emitted
            | Where::First
            | Where::Unmatched
            | Where::Returned { .. } => false,
        };
        let index = u32::try_from(self.sites[procedure].len()).unwrap_or(u32::MAX);
        self.sites[procedure].push(Site {
            named: context.named,
            span,
            frames,
            path,
            consumed,
        });
        // Whether the register is needed is known when all calls are.
        actions.push((Action::SetFinite(call_placeholder(procedure), index), span));
        actions.push((Action::Mark, span));
        let first = self.checked.procedures[procedure].first;
        let target = match self.ids.get(first.0) {
            Some(ids) => Target::State(ids.entry()),
            None => Target::End,
        };
        Body::go(actions, target, false, span)
    }
}

/// Stands for the register that remembers who called a procedure.
pub(super) fn call_placeholder(procedure: usize) -> RegisterId {
    RegisterId(u32::MAX - u32::try_from(procedure).unwrap_or(0))
}

/// A body with actions in front.
pub(super) fn join(mut actions: Vec<(Action, Span)>, body: Body) -> Body {
    actions.extend(body.actions);
    Body {
        actions,
        end: body.end,
    }
}

fn text_action(sink: Sink, value: Value) -> Action {
    match sink {
        Sink::Emit => Action::EmitText(value),
        Sink::Append(field) => Action::Append(field, value),
        Sink::Set(field) => Action::Set(field, value),
        Sink::AppendAttribute(token, part) => Action::AppendAttribute(token, part, value),
        Sink::SetAttribute(token, part) => Action::SetAttribute(token, part, value),
        Sink::AppendRegister(register) => Action::AppendRegister(register, value),
        Sink::SetText(register) => Action::SetText(register, value),
    }
}
