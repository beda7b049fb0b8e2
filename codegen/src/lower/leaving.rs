//! Steps on leaving a state run on the paths that leave it, and on no other.

use super::Lowering;
use super::path::{Context, Frame, FrameKind, Path};
use crate::check::model::{Goal, Step, StepKind};

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

    /// How paths through a list end it and go on after it, from any of the states in `from`.
    fn outcomes(&self, context: &Context<'c>, steps: &[Step], from: u8, depth: u8) -> (u8, u8) {
        let (mut ended, mut now) = (0, from);
        for step in steps {
            match &step.kind {
                StepKind::Go(goal, _) => now = self.goal_bit(context, *goal),
                StepKind::EmitEof | StepKind::Attempt { .. } | StepKind::Return(_) => {
                    return (ended | LEAVE, 0);
                }
                StepKind::AsAnythingElse | StepKind::StepList(_) if depth > 20 => {}
                StepKind::AsAnythingElse => {
                    let steps = context.anything_else.unwrap_or(&[]);
                    let (ends, goes_on) = self.outcomes(context, steps, now, depth + 1);
                    ended |= ends;
                    now = goes_on;
                }
                StepKind::StepList(index) => {
                    let steps = &self.checked.step_lists[*index];
                    let (ends, goes_on) = self.outcomes(context, steps, now, depth + 1);
                    ended |= ends;
                    now = goes_on;
                }
                StepKind::If(branches, otherwise) => {
                    let lists = branches.iter().map(|(_, steps)| steps);
                    let mut after = 0;
                    for bit in [NONE, STAY, LEAVE].into_iter().filter(|bit| now & bit != 0) {
                        for steps in lists.clone().chain([otherwise]) {
                            let (ends, goes_on) = self.outcomes(context, steps, bit, depth + 1);
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
