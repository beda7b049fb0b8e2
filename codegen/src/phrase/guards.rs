//! The guards of the table language: a row each.

use super::cursor::Cursor;
use super::holes::{N, NUMBER, TOKEN, name};
use super::rows::{Hole, Row, rows};
use super::{Atom, Name};
use crate::lexer::{Kind, Token};

const SUBJECT: Hole<Name> = name("a register");

/// A list of texts, words, states, numbers or characters: which, its subject decides.
const OBJECT: Hole<Name> = Hole {
    expected: "what it is compared with",
    read: |text| text.raw().filter(|_| !compares(text)),
};

const SET: Hole<Name> = Hole {
    expected: "a set",
    read: |text| text.raw(),
};

const STATES: Hole<Name> = Hole {
    expected: "a state",
    read: |text| text.raw(),
};

const TEXT: Hole<String> = Hole {
    expected: "a quoted string",
    read: |text| text.quoted().map(str::to_owned),
};

/// Names decide whether a text is this guard: it is read as a name, or as `REGISTER is TEXT or TEXT`.
const BY_NAME: Hole<Name> = Hole {
    expected: "a name",
    read: |_| None,
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

/// All guards.
pub(crate) const GUARDS: &[Row<Atom>] = rows! {
    /// The end tag token has the last start tag's name.
    "appropriate end tag token" = "appropriate end tag token"
        => Atom::AppropriateEndTag;
    /// A text register equals one of the strings; `ASCII case-insensitively` may follow.
    "REGISTER is TEXT or TEXT" with subject: SUBJECT, object: OBJECT
        = "the temporary buffer is \"script\""
        => Atom::Is(subject, object);
    /// A register of words holds one of these words.
    "REGISTER is WORD or WORD" with subject: SUBJECT, object: OBJECT
        = "the content model flag is RCDATA or CDATA"
        => Atom::Is(subject, object);
    /// A state register holds one of the states.
    "REGISTER is STATE or STATE" with subject: SUBJECT, object: OBJECT = "the return state is data"
        => Atom::Is(subject, object);
    /// A number register is in one of the ranges or classes.
    "REGISTER is N to M or K" with subject: SUBJECT, object: OBJECT
        = "the character reference code is 0xD800 to 0xDFFF"
        => Atom::Is(subject, object);
    /// A number register is greater than a number.
    "REGISTER is greater than N" with register: NUMBER, n: N
        = "the character reference code is greater than 0x10FFFF"
        => Atom::GreaterThan(register, n);
    /// A number has an entry in `numeric replacements`.
    "REGISTER has a replacement" with register: NUMBER
        = "the character reference code has a replacement"
        => Atom::HasReplacement(register);
    /// The consumed character is in the set.
    "the current input character is SET" with set: OBJECT
        = "the current input character is ASCII digit"
        => Atom::CurrentIs(set);
    /// The consumed character is the one in a character register.
    "the current input character is the REGISTER" with register: OBJECT
        = "the current input character is the additional allowed character"
        => Atom::CurrentIs(register);
    /// The last character of the matched reference is in the set.
    "the last character matched is SET" with set: OBJECT
        = "the last character matched is U+003B (;)"
        => Atom::LastMatchedIs(set);
    /// The next input character, which is not consumed, is in the set; the set may contain `EOF`.
    "the next input character is SET" with set: OBJECT = "the next input character is U+003D (=)"
        => Atom::NextIs(set);
    /// Characters of the first set follow, then one of the second; only a list of errors may depend on this guard.
    "the next input characters are one or more SET then SET" with run: SET, then: SET
        = "the next input characters are one or more ASCII alphanumeric then U+003B (;)"
        => Atom::NextAre { run, then };
    /// The last start tag's name follows, then a character of the set.
    "the next input characters are the last start tag name then SET" with then: SET
        = "the next input characters are the last start tag name then U+003E (>)"
        => Atom::NextAreLastStartTag(then);
    /// A start tag has been emitted, or the caller has set the name of one.
    "a start tag token has been emitted" = "a start tag token has been emitted"
        => Atom::StartTagEmitted;
    /// The input up to the current character, included, ends with this text.
    "the last characters consumed are TEXT" with text: TEXT
        = "the last characters consumed are \"-->\""
        => Atom::LastConsumed(text);
    /// An earlier attribute has exactly this name.
    "the attribute name is already in the token" = "the attribute name is already in the token"
        => Atom::AttributeNameTaken;
    /// The token has at least one attribute.
    "the TOKEN token has attributes" with token: TOKEN = "the tag token has attributes"
        => Atom::HasAttributes(token);
    /// A flag of the token is set.
    "FLAG is set" with flag: BY_NAME = "the self-closing flag is set"
        => Atom::Named(flag);
    /// The token has this kind.
    "the TOKEN token is a KIND token" with token: BY_NAME = "the tag token is an end tag token"
        => Atom::Named(token);
    /// A question of the vocabulary, or a condition of the table.
    "QUESTION" with question: BY_NAME = "CDATA sections are allowed"
        => Atom::Named(question);
    /// After `attempt to`: the sub-machine returned nothing.
    "nothing is returned" = "nothing is returned"
        => Atom::NothingReturned;
    /// After `attempt to`: the sub-machine returned a token.
    "the TOKEN token is returned" with token: TOKEN = "the entity reference token is returned"
        => Atom::TokenReturned(token);
    /// In a procedure: one of these states attempted it.
    "called from STATE or STATE" with states: STATES
        = "called from character reference in attribute value"
        => Atom::CalledFrom(states);
};
