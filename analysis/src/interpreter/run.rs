//! Running states.

use speclex_codegen::machine::{
    Consume, ErrorId, LiteralArm, Next as Successor, StateId, StateKind, Target,
};

use super::fault::{Fault, dangling};
use super::input::Next;
use super::references::{self, Found};
use super::registers::Register;
use super::{Host, Interpreter, Step};

/// Steps that a machine may take without getting on, beyond one for each state: `check` follows the values of registers through
/// no more states than this to tell that a table does not run forever.
const PATIENCE: usize = 20_000;

impl<'m, H: Host> Interpreter<'m, H> {
    /// Runs states until more input is needed, a pause, the end or a fault.
    pub(super) fn run(&mut self) {
        while self.fault.is_none() && !self.paused {
            match self.run_step() {
                Ok(true) => {}
                Ok(false) => return,
                Err(fault) => self.fault = Some(fault),
            }
        }
    }

    /// Runs a state. `false`: more input is needed, or there is nothing to run.
    pub(super) fn run_step(&mut self) -> Result<bool, Fault> {
        self.inserted = 0;
        let waiting = self.step.take();
        let begun = match waiting {
            Some(step) => Some(step),
            None => self.begin()?,
        };
        let Some(mut step) = begun else {
            return Ok(false);
        };
        loop {
            let body = step.body;
            if !step.acted {
                if let Some(state) = self.state {
                    self.host.reached(state, body, step.current);
                }
                for action in &body.actions {
                    self.act(action, &mut step)?;
                }
                step.acted = true;
            }
            match &body.next {
                Successor::Go { target, reconsume } => {
                    self.go(&step, *target, *reconsume)?;
                    return Ok(true);
                }
                Successor::If {
                    guard,
                    then,
                    otherwise,
                } => {
                    let Some(holds) = self.holds(guard, &step)? else {
                        self.step = Some(step);
                        return Ok(false);
                    };
                    step.body = if holds { then } else { otherwise };
                    step.acted = false;
                }
            }
        }
    }

    /// Consumes what the state consumes. `None`: more input is needed, or there is no state.
    fn begin(&mut self) -> Result<Option<Step<'m>>, Fault> {
        let Some(id) = self.state.filter(|_| self.input.has_started()) else {
            return Ok(None);
        };
        let machine = self.machine;
        let state = machine.states.get(id.0 as usize);
        let state = state.ok_or_else(|| dangling("state"))?;
        let start = self.place;
        if self.dispatch[id.0 as usize].is_entry {
            self.token_start = self.input.offset(start).max(self.emitted);
        }
        Ok(match &state.kind {
            StateKind::Steps(body) => Some(Step::new(start, None, start, body)),
            StateKind::Match { matched, unmatched } => {
                match references::find(&machine.references, &self.input, start) {
                    Found::Unknown => None,
                    Found::None => Some(Step::new(start, None, start, unmatched)),
                    Found::Name(index, length) => {
                        self.matched = Some(index);
                        self.place += length;
                        Some(Step::new(start, None, self.place, matched))
                    }
                }
            }
            StateKind::Consume(consume) => self.begin_consuming(id, consume)?,
        })
    }

    fn begin_consuming(
        &mut self,
        id: StateId,
        consume: &'m Consume,
    ) -> Result<Option<Step<'m>>, Fault> {
        let start = self.place;
        if self.dispatch[id.0 as usize].literals {
            for literal in &consume.literals {
                match self.continues_with(literal) {
                    Some(true) => {
                        self.place += literal.text.chars().count();
                        let current = self.input.before(self.place);
                        let step = Step::new(start, current, self.place - 1, &literal.body);
                        return Ok(Some(Step {
                            literal: true,
                            ..step
                        }));
                    }
                    Some(false) => {}
                    None => return Ok(None),
                }
            }
        }
        let c = match self.input.at(start) {
            Next::Char(c) => c,
            Next::End => return Ok(Some(Step::new(start, None, start, &consume.eof))),
            Next::Unknown => return Ok(None),
        };
        let arms = self.dispatch[id.0 as usize].arms.as_ref();
        let arm = arms.and_then(|arms| arms.find(c));
        let arm = arm.and_then(|arm| consume.arms.get(arm));
        let arm = arm.ok_or_else(|| dangling("arm for a character"))?;
        if !arm.peeked {
            self.place += 1;
        }
        Ok(Some(Step::new(start, Some(c), start, &arm.body)))
    }

    /// Whether the input continues with a literal; `None` when more is needed to know.
    fn continues_with(&self, literal: &LiteralArm) -> Option<bool> {
        for (i, expected) in literal.text.chars().enumerate() {
            match self.input.at(self.place + i) {
                Next::Char(c) if c == expected => {}
                Next::Char(c) if literal.ignore_case && c.eq_ignore_ascii_case(&expected) => {}
                Next::Char(_) | Next::End => return Some(false),
                Next::Unknown => return None,
            }
        }
        // An empty one would consume nothing.
        Some(!literal.text.is_empty())
    }

    /// Reports the errors of the input stream in front of a place that have not been reported.
    pub(super) fn report_input_errors(&mut self, to: usize) -> Result<(), Fault> {
        while self.delivered < to {
            if let Next::Char(c) = self.input.at(self.delivered)
                && let Some(index) = self.input_errors.find(c)
            {
                let errors: &[(_, ErrorId)] = &self.machine.preprocessing.errors;
                let offset = self.input.offset(self.delivered);
                self.report(errors[index].1, offset)?;
            }
            self.delivered += 1;
        }
        Ok(())
    }

    /// Goes to a successor, unless the host's answer names another; nothing comes after the end.
    fn go(&mut self, step: &Step<'m>, target: Target, reconsume: bool) -> Result<(), Fault> {
        if reconsume {
            self.place = step.start;
        }
        self.look_aheads.clear();
        match (step.answer, target) {
            (_, Target::End) => {
                self.state = None;
                self.finished = true;
            }
            (Some(entry), _) => self.enter(entry),
            (None, Target::State(state)) => self.state = Some(state),
            (None, Target::Register(register)) => match self.registers.get(register) {
                Some(Register::State(state)) => self.state = *state,
                _ => return Err(dangling("state register")),
            },
        }
        let dispatch = self.state.map(|state| self.dispatch.get(state.0 as usize));
        if !dispatch.flatten().is_some_and(|state| state.needs_mark) {
            self.mark = None;
        }
        // What is in front of this place is not read again, so no state reports an error there any more.
        self.report_input_errors(self.mark.map_or(self.place, |mark| mark.min(self.place)))?;
        self.check_progress(step)
    }

    /// Stops a machine that would run for ever: one that neither gets on nor comes to an end.
    fn check_progress(&mut self, step: &Step<'m>) -> Result<(), Fault> {
        let patience = self.machine.states.len() + PATIENCE;
        if self.place > step.start {
            self.idle = 0;
        } else {
            self.idle += 1;
        }
        if self.place < step.start {
            let gets_on = self.place > self.rewound;
            self.rewound = self.place;
            self.rewinds = if gets_on { 0 } else { self.rewinds + 1 };
        }
        if self.idle <= patience && self.rewinds <= patience || self.finished {
            return Ok(());
        }
        let state = self
            .state
            .and_then(|id| self.machine.states.get(id.0 as usize));
        Err(Fault::Stuck {
            state: state.map(|state| state.name.clone()).unwrap_or_default(),
            offset: self.input.offset(self.place),
        })
    }
}
