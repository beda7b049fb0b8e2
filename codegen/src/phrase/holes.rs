//! What stands in the holes of phrases and guards.

use super::cursor::Cursor;
use super::rows::Hole;
pub(crate) use super::value::NUMBER;
use super::value::operand;
use super::{Name, Operand};
use crate::lexer::{Kind, Token, number};

pub(crate) const TOKEN: Hole<Name> = name("a token");

pub(crate) const N: Hole<u32> = Hole {
    expected: "a number",
    read: |text| number(text.typed()),
};

/// A name of the table's own.
pub(crate) const fn name(expected: &'static str) -> Hole<Name> {
    let read = |text: Cursor<'_>| text.name();
    Hole { expected, read }
}

pub(crate) const STATE: Hole<Name> = name("a state or a state register");
pub(crate) const CODE: Hole<Name> = name("an error code");
pub(crate) const KIND: Hole<Name> = name("a kind of token");
pub(crate) const CHARACTER: Hole<Name> = name("a character register");
pub(crate) const SINK: Hole<Name> = name("a field or text register");
pub(crate) const PLACE: Hole<Name> = name("a field or register");

/// A token that there is: `the comment token`.
pub(crate) const TOKEN_THERE: Hole<Name> = Hole {
    expected: TOKEN.expected,
    read: |text| text.name().filter(|_| !is_of_a_kind(text) && !has_as(text)),
};

/// A token that is made: `a comment token`.
pub(crate) const KIND_MADE: Hole<Name> = Hole {
    expected: KIND.expected,
    read: |text| text.name().filter(|_| is_of_a_kind(text) && !has_as(text)),
};

/// Another kind follows.
fn has_as(text: Cursor<'_>) -> bool {
    text.tokens.iter().any(|token| token.is("as"))
}

fn is_of_a_kind(mut text: Cursor<'_>) -> bool {
    matches!(text.article(), Some("a" | "an"))
}

pub(crate) const FLAG: Hole<Name> = Hole {
    expected: "a flag",
    read: |text| {
        let is_of_a_value = text.tokens.last().is_some_and(|last| last.is("to"));
        let is_assigned = text.tokens.iter().any(|token| token.is("="));
        text.name().filter(|_| !is_of_a_value && !is_assigned)
    },
};

pub(crate) const PROCEDURE: Hole<Name> = Hole {
    expected: "a procedure",
    read: |text| {
        let mut tokens = text.tokens.iter();
        text.name()
            .filter(|_| tokens.all(|token| token.kind != Kind::Comma))
    },
};

pub(crate) const VALUE: Hole<Operand> = Hole {
    expected: "a value",
    read: operand,
};

/// A value where a token may stand as well.
pub(crate) const VALUE_ALONE: Hole<Operand> = Hole {
    expected: VALUE.expected,
    read: |text| {
        let is_token = text.tokens.last().is_some_and(|last| last.is("token"));
        operand(text).filter(|_| !is_token)
    },
};

pub(crate) const SUBJECT: Hole<Name> = name("a register");

/// A list of texts, words, states, numbers or characters: which, its subject decides.
pub(crate) const OBJECT: Hole<Name> = Hole {
    expected: "what it is compared with",
    read: |text| text.raw().filter(|_| !compares(text)),
};

pub(crate) const SET: Hole<Name> = Hole {
    expected: "a set",
    read: |text| text.raw(),
};

pub(crate) const STATES: Hole<Name> = Hole {
    expected: "a state",
    read: |text| text.raw(),
};

pub(crate) const TEXT: Hole<String> = Hole {
    expected: "a quoted string",
    read: |text| text.quoted().map(str::to_owned),
};

/// The name of a condition or question.
pub(crate) const NAMED: Hole<Name> = Hole {
    expected: "a name",
    read: |text| text.name().filter(|_| text.is_named()),
};

/// How comparisons begin. Only the first is one of the language, and only behind the first `is`.
const COMPARISONS: [&str; 10] = [
    "greater than",
    "greater then",
    "less than",
    "at least",
    "at most",
    "more than",
    ">",
    "<",
    ">=",
    "<=",
];

/// Whether a part of a list is a comparison.
fn compares(list: Cursor<'_>) -> bool {
    let is_end = |token: &Token<'_>| token.kind == Kind::Comma || token.is("or");
    let mut parts = list.tokens.split(is_end);
    parts.any(|tokens| {
        let part = Cursor { tokens, ..list };
        COMPARISONS.iter().any(|words| { part }.eat(words))
    })
}
