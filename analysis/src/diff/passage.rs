//! The arms that an input goes through, as the interpreter takes them.

use std::collections::HashMap;

use speclex_codegen::analyse::paths;
use speclex_codegen::machine::{Body, Machine, StateId};

use super::runner::steps::TakenPath;
use crate::engine::{CDATA_ALLOWED, Request};
use crate::interpreter::{Answer, Fault, Host, Interpreter};
use crate::paths::arms;
use crate::token::Token;

/// An arm that was taken, and the character that it was taken on, if it was one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Passage {
    pub(super) taken: TakenPath,
    pub(super) on: Option<char>,
}

/// The arms that each side goes through.
pub(super) type PassedArms = [Vec<Passage>; 2];

/// Takes down which bodies run.
#[derive(Debug, Default)]
struct Watch {
    /// Where the bodies are, with the characters that they ran on.
    ran: Vec<(usize, Option<char>)>,
    cdata_allowed: bool,
}

impl Host for Watch {
    fn emitted(&mut self, _: &Token) -> Answer {
        Answer::Nothing
    }

    fn question(&mut self, question: &str) -> bool {
        self.cdata_allowed && question == CDATA_ALLOWED
    }

    fn reached(&mut self, _: StateId, body: &Body, current: Option<char>) {
        self.ran.push((address(body), current));
    }
}

/// Bodies are told apart by where they are.
fn address(body: &Body) -> usize {
    std::ptr::from_ref(body).addr()
}

/// A machine that tells which arms it takes.
pub(super) struct Passages<'m> {
    interpreter: Interpreter<'m, Watch>,
    /// For each body with which an arm ends, by where it is, the arm and the way to it.
    ends: HashMap<usize, TakenPath>,
}

impl<'m> Passages<'m> {
    pub(super) fn new(machine: &'m Machine) -> Self {
        let mut ends = HashMap::new();
        for (state, declared) in (0..).zip(&machine.states) {
            for arm in arms(declared) {
                ends.extend(paths(arm.body).into_iter().map(|path| {
                    let taken = TakenPath {
                        state,
                        arm: arm.index,
                        path: path.number,
                    };
                    (address(path.leaf), taken)
                }));
            }
        }
        Self {
            interpreter: Interpreter::with_host(machine, Watch::default()),
            ends,
        }
    }

    /// The arms that an input goes through, each once.
    pub(super) fn of(&mut self, request: &Request<'_>) -> Result<Vec<Passage>, Fault> {
        let interpreter = &mut self.interpreter;
        interpreter.reset();
        *interpreter.host() = Watch {
            ran: Vec::new(),
            cdata_allowed: request.cdata_allowed,
        };
        interpreter.set_feedback(request.feedback);
        if request.skip_bom {
            interpreter.skip_bom();
        }
        if let Some(content) = request.content {
            interpreter.start(content)?;
        }
        if let Some(name) = request.last_start_tag {
            interpreter.set_last_start_tag(name);
        }
        interpreter.feed(request.input)?;
        interpreter.end()?;
        interpreter.take_output();
        let ran = std::mem::take(&mut interpreter.host().ran);
        let passed = ran.into_iter().filter_map(|(address, on)| {
            let taken = *self.ends.get(&address)?;
            Some(Passage { taken, on })
        });
        let mut passed: Vec<Passage> = passed.collect();
        passed.sort_unstable();
        passed.dedup();
        Ok(passed)
    }
}
