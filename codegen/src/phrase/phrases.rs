//! The phrases of the table language: a row each.

use super::cursor::Cursor;
use super::holes::{N, NUMBER, TOKEN, name};
use super::rows::{Hole, Row, rows};
use super::value::operand;
use super::{Name, Operand, Phrase, With};
use crate::lexer::Kind;

const STATE: Hole<Name> = name("a state or a state register");
const CODE: Hole<Name> = name("an error code");
const KIND: Hole<Name> = name("a kind of token");
const CHARACTER: Hole<Name> = name("a character register");
const SINK: Hole<Name> = name("a field or text register");
const PLACE: Hole<Name> = name("a field or register");

/// A token that there is: `the comment token`.
const TOKEN_THERE: Hole<Name> = Hole {
    expected: TOKEN.expected,
    read: |text| text.name().filter(|_| !is_of_a_kind(text) && !has_as(text)),
};

/// A token that is made: `a comment token`.
const KIND_MADE: Hole<Name> = Hole {
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

const FLAG: Hole<Name> = Hole {
    expected: "a flag",
    read: |text| {
        let is_of_a_value = text.tokens.last().is_some_and(|last| last.is("to"));
        let is_assigned = text.tokens.iter().any(|token| token.is("="));
        text.name().filter(|_| !is_of_a_value && !is_assigned)
    },
};

const PROCEDURE: Hole<Name> = Hole {
    expected: "a procedure",
    read: |text| {
        let mut tokens = text.tokens.iter();
        text.name()
            .filter(|_| tokens.all(|token| token.kind != Kind::Comma))
    },
};

const VALUE: Hole<Operand> = Hole {
    expected: "a value",
    read: operand,
};

/// A value where a token may stand as well.
const VALUE_ALONE: Hole<Operand> = Hole {
    expected: VALUE.expected,
    read: |text| {
        let is_token = text.tokens.last().is_some_and(|last| last.is("token"));
        operand(text).filter(|_| !is_token)
    },
};

/// All phrases.
pub(crate) const PHRASES: &[Row<Phrase>] = rows! {
    /// Go to a state. The current character stays consumed.
    "switch to STATE" with state: STATE = "switch to tag open"
        => Phrase::SwitchTo(state);
    /// Go to the state that a register holds.
    "switch to the REGISTER" with register: STATE = "switch to the return state"
        => Phrase::SwitchTo(register);
    /// Go to the state that switched here.
    "switch back" = "switch back"
        => Phrase::SwitchBack;
    /// Go to a state; it consumes the same character again.
    "reconsume in STATE" with state: STATE = "reconsume in data"
        => Phrase::ReconsumeIn(state);
    /// Go to the state that a register holds; it consumes the same character again.
    "reconsume in the REGISTER" with register: STATE = "reconsume in the return state"
        => Phrase::ReconsumeIn(register);
    /// Stay in the state; an arm without a successor does the same.
    "stay" = "stay"
        => Phrase::Stay;
    /// Continue with the `anything else` arm.
    "as anything else" = "as anything else"
        => Phrase::AsAnythingElse;
    /// Do nothing.
    "ignore" = "ignore"
        => Phrase::Ignore;
    /// In a `look ahead` block: consume the characters that the arm matched.
    "consume it" = "consume it"
        => Phrase::ConsumeIt;
    /// Report an error that has no code.
    "parse error" = "parse error"
        => Phrase::ParseError;
    /// Report an error.
    "error CODE" with code: CODE = "error eof-in-tag"
        => Phrase::Error(code);
    /// Emit character tokens.
    "emit VALUE" with value: VALUE_ALONE = "emit the current input character"
        => Phrase::Emit(value);
    /// Emit the token under construction.
    "emit the TOKEN token" with token: TOKEN_THERE = "emit the comment token"
        => Phrase::EmitToken(token);
    /// Emit the token as another kind.
    "emit the TOKEN token as a KIND token" with token: TOKEN, kind: KIND = "emit the tag token as an empty tag token"
        => Phrase::EmitTokenAs(token, kind);
    /// Create a token and emit it at once.
    "emit a KIND token" with kind: KIND_MADE = "emit a short end tag token"
        => Phrase::EmitNew(kind);
    /// Emit an end-of-file token, which ends the tokenization.
    "emit EOF" = "emit EOF"
        => Phrase::EmitEof;
    /// Begin a new token.
    "create a KIND token" with kind: KIND = "create a start tag token"
        => Phrase::Create(kind);
    /// Change the kind of the token.
    "make the TOKEN token a KIND token" with token: TOKEN, kind: KIND = "make the tag token an empty tag token"
        => Phrase::Make(token, kind);
    /// Begin an attribute, with empty name and value.
    "start a new attribute" = "start a new attribute"
        => Phrase::StartAttribute;
    /// Remove the attribute under construction.
    "drop the attribute" = "drop the attribute"
        => Phrase::DropAttribute;
    /// Append to a field or a text register.
    "append VALUE to FIELD" with value: VALUE, field: SINK = "append the current input character to the tag name"
        => Phrase::Append(value, field);
    /// Set a text field or text register.
    "set FIELD to VALUE" with field: PLACE, value: VALUE = "set the DOCTYPE name to the empty string"
        => Phrase::Set(field, value);
    /// Set a register of any type.
    "set REGISTER to VALUE" with register: PLACE, value: VALUE = "set the return state to data"
        => Phrase::Set(register, value);
    /// Set a flag.
    "set FLAG" with flag: FLAG = "set the force-quirks flag"
        => Phrase::SetFlag(flag);
    /// Multiply a number.
    "multiply REGISTER by N" with register: NUMBER, factor: N = "multiply the character reference code by 16"
        => Phrase::Multiply(register, factor);
    /// Add the value of the current input character as a digit.
    "add the digit to REGISTER" with register: NUMBER = "add the digit to the character reference code"
        => Phrase::AddDigit(register);
    /// Add one.
    "increase REGISTER" with register: NUMBER = "increase the doctype depth"
        => Phrase::Increase(register);
    /// Subtract one; 0 stays 0.
    "decrease REGISTER" with register: NUMBER = "decrease the doctype depth"
        => Phrase::Decrease(register);
    /// Replace a number by its entry in `numeric replacements`.
    "replace REGISTER" with register: NUMBER = "replace the character reference code"
        => Phrase::Replace(register);
    /// Run a sub-machine.
    "attempt to PROCEDURE" with procedure: PROCEDURE = "attempt to consume a character reference"
        => Phrase::Attempt(procedure, None);
    /// Run a sub-machine with a character register set to none.
    "attempt to PROCEDURE, with no REGISTER" with procedure: PROCEDURE, register: CHARACTER = "attempt to consume a character reference, with no additional allowed character"
        => {
            Phrase::Attempt(procedure, Some(With { register, value: None }))
        };
    /// Run a sub-machine with a character register set.
    "attempt to PROCEDURE, with REGISTER being VALUE" with procedure: PROCEDURE, register: CHARACTER, value: VALUE = "attempt to consume a character reference, with the additional allowed character being U+0022 (\")"
        => {
            let value = Some(value);
            Phrase::Attempt(procedure, Some(With { register, value }))
        };
    /// Leave the sub-machine and put back all characters that it consumed.
    "return nothing" = "return nothing"
        => Phrase::ReturnNothing;
    /// Leave the sub-machine with a value.
    "return VALUE" with value: VALUE_ALONE = "return the characters of the named character reference"
        => Phrase::Return(value);
    /// Leave the sub-machine with the token under construction.
    "return the TOKEN token" with token: TOKEN = "return the entity reference token"
        => Phrase::ReturnToken(token);
};
