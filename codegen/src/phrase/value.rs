//! Values.

use super::cursor::Cursor;
use super::{Operand, OperandKind};
use crate::lexer::{Kind, number};
use crate::suggest::closest;

/// Values without names in them.
static FIXED: [(&str, OperandKind); 7] = [
    ("current input character", OperandKind::Current),
    (
        "lowercase of the current input character",
        OperandKind::LowerCurrent,
    ),
    (
        "lowercase of current input character",
        OperandKind::LowerCurrent,
    ),
    (
        "characters of the named character reference",
        OperandKind::MatchedCharacters,
    ),
    (
        "name of the named character reference",
        OperandKind::MatchedName,
    ),
    ("returned characters", OperandKind::Returned),
    ("empty string", OperandKind::Quoted(String::new())),
];

/// The value without names in it that is closest to a text, or lacks few of its words there.
pub(crate) fn value_meant(typed: &str) -> Option<&'static str> {
    let values = || FIXED.iter().map(|&(words, _)| words);
    let is_short = |value: &&str| {
        let (mut given, mut missing) = (typed.split(' ').peekable(), 0);
        for word in value.split(' ') {
            missing += usize::from(given.next_if_eq(&word).is_none());
        }
        given.peek().is_none() && 2 * missing < value.split(' ').count()
    };
    let other = match typed {
        "it" | "character" | "char" => Some("current input character"),
        "empty" => Some("empty string"),
        _ if typed.contains("lower") && typed.contains("input character") => {
            Some("lowercase of the current input character")
        }
        _ => None,
    };
    other
        .or_else(|| closest(typed, values()))
        .or_else(|| values().find(is_short))
}

/// What is left of a phrase, as a value.
pub(super) fn operand(cursor: Cursor<'_>) -> Option<Operand> {
    let kind = match cursor.tokens {
        [] => return None,
        [token] => match &token.kind {
            Kind::Quoted(text) => OperandKind::Quoted(text.clone()),
            // A fault is reported already; any character will do.
            Kind::CodePoint(c) => OperandKind::Character(c.unwrap_or_default()),
            _ => match number(token.text) {
                Some(n) => OperandKind::Number(n),
                None => words(cursor)?,
            },
        },
        _ => words(cursor)?,
    };
    Some(Operand {
        kind,
        span: cursor.here(),
    })
}

fn words(cursor: Cursor<'_>) -> Option<OperandKind> {
    for (words, kind) in &FIXED {
        if cursor.rest_is(words) {
            return Some(kind.clone());
        }
    }
    let mut of = cursor;
    of.article();
    if of.eat("character of") {
        return Some(OperandKind::CharacterOf(of.name()?));
    }
    Some(OperandKind::Name(cursor.name()?))
}
