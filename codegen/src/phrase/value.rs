//! Values: a row for each that has words of its own.

use super::cursor::Cursor;
use super::rows::{Hole, Read, Row, read, rows, templates};
use super::{Name, Operand, OperandKind};
use crate::diagnostic::Span;
use crate::lexer::{Kind, number};
use crate::suggest::closest;

/// A value of what stands in its holes; its names are looked up by what takes it.
type Means = fn(&mut (), &[Cursor<'_>], Span) -> Option<OperandKind>;

pub(crate) const NUMBER: Hole<Name> = Hole {
    expected: "a number register",
    read: |text| text.name(),
};

/// All that are not a character, a text or a name.
pub(crate) const VALUES: &[Row<Means>] = rows! {
    /// No characters.
    "the empty string" = "the empty string"
        => |_, _| Some(OperandKind::Quoted(String::new()));
    /// The character that the state has consumed.
    "the current input character" = "the current input character"
        => |_, _| Some(OperandKind::Current);
    /// The same, in lower case if it is an ASCII upper alpha.
    "the lowercase of the current input character" = "the lowercase of the current input character"
        => |_, _| Some(OperandKind::LowerCurrent);
    /// The character whose number the register holds.
    "the character of REGISTER" = "the character of the character reference code"
        with register: NUMBER => |_, _| Some(OperandKind::CharacterOf(register));
    /// The characters that the matched reference stands for.
    "the characters of the named character reference" = "the characters of the named character reference"
        => |_, _| Some(OperandKind::MatchedCharacters);
    /// The name of the matched reference.
    "the name of the named character reference" = "the name of the named character reference"
        => |_, _| Some(OperandKind::MatchedName);
    /// The characters that the sub-machine returned.
    "the returned characters" = "the returned characters"
        => |_, _| Some(OperandKind::Returned);
};

/// What a value can be.
pub(super) fn all_values() -> String {
    let patterns: Vec<&str> = templates(VALUES).map(|value| value.pattern).collect();
    format!(
        "U+003C (<), a quoted string, {}, a text register, or a field",
        patterns.join(", ")
    )
}

/// The value without names in it that is closest to a text, or lacks few of its words there.
pub(crate) fn value_meant(typed: &str) -> Option<&'static str> {
    let words = |pattern: &'static str| pattern.strip_prefix("the ").unwrap_or(pattern);
    let values = || templates(VALUES).map(|value| words(value.pattern));
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
    let readings = match read(VALUES, cursor) {
        Read::Readings(readings) => readings,
        Read::Lacks(_) | Read::Unknown => Vec::new(),
    };
    let first = readings.first();
    let value = first.and_then(|first| (first.row.means)(&mut (), &first.holes, cursor.span));
    value.or_else(|| Some(OperandKind::Name(cursor.name()?)))
}
