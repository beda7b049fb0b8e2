//! The errors of both stages in one list.

use std::fmt;
use std::sync::Arc;

use speclex_codegen::tree::TreeMachine;

use crate::position::{Lines, Position};
use crate::token::ParseError;

/// A parse error of tree construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeError {
    /// Byte offset of the token in the original input. Each character is a token.
    pub offset: u64,
    /// Its code, if it has one.
    pub code: Option<&'static str>,
    /// The number of the insertion mode.
    pub mode: usize,
    /// The number of the token's kind.
    pub kind: usize,
    /// The token's name, if it has one; cut when it is long.
    pub name: Option<Arc<str>>,
    /// The name of the current element, if one is open; cut when it is long.
    pub open: Option<Arc<str>>,
}

/// An error of either stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageError<'a> {
    /// Where it is.
    pub position: Position,
    /// Its code; `parse-error` for nearly all of tree construction, which have none.
    pub code: &'a str,
    /// The token, for errors of tree construction.
    pub token: Option<RefusedToken<'a>>,
}

/// The token of an error of tree construction. Names are cut when they are long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedToken<'a> {
    /// The insertion mode that refused it.
    pub mode: &'a str,
    /// What the table calls an insertion mode: `phase`.
    pub called: &'a str,
    /// Its kind.
    pub kind: &'a str,
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
    /// The name of the current element, if one is open.
    pub open: Option<Arc<str>>,
}

impl fmt::Display for StageError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        write!(f, "{line}:{column} {}", self.code)?;
        let Some(token) = &self.token else {
            return Ok(());
        };
        write!(f, " ({}", token.kind)?;
        if let Some(name) = &token.name {
            write!(f, " \"{name}\"")?;
        }
        match token.mode.contains(' ') {
            true => write!(f, " in the \"{}\" {}", token.mode, token.called)?,
            false => write!(f, " in the {} {}", token.mode, token.called)?,
        }
        if let Some(open) = &token.open {
            write!(f, ", \"{open}\" is open")?;
        }
        write!(f, ")")
    }
}

/// All errors by place; at one place those of the tokenizer come first.
pub fn merged<'a>(
    machine: &'a TreeMachine,
    input: &str,
    tokenizer: &'a [ParseError],
    tree: &[TreeError],
) -> Vec<StageError<'a>> {
    let lines = Lines::new(input);
    let name = |names: Option<&'a String>| names.map_or("", String::as_str);
    let of_tokenizer = tokenizer.iter().map(|error| {
        let stage_error = StageError {
            position: lines.position(error.offset),
            code: &error.code,
            token: None,
        };
        (error.offset, stage_error)
    });
    let of_tree = tree.iter().map(|error| {
        let mode = machine.modes.get(error.mode).map(|mode| &mode.name);
        let stage_error = StageError {
            position: lines.position(error.offset),
            code: error.code.unwrap_or("parse-error"),
            token: Some(RefusedToken {
                mode: name(mode),
                called: &machine.called,
                kind: name(machine.kinds.get(error.kind).map(|kind| &kind.name)),
                name: error.name.clone(),
                open: error.open.clone(),
            }),
        };
        (error.offset, stage_error)
    });
    let mut all: Vec<_> = of_tokenizer.chain(of_tree).collect();
    all.sort_by_key(|&(offset, _)| offset);
    all.into_iter().map(|(_, error)| error).collect()
}
