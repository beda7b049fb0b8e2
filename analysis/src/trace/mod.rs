//! What a machine does with an input, step by step.
//!
//! A [`Tracer`] runs the interpreter state by state and tells of each: where in the input it is, which arm it
//! takes, what it does, what changes by that and what comes out. It keeps no steps: memory does not grow with
//! the input. [`Beside`] runs two of them next to each other.

mod changes;
mod outputs;
mod path_text;
mod side_by_side;

use std::rc::Rc;

use speclex_codegen::machine::{Body, Feedback, Machine, StateId};

pub use outputs::Divergence;
pub use path_text::Said;
pub use side_by_side::{Beside, Block};

use crate::body::address;
use crate::diff::Setup;
use crate::engine::{Permissions, Request};
use crate::interpreter::{Answer, Fault, Host, Interpreter};
use crate::position::{Position, Window};
use crate::token::{Emitted, Output, Token};
use changes::Changes;
use path_text::{Kind, PathTexts};

/// What a state consumed, to look at or for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// A character, as the states see it: newlines are normalised.
    Character(char),
    /// A string.
    Text(String),
    /// The end of the input.
    End,
    /// Nothing.
    Nothing,
}

/// A parse error with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// Its code.
    pub code: String,
    /// Byte offset in the input.
    pub offset: u64,
    /// The same for people.
    pub at: Position,
}

/// What follows a start tag by the table's list of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Follows {
    /// The content: `script data`.
    pub content: String,
    /// The state that comes next.
    pub state: Rc<str>,
}

/// What one state did.
#[derive(Clone, Debug)]
pub struct Step {
    /// Counted from 1.
    pub number: u64,
    /// Byte offset of the next input character before it.
    pub offset: u64,
    /// The same for people.
    pub at: Position,
    /// The state's name.
    pub state: Rc<str>,
    /// What it consumed.
    pub read: Read,
    /// Which way it took.
    pub said: Rc<Said>,
    /// Variables and parts of tokens that changed, with their values; of long strings the end.
    pub changed: Vec<(Rc<str>, String)>,
    /// Tokens that were emitted.
    pub tokens: Vec<Emitted>,
    /// What follows the start tag among them, if that leads to another state than the step says.
    pub follows: Option<Follows>,
    /// Errors that were reported.
    pub errors: Vec<Reported>,
}

impl Step {
    /// The state and on what it took its way.
    pub fn arm(&self) -> String {
        match self.said.kind {
            Kind::Nothing if self.said.when.is_empty() => self.state.to_string(),
            _ => format!("{} on {}", self.state, self.said.on),
        }
    }

    /// Whether another machine's step is the same, in the same words.
    fn does_as(&self, other: &Self) -> bool {
        let (said, too) = (&self.said, &other.said);
        self.state == other.state
            && self.follows == other.follows
            && (&said.on, &said.when, &said.actions, &said.next)
                == (&too.on, &too.when, &too.actions, &too.next)
    }
}

/// Remembers which bodies ran.
#[derive(Clone, Debug, Default)]
struct Watch {
    leaf: usize,
    current: Option<char>,
    permissions: Permissions,
    /// The content that follows, by the table's list.
    follows: Option<String>,
}

impl Host for Watch {
    fn emitted(&mut self, _: &Token) -> Answer {
        Answer::Nothing
    }

    fn question(&mut self, question: &str) -> bool {
        self.permissions.answer(question)
    }

    fn followed(&mut self, content: &str) {
        self.follows = Some(content.to_owned());
    }

    fn reached(&mut self, _: StateId, body: &Body, current: Option<char>) {
        self.leaf = address(body);
        self.current = current;
    }
}

/// Runs a machine and tells of each step.
#[derive(Debug)]
pub struct Tracer<'m> {
    interpreter: Interpreter<'m, Watch>,
    path_texts: PathTexts<'m>,
    names: Vec<Rc<str>>,
    changes: Changes<'m>,
    places: Window,
    /// Where the step under way started, if it waits for more input.
    started: Option<(u64, StateId)>,
    number: u64,
}

impl<'m> Tracer<'m> {
    /// A tracer at the start of a content; of the machine's initial one, if none is given.
    ///
    /// # Errors
    /// When the table has no such content.
    pub fn new(machine: &'m Machine, setup: &Setup) -> Result<Self, Fault> {
        let request = Request {
            feedback: Feedback::Off,
            ..setup.request("")
        };
        let watch = Watch {
            permissions: Permissions::of(&request),
            ..Watch::default()
        };
        let mut interpreter = Interpreter::with_host(machine, watch);
        interpreter.start_as(&request)?;
        let states = machine.states.iter();
        Ok(Self {
            interpreter,
            path_texts: PathTexts::new(machine),
            names: states.map(|state| Rc::from(state.name.as_str())).collect(),
            changes: Changes::new(machine),
            places: Window::default(),
            started: None,
            number: 0,
        })
    }

    /// Sets whether the table says what follows start tags, and whether a byte order mark at the start is skipped. Without it
    /// the states run alone.
    pub fn read_page(&mut self, feedback: Feedback, skip_bom: bool) {
        self.interpreter.set_feedback(feedback);
        if skip_bom {
            self.interpreter.skip_bom();
        }
    }

    /// Adds input. Take the [steps](Self::step) that it decides before the next piece.
    pub fn push(&mut self, text: &str) {
        self.release();
        self.places.push(text);
        self.interpreter.push(text);
    }

    /// Says that the input has ended.
    pub fn end(&mut self) {
        self.interpreter.push_end();
    }

    /// The next step; `None` when more input is needed, or the end was reached.
    ///
    /// # Errors
    /// When the machine is malformed.
    pub fn step(&mut self) -> Result<Option<Step>, Fault> {
        let Some(state) = self.interpreter.state() else {
            return Ok(None);
        };
        let offset = self.interpreter.offset();
        let (offset, state) = *self.started.get_or_insert((offset, state));
        if !self.interpreter.step()? {
            return Ok(None);
        }
        self.started = None;
        self.number += 1;
        let Watch { leaf, current, .. } = *self.interpreter.host();
        let follows = self.interpreter.host().follows.take();
        let follows = follows.map(|content| Follows {
            content,
            state: self.state().map_or_else(Rc::default, Rc::from),
        });
        let said = self.path_texts.find(state, leaf);
        let read = match (&said.kind, current) {
            (Kind::Character, Some(c)) => Read::Character(c),
            (Kind::Literal(text), _) => Read::Text(text.clone()),
            (Kind::Eof, _) => Read::End,
            (Kind::Reference, _) => {
                Read::Text(self.interpreter.matched_name().unwrap_or_default().into())
            }
            _ => Read::Nothing,
        };
        let Output { tokens, errors } = self.interpreter.take_output().coalesced();
        let errors = errors.into_iter().map(|error| Reported {
            at: self.places.position(error.offset),
            code: error.code,
            offset: error.offset,
        });
        Ok(Some(Step {
            number: self.number,
            offset,
            at: self.places.position(offset),
            state: self
                .names
                .get(state.0 as usize)
                .cloned()
                .unwrap_or_default(),
            read,
            changed: self.changes.after(&self.interpreter, &said),
            said,
            tokens,
            follows,
            errors: errors.collect(),
        }))
    }

    /// The name of the state that comes next; `None` at the end.
    pub fn state(&self) -> Option<&str> {
        let state = self.interpreter.state()?;
        Some(self.names.get(state.0 as usize)?)
    }

    /// The byte offset of the next input character.
    pub fn offset(&self) -> u64 {
        self.interpreter.offset()
    }

    /// The place of a byte offset.
    pub fn place(&self, offset: u64) -> Position {
        self.places.position(offset)
    }

    /// Lets go of places that are not needed again.
    fn release(&mut self) {
        let mut keep = self
            .interpreter
            .offset()
            .min(self.interpreter.token_start());
        if let Some((started, _)) = self.started {
            keep = keep.min(started);
        }
        if let Some(mark) = self.interpreter.mark() {
            keep = keep.min(mark);
        }
        self.places.release(keep);
    }
}
