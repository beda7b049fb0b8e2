//! The right side of an arm in the arm notation: what is done and what is next.

use super::arms_input::buffer_is;
use super::facts::{Act, Cond, Piece, Step, Target, To, literal};
use super::machine::CODE;
use super::steps::{convert, flush};
use super::values::{BUFFER, RETURN_STATE};

/// Reads actions.
pub(crate) fn actions(text: &str) -> Option<Vec<Step>> {
    if matches!(text, "-" | "ignore" | "code unchanged") {
        return Some(Vec::new());
    }
    if text == "if the code is in the table below, code := its second column, otherwise unchanged" {
        return Some(vec![Step::Do(Act::Replace(CODE.to_owned()))]);
    }
    if let Some((then, otherwise)) = text
        .strip_prefix("if in attribute: ")
        .and_then(|rest| rest.split_once(", otherwise: "))
    {
        let (then, otherwise) = (actions(then)?, actions(otherwise)?);
        return Some(vec![Step::If(Cond::InAttribute, then, otherwise)]);
    }
    let mut steps = Vec::new();
    for action in split(text) {
        steps.extend(one(action.trim())?);
    }
    Some(steps)
}

/// At commas that are not in parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn one(text: &str) -> Option<Vec<Step>> {
    let act = |act: Act| Some(vec![Step::Do(act)]);
    match text {
        "flush temp" => return Some(flush()),
        "convert temp to comment" => return Some(convert()),
        "self-closing flag := set" => {
            return act(Act::Flag("self-closing flag".to_owned(), true));
        }
        "force-quirks := on" => return act(Act::Flag("force-quirks flag".to_owned(), true)),
        _ => {}
    }
    if let Some(what) = text.strip_prefix("emit ") {
        return emit(what);
    }
    if let Some(what) = text.strip_prefix("create ") {
        return create(what);
    }
    if let Some(what) = text.strip_prefix("start attribute (") {
        let mut steps = vec![Step::Do(Act::StartAttribute)];
        steps.extend(fields(what, |name| match name {
            "name" => Some(Target::AttributeName),
            "value" => Some(Target::AttributeValue),
            _ => None,
        })?);
        return Some(steps);
    }
    if let Some((place, what)) = text.split_once(" += ") {
        return act(Act::Write {
            target: target(place)?,
            set: false,
            value: value(what)?,
        });
    }
    let (place, what) = text.split_once(" := ")?;
    match place {
        "return state" => act(Act::SetState(
            RETURN_STATE.to_owned(),
            what.strip_suffix(" state")?.to_owned(),
        )),
        "code" => code(what),
        place => act(Act::Write {
            target: target(place)?,
            set: true,
            value: value(what)?,
        }),
    }
}

fn emit(what: &str) -> Option<Vec<Step>> {
    let token = |name: &str| Some(vec![Step::Do(Act::Emit(Some(name.to_owned())))]);
    match what {
        "EOF" => Some(vec![Step::Do(Act::EmitEof)]),
        "tag" => token("tag"),
        "comment" => token("comment"),
        "DOCTYPE" => token("DOCTYPE"),
        "PI" => token("processing instruction"),
        "each of temp" => Some(vec![Step::Do(Act::EmitText(vec![Piece::Register(
            BUFFER.to_owned(),
        )]))]),
        what => Some(vec![Step::Do(Act::EmitText(value(what)?))]),
    }
}

/// `start tag (name "")`, `DOCTYPE`
fn create(what: &str) -> Option<Vec<Step>> {
    let (kind, with) = match what.split_once(" (") {
        Some((kind, with)) => (kind, Some(with)),
        None => (what, None),
    };
    let (kind, token) = match kind {
        "start tag" | "end tag" => (kind, "tag"),
        "comment" | "DOCTYPE" => (kind, kind),
        "PI" => ("processing instruction", "processing instruction"),
        _ => return None,
    };
    let mut steps = vec![Step::Do(Act::Create(kind.to_owned()))];
    if let Some(with) = with {
        steps.extend(fields(with, |name| {
            Some(Target::Field(token.to_owned(), name.to_owned()))
        })?);
    }
    Some(steps)
}

/// `name current, value "")`
fn fields(text: &str, target: impl Fn(&str) -> Option<Target>) -> Option<Vec<Step>> {
    let inside = text.strip_suffix(')')?;
    let field = |part: &str| {
        let (name, what) = part.split_once(' ')?;
        Some(Step::Do(Act::Write {
            target: target(name)?,
            set: true,
            value: value(what)?,
        }))
    };
    inside.split(", ").map(field).collect()
}

fn target(place: &str) -> Option<Target> {
    let field = |token: &str, name: &str| Target::Field(token.to_owned(), name.to_owned());
    Some(match place {
        "temp" => Target::Register(BUFFER.to_owned()),
        "tag name" => field("tag", "name"),
        "attribute name" => Target::AttributeName,
        "attribute value" => Target::AttributeValue,
        "comment data" => field("comment", "data"),
        "name" => field("DOCTYPE", "name"),
        "public id" => field("DOCTYPE", "public identifier"),
        "system id" => field("DOCTYPE", "system identifier"),
        "PI data" => field("processing instruction", "data"),
        _ => return None,
    })
}

fn value(what: &str) -> Option<Vec<Piece>> {
    if let Some(text) = what.strip_prefix('"').and_then(|w| w.strip_suffix('"')) {
        return Some(literal(text));
    }
    if let Some(number) = what.strip_prefix("U+") {
        let character = char::from_u32(u32::from_str_radix(number, 16).ok()?)?;
        return Some(literal(&character.to_string()));
    }
    Some(vec![match what {
        "current" => Piece::Current,
        "lower(current)" => Piece::LowerCurrent,
        "temp" => Piece::Register(BUFFER.to_owned()),
        "the one or two characters of the name" => Piece::MatchedReplacement,
        _ => return None,
    }])
}

/// `code * 16 + (current - 0x30)`, `0xFFFD`
fn code(what: &str) -> Option<Vec<Step>> {
    if what == "0" {
        return Some(vec![Step::Do(Act::SetNumber(CODE.to_owned(), 0))]);
    }
    if let Some(number) = what.strip_prefix("0x") {
        let number = u32::from_str_radix(number, 16).ok()?;
        return Some(vec![Step::Do(Act::SetNumber(CODE.to_owned(), number))]);
    }
    let (base, offset) = what
        .strip_prefix("code * ")?
        .strip_suffix(')')?
        .split_once(" + (current - 0x")?;
    // What a digit is worth, for digits, for capital and for small letters.
    matches!(offset, "30" | "37" | "57").then(|| {
        vec![
            Step::Do(Act::Multiply(CODE.to_owned(), base.parse().unwrap_or(0))),
            Step::Do(Act::AddDigit(CODE.to_owned())),
        ]
    })
}

/// Reads the successor.
pub(crate) fn successor(text: &str) -> Option<Vec<Step>> {
    if let Some((cond, rest)) = text
        .strip_prefix("if temp = ")
        .and_then(|t| t.split_once(": "))
    {
        let cond = buffer_is(cond)?;
        let (then, otherwise) = rest.split_once(", otherwise: ")?;
        return Some(vec![Step::If(
            cond,
            successor(then)?,
            successor(otherwise)?,
        )]);
    }
    let (name, reconsume) = match text.strip_prefix("reconsume in ") {
        Some(name) => (name, true),
        None => (text, false),
    };
    let to = match name {
        "stay" => To::Stay,
        "end" => To::End,
        "return state" => To::Register(RETURN_STATE.to_owned()),
        name => To::State(name.strip_suffix(" state")?.to_owned()),
    };
    let mut steps = vec![Step::Go(to)];
    if reconsume {
        steps.push(Step::Reconsume);
    }
    Some(steps)
}
