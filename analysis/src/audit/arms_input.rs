//! The left side of an arm in the arm notation: which input.

use speclex_codegen::charset::{CharSet, MAX};

use super::conditions::{CDATA_ALLOWED, controls, noncharacters};
use super::facts::{Cond, Literal};
use super::machine::CODE;
use super::values::BUFFER;

/// What an arm is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Set {
        set: CharSet,
        eof: bool,
        /// `True` for "otherwise".
        guard: Option<Cond>,
    },
    Literal {
        literal: Literal,
        guard: Option<Cond>,
    },
    Other,
    /// A case of a match; the last has no question.
    Match(Option<Cond>),
    NoMatch,
    /// A check of a number.
    Number(Cond),
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
        return matched(rest).map(|cond| Input::Match(Some(cond)));
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
            guard: Some(Cond::True),
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
pub(crate) fn buffer_is(text: &str) -> Option<Cond> {
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
    Some(Cond::TextIs {
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
            "otherwise" => guard = Some(Cond::True),
            "if there is an adjusted current node and it is not in the HTML namespace" => {
                guard = Some(Cond::Question(CDATA_ALLOWED.to_owned()));
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
fn matched(text: &str) -> Option<Cond> {
    let mut all = Vec::new();
    for part in text.split(", ") {
        let part = part.strip_prefix("and ").unwrap_or(part);
        let cond = if part == "in attribute" {
            Cond::InAttribute
        } else if let Some(rest) = part.strip_prefix("last character matched is not ") {
            Cond::LastMatched(item_set(rest)?).negated()
        } else if let Some(rest) = part.strip_prefix("last character matched is ") {
            Cond::LastMatched(item_set(rest)?)
        } else if let Some(rest) = part.strip_prefix("next character is ") {
            let mut set = CharSet::new();
            for item in rest.split(" or ") {
                set = set.union(&item_set(item)?);
            }
            Cond::Next(set, false)
        } else {
            return None;
        };
        all.push(cond);
    }
    Some(Cond::All(all))
}

/// `code > 0x10FFFF`
fn number(text: &str) -> Option<Cond> {
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
    Some(Cond::NumberIn(CODE.to_owned(), ranges))
}
