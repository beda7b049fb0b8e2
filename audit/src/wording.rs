//! Actions, conditions and inputs in words.

use speclex_codegen::charset::display_char;

use crate::evaluator::{Consumed, Trace};
use crate::facts::{Action, Piece, Place, Successor};
use crate::inputs::{Assignment, Event, OTHER, Val, Var};

/// What was done.
pub(crate) fn trace(trace: &Trace) -> String {
    let mut parts: Vec<String> = trace.actions.iter().map(action).collect();
    parts.push(successor(trace));
    parts.join(", ")
}

/// Where it leads.
pub(crate) fn successor(trace: &Trace) -> String {
    let place = match &trace.to {
        None => return "say nothing of a successor".to_owned(),
        Some(Successor::Stay) if trace.consumed != Consumed::Nothing => return "stay".to_owned(),
        Some(Successor::Stay) => "this state".to_owned(),
        Some(Successor::State(name)) => name.clone(),
        Some(Successor::Register(name)) => format!("the {name}"),
        Some(Successor::Back) => "the state that switched here".to_owned(),
        Some(Successor::End) => return "end".to_owned(),
    };
    match trace.consumed {
        Consumed::Nothing => format!("reconsume in {place}"),
        Consumed::One | Consumed::All => format!("switch to {place}"),
    }
}

/// An action.
pub(crate) fn action(action: &Action) -> String {
    match action {
        Action::Error(code) if code == crate::facts::UNNAMED => "parse error".to_owned(),
        Action::Error(code) => format!("error {code}"),
        Action::EmitText(value) => format!("emit {}", text(value)),
        Action::Emit(token) => format!("emit the {} token", token.as_deref().unwrap_or("current")),
        Action::EmitEof => "emit EOF".to_owned(),
        Action::Create(kind) => format!("create a {kind} token"),
        Action::SetKind(kind) => format!("make the token a {kind} token"),
        Action::StartAttribute => "start a new attribute".to_owned(),
        Action::DropAttribute => "drop the attribute".to_owned(),
        Action::Write {
            target,
            set: true,
            value,
        } => format!("set {} to {}", place(target), text(value)),
        Action::Write { target, value, .. } => {
            format!("append {} to {}", text(value), place(target))
        }
        Action::Flag(flag, true) => format!("set the {flag}"),
        Action::Flag(flag, false) => format!("unset the {flag}"),
        Action::SetState(register, state) => format!("set the {register} to {state}"),
        Action::SetNumber(register, number) => format!("set the {register} to {number:#X}"),
        Action::Multiply(register, by) => format!("multiply the {register} by {by}"),
        Action::AddDigit(register) => format!("add the digit to the {register}"),
        Action::Increase(register) => format!("increase the {register}"),
        Action::Decrease(register) => format!("decrease the {register}"),
        Action::Replace(register) => format!("replace the {register}"),
        Action::SetAllowed(None) => "set no additional allowed character".to_owned(),
        Action::SetAllowed(Some(c)) => {
            format!(
                "set the additional allowed character to {}",
                display_char(*c)
            )
        }
        Action::SetWord(register, word) => format!("set the {register} to {word}"),
        Action::Call(state) => format!("remember {state} as the caller"),
        Action::Back(to, from) => format!("remember {from} as what switched to {to}"),
        Action::Mark => "attempt to consume a character reference".to_owned(),
        Action::Rewind => "consume nothing after all".to_owned(),
    }
}

fn place(target: &Place) -> String {
    match target {
        Place::Field(token, field) => format!("the {token} {field}"),
        Place::AttributeName => "the attribute name".to_owned(),
        Place::AttributeValue => "the attribute value".to_owned(),
        Place::Register(name) => format!("the {name}"),
    }
}

fn text(value: &[Piece]) -> String {
    if value.is_empty() {
        return "the empty string".to_owned();
    }
    let piece = |piece: &Piece| match piece {
        Piece::Lit(text) => {
            let mut chars = text.chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => display_char(c),
                _ => format!("{text:?}"),
            }
        }
        Piece::Current => "the current input character".to_owned(),
        Piece::LowerCurrent => "its lowercase".to_owned(),
        Piece::Register(name) => format!("the {name}"),
        Piece::Code(name) => format!("the character of the {name}"),
        Piece::MatchedReplacement => "the characters of the named reference".to_owned(),
        Piece::MatchedName => "the name matched".to_owned(),
        Piece::Field(token, field) => format!("the {token} {field}"),
        Piece::Returned => "what is returned".to_owned(),
    };
    value.iter().map(piece).collect::<Vec<_>>().join(" and ")
}

/// An input.
pub(crate) fn event(event: &Event) -> String {
    match event {
        Event::Enter => "on entering".to_owned(),
        Event::Char(c) => display_char(*c),
        Event::Text(text) => format!("{text:?}"),
        Event::Eof => "EOF".to_owned(),
        Event::Run => "steps".to_owned(),
        Event::Match => "match".to_owned(),
        Event::NoMatch => "no match".to_owned(),
    }
}

/// In which case.
pub(crate) fn case(assignment: &Assignment) -> String {
    let value = |value: &Val| match value {
        Val::Bool(true) => "yes".to_owned(),
        Val::Bool(false) => "no".to_owned(),
        Val::Word(word) if word == OTHER => "anything else".to_owned(),
        Val::Word(word) => word.clone(),
        Val::Char(c) => display_char(*c),
        Val::Number(number) => format!("{number:#X}"),
        Val::None => "none".to_owned(),
        Val::Mismatch => "another".to_owned(),
    };
    let name = |var: &Var| match var {
        Var::Word(name) | Var::State(name) | Var::Text(name) | Var::Number(name) => name.clone(),
        Var::Kind(token) => format!("kind of {token}"),
        Var::Boolean(name) => name.clone(),
        Var::LastMatched => "last character matched".to_owned(),
        Var::Next => "next input character".to_owned(),
        Var::Name => "last start tag's name, then".to_owned(),
        Var::Allowed => "additional allowed character".to_owned(),
        Var::Caller => "called from".to_owned(),
    };
    assignment
        .iter()
        .map(|(var, val)| format!("{}: {}", name(var), value(val)))
        .collect::<Vec<_>>()
        .join("; ")
}
