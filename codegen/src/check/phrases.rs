//! The phrases of the table language: a row each.

use super::Checker;
use super::model::{Goal, Return, Sink, StepKind};
use crate::diagnostic::Span;
use crate::machine::Action;
use crate::phrase::holes::{
    CHARACTER, CODE, FLAG, KIND, KIND_MADE, N, NUMBER, PLACE, PROCEDURE, SINK, STATE, TOKEN,
    TOKEN_THERE, VALUE, VALUE_ALONE,
};
use crate::phrase::{self, Cursor, Row, rows};

/// Builds what a row means of what stands in its holes. `None` after a fault.
pub(crate) type Means<T> = fn(&mut Checker<'_, '_>, &[Cursor<'_>], Span) -> Option<T>;

fn one(kind: StepKind) -> Option<Vec<StepKind>> {
    Some(vec![kind])
}

fn act(action: Action) -> Option<Vec<StepKind>> {
    one(StepKind::Do(action))
}

/// Whether a text is a phrase, as far as the names in it exist.
pub(crate) fn is_phrase(text: &str) -> bool {
    phrase::fits(PHRASES, text)
}

/// All phrases.
pub(crate) const PHRASES: &[Row<Means<Vec<StepKind>>>] = rows! {
    /// Go to a state. The current character stays consumed.
    "switch to STATE" = "switch to tag open"
    /// Go to the state that a register holds.
    "switch to the REGISTER" = "switch to the return state"
        with state: STATE => |c, _| one(StepKind::Go(c.goal(&state)?, false));
    /// Go to the state that switched here.
    "switch back" = "switch back"
        => |_, _| one(StepKind::Go(Goal::Back, false));
    /// Go to a state; it consumes the same character again.
    "reconsume in STATE" = "reconsume in data"
    /// Go to the state that a register holds; it consumes the same character again.
    "reconsume in the REGISTER" = "reconsume in the return state"
        with state: STATE => |c, _| one(StepKind::Go(c.goal(&state)?, true));
    /// Stay in the state; an arm without a successor does the same.
    "stay" = "stay"
        => |_, _| one(StepKind::Go(Goal::Stay, false));
    /// Continue with the `anything else` arm.
    "as anything else" = "as anything else"
        => |_, _| one(StepKind::AsAnythingElse);
    /// Do nothing.
    "ignore" = "ignore"
        => |_, _| one(StepKind::Ignore);
    /// In a `look ahead` block: consume the characters that the arm matched.
    "consume it" = "consume it"
        => |_, _| one(StepKind::ConsumeIt);
    /// Report an error that has no code.
    "parse error" = "parse error"
        => |c, _| act(Action::Error(c.parse_error()));
    /// Report an error.
    "error CODE" = "error eof-in-tag"
        with code: CODE => |c, _| act(Action::Error(c.error(&code)?));
    /// Emit character tokens.
    "emit VALUE" = "emit the current input character"
        with value: VALUE_ALONE => |c, _| one(StepKind::Text(Sink::Emit, c.text(&value)?));
    /// Emit the token under construction.
    "emit the TOKEN token" = "emit the comment token"
        with token: TOKEN_THERE => |c, _| {
            let token = c.token(&token)?;
            act(c.emit(token))
        };
    /// Emit the token as another kind.
    "emit the TOKEN token as a KIND token" = "emit the tag token as an empty tag token"
        with token: TOKEN, kind: KIND => |c, span| {
            let token = c.token(&token)?;
            let (_, kind) = c.kind_made(&kind, Some(token), span)?;
            Some(vec![StepKind::Do(Action::SetKind(token, kind)), StepKind::Do(c.emit(token))])
        };
    /// Create a token and emit it at once.
    "emit a KIND token" = "emit a short end tag token"
        with kind: KIND_MADE => |c, span| {
            let (token, kind) = c.kind_made(&kind, None, span)?;
            Some(vec![StepKind::Do(Action::Create(token, kind)), StepKind::Do(c.emit(token))])
        };
    /// Emit an end-of-file token, which ends the tokenization.
    "emit EOF" = "emit EOF"
        => |_, _| one(StepKind::EmitEof);
    /// Begin a new token.
    "create a KIND token" = "create a start tag token"
        with kind: KIND => |c, span| {
            let (token, kind) = c.kind_made(&kind, None, span)?;
            act(Action::Create(token, kind))
        };
    /// Change the kind of the token.
    "make the TOKEN token a KIND token" = "make the tag token an empty tag token"
        with token: TOKEN, kind: KIND => |c, span| {
            let token = c.token(&token)?;
            act(Action::SetKind(token, c.kind_made(&kind, Some(token), span)?.1))
        };
    /// Begin an attribute, with empty name and value.
    "start a new attribute" = "start a new attribute"
        => |c, span| act(Action::StartAttribute(c.attribute_token(span)?));
    /// Remove the attribute under construction.
    "drop the attribute" = "drop the attribute"
        => |c, span| act(Action::DropAttribute(c.attribute_token(span)?));
    /// Append to a field or a text register.
    "append VALUE to FIELD" = "append the current input character to the tag name"
        with value: VALUE, field: SINK => |c, _| {
            let value = c.text(&value);
            let sink = c.append_sink(&field)?;
            one(StepKind::Text(sink, value?))
        };
    /// Set a text field or text register.
    "set FIELD to VALUE" = "set the DOCTYPE name to the empty string"
    /// Set a register of any type.
    "set REGISTER to VALUE" = "set the return state to data"
        with field: PLACE, value: VALUE => |c, _| one(c.set(&field, &value)?);
    /// Set a flag.
    "set FLAG" = "set the force-quirks flag"
        with flag: FLAG => |c, _| act(Action::SetFlag(c.flag(&flag)?, true));
    /// Multiply a number.
    "multiply REGISTER by N" = "multiply the character reference code by 16"
        with register: NUMBER, factor: N => |c, span| {
            let register = c.number(&register);
            let factor = c.in_range(factor, span);
            act(Action::Multiply(register?, factor?))
        };
    /// Add the value of the current input character as a digit.
    "add the digit to REGISTER" = "add the digit to the character reference code"
        with register: NUMBER => |c, _| act(Action::AddDigit(c.number(&register)?));
    /// Add one.
    "increase REGISTER" = "increase the doctype depth"
        with register: NUMBER => |c, _| act(Action::Increase(c.number(&register)?));
    /// Subtract one; 0 stays 0.
    "decrease REGISTER" = "decrease the doctype depth"
        with register: NUMBER => |c, _| act(Action::Decrease(c.number(&register)?));
    /// Replace a number by its entry in `numeric replacements`.
    "replace REGISTER" = "replace the character reference code"
        with register: NUMBER => |c, _| act(Action::Replace(c.number(&register)?));
    /// Run a sub-machine.
    "attempt to PROCEDURE" = "attempt to consume a character reference"
        with procedure: PROCEDURE => |c, _| one(c.attempt(&procedure, None)?);
    /// Run a sub-machine with a character register set to none.
    "attempt to PROCEDURE, with no REGISTER" = "attempt to consume a character reference, with no additional allowed character"
        with procedure: PROCEDURE, register: CHARACTER => |c, _| one(c.attempt(&procedure, Some((&register, None)))?);
    /// Run a sub-machine with a character register set.
    "attempt to PROCEDURE, with REGISTER being VALUE" = "attempt to consume a character reference, with the additional allowed character being U+0022 (\")"
        with procedure: PROCEDURE, register: CHARACTER, value: VALUE => |c, _| one(c.attempt(&procedure, Some((&register, Some(&value))))?);
    /// Leave the sub-machine and put back all characters that it consumed.
    "return nothing" = "return nothing"
        => |_, _| one(StepKind::Return(Return::Nothing));
    /// Leave the sub-machine with a value.
    "return VALUE" = "return the characters of the named character reference"
        with value: VALUE_ALONE => |c, _| one(StepKind::Return(Return::Text(c.text(&value)?)));
    /// Leave the sub-machine with the token under construction.
    "return the TOKEN token" = "return the entity reference token"
        with token: TOKEN => |c, _| one(StepKind::Return(Return::Token(c.token(&token)?)));
};
