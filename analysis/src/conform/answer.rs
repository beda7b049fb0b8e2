//! Answers of a foreign tokenizer.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::blame::Difference;
use crate::html5lib::{ExpectedError, Form, all_found, read_token};
use crate::json_escapes::has_lone_surrogate;
use crate::position::{Lines, Position};
use crate::token::{Emitted, Output, Token};

/// How much of a line that is no answer is shown.
const SHOWN: usize = 80;

/// The kinds of the shared vocabulary, beside characters.
const KINDS: [&str; 9] = [
    "start tag",
    "end tag",
    "empty tag",
    "short end tag",
    "comment",
    "DOCTYPE",
    "processing instruction",
    "XML declaration",
    "entity reference",
];

/// Tokens and errors as a report shows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// The tokens in the form of html5lib-tests, without the end of the file; neighbouring characters are one token.
    pub tokens: Vec<Json>,
    /// The errors; `None` if the tokenizer reports none.
    pub errors: Option<Vec<ExpectedError>>,
}

#[derive(Deserialize)]
struct Written {
    id: Option<Json>,
    tokens: Option<Vec<Json>>,
    errors: Option<Vec<ExpectedError>>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct WrittenTree {
    id: Option<Json>,
    tree: Option<String>,
    error: Option<String>,
}

/// What a foreign program answers.
#[derive(Debug)]
pub(super) enum Answer<T> {
    /// What it makes of the input.
    Output(T),
    /// That it cannot read such an input, and why.
    Refusal(String),
}

/// Reads a line as an answer of some form.
fn written<'l, W: Deserialize<'l>>(line: &'l str) -> Result<W, String> {
    // Reading would take a list for an object's members in order.
    if !line.trim_start().starts_with('{') {
        return Err(wrong(line, "is not a JSON object"));
    }
    serde_json::from_str(line).map_err(|e| {
        if has_lone_surrogate(line) {
            return wrong(line, "has a lone surrogate");
        }
        let reason = e.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        wrong(line, &format!("cannot be read ({reason})"))
    })
}

/// What is wrong with an answer.
fn wrong(line: &str, why: &str) -> String {
    let start: String = line.trim().chars().take(SHOWN).collect();
    let more = if start.len() < line.trim().len() {
        "…"
    } else {
        ""
    };
    format!("the answer {why}: {start}{more}")
}

/// Refuses the answer to another request.
fn is_to(line: &str, found: &Option<Json>, id: u64) -> Result<(), String> {
    match found {
        Some(found) if found.as_u64() != Some(id) => {
            Err(wrong(line, &format!("is to another request, not to {id}")))
        }
        _ => Ok(()),
    }
}

/// Reads an answer that has a tree, or says what is wrong with it.
pub(super) fn read_tree(line: &str, id: u64) -> Result<Answer<String>, String> {
    let written: WrittenTree = written(line)?;
    is_to(line, &written.id, id)?;
    match (written.error, written.tree) {
        (Some(why), _) => Ok(Answer::Refusal(why)),
        (None, Some(tree)) => Ok(Answer::Output(tree.trim_end_matches('\n').to_owned())),
        (None, None) => Err(wrong(line, "has no `tree`")),
    }
}

/// Reads an answer, or says what is wrong with it.
pub(super) fn read(line: &str, id: u64, form: Form) -> Result<Answer<Shown>, String> {
    let wrong = |why: &str| wrong(line, why);
    let written: Written = written(line)?;
    is_to(line, &written.id, id)?;
    if let Some(why) = written.error {
        return Ok(Answer::Refusal(why));
    }
    let Some(tokens) = written.tokens else {
        return Err(wrong("has no `tokens`"));
    };
    let token = |json: &Json| {
        let token = read_token(json)?;
        match &token {
            Token::Declared { kind, .. } if form.markup && !KINDS.contains(&kind.as_str()) => {
                Err(format!("not a token: {json}"))
            }
            _ => Ok(token),
        }
    };
    let tokens: Result<Vec<Token>, String> = tokens.iter().map(token).collect();
    let tokens = tokens.map_err(|what| wrong(&format!("has what is {what}")))?;
    let emitted = |token| Emitted { token, span: 0..0 };
    let output = Output {
        tokens: tokens.into_iter().map(emitted).collect(),
        errors: Vec::new(),
    };
    Ok(Answer::Output(Shown {
        tokens: formed(&output.coalesced(), form),
        errors: written.errors,
    }))
}

fn formed(output: &Output, form: Form) -> Vec<Json> {
    let tokens = output.tokens.iter();
    tokens.map(|emitted| form.to_json(&emitted.token)).collect()
}

/// What a table does with a text.
#[derive(Debug)]
pub(super) struct Expected {
    tokens: Vec<Json>,
    errors: Vec<(String, Position)>,
}

impl Expected {
    /// That of an output whose errors are sorted.
    pub(super) fn of(output: Output, text: &str, form: Form) -> Self {
        let output = output.coalesced();
        let lines = Lines::new(text);
        let errors = output.errors.iter();
        let errors = errors.map(|error| (error.code.clone(), lines.position(error.offset)));
        Self {
            tokens: formed(&output, form),
            errors: errors.collect(),
        }
    }

    /// Where an answer differs. What it does not say of errors is not compared, and neither is their order.
    pub(super) fn difference(&self, given: &Shown) -> Option<Difference> {
        if self.tokens != given.tokens {
            return Some(Difference::Tokens);
        }
        let errors = given.errors.as_ref()?;
        if all_found(errors, &self.errors) {
            return None;
        }
        let codes: Vec<ExpectedError> = (errors.iter())
            .map(|error| ExpectedError {
                code: error.code.clone(),
                line: None,
                col: None,
            })
            .collect();
        match all_found(&codes, &self.errors) {
            true => Some(Difference::Places),
            false => Some(Difference::Errors),
        }
    }

    pub(super) fn shown(self) -> Shown {
        let error = |(code, at): (String, Position)| ExpectedError {
            code: Some(code),
            line: Some(at.line),
            col: Some(at.column),
        };
        Shown {
            tokens: self.tokens,
            errors: Some(self.errors.into_iter().map(error).collect()),
        }
    }
}
