//! What a builder notes for those who follow it.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use speclex_codegen::machine::StateId;
use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::{BodyId, ModeId};

use crate::position::Position;
use crate::trace::Reported;

/// What happened with one token, or with a run of characters with which the same happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenStep {
    /// Byte offset of the token in the input.
    pub offset: u64,
    /// The same for people.
    pub at: Position,
    /// The states of the tokenizer that read it, each once for a run.
    pub states: Vec<String>,
    /// The token: `start tag "p"`.
    pub token: String,
    /// The arms that took it, in order.
    pub arms: Vec<TakenArm>,
    /// What has another value than before: insertion modes, the stack, the list, variables, and each with its value.
    pub changed: Vec<(String, String)>,
    /// The nodes that were inserted or got more text, and where they are: `<p> in html > body`.
    pub placed: Vec<String>,
    /// The host steps that ran and that only a host of the user's own knows.
    pub hosts: Vec<HostEvent>,
    /// Parse errors of both stages.
    pub errors: Vec<Reported>,
}

/// An arm that took a token, or took over again after another one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TakenArm {
    /// The insertion mode.
    pub mode: String,
    /// The arm's key.
    pub arm: String,
    /// The steps that were done, as written, and the answers to what was asked.
    pub steps: Vec<String>,
}

/// A host step that ran and that only a host of the user's own knows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostEvent {
    /// Byte offset of the token in the input.
    pub offset: u64,
    /// Its name.
    pub step: String,
    /// What it was given: the names of elements, `null`, and words for other nodes.
    pub arguments: Vec<String>,
}

impl fmt::Display for HostEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "host: {} {}", self.step, self.arguments.join(", "))
    }
}

/// A place that is not known yet.
pub(super) const UNKNOWN: Position = Position { line: 0, column: 0 };

/// A token as the builder notes it.
#[derive(Clone, Debug)]
pub(super) struct Noted {
    pub(super) step: TokenStep,
    pub(super) end: u64,
    pub(super) states: Vec<StateId>,
    /// The first characters of a run; of other tokens empty.
    pub(super) text: String,
}

/// What the builder notes while it runs.
#[derive(Clone, Debug)]
pub(super) struct Log {
    pub(super) arms: HashMap<BodyId, (ModeId, String)>,
    pub(super) states: Vec<StateId>,
    pub(super) running: Option<BodyId>,
    pub(super) taken: Vec<TakenArm>,
    /// What all later tokens depend on, for people.
    pub(super) known: Vec<(String, String)>,
    pub(super) noted: VecDeque<Noted>,
}

impl Log {
    pub(super) fn new(machine: &TreeMachine) -> Self {
        let modes = machine.modes.iter().enumerate();
        let arms = modes.flat_map(|(mode, rules)| {
            let key = |key: &str| key.split_whitespace().collect::<Vec<_>>().join(" ");
            rules
                .arms
                .iter()
                .map(move |arm| (arm.body, (mode, key(&arm.key))))
        });
        Self {
            arms: arms.collect(),
            states: Vec::new(),
            running: None,
            taken: Vec::new(),
            known: Vec::new(),
            noted: VecDeque::new(),
        }
    }

    /// Notes a state of the tokenizer.
    pub(super) fn state(&mut self, state: StateId) {
        if self.states.last() != Some(&state) && self.states.len() < SHOWN {
            self.states.push(state);
        }
    }
}

/// How many characters of a text, and how many states, are shown.
pub(super) const SHOWN: usize = 60;

/// A text in quotes, cut where it is long.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}", format!("{}…", &text[..end])),
        None => format!("{text:?}"),
    }
}
