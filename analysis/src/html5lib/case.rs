//! What one test says.

use std::fmt;

use super::Form;
use crate::engine::Request;
use crate::entry_states::EntryStates;
use crate::position::{Lines, Position};
use crate::token::{Output, Token};

/// Where a test starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// In the state with this heading, such as `RCDATA state`.
    State(String),
    /// With the content model flag at this value, such as `CDATA`.
    ContentModel(String),
}

impl Start {
    /// A content as html5lib-tests name it: `Script data state`.
    pub fn of_content(content: &str) -> Self {
        let mut chars = content.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase());
        let first = first.map(String::from).unwrap_or_default();
        Self::State(format!("{first}{} state", chars.as_str()))
    }

    /// The content of a machine that this names; `None` if the machine cannot start there.
    pub fn content<'s>(&self, starts: &'s EntryStates) -> Option<&'s str> {
        match self {
            Self::State(heading) => starts.state(heading),
            Self::ContentModel(value) => starts.content_model(value),
        }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::State(name) | Self::ContentModel(name) => name,
        })
    }
}

/// An error that a test expects; what it does not know is `None`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct ExpectedError {
    /// The code.
    pub code: Option<String>,
    /// The line, one-based.
    pub line: Option<u64>,
    /// The column, one-based, in UTF-16 code units.
    pub col: Option<u64>,
}

/// The errors that a test expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedErrors {
    /// Exactly these.
    Exact(Vec<ExpectedError>),
    /// This many (older tests say `ParseError` among the tokens).
    Count(usize),
}

/// One run of one test: a test that names several initial states is as many cases.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file's name.
    pub file: String,
    /// The test's index in it, from 0.
    pub index: usize,
    /// What names the test: `test1.test#0`, or the id that it has itself.
    pub id: String,
    /// What the test says about itself.
    pub description: String,
    /// Where it starts.
    pub start: Start,
    /// The input.
    pub input: String,
    /// The name of the last start tag.
    pub last_start_tag: Option<String>,
    /// Whether CDATA sections are allowed.
    pub cdata_allowed: bool,
    /// The tokens it expects, coalesced.
    pub tokens: Vec<Token>,
    /// The errors it expects.
    pub errors: ExpectedErrors,
}

impl Case {
    /// The case as a request; `None` if the machine cannot start there.
    pub fn request<'a>(&'a self, starts: &'a EntryStates) -> Option<Request<'a>> {
        Some(Request {
            input: &self.input,
            content: Some(self.start.content(starts)?),
            last_start_tag: self.last_start_tag.as_deref(),
            cdata_allowed: self.cdata_allowed,
            ..Request::default()
        })
    }

    /// The case's name: id, state and description.
    pub fn name(&self) -> String {
        format!("{} [{}] {}", self.id, self.start, self.description)
    }

    /// Compares an output with what is expected.
    ///
    /// # Errors
    /// What differs, for people.
    pub fn check(&self, output: Output, form: Form) -> Result<(), String> {
        let Output { tokens, errors } = output.coalesced();
        if !form.is_same(tokens.iter().map(|emitted| &emitted.token), &self.tokens) {
            let shown = |tokens: &mut dyn Iterator<Item = &Token>| {
                let tokens: Vec<_> = tokens
                    .map(|token| form.to_json(token).to_string())
                    .collect();
                tokens.join(", ")
            };
            return Err(format!(
                "tokens differ\n  input    {:?}\n  expected {}\n  got      {}",
                self.input,
                shown(&mut self.tokens.iter()),
                shown(&mut tokens.iter().map(|emitted| &emitted.token)),
            ));
        }
        let lines = Lines::new(&self.input);
        let found: Vec<(String, Position)> = errors
            .into_iter()
            .map(|error| (error.code, lines.position(error.offset)))
            .collect();
        let as_expected = match &self.errors {
            ExpectedErrors::Count(count) => found.len() == *count,
            ExpectedErrors::Exact(expected) => all_found(expected, &found),
        };
        if as_expected {
            return Ok(());
        }
        let found: Vec<_> = (found.iter())
            .map(|(code, Position { line, column })| format!("{code} {line}:{column}"))
            .collect();
        Err(format!(
            "errors differ\n  input    {:?}\n  expected {:?}\n  got      {}",
            self.input,
            self.errors,
            found.join(", ")
        ))
    }
}

/// Whether the errors found are the expected ones. The order of errors at one place is not looked at:
/// that of an error of the input stream and one of a state is not defined.
pub(crate) fn all_found(expected: &[ExpectedError], found: &[(String, Position)]) -> bool {
    let mut left: Vec<_> = found.iter().collect();
    // What says most picks first, so that it is not left without its match.
    let mut expected: Vec<_> = expected.iter().collect();
    expected.sort_by_key(|error| {
        [
            error.code.is_none(),
            error.line.is_none(),
            error.col.is_none(),
        ]
    });
    for error in &expected {
        let fits = |(code, at): &&(String, Position)| {
            error.code.as_ref().is_none_or(|expected| expected == code)
                && error.line.is_none_or(|line| line == at.line)
                && error.col.is_none_or(|col| col == at.column)
        };
        match left.iter().position(fits) {
            Some(index) => left.swap_remove(index),
            None => return false,
        };
    }
    left.is_empty()
}

/// Why a test is not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Skip {
    /// It has a lone surrogate, which UTF-8 cannot express.
    LoneSurrogate,
    /// It expects the coercion to an XML infoset, which is not the tokenizer's.
    InfosetCoercion,
}

/// A run of a test that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file's name.
    pub file: String,
    /// The test's index in it.
    pub index: usize,
    /// Why.
    pub why: Skip,
}

/// The cases of some files, and the runs that are left out.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The cases, in order.
    pub cases: Vec<Case>,
    /// What is left out, one for each run.
    pub skipped: Vec<Skipped>,
}

impl Suite {
    /// How many runs are left out for a reason.
    pub fn count_skipped(&self, why: Skip) -> usize {
        self.skipped.iter().filter(|run| run.why == why).count()
    }
}
