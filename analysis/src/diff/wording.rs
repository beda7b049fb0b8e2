//! Outputs and arms as lines for people.

use speclex_codegen::machine::{Machine, StateKind};

use super::arms::Case;
use super::errors::UNNAMED;
use super::product::Kind;
use super::runner::steps::TakenPath;
use crate::paths::ArmIndex;
use crate::spelling::quoted;
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

/// An arm: its state and its input.
pub(super) fn arm(machine: &Machine, taken: TakenPath) -> String {
    let Some(state) = machine.states.get(taken.state as usize) else {
        return "no state".to_owned();
    };
    let on = match (taken.arm, &state.kind) {
        (ArmIndex::Set(index), StateKind::Consume(consume)) => consume
            .arms
            .get(index as usize)
            .map(|arm| arm.label.clone()),
        (ArmIndex::Literal(index), StateKind::Consume(consume)) => consume
            .literals
            .get(index as usize)
            .map(|arm| format!("the string {}", quoted(&arm.text))),
        (ArmIndex::Eof, _) => Some("EOF".to_owned()),
        (ArmIndex::Matched, _) => Some("a reference that matches".to_owned()),
        (ArmIndex::Unmatched, _) => Some("no reference that matches".to_owned()),
        _ => None,
    };
    match on {
        Some(on) => format!("{} on {on}", state.name),
        None => state.name.clone(),
    }
}
