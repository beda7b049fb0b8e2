//! Inputs run in the interpreter: nothing is claimed that was not seen there.

use std::collections::BTreeMap;

use speclex_codegen::machine::Machine;

use super::codes::names_agree;
use super::pair::Kind;
use crate::engine::{Engine, InterpreterEngine, Request};
use crate::token::{Output, ParseError, StreamErrors};

/// What an input starts with.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setup {
    /// The content; the initial one if `None`.
    pub content: Option<String>,
    /// The name of the last start tag.
    pub last_start_tag: Option<String>,
    /// The answer to questions.
    pub answer: bool,
}

impl Setup {
    /// A request for an input.
    pub fn request<'a>(&'a self, input: &'a str) -> Request<'a> {
        Request {
            input,
            content: self.content.as_deref(),
            last_start_tag: self.last_start_tag.as_deref(),
            cdata_allowed: self.answer,
            ..Request::default()
        }
    }
}

/// Whether the tokens are the same, wherever they are.
pub(super) fn same_tokens(one: &Output, other: &Output) -> bool {
    let [ours, theirs] = [one, other].map(|it| it.tokens.iter().map(|emitted| &emitted.token));
    ours.eq(theirs)
}

/// What differs between two outputs: the gravest that does.
pub fn difference(one: &Output, other: &Output) -> Option<Kind> {
    if !same_tokens(one, other) {
        return Some(Kind::Tokens);
    }
    let codes = |output: &Output| -> Vec<String> {
        output
            .errors
            .iter()
            .map(|error| error.code.clone())
            .collect()
    };
    let (ours, theirs) = (codes(one), codes(other));
    if !agree(&ours, &theirs) {
        return Some(Kind::Errors);
    }
    let spans = |output: &Output| -> Vec<_> {
        output
            .tokens
            .iter()
            .map(|emitted| emitted.span.clone())
            .collect()
    };
    (spans(one) != spans(other) || !same_places(&one.errors, &other.errors))
        .then_some(Kind::Positions)
}

fn agree(one: &[String], other: &[String]) -> bool {
    let one: Vec<&str> = one.iter().map(String::as_str).collect();
    let other: Vec<&str> = other.iter().map(String::as_str).collect();
    names_agree(&one, &other)
}

/// Whether the same errors are at the same places.
fn same_places(one: &[ParseError], other: &[ParseError]) -> bool {
    let by_place = |errors: &[ParseError]| {
        let mut places: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        for error in errors {
            places
                .entry(error.offset)
                .or_default()
                .push(error.code.clone());
        }
        places
    };
    let (ours, theirs) = (by_place(one), by_place(other));
    ours.keys().eq(theirs.keys()) && ours.values().zip(theirs.values()).all(|(a, b)| agree(a, b))
}

/// Two tables in the interpreter.
pub(super) struct Replay<'m> {
    engines: [InterpreterEngine<'m>; 2],
    streams: [StreamErrors; 2],
}

impl<'m> Replay<'m> {
    pub(super) fn new(machines: [&'m Machine; 2]) -> Self {
        Self {
            engines: machines.map(InterpreterEngine::new),
            streams: machines.map(StreamErrors::of),
        }
    }

    /// Both outputs; `None` when a side cannot run this.
    pub(super) fn outputs(&mut self, setup: &Setup, input: &str) -> Option<[Output; 2]> {
        let request = setup.request(input);
        let [one, other] = &mut self.engines;
        let one = one.tokenize(&request).ok()?;
        let other = other.tokenize(&request).ok()?;
        Some([
            one.coalesced().with_sorted_errors(&self.streams[0]),
            other.coalesced().with_sorted_errors(&self.streams[1]),
        ])
    }

    /// What differs.
    pub(super) fn difference(&mut self, setup: &Setup, input: &str) -> Option<Kind> {
        let [one, other] = self.outputs(setup, input)?;
        difference(&one, &other)
    }
}

/// Drops characters, and the setup, as long as what is wanted stays.
pub(super) fn shrink(
    setup: &mut Setup,
    input: &mut Vec<char>,
    wanted: &mut dyn FnMut(&Setup, &str) -> bool,
) {
    let text = |input: &[char]| input.iter().collect::<String>();
    let simpler = [
        Setup::default(),
        Setup {
            last_start_tag: None,
            ..setup.clone()
        },
        Setup {
            answer: false,
            ..setup.clone()
        },
    ];
    for simpler in simpler {
        if simpler != *setup && wanted(&simpler, &text(input)) {
            *setup = simpler;
            break;
        }
    }
    'again: loop {
        for at in 0..input.len() {
            let mut shorter = input.clone();
            shorter.remove(at);
            if wanted(setup, &text(&shorter)) {
                *input = shorter;
                continue 'again;
            }
        }
        return;
    }
}
