//! Character sets as the keys of arms write them.

use crate::charset::{CharSet, display_char};
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::{Kind, Token, escaped, normal, tokens};
use crate::read::quoting::{in_single_quotes, literal_key};
use crate::suggest::closest;
use std::collections::{BTreeMap, BTreeSet};

/// One item of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A range of characters, often of one.
    Range(char, char),
    /// A class by name.
    Class(String),
    /// Two or more characters in a row.
    Literal(Literal),
    /// The end of the input.
    Eof,
    /// Every character that no other arm takes.
    AnythingElse,
}

/// A string that is matched as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Literal {
    pub(crate) text: String,
    pub(crate) ignore_case: bool,
}

/// A set as written: the items, and those that `except` takes away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) items: Vec<(Item, Span)>,
    pub(crate) except: Vec<(Item, Span)>,
}

/// What a written set stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Meaning {
    pub(crate) set: CharSet,
    pub(crate) literals: Vec<Literal>,
    pub(crate) eof: bool,
    pub(crate) anything_else: bool,
    /// Which of these two an unknown name probably means.
    pub(crate) meant: Option<&'static str>,
}

pub(crate) const EOF: &str = "EOF";
pub(crate) const ANYTHING_ELSE: &str = "anything else";

/// Where classes are looked up, and which were used.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    own: BTreeMap<String, CharSet>,
    used: BTreeSet<String>,
}

/// A class that every table has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltIn {
    pub(crate) name: &'static str,
    ranges: &'static [(u32, u32)],
    /// Its characters, for people.
    pub(crate) about: &'static str,
}

macro_rules! classes {
    ($($(#[doc = $about:literal])+ $name:literal = $ranges:expr;)+) => {
        &[$(BuiltIn {
            name: $name,
            ranges: $ranges,
            about: concat!($($about),+).trim_ascii_start(),
        }),+]
    };
}

/// The classes that every table has.
pub(crate) const BUILT_IN: &[BuiltIn] = classes! {
    /// U+0030 (0) to U+0039 (9).
    "ASCII digit" = &[(0x30, 0x39)];
    /// U+0030 (0) to U+0039 (9), U+0041 (A) to U+0046 (F).
    "ASCII upper hex digit" = &[(0x30, 0x39), (0x41, 0x46)];
    /// U+0030 (0) to U+0039 (9), U+0061 (a) to U+0066 (f).
    "ASCII lower hex digit" = &[(0x30, 0x39), (0x61, 0x66)];
    /// ASCII upper hex digit, ASCII lower hex digit.
    "ASCII hex digit" = &[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)];
    /// U+0041 (A) to U+005A (Z).
    "ASCII upper alpha" = &[(0x41, 0x5A)];
    /// U+0061 (a) to U+007A (z).
    "ASCII lower alpha" = &[(0x61, 0x7A)];
    /// ASCII upper alpha, ASCII lower alpha.
    "ASCII alpha" = &[(0x41, 0x5A), (0x61, 0x7A)];
    /// ASCII digit, ASCII alpha.
    "ASCII alphanumeric" = &[(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)];
    /// U+0000 to U+001F, U+007F to U+009F.
    "control" = &[(0, 0x1F), (0x7F, 0x9F)];
    /// U+FDD0 to U+FDEF, and the last two code points of each of the 17 planes.
    "noncharacter" = &[];
    /// U+0000 to U+007F.
    "ASCII" = &[(0, 0x7F)];
    /// U+0000 to U+10FFFF.
    "any" = &[(0, 0x10_FFFF)];
};

/// U+FDD0 to U+FDEF and the last two code points of every plane.
fn noncharacters() -> CharSet {
    let ends = (0..=0x10).map(|plane| (plane << 16 | 0xFFFE, plane << 16 | 0xFFFF));
    CharSet::from_ranges(ends.chain([(0xFDD0, 0xFDEF)]))
}

impl Classes {
    /// A class by name, which counts as a use.
    pub(crate) fn get(&mut self, name: &str) -> Option<CharSet> {
        if let Some(set) = self.own.get(name) {
            self.used.insert(name.to_owned());
            return Some(set.clone());
        }
        let class = BUILT_IN.iter().find(|class| class.name == name)?;
        Some(match class.name {
            "noncharacter" => noncharacters(),
            _ => CharSet::from_ranges(class.ranges.iter().copied()),
        })
    }

    pub(crate) fn is_built_in(name: &str) -> bool {
        BUILT_IN.iter().any(|class| class.name == name)
    }

    pub(crate) fn declare(&mut self, name: String, set: CharSet) {
        self.own.insert(name, set);
    }

    pub(crate) fn is_used(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// All of them, those of the language too.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let own = self.own.keys().map(String::as_str);
        own.chain(BUILT_IN.iter().map(|class| class.name))
    }
}

/// Reads a set.
pub(crate) fn parse(text: &str, span: Span, faults: &mut Faults) -> Written {
    let tokens = without_joints(text, tokens(text, span, faults), span, faults);
    let mut written = Written::default();
    let mut excepting = false;
    let mut rest = &tokens[..];
    if rest.is_empty() {
        faults
            .add(Code::BadSet, span, "a character set is missing")
            .help(WRITE);
        return written;
    }
    if let [
        Token {
            kind: Kind::Comma, ..
        },
    ] = rest
    {
        // The others are blanks.
        let mut characters: Vec<String> = text.chars().map(display_char).collect();
        characters.dedup();
        let plural = if characters.len() == 1 { "" } else { "s" };
        faults.add(Code::BadSet, span, COMMAS).help(format!(
            "write the character{plural} as `{}`",
            characters.join(", ")
        ));
        return written;
    }
    while !rest.is_empty() {
        let until_comma = rest.iter().position(|t| t.kind == Kind::Comma);
        let (mut piece, after) = match until_comma {
            Some(comma) => (&rest[..comma], &rest[comma + 1..]),
            None => (rest, &[][..]),
        };
        if until_comma.is_some() && after.is_empty() {
            fault(faults, span, rest, "nothing follows the comma");
        }
        loop {
            let except = piece.iter().position(|t| t.is("except"));
            let (item, taken) = match except {
                Some(at) => (&piece[..at], Some(&piece[at + 1..])),
                None => (piece, None),
            };
            let list = if excepting {
                &mut written.except
            } else {
                &mut written.items
            };
            if let Some(item) = self::item(text, item, span, faults, piece) {
                list.push(item);
            }
            match taken {
                Some(taken) => {
                    excepting = true;
                    piece = taken;
                }
                None => break,
            }
        }
        rest = after;
    }
    written
}

const COMMAS: &str = "a comma separates the items of a set";

/// Takes `or` and `and` between items for commas, and says so. They can also be part of a class's name.
fn without_joints<'t>(
    text: &str,
    tokens: Vec<Token<'t>>,
    span: Span,
    faults: &mut Faults,
) -> Vec<Token<'t>> {
    let is_joint = |token: &Token<'_>| token.is("or") || token.is("and");
    let is_end = |token: &Token<'_>| token.kind == Kind::Comma || is_joint(token);
    let is_item = |tokens: &[Token<'_>]| match tokens {
        [first, ..] if first.kind != Kind::Word => true,
        [first, .., last] | [first @ last] => {
            let name = normal(&text[first.start..last.end()]);
            [EOF, ANYTHING_ELSE].contains(&name.as_str()) || Classes::is_built_in(&name)
        }
        [] => false,
    };
    let mut separated: Vec<Token<'t>> = Vec::with_capacity(tokens.len());
    // The text with commas, as far as the last token.
    let mut meant = String::new();
    let mut first = None;
    for (at, token) in tokens.iter().enumerate() {
        // Only beside a joint, so that no part of the text is looked at often.
        let around = is_joint(token).then(|| {
            let before = tokens[..at].rsplit(is_end).next().unwrap_or_default();
            let after = tokens[at + 1..].split(is_end).next().unwrap_or_default();
            (before, is_item(before) || is_item(after))
        });
        let Some((before, true)) = around else {
            let start = tokens[..at].last().map_or(0, Token::end);
            meant.push_str(&text[start..token.end()]);
            separated.push(token.clone());
            continue;
        };
        first.get_or_insert(token);
        if !before.is_empty() {
            meant.push(',');
            separated.push(Token {
                kind: Kind::Comma,
                ..token.clone()
            });
        }
    }
    if let Some(first) = first {
        let here = span.part(first.start, first.text.len());
        let hint = faults.add(Code::BadSet, here, COMMAS);
        hint.help(format!("write `{meant}`"));
    }
    separated
}

const WRITE: &str = "write characters as `U+003C (<)`, ranges as `U+0041 (A) to U+005A (Z)`, classes by name, \
                     and separate them by commas";

fn fault(faults: &mut Faults, span: Span, tokens: &[Token<'_>], message: impl Into<String>) {
    let here = match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => span.part(first.start, last.end() - first.start),
        _ => span,
    };
    faults.add(Code::BadSet, here, message).help(WRITE);
}

fn item(
    text: &str,
    tokens: &[Token<'_>],
    span: Span,
    faults: &mut Faults,
    around: &[Token<'_>],
) -> Option<(Item, Span)> {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        fault(
            faults,
            span,
            around,
            "an item of the character set is missing",
        );
        return None;
    };
    let here = span.part(first.start, last.end() - first.start);
    let item = match (&first.kind, &tokens[1..]) {
        (&Kind::CodePoint(c), []) => Item::Range(c?, c?),
        (&Kind::CodePoint(c), rest) if rest.iter().all(|t| t.kind == Kind::Word && !t.is("to")) => {
            let c = c?;
            let message = "a code point stands alone, or with its character in parentheses";
            faults
                .add(Code::BadSet, here, message)
                .help(format!("write the character as `{}`", display_char(c)));
            Item::Range(c, c)
        }
        (&Kind::CodePoint(a), [to, end]) if to.is("to") => {
            let Kind::CodePoint(b) = end.kind else {
                fault(faults, span, tokens, "a range ends with a code point");
                return None;
            };
            let (a, b) = (a?, b?);
            if b < a {
                faults
                    .add(Code::BadRange, here, "the range ends before it starts")
                    .help(format!(
                        "did you mean `{} to {}`?",
                        display_char(b),
                        display_char(a)
                    ));
                return None;
            }
            Item::Range(a, b)
        }
        // The lexer has said that it is not closed.
        (Kind::Quoted(_), _) if first.text == "\"" => return None,
        (Kind::Quoted(quoted), rest) => {
            let ignore_case = match rest {
                [] => false,
                [a, b] if a.is("ASCII") && b.is("case-insensitively") => true,
                rest => {
                    not_alone(faults, span, rest);
                    return None;
                }
            };
            literal(quoted, ignore_case, here, faults)?
        }
        _ if first.is("not") && tokens.len() > 1 => {
            let rest = &text[tokens[1].start..last.end()];
            let message = "a set takes characters away from others";
            faults.add(Code::BadSet, here, message).help(format!(
                "write `any except {rest}`, or name the others and use `anything else`"
            ));
            return None;
        }
        _ => match normal(&text[first.start..last.end()]) {
            name if name == EOF => Item::Eof,
            name if name == ANYTHING_ELSE => Item::AnythingElse,
            name if tokens.iter().all(|t| t.kind == Kind::Word) => Item::Class(name),
            _ => {
                let message = "this is no item of a character set";
                match with_commas(tokens) {
                    Some(items) => faults
                        .add(Code::BadSet, here, message)
                        .help(format!("separate the items by commas: `{items}`")),
                    None => faults.add(Code::BadSet, here, message).help(WRITE),
                };
                return None;
            }
        },
    };
    Some((item, here))
}

/// Code points and classes of which the commas are forgotten.
fn with_commas(tokens: &[Token<'_>]) -> Option<String> {
    let is_point = |token: &Token<'_>| matches!(token.kind, Kind::CodePoint(Some(_)));
    let joins = ["to", "or", "and", "except", "not"];
    let is_name =
        |token: &Token<'_>| token.kind == Kind::Word && !joins.iter().any(|it| token.is(it));
    let mut items = String::new();
    for (at, token) in tokens.iter().enumerate() {
        if !is_point(token) && !is_name(token) {
            return None;
        }
        let ends = at > 0 && (is_point(token) || is_point(&tokens[at - 1]));
        items.push_str(match (at, ends) {
            (0, _) => "",
            (_, true) => ", ",
            (_, false) => " ",
        });
        items.push_str(token.text);
    }
    Some(items)
}

/// What follows a quoted string and does not belong there.
fn not_alone(faults: &mut Faults, span: Span, rest: &[Token<'_>]) {
    let (Some(first), Some(last)) = (rest.first(), rest.last()) else {
        return;
    };
    let help = if first.is("to") {
        "a range is written by numbers: `U+0061 (a) to U+007A (z)`"
    } else if rest.iter().any(|t| t.text.contains("case")) {
        "did you mean `ASCII case-insensitively`?"
    } else {
        "only `ASCII case-insensitively` may follow; separate the items of a set by commas"
    };
    let here = span.part(first.start, last.end() - first.start);
    faults
        .add(Code::BadSet, here, "this cannot follow a quoted string")
        .help(help);
}

fn literal(text: &str, ignore_case: bool, span: Span, faults: &mut Faults) -> Option<Item> {
    let mut chars = text.chars();
    let problem = match (chars.next(), chars.next()) {
        (None, _) => "is empty",
        (Some(c), None) if !ignore_case => return Some(Item::Range(c, c)),
        _ if !text.is_ascii() => "is not all ASCII",
        _ => {
            return Some(Item::Literal(Literal {
                text: text.to_owned(),
                ignore_case,
            }));
        }
    };
    faults
        .add(Code::BadLiteral, span, format!("the literal {problem}"))
        .help("a literal is two or more quoted ASCII characters: `\"DOCTYPE\"`");
    None
}

/// Looks classes up and unites.
pub(crate) fn resolve(written: &Written, classes: &mut Classes, faults: &mut Faults) -> Meaning {
    let mut meaning = Meaning::default();
    let mut ranges = Vec::new();
    for (item, span) in &written.items {
        match item {
            Item::Literal(literal) => meaning.literals.push(literal.clone()),
            Item::Eof => meaning.eof = true,
            Item::AnythingElse => meaning.anything_else = true,
            Item::Class(name) if classes.get(name).is_none() => {
                let meant = unknown_class(name, *span, classes, faults);
                meaning.meant = meaning.meant.or(meant);
            }
            _ => ranges.extend_from_slice(characters(item, *span, classes, faults).ranges()),
        }
    }
    meaning.set = CharSet::from_ranges(ranges);
    let mut taken = Vec::new();
    let before = meaning.set.is_empty();
    for (item, span) in &written.except {
        if matches!(item, Item::Literal(_) | Item::Eof | Item::AnythingElse) {
            faults
                .add(Code::BadSet, *span, "`except` takes away characters only")
                .help(WRITE);
        } else {
            taken.extend_from_slice(characters(item, *span, classes, faults).ranges());
        }
    }
    if !taken.is_empty() {
        meaning.set = meaning.set.difference(&CharSet::from_ranges(taken));
    }
    if let (Some((_, span)), false, true) = (written.except.first(), before, meaning.set.is_empty())
    {
        faults.add(Code::EmptySet, *span, "`except` leaves nothing of the set");
    }
    meaning
}

fn characters(item: &Item, span: Span, classes: &mut Classes, faults: &mut Faults) -> CharSet {
    match item {
        &Item::Range(a, b) => CharSet::from_ranges([(a as u32, b as u32)]),
        Item::Class(name) => classes.get(name).unwrap_or_else(|| {
            unknown_class(name, span, classes, faults);
            CharSet::new()
        }),
        _ => CharSet::new(),
    }
}

/// What most formats take for blanks.
const WHITESPACE: &str = "U+0009, U+000A, U+000C, U+000D, U+0020";

/// Says that there is no such class; `EOF` or `anything else`, if that is probably meant.
fn unknown_class(
    name: &str,
    span: Span,
    classes: &Classes,
    faults: &mut Faults,
) -> Option<&'static str> {
    let others = [
        (EOF, EOF),
        ("end of file", EOF),
        ("end of input", EOF),
        (ANYTHING_ELSE, ANYTHING_ELSE),
        ("anything", ANYTHING_ELSE),
        ("everything else", ANYTHING_ELSE),
        ("else", ANYTHING_ELSE),
        ("otherwise", ANYTHING_ELSE),
        ("default", ANYTHING_ELSE),
        ("other", ANYTHING_ELSE),
        ("any other", ANYTHING_ELSE),
        ("alpha", "ASCII alpha"),
        ("lower alpha", "ASCII lower alpha"),
        ("upper alpha", "ASCII upper alpha"),
        ("ASCII letters", "ASCII alpha"),
        ("letters", "ASCII alpha"),
        ("a-zA-Z", "ASCII alpha"),
        ("A-Za-z", "ASCII alpha"),
        ("a-zA-Z0-9", "ASCII alphanumeric"),
        ("A-Za-z0-9", "ASCII alphanumeric"),
        ("digit", "ASCII digit"),
        ("digits", "ASCII digit"),
        ("hex digit", "ASCII hex digit"),
    ];
    let character = character_meant(name);
    let names = classes.names().chain(others.map(|(name, _)| name));
    let meant = closest(name, names).filter(|_| character.is_none());
    // One that is spelled right, too.
    let of = |name: &str| others.iter().find(|(other, _)| *other == name);
    let of_all = of(name).or_else(|| of(meant?)).map(|&(_, of_all)| of_all);
    let help = match of_all.or(meant) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => character.unwrap_or_else(|| {
            let declare = match name {
                "whitespace" => format!("declare it: `classes: {{{name}: [{WHITESPACE}]}}`"),
                _ => "declare it in `classes`, or write characters as `U+003C (<)`".to_owned(),
            };
            let literal = format!(
                "the literal as the key of an arm is `{}`",
                literal_key(&escaped(name))
            );
            match (name.contains(' '), name.contains(char::is_alphanumeric)) {
                (true, _) => declare,
                (_, true) => format!("{declare}; {literal}"),
                _ => literal,
            }
        }),
    };
    faults
        .unknown(Code::UnknownClass, span, "class", name)
        .help(help);
    of_all.filter(|meant| [EOF, ANYTHING_ELSE].contains(meant))
}

/// What to say about a name that is one character, or stands in quotes that are none here.
pub(crate) fn character_meant(name: &str) -> Option<String> {
    let one = |name: &str| {
        let mut chars = in_single_quotes(name).unwrap_or(name).chars();
        let only = chars.next().filter(|_| chars.next().is_none());
        only.map_or_else(|| by_another_name(name), |c| Some(display_char(c)))
    };
    let joints = [" to ", " - ", "-", ".."].into_iter();
    let mut ends = joints.filter_map(|joint| name.split_once(joint));
    let mut range = || ends.find_map(|(first, last)| one(first).zip(one(last)));
    let written = match one(name) {
        Some(c) => Some(format!("the character as `{c}`")),
        None => range().map(|(first, last)| format!("the range as `{first} to {last}`")),
    };
    match written {
        Some(written) => Some(format!("write {written}")),
        None if name.starts_with(['\'', '“', '”', '‘', '’', '„', '«']) => {
            Some("a text stands in straight double quotes: `\"…\"`".to_owned())
        }
        None => None,
    }
}

/// A character as other languages write it: `0x3C`, `u+003C (<)`, `\n`, `newline`.
fn by_another_name(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let typed = lower.split(" (").next()?;
    let number = ["0x", "u+", "u-", "u", "\\u", "\\x", "&#x"];
    let number = number.into_iter().find_map(|lead| {
        let digits = typed.strip_prefix(lead)?.trim_matches(['{', '}', ';']);
        char::from_u32(u32::from_str_radix(digits, 16).ok()?)
    });
    let named = match name {
        "space" | "\\s" => Some(' '),
        "tab" | "\\t" => Some('\t'),
        "newline" | "line feed" | "\\n" => Some('\n'),
        "carriage return" | "\\r" => Some('\r'),
        _ => None,
    };
    number.or(named).map(display_char)
}

/// A set that may hold characters only.
pub(crate) fn characters_only(
    text: &str,
    span: Span,
    classes: &mut Classes,
    faults: &mut Faults,
) -> CharSet {
    let (set, eof) = with_eof(text, span, classes, faults);
    if eof {
        faults.add(Code::BadSet, span, "`EOF` is no character");
    }
    set
}

/// A set that may hold characters and the end of the input.
pub(crate) fn with_eof(
    text: &str,
    span: Span,
    classes: &mut Classes,
    faults: &mut Faults,
) -> (CharSet, bool) {
    let meaning = resolve(&parse(text, span, faults), classes, faults);
    if meaning.anything_else || !meaning.literals.is_empty() {
        faults
            .add(Code::BadSet, span, "only characters can be here")
            .help(WRITE);
    }
    (meaning.set, meaning.eof)
}

/// The set as written, in one spelling.
pub(crate) fn label(written: &Written) -> String {
    let list = |items: &[(Item, Span)]| {
        let items: Vec<String> = items.iter().map(|(item, _)| item_label(item)).collect();
        items.join(", ")
    };
    let items = list(&written.items);
    if written.except.is_empty() {
        items
    } else {
        format!("{items} except {}", list(&written.except))
    }
}

fn item_label(item: &Item) -> String {
    match item {
        &Item::Range(a, b) if a == b => display_char(a),
        &Item::Range(a, b) => format!("{} to {}", display_char(a), display_char(b)),
        Item::Class(name) => name.clone(),
        Item::Literal(literal) => literal.to_string(),
        Item::Eof => EOF.to_owned(),
        Item::AnythingElse => ANYTHING_ELSE.to_owned(),
    }
}

impl std::fmt::Display for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let case = if self.ignore_case {
            " ASCII case-insensitively"
        } else {
            ""
        };
        write!(f, "\"{}\"{case}", escaped(&self.text))
    }
}
