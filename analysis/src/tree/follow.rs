//! A document through tokenizer and builder, token by token: the states that read it, the arms that took it, what they did, and what
//! changed by that.

use std::collections::VecDeque;

use speclex_codegen::machine::Machine;
use speclex_codegen::tree::TreeMachine;

use super::document::{Driver, Refusal, check_context};
use super::log::{Log, Noted, TokenStep, UNKNOWN, cut};
use super::outside::Environment;
use crate::interpreter::Interpreter;
use crate::position::Window;
use crate::trace::Reported;

/// Runs both tables and says what happens with each token.
#[derive(Debug)]
pub struct Follower<'m> {
    tokenizer: &'m Machine,
    interpreter: Interpreter<'m, Driver<'m>>,
    places: Window,
    /// Errors of the tokenizer that no step has yet.
    errors: VecDeque<Reported>,
    ended: bool,
}

impl<'m> Follower<'m> {
    /// At the start of a document or fragment.
    ///
    /// # Errors
    /// When the table does not say how fragments are parsed.
    pub fn new(
        tokenizer: &'m Machine,
        tree: &'m TreeMachine,
        environment: &Environment,
    ) -> Result<Self, Refusal> {
        check_context(tree, environment)?;
        let mut interpreter = Interpreter::with_host(tokenizer, Driver::new(tree, environment));
        let builder = &mut interpreter.host().builder;
        builder.log = Some(Log::new(tree));
        builder.tree.placed = Some(Vec::new());
        let known = builder.known();
        if let Some(log) = &mut builder.log {
            log.known = known;
        }
        if let Some(content) = builder.first_content() {
            interpreter.start(content)?;
        }
        if environment.skip_bom {
            interpreter.skip_bom();
        }
        Ok(Self {
            tokenizer,
            interpreter,
            places: Window::default(),
            errors: VecDeque::new(),
            ended: false,
        })
    }

    /// Adds input. Take the [steps](Self::step) that it decides before the next piece.
    ///
    /// # Errors
    /// When a table is malformed.
    pub fn push(&mut self, text: &str) -> Result<(), Refusal> {
        // Errors may be about characters that wait.
        let waiting = self.interpreter.host().builder.pending.first();
        let waiting = waiting.map_or(u64::MAX, |(_, span)| span.start);
        self.places
            .release(waiting.min(self.interpreter.token_start()));
        self.places.push(text);
        self.interpreter.feed(text)?;
        self.locate();
        Ok(())
    }

    /// Says where the tokens and errors are that the last piece decided.
    fn locate(&mut self) {
        let places = &self.places;
        let errors = self.interpreter.take_output().errors.into_iter();
        self.errors.extend(errors.map(|error| Reported {
            at: places.position(error.offset),
            code: error.code,
            offset: error.offset,
        }));
        let log = self.interpreter.host().builder.log.iter_mut();
        let noted = log.flat_map(|log| log.noted.iter_mut().rev());
        for noted in noted.take_while(|noted| noted.step.at == UNKNOWN) {
            noted.step.at = places.position(noted.step.offset);
            for error in &mut noted.step.errors {
                error.at = places.position(error.offset);
            }
        }
    }

    /// Says that the input has ended.
    ///
    /// # Errors
    /// When a table is malformed.
    pub fn end(&mut self) -> Result<(), Refusal> {
        self.interpreter.end()?;
        let end = self.interpreter.end_of_file().unwrap_or_default();
        let builder = &mut self.interpreter.host().builder;
        builder.end_of_file(end);
        self.ended = true;
        let fault = builder.fault().cloned();
        self.locate();
        fault.map_or(Ok(()), |fault| Err(Refusal::Tree(fault)))
    }

    /// What happened with the next token; `None` when more input is needed, or there is none.
    pub fn step(&mut self) -> Option<TokenStep> {
        let ended = self.ended;
        let log = self.interpreter.host().builder.log.as_mut()?;
        // The run of the last one may be longer.
        if log.noted.len() < 2 && !ended {
            return None;
        }
        let noted = log.noted.pop_front()?;
        let is_last = log.noted.is_empty();
        let Noted {
            mut step,
            end,
            states,
            text,
        } = noted;
        let machine = self.tokenizer;
        let states = states
            .iter()
            .filter_map(|id| machine.states.get(id.0 as usize));
        step.states = states.map(|state| state.name.clone()).collect();
        if !text.is_empty() {
            step.token += &format!(" {}", cut(&text));
        }
        let stream = &mut self.errors;
        let before = stream
            .iter()
            .take_while(|it| it.offset < end || is_last && ended)
            .count();
        step.errors.splice(0..0, stream.drain(..before));
        Some(step)
    }

    /// What has been built so far, in html5lib's form, and how many errors there were.
    pub fn outcome(&mut self) -> (String, usize) {
        let builder = &self.interpreter.host().builder;
        (builder.tree.dump(), builder.errors.len())
    }
}
