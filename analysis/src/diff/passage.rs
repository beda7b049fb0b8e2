//! The arms that an input goes through, as the interpreter takes them.

use std::collections::HashMap;

use speclex_codegen::analyse::paths;
use speclex_codegen::machine::{Action, Body, Machine, StateId, TokenId};

use crate::body::address;
use crate::engine::{Permissions, Request};
use crate::interpreter::{Answer, Fault, Host, Interpreter};
use crate::paths::{ArmIndex, arms};
use crate::token::Token;

/// Which body of a state, and which end of its decision tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TakenPath {
    /// The state.
    pub(super) state: u32,
    /// The body.
    pub(super) arm: ArmIndex,
    /// The answers to its questions, from the top: a one, then a bit for each.
    pub(super) path: u32,
}

/// An arm that was taken, and the character that it was taken on, if it was one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Passage {
    pub(super) taken: TakenPath,
    pub(super) on: Option<char>,
}

/// The arms that each side goes through.
pub(super) type PassedArms = [Vec<Passage>; 2];

/// A body that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ran {
    pub(super) state: StateId,
    /// Where the body is: that tells bodies apart.
    pub(super) body: usize,
    /// The character that it ran on.
    pub(super) on: Option<char>,
}

/// Takes down which bodies run.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    pub(super) ran: Vec<Ran>,
    /// The tokens that came out and were not created anew since.
    pub(super) emitted: Vec<TokenId>,
    pub(super) permissions: Permissions,
    /// The questions that were asked, each once.
    pub(super) asked: Vec<String>,
}

impl Host for Watch {
    fn emitted(&mut self, _: &Token) -> Answer {
        Answer::Nothing
    }

    fn question(&mut self, question: &str) -> bool {
        if !self.asked.iter().any(|it| it == question) {
            self.asked.push(question.to_owned());
        }
        self.permissions.answer(question)
    }

    fn reached(&mut self, state: StateId, body: &Body, on: Option<char>) {
        for action in &body.actions {
            match action {
                Action::Emit(token) => self.emitted.push(*token),
                Action::Create(token, _) => self.emitted.retain(|it| it != token),
                _ => {}
            }
        }
        let body = address(body);
        self.ran.push(Ran { state, body, on });
    }
}

/// A machine of which one sees which bodies run.
pub(super) fn watched(machine: &Machine) -> Interpreter<'_, Watch> {
    Interpreter::with_host(machine, Watch::default())
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
            interpreter: watched(machine),
            ends,
        }
    }

    /// The arms that an input goes through, each once.
    pub(super) fn of(&mut self, request: &Request<'_>) -> Result<Vec<Passage>, Fault> {
        let interpreter = &mut self.interpreter;
        interpreter.reset();
        *interpreter.host() = Watch {
            permissions: Permissions::of(request),
            ..Watch::default()
        };
        interpreter.start_as(request)?;
        interpreter.feed(request.input)?;
        interpreter.end()?;
        interpreter.take_output();
        let ran = std::mem::take(&mut interpreter.host().ran);
        let passed = ran.into_iter().filter_map(|ran| {
            let taken = *self.ends.get(&ran.body)?;
            Some(Passage { taken, on: ran.on })
        });
        let mut passed: Vec<Passage> = passed.collect();
        passed.sort_unstable();
        passed.dedup();
        Ok(passed)
    }
}
