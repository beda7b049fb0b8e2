//! The end of a path: where it leads, and whether what was consumed is put back.

use super::facts::Folded;
use super::path::{Context, Frame, FrameKind, Path, Where, join};
use super::traced::Body;
use super::{Lowering, Returned};
use crate::check::model::{Goal, Step};
use crate::diagnostic::{Code, Span};
use crate::machine::{Action, Guard, Target};

/// How many lists of steps may use each other in a row.
pub(super) const MOST_LISTS: usize = 100;

impl<'c> Lowering<'c, '_> {
    /// The successor of a path that has run all its steps.
    pub(super) fn end_path(
        &mut self,
        context: &Context<'c>,
        path: Path,
        mut actions: Vec<(Action, Span)>,
    ) -> Body {
        let me = context.named;
        let silent = (Goal::Stay, false, context.span);
        let named = path.successor.is_some();
        let (goal, explicit, span) = path.successor.unwrap_or(silent);
        self.consumed |= path.consumed;
        let looking = self.only_looks(context, &path);
        let (reconsume, rewind) = match context.place {
            Where::Returned { reconsume, rewind } => (reconsume, rewind),
            Where::Steps | Where::First | Where::Unmatched | Where::Emitted => (false, false),
            _ => (explicit || looking, false),
        };
        let goal = match goal {
            Goal::State(state) if state == me && context.place != Where::First => Goal::Stay,
            goal => goal,
        };
        let (target, includes) = match goal {
            Goal::Stay if context.place == Where::First => {
                return Body::go(actions, Target::State(self.ids[me.0].main), false, span);
            }
            Goal::Stay => {
                if !path.faulty {
                    self.may_stay(context, looking, named, span);
                }
                (Target::State(self.ids[me.0].main), false)
            }
            Goal::State(state) => {
                if let Some(&register) = self.back_registers.get(&state) {
                    let own = self.ids[me.0].entry();
                    actions.push((Action::SetState(register, own), span));
                }
                let includes = self.checked.states[state.0].includes
                    && matches!(context.place, Where::Arm { .. });
                (Target::State(self.ids[state.0].entry()), includes)
            }
            Goal::Register(register) => (Target::Register(register), false),
            Goal::Back => match self.back_registers.get(&me) {
                Some(&register) => (Target::Register(register), false),
                None => (Target::End, false),
            },
        };
        if rewind {
            actions.push((Action::Rewind, span));
        }
        Body::go(actions, target, reconsume || includes, span)
    }

    /// Whether the path only looked at what comes next.
    fn only_looks(&self, context: &Context<'c>, path: &Path) -> bool {
        match context.place {
            Where::Arm { look_ahead }
            | Where::Literal { look_ahead }
            | Where::Eof { look_ahead } => look_ahead && !path.consumed,
            _ => false,
        }
    }

    /// Only what consumed something can stay.
    fn may_stay(&mut self, context: &Context<'c>, looking: bool, named: bool, span: Span) {
        let message = match context.place {
            Where::Eof { .. } => "at the end of the input a state cannot stay",
            Where::Arm { .. } | Where::Literal { .. } if !looking => return,
            Where::Arm { .. } | Where::Literal { .. } => {
                "nothing is consumed, so the state cannot stay"
            }
            Where::Returned { .. } => match self.checked.states[context.named.0].body {
                crate::check::model::Body::Arms { .. } => return,
                _ => "a state that consumes nothing cannot stay",
            },
            Where::Matched if named => return,
            _ => "a state that consumes nothing cannot stay",
        };
        let hint = self.faults.add(Code::MissingSuccessor, span, message);
        hint.label(match named {
            true => "this leads to the same state",
            false => "expected a successor",
        })
        .help(match (context.place, named) {
            (Where::Arm { .. } | Where::Literal { .. }, _) => {
                "say `switch to STATE`, `reconsume in STATE` or `consume it`; or the state's key is `consume`"
            }
            (_, true) => "lead to another state, or say `emit EOF`",
            _ => "say `switch to STATE`, `reconsume in STATE` or `emit EOF`",
        });
    }

    /// Remembers a successor.
    pub(super) fn successor(
        &mut self,
        context: &Context<'c>,
        path: &mut Path,
        successor: (Goal, bool, Span),
        frames: &[Frame<'c>],
    ) {
        let (goal, _, span) = successor;
        if !self.may_name_successor(context, span, frames) {
            return;
        }
        if goal == Goal::Back && !self.back_registers.contains_key(&context.named) {
            let message = "no state switches here, so there is none to switch back to";
            self.faults
                .add(Code::MisplacedPhrase, span, message)
                .help("`switch back` is for states of the table, not of procedures");
        }
        if path.successor.is_some() {
            let message = "the path already has a successor";
            self.faults
                .add(Code::SeveralSuccessors, span, message)
                .help("a path has one successor");
            return;
        }
        path.successor = Some(successor);
    }

    /// Whether a successor may be named here.
    pub(super) fn may_name_successor(
        &mut self,
        context: &Context<'c>,
        span: Span,
        frames: &[Frame<'c>],
    ) -> bool {
        let leaving = frames.iter().any(|f| f.kind == FrameKind::Leaving);
        if !leaving && context.place != Where::First {
            return true;
        }
        let what = if leaving { "`leaving`" } else { "`first`" };
        let message = format!("the steps of {what} do not lead anywhere");
        self.faults
            .add(Code::MisplacedPhrase, span, message)
            .help("put the successor into the state's arms");
        false
    }

    pub(super) fn end_of_input(&mut self, context: &Context<'c>, span: Span) {
        if matches!(context.place, Where::Arm { .. } | Where::Literal { .. }) {
            let message = "the state has just consumed a character, so the input has not ended";
            self.faults
                .add(Code::MisplacedPhrase, span, message)
                .help("`emit EOF` belongs in an `EOF` arm");
        }
    }

    pub(super) fn consume_it(&mut self, context: &Context<'c>, path: &mut Path, span: Span) {
        let fits = matches!(
            context.place,
            Where::Arm { look_ahead: true } | Where::Literal { look_ahead: true }
        );
        if !fits {
            let (message, help) = match context.place {
                Where::Eof { .. } => (
                    "there is nothing to consume at the end of the input",
                    "give `EOF` an arm of its own",
                ),
                _ => (
                    "`consume it` is for `look ahead` blocks",
                    "a `consume` block always consumes",
                ),
            };
            self.faults
                .add(Code::MisplacedPhrase, span, message)
                .help(help);
        }
        path.consumed = true;
    }

    pub(super) fn anything_else(
        &mut self,
        context: &Context<'c>,
        frames: &[Frame<'c>],
        span: Span,
    ) -> Option<&'c [Step]> {
        let within = frames.iter().any(|f| f.kind == FrameKind::AnythingElse);
        let steps = context.anything_else.filter(|_| !within);
        if steps.is_none() {
            let message = "there is no arm `anything else` to continue with";
            self.faults.add(Code::MisplacedPhrase, span, message).help(
                "`as anything else` is for the other arms of a state with an `anything else` arm",
            );
        }
        steps
    }

    pub(super) fn step_list(&mut self, index: usize, frames: &mut Vec<Frame<'c>>, span: Span) {
        let kind = FrameKind::StepList(index);
        if frames.iter().any(|f| f.kind == kind) {
            self.faults
                .add(Code::RecursiveName, span, "the list of steps runs itself")
                .help("a list of steps may use others, but not itself");
            return;
        }
        if frames.len() > MOST_LISTS {
            let message = format!("more than {MOST_LISTS} lists of steps use each other in a row");
            self.faults
                .add(Code::TooLarge, span, message)
                .help("put the steps of some of them where they are used");
            return;
        }
        let checked = self.checked;
        frames.push(Frame {
            steps: &checked.step_lists[index],
            kind,
        });
    }

    /// A sub-machine ends: its callers go on.
    pub(super) fn returns(
        &mut self,
        context: &Context<'c>,
        returned: Returned,
        path: Path,
        actions: Vec<(Action, Span)>,
        span: Span,
    ) -> Body {
        let procedure = self.checked.states[context.named.0].procedure;
        let again = matches!(context.place, Where::Returned { .. });
        let (Some(procedure), false) = (procedure, again) else {
            self.faults
                .add(Code::MisplacedPhrase, span, "no procedure runs here")
                .help("`return` ends a sub-machine under `procedures`");
            return Body::go(actions, Target::End, false, span);
        };
        if path.successor.is_some() {
            let message = "the path already has a successor";
            self.faults
                .add(Code::SeveralSuccessors, span, message)
                .help("a path either returns or switches");
        }
        self.consumed |= path.consumed;
        let looking = self.only_looks(context, &path);
        let place = Where::Returned {
            reconsume: returned != Returned::Nothing && looking,
            rewind: returned == Returned::Nothing,
        };
        let mut groups: Vec<(Vec<u32>, crate::machine::Body, Body)> = Vec::new();
        let sites = u32::try_from(self.sites[procedure].len()).unwrap_or(u32::MAX);
        for index in 0..sites {
            // Each is compared with those before it.
            if self.spend(groups.len(), span) {
                break;
            }
            let site = self.sites[procedure][index as usize].clone();
            // The path may know who called.
            let here = |register| Guard::FiniteIs(register, vec![index]);
            let here = self.call_registers[procedure].map(here);
            if here.is_some_and(|here| path.facts.fold(here) == Folded::Known(false)) {
                continue;
            }
            let context = Context {
                named: site.named,
                place,
                span: site.span,
                anything_else: None,
                current: None,
                leaving: &[],
            };
            let mut going_on = site.path;
            going_on.returned = Some(returned.clone());
            going_on.left = true;
            going_on.facts = path.facts.clone();
            let body = self.run(&context, site.frames, going_on);
            let stripped = body.clone().strip();
            let same = groups.iter_mut().find(|(_, other, _)| *other == stripped);
            match same {
                Some((sites, ..)) => sites.push(index),
                None => groups.push((vec![index], stripped, body)),
            }
        }
        let Some((.., last)) = groups.pop() else {
            // A procedure that nobody attempts: a warning says so.
            return Body::go(actions, Target::End, false, span);
        };
        let body = groups
            .into_iter()
            .rev()
            .fold(last, |otherwise, (sites, _, then)| {
                let Some(register) = self.call_registers[procedure] else {
                    // Without a register there is one caller, so one group.
                    return otherwise;
                };
                Body::question(Guard::FiniteIs(register, sites), span, then, otherwise)
            });
        join(actions, body)
    }
}
