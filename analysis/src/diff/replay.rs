//! Inputs run in the interpreter: nothing is claimed that was not seen there.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use speclex_codegen::machine::{Feedback, Machine};

use crate::engine::{Engine, InterpreterEngine, Request};
use crate::error_comparison::ErrorComparison;
use crate::token::{Output, ParseError, StreamErrors};

/// What differs, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The tokens.
    Tokens,
    /// Only the errors.
    Errors,
    /// Only where tokens and errors are.
    Positions,
}

impl Kind {
    /// The gravest first.
    pub(super) const ALL: [Self; 3] = [Self::Tokens, Self::Errors, Self::Positions];
}

/// What an input starts with.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Setup {
    /// The content; the initial one if `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The name of the last start tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_start_tag: Option<String>,
    /// The answer to questions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub answer: bool,
    /// To these only, if there are any: all others are answered with no.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<String>,
    /// Whether scripting is enabled where the input is read as a page is: the table says what follows a start tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scripting: Option<bool>,
}

impl Setup {
    /// Whether the table says what follows a start tag.
    pub fn feedback(&self) -> Feedback {
        match self.scripting {
            None => Feedback::Off,
            Some(false) => Feedback::NoScripting,
            Some(true) => Feedback::Scripting,
        }
    }

    /// A request for an input.
    pub fn request<'a>(&'a self, input: &'a str) -> Request<'a> {
        let request = Request {
            input,
            content: self.content.as_deref(),
            last_start_tag: self.last_start_tag.as_deref(),
            feedback: self.feedback(),
            ..Request::default()
        };
        request.allowing(self.answer, &self.questions)
    }
}

/// Whether the tokens are the same, wherever they are.
pub(super) fn same_tokens(one: &Output, other: &Output) -> bool {
    let [ours, theirs] = [one, other].map(|it| it.tokens.iter().map(|emitted| &emitted.token));
    ours.eq(theirs)
}

/// What differs between two outputs: the gravest that does. Errors must be sorted by place.
pub fn difference(one: &Output, other: &Output, compared: ErrorComparison) -> Option<Kind> {
    fn spans(output: &Output) -> impl Iterator<Item = &Range<u64>> {
        output.tokens.iter().map(|emitted| &emitted.span)
    }
    if !same_tokens(one, other) {
        return Some(Kind::Tokens);
    }
    if !agree(&one.errors, &other.errors, compared) {
        return Some(Kind::Errors);
    }
    (!spans(one).eq(spans(other)) || first_place(&one.errors, &other.errors, compared).is_some())
        .then_some(Kind::Positions)
}

/// Whether the same errors are there, wherever they are.
pub(crate) fn agree(one: &[ParseError], other: &[ParseError], compared: ErrorComparison) -> bool {
    let [one, other] = [one, other].map(|errors| {
        let codes = errors.iter().map(|error| error.code.as_str());
        codes.collect::<Vec<_>>()
    });
    compared.agree(&one, &other)
}

/// The first place where not the same errors are, of errors sorted by place: what is there on each side.
pub(crate) fn first_place<'e>(
    one: &'e [ParseError],
    other: &'e [ParseError],
    compared: ErrorComparison,
) -> Option<[&'e [ParseError]; 2]> {
    let (mut one, mut other) = (one, other);
    while let Some(place) = one
        .first()
        .into_iter()
        .chain(other.first())
        .map(|e| e.offset)
        .min()
    {
        let here = |errors: &[ParseError]| errors.partition_point(|error| error.offset <= place);
        let (ours, rest) = one.split_at(here(one));
        let (theirs, others_rest) = other.split_at(here(other));
        if !agree(ours, theirs, compared) {
            return Some([ours, theirs]);
        }
        (one, other) = (rest, others_rest);
    }
    None
}

/// A table in the interpreter.
pub(super) struct Runs<'m> {
    engine: InterpreterEngine<'m>,
    stream: StreamErrors,
}

impl<'m> Runs<'m> {
    pub(super) fn new(machine: &'m Machine) -> Self {
        Self {
            engine: InterpreterEngine::new(machine),
            stream: StreamErrors::of(machine),
        }
    }

    /// What comes out; `None` when it cannot run this.
    pub(super) fn output(&mut self, request: &Request<'_>) -> Option<Output> {
        let output = self.engine.tokenize(request).ok()?;
        Some(output.coalesced().with_sorted_errors(&self.stream))
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
            questions: Vec::new(),
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
