//! Two machines side by side on the same input.

use speclex_codegen::machine::{Feedback, Machine};

use super::outputs::{Divergence, Outputs};
use super::{Step, Tracer};
use crate::diff::{ErrorComparison, Setup};
use crate::interpreter::Fault;
use crate::position::Position;

/// What both machines do at one place of the input.
#[derive(Clone, Debug)]
pub struct Block {
    /// Byte offset in the input.
    pub offset: u64,
    /// The same for people.
    pub at: Position,
    /// The steps of each; none where its state has consumed more at once.
    pub steps: [Vec<Step>; 2],
    /// Where outputs part here.
    pub divergences: Vec<Divergence>,
    /// After a difference both are where the same content starts.
    pub together: bool,
}

impl Block {
    /// The arms with which the two fall out of step here, as `STATE on INPUT`; `None` where a side does nothing.
    pub fn arms(&self) -> [Option<String>; 2] {
        let [one, other] = &self.steps;
        let both = one.iter().zip(other);
        let common = both.take_while(|(a, b)| a.does_as(b)).count();
        [0, 1].map(|side| self.steps[side].get(common).map(Step::arm))
    }

    /// Whether both did the same, in the same words.
    pub fn same(&self) -> bool {
        let [one, other] = &self.steps;
        one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.does_as(b))
    }
}

/// Runs two machines.
#[derive(Debug)]
pub struct Beside<'m> {
    machines: [&'m Machine; 2],
    tracers: [Tracer<'m>; 2],
    /// For each side the step after those of the block.
    ahead: [Option<Step>; 2],
    under_way: Option<Block>,
    outputs: Outputs,
    ended: bool,
    /// The end was compared.
    done: bool,
}

impl<'m> Beside<'m> {
    /// Two machines at the start of a content.
    ///
    /// # Errors
    /// When a table has no such content.
    pub fn new(machines: [&'m Machine; 2], setup: &Setup) -> Result<Self, Fault> {
        let [one, other] = machines;
        Ok(Self {
            machines,
            tracers: [Tracer::new(one, setup)?, Tracer::new(other, setup)?],
            ahead: [None, None],
            under_way: None,
            outputs: Outputs::new(ErrorComparison::of(one, other)),
            ended: false,
            done: false,
        })
    }

    /// As [`Tracer::read_page`], for both.
    pub fn read_page(&mut self, feedback: Feedback, skip_bom: bool) {
        for tracer in &mut self.tracers {
            tracer.read_page(feedback, skip_bom);
        }
    }

    /// Adds input. Take the [blocks](Self::block) that it decides before the next piece.
    pub fn push(&mut self, text: &str) {
        for tracer in &mut self.tracers {
            tracer.push(text);
        }
    }

    /// Says that the input has ended.
    pub fn end(&mut self) {
        self.ended = true;
        for tracer in &mut self.tracers {
            tracer.end();
        }
    }

    /// What both do at the next place; `None` when more input is needed, or both have come to the end.
    ///
    /// # Errors
    /// When a machine is malformed.
    pub fn block(&mut self) -> Result<Option<Block>, Fault> {
        let waits = self.look_ahead()?;
        let mut block = match self.under_way.take() {
            Some(block) => block,
            None => {
                let first = self.ahead.iter().flatten().min_by_key(|step| step.offset);
                let Some(first) = first.filter(|_| !waits) else {
                    return Ok(None);
                };
                Block {
                    offset: first.offset,
                    at: first.at,
                    steps: [Vec::new(), Vec::new()],
                    divergences: Vec::new(),
                    together: false,
                }
            }
        };
        loop {
            let mut got_on = false;
            for side in [0, 1] {
                let here = |step: &mut Step| step.offset <= block.offset;
                if let Some(step) = self.ahead[side].take_if(here) {
                    self.outputs.add(side, &step);
                    block.steps[side].push(step);
                    got_on = true;
                }
            }
            if self.look_ahead()? {
                self.under_way = Some(block);
                return Ok(None);
            }
            if !got_on {
                break;
            }
        }
        self.judge(&mut block);
        Ok(Some(block))
    }

    /// Sees to it that the next step of each side is there. Whether one waits for more input.
    fn look_ahead(&mut self) -> Result<bool, Fault> {
        let mut waits = false;
        for (tracer, ahead) in self.tracers.iter_mut().zip(&mut self.ahead) {
            if ahead.is_none() {
                *ahead = tracer.step()?;
                waits |= ahead.is_none() && tracer.state().is_some();
            }
        }
        Ok(waits && !self.ended)
    }

    fn judge(&mut self, block: &mut Block) {
        block.divergences.extend(self.outputs.compare());
        let together = match &self.ahead {
            [Some(one), Some(other)] => {
                one.offset == other.offset && self.is_same_start(&one.state, &other.state)
            }
            _ => false,
        };
        if together {
            block.together = self.outputs.astray;
            block.divergences.extend(self.outputs.together());
        }
        if self.ahead.iter().all(Option::is_none) && !self.done {
            self.done = true;
            block.divergences.extend(self.outputs.end());
        }
    }

    /// Whether the same content starts in both states: nothing is half done there.
    fn is_same_start(&self, one: &str, other: &str) -> bool {
        let starts = |machine: &'m Machine, name: &str, content: &str| {
            machine.contents().any(|(entry, starts)| {
                let state = machine.states.get(entry.state.0 as usize);
                starts == content && state.is_some_and(|state| state.name == name)
            })
        };
        let [a, b] = self.machines;
        let mut contents = a.vocabulary.contents.iter();
        contents.any(|content| starts(a, one, content) && starts(b, other, content))
    }
}
