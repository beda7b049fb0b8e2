//! A document or fragment from its text: the tokenizer and the builder in one go, token by token.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use speclex_codegen::machine::{Body, Machine, StateId};
use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::{BodyId, ModeId};

use super::arena::{NodeId, Tree};
use super::builder::{Builder, Fault};
use super::errors::TreeError;
use super::log::HostEvent;
use super::outside::Environment;
use super::passed::Passed;
use crate::interpreter::{self, Answer, Host, Interpreter};
use crate::token::{Emitted, Output, ParseError, StreamErrors, Token};

/// What came of a document.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// What was built.
    pub tree: Tree,
    /// The tokens of the tokenizer.
    pub tokens: Vec<Emitted>,
    /// The errors of the tokenizer, by place.
    pub tokenizer_errors: Vec<ParseError>,
    /// The errors of tree construction, in the order of the tokens.
    pub tree_errors: Vec<TreeError>,
    /// The bodies of arms and procedures that have run.
    pub ran: BTreeSet<BodyId>,
    /// Which of their blocks have, the answers to the questions there, and the names by which arms took tokens.
    pub passed: BTreeSet<Passed>,
    /// The insertion mode before the end-of-file token, and the namespace and name of the current node there.
    pub before_end: (ModeId, String),
    /// The host steps that have run, by their numbers: one entry for each argument, and one for a step without any.
    pub host_calls: Vec<(usize, Option<NodeId>)>,
    /// Those of them that only a host of the user's own knows.
    pub host_events: Vec<HostEvent>,
    /// Hashes of all that later tokens depend on, but for the tree: by names alone, and with the places of nodes.
    pub situation: [u64; 2],
}

/// Why nothing came of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The table of tree construction comes to no end.
    Tree(Fault),
    /// Something else: a text for people.
    Other(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tree(fault) => fault.fmt(f),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<interpreter::Fault> for Refusal {
    fn from(fault: interpreter::Fault) -> Self {
        Self::Other(fault.to_string())
    }
}

/// Parses a document, or a fragment if the environment has a context element, with interpreters of both tables.
///
/// # Errors
/// When the table does not say how fragments are parsed, or a table is malformed.
pub fn parse(
    tokenizer: &Machine,
    tree: &TreeMachine,
    input: &str,
    environment: &Environment,
) -> Result<Parsed, Refusal> {
    Parser::new(tokenizer, tree).parse(input, environment)
}

/// Interpreters of both tables, for many documents: they are made once.
#[derive(Clone, Debug)]
pub struct Parser<'m> {
    tree: &'m TreeMachine,
    interpreter: Interpreter<'m, Driver<'m>>,
    stream_errors: StreamErrors,
}

impl<'m> Parser<'m> {
    /// For these tables.
    pub fn new(tokenizer: &'m Machine, tree: &'m TreeMachine) -> Self {
        let driver = Driver::new(tree, &Environment::default());
        Self {
            tree,
            interpreter: Interpreter::with_host(tokenizer, driver),
            stream_errors: StreamErrors::of(tokenizer),
        }
    }

    /// Takes another table of tree construction from now on.
    pub fn set_tree(&mut self, tree: &'m TreeMachine) {
        self.tree = tree;
    }

    /// Parses a document or a fragment.
    ///
    /// # Errors
    /// As for [`parse`].
    pub fn parse(&mut self, input: &str, environment: &Environment) -> Result<Parsed, Refusal> {
        check_context(self.tree, environment)?;
        let interpreter = &mut self.interpreter;
        interpreter.reset();
        *interpreter.host() = Driver::new(self.tree, environment);
        if let Some(content) = interpreter.host().builder.first_content() {
            interpreter.start(content)?;
        }
        if environment.skip_bom {
            interpreter.skip_bom();
        }
        interpreter.feed(input)?;
        interpreter.end()?;
        let output = interpreter.take_output();
        let end = interpreter.end_of_file().unwrap_or(input.len() as u64);
        let done = Driver::new(self.tree, &Environment::default());
        let mut builder = std::mem::replace(interpreter.host(), done).builder;
        let host_calls = std::mem::take(&mut builder.host_calls);
        let before_end = builder.state();
        let situation = [false, true].map(|with_places| builder.situation(with_places));
        let (tree, tree_errors, passed, host_events) =
            builder.finish(end).map_err(Refusal::Tree)?;
        let output = output.with_sorted_errors(&self.stream_errors);
        Ok(Parsed {
            tree,
            tokens: output.tokens,
            tokenizer_errors: output.errors,
            tree_errors,
            ran: passed.iter().filter_map(|it| it.body()).collect(),
            passed,
            before_end,
            host_calls,
            host_events,
            situation,
        })
    }
}

/// Refuses a fragment if the table does not say how it is parsed.
pub(super) fn check_context(tree: &TreeMachine, environment: &Environment) -> Result<(), Refusal> {
    if environment.context.is_some() && tree.fragments.is_none() {
        let name = &tree.name;
        let text = format!("the table {name} does not say how fragments are parsed");
        return Err(Refusal::Other(text));
    }
    Ok(())
}

/// Builds the tree of a tokenizer's whole output, for tables that say nothing to the tokenizer.
///
/// `end` is where the end-of-file token is: the length of the input.
///
/// # Errors
/// When the table is malformed.
pub fn construct(
    machine: &TreeMachine,
    output: &Output,
    end: u64,
) -> Result<(Tree, Vec<TreeError>), Fault> {
    let mut builder = Builder::new(machine, &Environment::default());
    for emitted in &output.tokens {
        builder.token(&emitted.token, emitted.span.clone());
    }
    builder.end(end)
}

/// Hands tokens on to a builder, and its answers to the tokenizer.
#[derive(Clone, Debug)]
pub(super) struct Driver<'m> {
    pub(super) builder: Builder<'m>,
    /// What follows the token that was handed on last.
    content: Option<String>,
}

impl<'m> Driver<'m> {
    pub(super) fn new(tree: &'m TreeMachine, environment: &Environment) -> Self {
        Self {
            builder: Builder::new(tree, environment),
            content: None,
        }
    }
}

impl Host for Driver<'_> {
    fn emitted(&mut self, _: &Token) -> Answer {
        self.content.take().map_or(Answer::Nothing, Answer::Content)
    }

    fn token(&mut self, token: &Token, span: &Range<u64>) {
        self.content = self.builder.token(token, span.clone());
    }

    fn text(&mut self, text: &str, span: &Range<u64>) {
        self.builder.characters(text, span.clone());
    }

    fn question(&mut self, question: &str) -> bool {
        self.builder.answer(question)
    }

    fn reached(&mut self, state: StateId, _: &Body, _: Option<char>) {
        if let Some(log) = &mut self.builder.log {
            log.state(state);
        }
    }
}
