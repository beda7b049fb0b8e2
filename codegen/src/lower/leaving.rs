//! Steps on leaving a state run on the paths that leave it, and on no other.

use super::Lowering;
use super::path::{Context, Frame, FrameKind, Path};
use super::successor::MOST_LISTS;
use crate::check::model::{Goal, Named, Step, StepKind};

/// How paths of a list can end, as bits: no successor named, staying, leaving.
const NONE: u8 = 1;
const STAY: u8 = 2;
const LEAVE: u8 = 4;

impl<'c> Lowering<'c, '_> {
    /// Puts the leaving steps in front as soon as it is sure that the path leaves the state.
    pub(super) fn leave(
        &mut self,
        context: &Context<'c>,
        frames: &mut Vec<Frame<'c>>,
        path: &mut Path,
    ) {
        if path.left || context.leaving.is_empty() {
            return;
        }
        let mut state = match path.successor {
            None => NONE,
            Some((goal, ..)) => self.goal_bit(context, goal),
        };
        let mut ended = 0;
        // What is left of each list is walked through again after each step.
        let left: usize = frames.iter().map(|frame| frame.steps.len()).sum();
        if self.spend(left, context.span) {
            return;
        }
        for frame in frames.iter().rev() {
            let (ends, goes_on) = self.outcomes(context, frame.steps, state, 0);
            ended |= ends;
            if frame.kind == FrameKind::Branch(false) {
                ended |= goes_on & (STAY | LEAVE);
                state = goes_on & NONE;
            } else {
                state = goes_on;
            }
        }
        let all = ended | state;
        if all == LEAVE {
            path.left = true;
            frames.push(Frame {
                steps: context.leaving,
                kind: FrameKind::Leaving,
            });
        } else if all & LEAVE == 0 {
            path.left = true;
        }
    }

    fn goal_bit(&self, context: &Context<'c>, goal: Goal) -> u8 {
        if goal == Goal::Stay || goal == Goal::State(context.named) {
            STAY
        } else {
            LEAVE
        }
    }

    /// How paths through a list end it and go on after it, from any of the states in `from`. Lists are used
    /// by others, and branches by branches, so that each is walked through once for each `from`.
    fn outcomes(
        &mut self,
        context: &Context<'c>,
        steps: &'c [Step],
        from: u8,
        depth: usize,
    ) -> (u8, u8) {
        if steps.is_empty() {
            return (0, from);
        }
        let address = |steps: &[Step]| (steps.as_ptr().addr(), steps.len());
        let known = Known {
            named: context.named,
            anything_else: context.anything_else.map(address),
            steps: address(steps),
            from,
        };
        if let Some(outcomes) = self.outcomes.get(&known) {
            return *outcomes;
        }
        let outcomes = self.walk(context, steps, from, depth);
        self.outcomes.insert(known, outcomes);
        outcomes
    }

    fn walk(
        &mut self,
        context: &Context<'c>,
        steps: &'c [Step],
        from: u8,
        depth: usize,
    ) -> (u8, u8) {
        let checked = self.checked;
        let (mut ended, mut now) = (0, from);
        for step in steps {
            match &step.kind {
                StepKind::Go(goal, _) => now = self.goal_bit(context, *goal),
                StepKind::EmitEof | StepKind::Attempt { .. } | StepKind::Return(_) => {
                    return (ended | LEAVE, 0);
                }
                // So many lists in a row are refused elsewhere.
                StepKind::AsAnythingElse | StepKind::StepList(_) if depth > MOST_LISTS => {}
                StepKind::AsAnythingElse => {
                    let steps = context.anything_else.unwrap_or(&[]);
                    let (ends, goes_on) = self.outcomes(context, steps, now, depth + 1);
                    ended |= ends;
                    now = goes_on;
                }
                StepKind::StepList(index) => {
                    let steps = &checked.step_lists[*index];
                    let (ends, goes_on) = self.outcomes(context, steps, now, depth + 1);
                    ended |= ends;
                    now = goes_on;
                }
                StepKind::If(branches, otherwise) => {
                    let lists = branches.iter().map(|(_, steps)| steps);
                    let mut after = 0;
                    for bit in [NONE, STAY, LEAVE].into_iter().filter(|bit| now & bit != 0) {
                        for steps in lists.clone().chain([otherwise]) {
                            let (ends, goes_on) = self.outcomes(context, steps, bit, depth);
                            ended |= ends;
                            if bit == NONE {
                                ended |= goes_on & (STAY | LEAVE);
                                after |= goes_on & NONE;
                            } else {
                                after |= goes_on;
                            }
                        }
                    }
                    now = after;
                }
                _ => {}
            }
        }
        (ended, now)
    }
}

/// What the outcomes of a list of steps depend on. Slices of the table stand for what they hold.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Known {
    named: Named,
    anything_else: Option<(usize, usize)>,
    steps: (usize, usize),
    from: u8,
}
