//! The batch protocol: a JSON request a line, a JSON answer a line, in order.
//!
//! A request has `input` and, as wanted, `id` (any JSON, given back), `initialState` (a heading as in
//! html5lib-tests: `RCDATA state`) or `contentModel` (for revisions with a content model flag),
//! `lastStartTag`, `cdataAllowed`, `chunks` (byte lengths; the rest of the input comes last), `feedback` (`true`: the table
//! says what follows a start tag, as in a page; otherwise markup follows) and `scripting` (`false`: as in a page without
//! scripting; only with `feedback`). Another key is an error. An
//! answer has the `id` and either `tokens` and `errors`, or `error`: what is wrong with the request.

use std::borrow::Cow;
use std::io;
use std::io::{BufRead, Write};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use speclex_codegen::machine::{Feedback, Machine};

use crate::engine::{Engine, Request};
use crate::entry_states::EntryStates;
use crate::html5lib::{self, Form, Formed};
use crate::json_escapes::has_lone_surrogate;
use crate::position::{Lines, Position};
use crate::token::{Output, StreamErrors};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Cow<'a, str>,
    initial_state: Option<String>,
    content_model: Option<String>,
    last_start_tag: Option<String>,
    cdata_allowed: Option<bool>,
    chunks: Option<Vec<usize>>,
    feedback: Option<bool>,
    scripting: Option<bool>,
}

/// What can be read of a request that is wrong otherwise.
#[derive(Deserialize)]
struct OnlyId<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

/// A request, to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Asked<'a> {
    id: u64,
    input: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    initial_state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_start_tag: Option<&'a str>,
    cdata_allowed: bool,
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    chunks: &'a [usize],
    #[serde(skip_serializing_if = "Option::is_none")]
    feedback: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scripting: Option<bool>,
}

/// A request as a line, with its newline. That a byte order mark is skipped cannot be requested.
pub(crate) fn request(id: u64, request: &Request<'_>) -> String {
    let (feedback, scripting) = match request.feedback {
        Feedback::Off => (None, None),
        Feedback::Scripting => (Some(true), None),
        Feedback::NoScripting => (Some(true), Some(false)),
    };
    let asked = Asked {
        id,
        input: request.input,
        initial_state: (request.content)
            .map(|content| html5lib::Start::of_content(content).to_string()),
        last_start_tag: request.last_start_tag,
        cdata_allowed: request.cdata_allowed,
        chunks: request.chunks,
        feedback,
        scripting,
    };
    // Serializing strings, numbers and lists cannot fail.
    serde_json::to_string(&asked).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct Answer<'a> {
    id: Option<&'a RawValue>,
    tokens: Vec<Formed<'a>>,
    errors: Vec<Error<'a>>,
}

#[derive(Serialize)]
struct Error<'a> {
    code: &'a str,
    line: u64,
    col: u64,
}

#[derive(Serialize)]
struct Refusal<'a> {
    id: Option<&'a RawValue>,
    error: &'a str,
}

/// Whether it begins as an object does. Reading would take a list for an object's members in order.
fn is_object(line: &[u8]) -> bool {
    line.trim_ascii_start().first() == Some(&b'{')
}

fn read(line: &[u8]) -> Result<Written<'_>, String> {
    if !is_object(line) {
        return Err("a request is an object, such as {\"input\": \"<p>\"}".to_owned());
    }
    serde_json::from_slice(line).map_err(|e| {
        if std::str::from_utf8(line).is_ok_and(has_lone_surrogate) {
            return "it has a lone surrogate, which UTF-8 cannot express".to_owned();
        }
        if e.is_eof() {
            return "the line ends before the request does".to_owned();
        }
        // A request is one line.
        let reason = e.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        format!("{reason} (column {})", e.column())
    })
}

fn feedback(request: &Written<'_>) -> Result<Feedback, String> {
    match (request.feedback, request.scripting) {
        (Some(true), Some(false)) => Ok(Feedback::NoScripting),
        (Some(true), _) => Ok(Feedback::Scripting),
        (_, None) => Ok(Feedback::Off),
        (_, Some(_)) => Err("`scripting` has an effect only with `\"feedback\": true`".to_owned()),
    }
}

/// Why not all requests were answered.
#[derive(Debug)]
pub enum ServeError {
    /// They could not be read.
    Read(io::Error),
    /// An answer could not be written.
    Write(io::Error),
}

/// Answers requests for one machine, whichever engine runs it.
#[derive(Clone, Debug)]
pub struct Protocol {
    starts: EntryStates,
    form: Form,
    stream: StreamErrors,
}

impl Protocol {
    /// The protocol for a machine.
    pub fn of(machine: &Machine) -> Self {
        Self {
            starts: EntryStates::of(machine),
            form: Form::of(machine),
            stream: StreamErrors::of(machine),
        }
    }

    /// Answers each line of `input` with a line of `output`, which is flushed after each.
    ///
    /// # Errors
    /// When reading or writing fails. A bad request is no error: it is answered.
    pub fn serve(
        &self,
        engine: &mut impl Engine,
        mut input: impl BufRead,
        mut output: impl Write,
    ) -> Result<(), ServeError> {
        let (mut line, mut answer) = (Vec::new(), Vec::new());
        while input
            .read_until(b'\n', &mut line)
            .map_err(ServeError::Read)?
            > 0
        {
            let answered = self.answer(engine, &line, &mut answer).and_then(|()| {
                answer.push(b'\n');
                output.write_all(&answer)?;
                output.flush()
            });
            answered.map_err(ServeError::Write)?;
            line.clear();
            answer.clear();
        }
        Ok(())
    }

    /// Writes the answer to a request, without a newline.
    ///
    /// # Errors
    /// When writing fails, which it does not to a vector.
    pub fn answer(
        &self,
        engine: &mut impl Engine,
        line: &[u8],
        answer: &mut impl Write,
    ) -> io::Result<()> {
        let (id, error) = match self.run(engine, line) {
            Ok((request, output)) => return self.write(&request, &output, answer),
            Err(error) => {
                let line = Some(line).filter(|line| is_object(line));
                let only: Option<OnlyId<'_>> = line.and_then(|l| serde_json::from_slice(l).ok());
                (only.and_then(|only| only.id), error)
            }
        };
        Ok(serde_json::to_writer(
            answer,
            &Refusal { id, error: &error },
        )?)
    }

    fn run<'a>(
        &self,
        engine: &mut impl Engine,
        line: &'a [u8],
    ) -> Result<(Written<'a>, Output), String> {
        let request = read(line)?;
        let chunks = request.chunks.as_deref().unwrap_or_default();
        let total = chunks
            .iter()
            .try_fold(0, |sum: usize, &length| sum.checked_add(length));
        if total.is_none_or(|total| total > request.input.len()) {
            let length = request.input.len();
            return Err(format!(
                "`chunks` go beyond the input; its length in bytes is {length}"
            ));
        }
        let output = engine.tokenize(&Request {
            input: &request.input,
            content: Some(self.content(&request)?),
            last_start_tag: request.last_start_tag.as_deref(),
            cdata_allowed: request.cdata_allowed.unwrap_or(false),
            feedback: feedback(&request)?,
            chunks,
            ..Request::default()
        })?;
        Ok((request, output.coalesced().with_sorted_errors(&self.stream)))
    }

    fn content(&self, request: &Written<'_>) -> Result<&str, String> {
        match (&request.initial_state, &request.content_model) {
            (Some(_), Some(_)) => {
                Err("`initialState` and `contentModel` exclude each other".to_owned())
            }
            (Some(heading), None) => (self.starts.state(heading))
                .ok_or_else(|| format!("unknown `initialState`: {heading:?}")),
            (None, Some(value)) => (self.starts.content_model(value)).ok_or_else(|| {
                match self.starts.has_content_models() {
                    true => format!("unknown `contentModel`: {value:?}"),
                    false => "the table has no content model flag: use `initialState`".to_owned(),
                }
            }),
            (None, None) => {
                (self.starts.initial()).ok_or_else(|| "the table has no initial state".to_owned())
            }
        }
    }

    fn write(
        &self,
        request: &Written<'_>,
        output: &Output,
        answer: &mut impl Write,
    ) -> io::Result<()> {
        let tokens = output.tokens.iter();
        let tokens = tokens.map(|emitted| self.form.of_token(&emitted.token));
        // Most requests have no errors and need no lines.
        let lines = (!output.errors.is_empty()).then(|| Lines::new(&request.input));
        let errors = lines.iter().flat_map(|lines| {
            output.errors.iter().map(|error| {
                let Position { line, column } = lines.position(error.offset);
                let code = &error.code;
                let col = column;
                Error { code, line, col }
            })
        });
        let answered = Answer {
            id: request.id,
            tokens: tokens.collect(),
            errors: errors.collect(),
        };
        Ok(serde_json::to_writer(answer, &answered)?)
    }
}
