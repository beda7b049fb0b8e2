//! Outputs and arms as lines for people.

use super::arms::Case;
use super::errors::UNNAMED;
use super::product::Kind;
use crate::token::{Output, Token, Value};

/// An error.
pub(crate) fn error_line(code: &str) -> String {
    if code == UNNAMED {
        "parse error".to_owned()
    } else {
        format!("error {code}")
    }
}

/// A line for each token, then one for each error; with places where these are what differs.
pub(super) fn output(output: &Output, kind: Kind) -> Vec<String> {
    let tokens = output.tokens.iter().map(|emitted| {
        let line = token(&emitted.token);
        match kind {
            Kind::Positions => format!("{line} at {}..{}", emitted.span.start, emitted.span.end),
            _ => line,
        }
    });
    let errors = output.errors.iter().map(|error| match kind {
        Kind::Tokens => error_line(&error.code),
        _ => format!("{} at {}", error_line(&error.code), error.offset),
    });
    tokens.chain(errors).collect()
}

/// A token.
pub fn token(token: &Token) -> String {
    match token {
        Token::Characters(text) => format!("characters {text:?}"),
        Token::Declared { kind, fields } => {
            let mut line = kind.clone();
            for value in fields {
                match value {
                    Value::Text(text) => line += &format!(" {text:?}"),
                    Value::Missing => line += " –",
                    Value::Flag(false) => {}
                    Value::Flag(true) => line += " [flag]",
                    Value::Attributes(all) => {
                        for (name, value) in all {
                            line += &format!(" {name:?}={value:?}");
                        }
                    }
                }
            }
            line
        }
    }
}

/// A case as a line.
pub(super) fn case_line(case: &Case) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(case.errors.iter().map(|code| error_line(code)));
    parts.extend(case.actions.iter().cloned());
    parts.extend(Some(case.target.clone()).filter(|target| !target.is_empty()));
    let done = parts.join("; ");
    if case.when.is_empty() {
        done
    } else {
        format!("if {}: {done}", case.when.join(", and "))
    }
}
