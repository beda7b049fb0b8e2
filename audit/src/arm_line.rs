//! A line of the arm notation, `input -> error ; actions ; next`: its left side and the parts of its right
//! side.

use speclex_codegen::charset::{CharSet, MAX};

use crate::clauses::{convert, flush};
use crate::conditions::{controls, noncharacters};
use crate::facts::{
    Action, BUFFER, CDATA_ALLOWED, CODE, Guard, Literal, Piece, Place, RETURN_STATE, Step,
    Successor, literal,
};

/// What an arm is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Set {
        set: CharSet,
        eof: bool,
        /// `True` for "otherwise".
        guard: Option<Guard>,
    },
    Literal {
        literal: Literal,
        guard: Option<Guard>,
    },
    Other,
    /// A case of a match; the last has no question.
    Match(Option<Guard>),
    NoMatch,
    /// A check of a number.
    Number(Guard),
}

/// Reads the left side.
pub(crate) fn input(text: &str) -> Option<Input> {
    match text {
        "other" => return Some(Input::Other),
        "no match" => return Some(Input::NoMatch),
        _ => {}
    }
    if text.starts_with("code ") {
        return number(text).map(Input::Number);
    }
    if let Some(rest) = text.strip_prefix("match, ") {
        let rest = rest.strip_prefix("otherwise, ").unwrap_or(rest);
        let rest = rest.strip_prefix("if ").unwrap_or(rest);
        return matched(rest).map(|guard| Input::Match(Some(guard)));
    }
    if let Some(rest) = text.strip_prefix("next characters ") {
        let (literal, rest) = quoted(rest)?;
        return literal_input(literal, rest);
    }
    if let Some((_, rest)) = text
        .strip_prefix("other, current and next ")
        .and_then(|rest| rest.split_once(" are "))
    {
        let (literal, rest) = quoted(rest)?;
        return literal_input(literal, rest);
    }
    if let Some((set, word)) = text.split_once(", if temp is ") {
        let (set, eof) = self::set(set)?;
        return Some(Input::Set {
            set,
            eof,
            guard: Some(buffer_is(word)?),
        });
    }
    if let Some(set) = text.strip_suffix(", otherwise") {
        let (set, eof) = self::set(set)?;
        return Some(Input::Set {
            set,
            eof,
            guard: Some(Guard::True),
        });
    }
    let (set, eof) = set(text)?;
    Some(Input::Set {
        set,
        eof,
        guard: None,
    })
}

/// `"xml" or "xml-stylesheet" (ASCII case-insensitive)`
fn buffer_is(text: &str) -> Option<Guard> {
    let mut any_of = Vec::new();
    let mut rest = text;
    loop {
        let (word, after) = quoted(rest)?;
        any_of.push(word.to_owned());
        match after.strip_prefix(" or ") {
            Some(more) => rest = more,
            None => {
                rest = after;
                break;
            }
        }
    }
    let ignore_case = match rest.trim() {
        "" => false,
        "(ASCII case-insensitive)" => true,
        _ => return None,
    };
    Some(Guard::TextIs {
        register: BUFFER.to_owned(),
        any_of,
        ignore_case,
    })
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('"')?.split_once('"')
}

/// What is said behind a string.
fn literal_input(literal: &str, rest: &str) -> Option<Input> {
    let mut ignore_case = false;
    let mut guard = None;
    for part in rest.split(", ").map(str::trim).filter(|p| !p.is_empty()) {
        match part {
            "(case-sensitive)" => {}
            "(ASCII case-insensitive)" | "(ASCII case-insensitive; all six consumed)" => {
                ignore_case = true;
            }
            "otherwise" => guard = Some(Guard::True),
            "if there is an adjusted current node and it is not in the HTML namespace" => {
                guard = Some(Guard::Question(CDATA_ALLOWED.to_owned()));
            }
            _ => return None,
        }
    }
    Some(Input::Literal {
        literal: Literal {
            text: literal.to_owned(),
            ignore_case,
        },
        guard,
    })
}

/// `WS, / (U+002F), > (U+003E), EOF`
pub(crate) fn set(text: &str) -> Option<(CharSet, bool)> {
    let mut set = CharSet::new();
    let mut eof = false;
    for item in text.split(", ") {
        match item {
            "EOF" => eof = true,
            item => set = set.union(&item_set(item)?),
        }
    }
    Some((set, eof))
}

fn item_set(item: &str) -> Option<CharSet> {
    let ranges: &[(u32, u32)] = match item {
        "WS" => &[(0x9, 0xA), (0xC, 0xC), (0x20, 0x20)],
        "NULL" => &[(0, 0)],
        "ASCII digit" => &[(0x30, 0x39)],
        "ASCII hex digit" => &[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)],
        "ASCII upper hex digit" => &[(0x30, 0x39), (0x41, 0x46)],
        "ASCII lower hex digit" => &[(0x30, 0x39), (0x61, 0x66)],
        "ASCII upper alpha" => &[(0x41, 0x5A)],
        "ASCII lower alpha" => &[(0x61, 0x7A)],
        "ASCII alpha" => &[(0x41, 0x5A), (0x61, 0x7A)],
        "ASCII alphanumeric" => &[(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)],
        item => return character(item).map(CharSet::single),
    };
    Some(CharSet::from_ranges(ranges.iter().copied()))
}

/// `& (U+0026)`: glyph and number must agree.
fn character(item: &str) -> Option<char> {
    let (glyph, number) = item.strip_suffix(')')?.split_once(" (U+")?;
    let number = char::from_u32(u32::from_str_radix(number, 16).ok()?)?;
    let glyph = glyph
        .strip_prefix('\'')
        .and_then(|g| g.strip_suffix('\''))
        .unwrap_or(glyph);
    let glyph = if item.starts_with("' ") { "'" } else { glyph };
    (glyph == number.to_string()).then_some(number)
}

/// `in attribute, last character matched is not ; (U+003B), and next character is = (U+003D) or ASCII
/// alphanumeric`
fn matched(text: &str) -> Option<Guard> {
    let mut all = Vec::new();
    for part in text.split(", ") {
        let part = part.strip_prefix("and ").unwrap_or(part);
        let guard = if part == "in attribute" {
            Guard::InAttribute
        } else if let Some(rest) = part.strip_prefix("last character matched is not ") {
            Guard::LastMatched(item_set(rest)?).negated()
        } else if let Some(rest) = part.strip_prefix("last character matched is ") {
            Guard::LastMatched(item_set(rest)?)
        } else if let Some(rest) = part.strip_prefix("next character is ") {
            let mut set = CharSet::new();
            for item in rest.split(" or ") {
                set = set.union(&item_set(item)?);
            }
            Guard::Next(set, false)
        } else {
            return None;
        };
        all.push(guard);
    }
    Some(Guard::All(all))
}

/// `code > 0x10FFFF`
fn number(text: &str) -> Option<Guard> {
    let mut ranges = Vec::new();
    for part in text.split(", ") {
        let part = part.strip_prefix("or ").unwrap_or(part);
        let hex = |text: &str| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok();
        if let Some(number) = part.strip_prefix("code = ") {
            let number = hex(number)?;
            ranges.push((number, number));
        } else if let Some(number) = part.strip_prefix("code > ") {
            ranges.push((hex(number)?.checked_add(1)?, MAX + 1));
        } else if part == "code is a surrogate (0xD800-0xDFFF)" {
            ranges.push((0xD800, 0xDFFF));
        } else if part == "code is a noncharacter" {
            ranges.extend(noncharacters());
        } else if part == "code is a control but not ASCII whitespace" {
            ranges.extend(controls());
        } else {
            return None;
        }
    }
    Some(Guard::NumberIn(CODE.to_owned(), ranges))
}

/// Reads actions.
pub(crate) fn actions(text: &str) -> Option<Vec<Step>> {
    if matches!(text, "-" | "ignore" | "code unchanged") {
        return Some(Vec::new());
    }
    if text == "if the code is in the table below, code := its second column, otherwise unchanged" {
        return Some(vec![Step::Do(Action::Replace(CODE.to_owned()))]);
    }
    if let Some((then, otherwise)) = text
        .strip_prefix("if in attribute: ")
        .and_then(|rest| rest.split_once(", otherwise: "))
    {
        let (then, otherwise) = (actions(then)?, actions(otherwise)?);
        return Some(vec![Step::If(Guard::InAttribute, then, otherwise)]);
    }
    let mut steps = Vec::new();
    for part in split(text) {
        steps.extend(action(part.trim())?);
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

fn action(text: &str) -> Option<Vec<Step>> {
    let action = |action: Action| Some(vec![Step::Do(action)]);
    match text {
        "flush temp" => return Some(flush()),
        "convert temp to comment" => return Some(convert()),
        "self-closing flag := set" => {
            return action(Action::Flag("self-closing flag".to_owned(), true));
        }
        "force-quirks := on" => return action(Action::Flag("force-quirks flag".to_owned(), true)),
        _ => {}
    }
    if let Some(what) = text.strip_prefix("emit ") {
        return emit(what);
    }
    if let Some(what) = text.strip_prefix("create ") {
        return create(what);
    }
    if let Some(what) = text.strip_prefix("start attribute (") {
        let mut steps = vec![Step::Do(Action::StartAttribute)];
        steps.extend(fields(what, |name| match name {
            "name" => Some(Place::AttributeName),
            "value" => Some(Place::AttributeValue),
            _ => None,
        })?);
        return Some(steps);
    }
    if let Some((place, what)) = text.split_once(" += ") {
        return action(Action::Write {
            target: target(place)?,
            set: false,
            value: value(what)?,
        });
    }
    let (place, what) = text.split_once(" := ")?;
    match place {
        "return state" => action(Action::SetState(
            RETURN_STATE.to_owned(),
            what.strip_suffix(" state")?.to_owned(),
        )),
        "code" => code(what),
        place => action(Action::Write {
            target: target(place)?,
            set: true,
            value: value(what)?,
        }),
    }
}

fn emit(what: &str) -> Option<Vec<Step>> {
    let token = |name: &str| Some(vec![Step::Do(Action::Emit(Some(name.to_owned())))]);
    match what {
        "EOF" => Some(vec![Step::Do(Action::EmitEof)]),
        "tag" => token("tag"),
        "comment" => token("comment"),
        "DOCTYPE" => token("DOCTYPE"),
        "PI" => token("processing instruction"),
        "each of temp" => Some(vec![Step::Do(Action::EmitText(vec![Piece::Register(
            BUFFER.to_owned(),
        )]))]),
        what => Some(vec![Step::Do(Action::EmitText(value(what)?))]),
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
    let mut steps = vec![Step::Do(Action::Create(kind.to_owned()))];
    if let Some(with) = with {
        steps.extend(fields(with, |name| {
            Some(Place::Field(token.to_owned(), name.to_owned()))
        })?);
    }
    Some(steps)
}

/// `name current, value "")`
fn fields(text: &str, target: impl Fn(&str) -> Option<Place>) -> Option<Vec<Step>> {
    let inside = text.strip_suffix(')')?;
    let field = |part: &str| {
        let (name, what) = part.split_once(' ')?;
        Some(Step::Do(Action::Write {
            target: target(name)?,
            set: true,
            value: value(what)?,
        }))
    };
    inside.split(", ").map(field).collect()
}

fn target(place: &str) -> Option<Place> {
    let field = |token: &str, name: &str| Place::Field(token.to_owned(), name.to_owned());
    Some(match place {
        "temp" => Place::Register(BUFFER.to_owned()),
        "tag name" => field("tag", "name"),
        "attribute name" => Place::AttributeName,
        "attribute value" => Place::AttributeValue,
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
        return Some(vec![Step::Do(Action::SetNumber(CODE.to_owned(), 0))]);
    }
    if let Some(number) = what.strip_prefix("0x") {
        let number = u32::from_str_radix(number, 16).ok()?;
        return Some(vec![Step::Do(Action::SetNumber(CODE.to_owned(), number))]);
    }
    let (base, offset) = what
        .strip_prefix("code * ")?
        .strip_suffix(')')?
        .split_once(" + (current - 0x")?;
    // What a digit is worth, for digits, for capital and for small letters.
    matches!(offset, "30" | "37" | "57").then(|| {
        vec![
            Step::Do(Action::Multiply(CODE.to_owned(), base.parse().unwrap_or(0))),
            Step::Do(Action::AddDigit(CODE.to_owned())),
        ]
    })
}

/// Reads the successor.
pub(crate) fn successor(text: &str) -> Option<Vec<Step>> {
    if let Some((guard, rest)) = text
        .strip_prefix("if temp = ")
        .and_then(|t| t.split_once(": "))
    {
        let guard = buffer_is(guard)?;
        let (then, otherwise) = rest.split_once(", otherwise: ")?;
        return Some(vec![Step::If(
            guard,
            successor(then)?,
            successor(otherwise)?,
        )]);
    }
    let (name, reconsume) = match text.strip_prefix("reconsume in ") {
        Some(name) => (name, true),
        None => (text, false),
    };
    let to = match name {
        "stay" => Successor::Stay,
        "end" => Successor::End,
        "return state" => Successor::Register(RETURN_STATE.to_owned()),
        name => Successor::State(name.strip_suffix(" state")?.to_owned()),
    };
    let mut steps = vec![Step::Go(to)];
    if reconsume {
        steps.push(Step::Reconsume);
    }
    Some(steps)
}
