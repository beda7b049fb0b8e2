//! The executable reference: runs a machine character by character, as its model says.
//!
//! It is naive on purpose and shares nothing with generated code: it has its own buffer, its own look
//! ahead and its own search in the named character references.

mod actions;
mod configuration;
mod construction;
mod dispatch;
mod effects;
mod fault;
mod guards;
mod host;
mod input;
mod references;
mod registers;
mod retention;
mod run;
mod stepping;

use std::sync::Arc;

use speclex_codegen::machine::{Body, Entry, Feedback, Machine, StateId};

pub(crate) use configuration::RegisterValue;
pub use effects::effects;
pub use fault::Fault;
pub use host::{Answer, Host, Silent};

use crate::character_classes::SetIndex;
use crate::token::Output;
use construction::Constructions;
use dispatch::Dispatch;
use fault::dangling;
pub(crate) use input::Input;
pub(crate) use references::{Found, find};
use registers::{Register, Registers};

/// A chunk is decoded in pieces of this many bytes, since a decoded character takes much more.
const PIECE: usize = 1 << 11;

/// Where feeding stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// More input may come.
    Ready,
    /// The host asked for a pause; [`Interpreter::resume`] goes on.
    Paused,
    /// The machine has emitted the end-of-file token.
    Finished,
}

/// A state being run: what it consumed is known, and some of what it does is done.
#[derive(Clone, Debug)]
struct Step<'m> {
    /// The place before the state consumed anything.
    start: usize,
    /// The current input character.
    current: Option<char>,
    /// Where its errors are.
    error_place: usize,
    /// Whether it consumed a literal: if that is put back, errors are where it starts.
    literal: bool,
    /// What is to be done.
    body: &'m Body,
    /// Whether the body's actions are done, so that only its end is left.
    acted: bool,
    /// The entry that the host's answer names.
    answer: Option<&'m Entry>,
}

impl<'m> Step<'m> {
    fn new(start: usize, current: Option<char>, error_place: usize, body: &'m Body) -> Self {
        Self {
            start,
            current,
            error_place,
            literal: false,
            body,
            acted: false,
            answer: None,
        }
    }
}

/// Runs a machine.
///
/// Feed it the input in any chunks, then [`end`](Self::end) it. The output does not depend on the
/// chunks: where the machine looks ahead and the characters are not there yet, it waits. Errors of states come in the order
/// in which the states report them, and one of the input stream before the first of those at a greater offset.
#[derive(Clone, Debug)]
pub struct Interpreter<'m, H = Silent> {
    machine: &'m Machine,
    host: H,
    feedback: Feedback,
    dispatch: Arc<[Dispatch]>,
    input_errors: Arc<SetIndex>,
    look_behind: usize,

    input: Input,
    /// The place of the next input character.
    place: usize,
    /// The place before which errors of the input stream have been reported.
    delivered: usize,
    /// How many bytes at that place were inserted since the machine ran last.
    inserted: usize,
    /// The byte offset at which the next token starts. Offsets need no input: a place would keep all that a token consumes.
    token_start: u64,
    /// The byte offset at which the emission before ended, which may be behind what was put back since.
    emitted: u64,
    /// `None` before the start, and after the end.
    state: Option<StateId>,
    finished: bool,
    /// Where the end-of-file token was emitted.
    end_of_file: u64,
    step: Option<Step<'m>>,

    registers: Registers,
    tokens: Constructions<'m>,
    last_start_tag: Option<Vec<char>>,
    /// Index of the named character reference matched last.
    matched: Option<usize>,
    mark: Option<usize>,

    paused: bool,
    refusal: Option<Fault>,
    fault: Option<Fault>,
    /// Steps since one that got on.
    idle: usize,
    /// The place that the machine put characters back to last, and how often it did so without getting on.
    rewound: usize,
    rewinds: usize,
    /// How far guards (by address) have looked ahead in the step that waits.
    look_aheads: Vec<(usize, usize)>,
    scratch: String,
    output: Output,
}

impl<'m> Interpreter<'m> {
    /// An interpreter in the machine's initial state, whose host says nothing.
    pub fn new(machine: &'m Machine) -> Self {
        Self::with_host(machine, Silent)
    }
}

impl<'m, H: Host> Interpreter<'m, H> {
    /// An interpreter in the machine's initial state.
    pub fn with_host(machine: &'m Machine, host: H) -> Self {
        let needs_mark = retention::states_needing_mark(machine);
        let mut is_entry = vec![false; machine.states.len()];
        for entry in &machine.entries {
            if let Some(is_entry) = is_entry.get_mut(entry.state.0 as usize) {
                *is_entry = true;
            }
        }
        let flags = is_entry.iter().zip(&needs_mark);
        let dispatch = (machine.states.iter().zip(flags))
            .map(|(state, (&is_entry, &needs_mark))| Dispatch::new(state, is_entry, needs_mark))
            .collect();
        let mut interpreter = Self {
            machine,
            host,
            feedback: Feedback::Off,
            dispatch,
            input_errors: Arc::new(SetIndex::new(
                machine.preprocessing.errors.iter().map(|(set, _)| set),
            )),
            look_behind: retention::look_behind(machine),
            input: Input::new(false, false),
            place: 0,
            delivered: 0,
            inserted: 0,
            token_start: 0,
            emitted: 0,
            state: None,
            finished: false,
            end_of_file: 0,
            step: None,
            registers: Registers::new(machine),
            tokens: Constructions::new(machine),
            last_start_tag: None,
            matched: None,
            mark: None,
            paused: false,
            refusal: None,
            fault: None,
            idle: 0,
            rewound: 0,
            rewinds: 0,
            look_aheads: Vec::new(),
            scratch: String::new(),
            output: Output::default(),
        };
        interpreter.reset();
        interpreter
    }

    /// Forgets the input and all that came of it: back to the machine's initial state.
    pub fn reset(&mut self) {
        let preprocessing = &self.machine.preprocessing;
        self.input = Input::new(preprocessing.drop_bom, preprocessing.normalize_newlines);
        (self.place, self.delivered, self.inserted) = (0, 0, 0);
        (self.token_start, self.emitted) = (0, 0);
        self.finished = false;
        self.step = None;
        self.registers = Registers::new(self.machine);
        self.tokens = Constructions::new(self.machine);
        self.last_start_tag = None;
        self.matched = None;
        self.mark = None;
        self.paused = false;
        self.refusal = None;
        self.fault = None;
        (self.idle, self.rewound, self.rewinds) = (0, 0, 0);
        self.look_aheads.clear();
        self.output = Output::default();
        self.state = None;
        match self.machine.entries.first() {
            Some(entry) => self.enter(entry),
            None => self.fault = Some(dangling("initial state")),
        }
    }

    /// The host.
    pub fn host(&mut self) -> &mut H {
        &mut self.host
    }

    /// The host, when the interpreter is done.
    pub fn into_host(self) -> H {
        self.host
    }

    /// Sets whether the table says what follows a start tag to which the host says nothing. Without it an interpreter runs
    /// the states alone.
    pub fn set_feedback(&mut self, feedback: Feedback) {
        self.feedback = feedback;
    }

    /// Skips a byte order mark at the start, as who decodes bytes does, besides the one that the table may drop. Call it
    /// before the first [`feed`](Self::feed).
    pub fn skip_bom(&mut self) {
        self.input.skip_bom();
    }

    /// Starts in the entry state for a content, or switches to it during a pause; not after the end.
    ///
    /// # Errors
    /// When the table has no entry for it.
    pub fn start(&mut self, content: &str) -> Result<(), Fault> {
        let entry = self.entry(content)?;
        if !self.finished {
            self.enter(entry);
        }
        Ok(())
    }

    /// Sets the name of the last start tag emitted.
    pub fn set_last_start_tag(&mut self, name: &str) {
        self.last_start_tag = Some(name.chars().collect());
        // What a guard has found ahead is of the name before.
        self.look_aheads.clear();
    }

    /// Runs on as far as this text decides.
    ///
    /// # Errors
    /// When the host asked for a content without an entry, which was ignored: [`resume`](Self::resume) goes on. Or when
    /// the machine is malformed: nothing more happens then.
    pub fn feed(&mut self, text: &str) -> Result<Status, Fault> {
        let mut rest = text;
        while !rest.is_empty() {
            let mut cut = rest.len().min(PIECE);
            while !rest.is_char_boundary(cut) {
                cut -= 1;
            }
            let (piece, after) = rest.split_at(cut);
            rest = after;
            self.input.push(piece);
            self.run();
            self.release();
        }
        self.status()
    }

    /// Puts text in at the insertion point, as `document.write` does: in front of the input not yet read, and behind what was
    /// inserted since the machine ran last. For a pause, so that [`resume`](Self::resume) runs on in it.
    pub fn insert(&mut self, text: &str) {
        // What is behind it is read with other offsets.
        self.delivered = self.delivered.min(self.place);
        self.input.insert(self.place, self.inserted, text);
        self.inserted += text.len();
        self.look_aheads.clear();
    }

    /// Goes on after a pause.
    ///
    /// # Errors
    /// As for [`feed`](Self::feed).
    pub fn resume(&mut self) -> Result<Status, Fault> {
        self.paused = false;
        self.run();
        self.status()
    }

    /// Says that the input has ended and runs to the end-of-file token, or to a pause.
    ///
    /// # Errors
    /// As for [`feed`](Self::feed).
    pub fn end(&mut self) -> Result<Status, Fault> {
        self.input.finish();
        self.run();
        self.status()
    }

    /// Where the input ended, in bytes, if it has: where the end-of-file token stands.
    pub fn end_of_file(&self) -> Option<u64> {
        self.finished.then_some(self.end_of_file)
    }

    /// Takes what came out so far.
    pub fn take_output(&mut self) -> Output {
        std::mem::take(&mut self.output)
    }

    fn status(&mut self) -> Result<Status, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if let Some(refusal) = self.refusal.take() {
            return Err(refusal);
        }
        Ok(if self.finished {
            Status::Finished
        } else if self.paused {
            Status::Paused
        } else {
            Status::Ready
        })
    }

    fn entry(&self, content: &str) -> Result<&'m Entry, Fault> {
        let entry = self.machine.entry(content);
        entry.ok_or_else(|| Fault::NoEntry(content.to_owned()))
    }

    fn enter(&mut self, entry: &Entry) {
        for &(register, value) in &entry.sets {
            if let Err(fault) = self.registers.set(register, Register::Finite(value)) {
                self.fault = Some(fault);
            }
        }
        self.state = Some(entry.state);
    }

    /// Lets go of input that is not read again.
    fn release(&mut self) {
        let mut keep = self.place.saturating_sub(self.look_behind);
        keep = keep.min(self.delivered);
        if let Some(step) = &self.step {
            keep = keep.min(step.start).min(step.error_place);
        }
        if let Some(mark) = self.mark {
            keep = keep.min(mark);
        }
        self.input.release(keep);
    }
}
