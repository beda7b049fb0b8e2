//! The words of a scalar: what phrases, guards and character sets are made of.

use crate::charset::display_char;
use crate::diagnostic::{Code, Faults, Span};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A run of characters without space, comma or quote.
    Word,
    /// A quoted string, without its quotes.
    Quoted(String),
    /// `U+003C`, with its glyph if it has one; `None` after a fault.
    CodePoint(Option<char>),
    /// A comma.
    Comma,
}

/// One token and where it is in its scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    /// As typed.
    pub(crate) text: &'a str,
    /// Byte offset in the text.
    pub(crate) start: usize,
}

impl Token<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }
}

/// Splits a text, reporting code points and quotes that cannot be read.
pub(crate) fn tokens<'a>(text: &'a str, span: Span, faults: &mut Faults) -> Vec<Token<'a>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let token = match c {
            ',' => Token {
                kind: Kind::Comma,
                text: &text[at..at + 1],
                start: at,
            },
            '"' => quoted(text, at, span, faults),
            _ => word(text, at, span, faults),
        };
        at = token.end();
        tokens.push(token);
    }
    tokens
}

/// What a backslash and a character stand for in a quoted string.
const ESCAPES: [(char, char); 6] = [
    ('\\', '\\'),
    ('"', '"'),
    ('t', '\t'),
    ('n', '\n'),
    ('r', '\r'),
    ('f', '\u{C}'),
];

/// A text as it stands in a quoted string.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match ESCAPES.iter().find(|&&(_, meant)| meant == c) {
            Some(&(typed, _)) => out.extend(['\\', typed]),
            None => out.push(c),
        }
    }
    out
}

/// The length of a quoted string with its quotes; `None` when it has no end.
fn quoted_length(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some(at + 1),
            '\\' => _ = chars.next(),
            _ => {}
        }
    }
    None
}

fn quoted<'a>(text: &'a str, start: usize, span: Span, faults: &mut Faults) -> Token<'a> {
    let rest = &text[start..];
    // In a string that is not closed, a backslash before a quote may be meant as that.
    let backslash = || {
        let mut quotes = rest.match_indices("\\\"").map(|(at, _)| at + 2);
        quotes.find(|&end| rest[end..].chars().next().is_none_or(char::is_whitespace))
    };
    let length = quoted_length(rest).or_else(backslash);
    let whole = &rest[..length.unwrap_or(rest.len())];
    let inner = &whole[1..whole.len() - usize::from(length.is_some())];
    if length.is_none() && text.trim() == "\"" {
        faults
            .add(Code::BadLiteral, span, "the quote is not closed")
            .help(format!(
                "YAML has taken the quotes around it away; write the character as `{}`",
                display_char('"')
            ));
    } else if length.is_none() {
        faults
            .add(
                Code::BadLiteral,
                span.part(start, rest.len()),
                "the quote is not closed",
            )
            .help("a quoted string ends with `\"`; the quote itself is `\\\"`, or U+0022 (\") without quotes");
    }
    let mut meant = String::with_capacity(inner.len());
    let mut chars = inner.char_indices();
    while let Some((at, c)) = chars.next() {
        if c != '\\' {
            meant.push(c);
            continue;
        }
        let typed = chars.next().map(|(_, c)| c);
        match ESCAPES.iter().find(|&&(escape, _)| typed == Some(escape)) {
            Some(&(_, c)) => meant.push(c),
            None => {
                let typed = typed.map(String::from).unwrap_or_default();
                meant.push_str(if typed.is_empty() { "\\" } else { &typed });
                faults
                    .add(
                        Code::BadLiteral,
                        span.part(start + 1 + at, 1 + typed.len()),
                        format!("`\\{typed}` stands for no character"),
                    )
                    .help(match typed.is_empty() {
                        true => "a backslash in quotes is `\\\\`, and alone `\"\\\\\"`",
                        false => {
                            "in quotes there are `\\\\` for a backslash, `\\\"`, `\\t`, `\\n`, `\\r` and `\\f`; other \
                             characters are written without quotes: `U+001B`"
                        }
                    });
            }
        }
    }
    Token {
        kind: Kind::Quoted(meant),
        text: whole,
        start,
    }
}

/// The parts of a text: those outside of quoted strings, then a quoted string, and so on in turns.
pub(crate) fn by_quotes(mut text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    while let Some(quote) = text.find('"') {
        let (outside, rest) = text.split_at(quote);
        let (quoted, after) = rest.split_at(quoted_length(rest).unwrap_or(rest.len()));
        parts.extend([outside, quoted]);
        text = after;
    }
    parts.push(text);
    parts
}

/// The text with one space between words, but for quoted strings, which stay as they are.
pub(crate) fn normal_outside_quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, part) in by_quotes(text).into_iter().enumerate() {
        if number % 2 == 1 {
            out.push_str(part);
            continue;
        }
        let mut space = false;
        for c in part.chars() {
            if !c.is_whitespace() {
                out.push(c);
            } else if !space {
                out.push(' ');
            }
            space = c.is_whitespace();
        }
    }
    out.trim().to_owned()
}

fn word<'a>(text: &'a str, start: usize, span: Span, faults: &mut Faults) -> Token<'a> {
    let rest = &text[start..];
    let mut end = rest
        .find(|c: char| c.is_whitespace() || c == ',' || c == '"')
        .unwrap_or(rest.len());
    let Some(digits) = rest[..end].strip_prefix("U+") else {
        return Token {
            kind: Kind::Word,
            text: &rest[..end],
            start,
        };
    };
    // The glyph may stand close.
    let digits = digits.split('(').next().unwrap_or(digits);
    end = end.min("U+".len() + digits.len());
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = is_number.then(|| u32::from_str_radix(digits, 16).unwrap_or(u32::MAX));
    let here = span.part(start, end);
    let c = match number.map(|n| (n, char::from_u32(n))) {
        Some((_, Some(c))) => Some(c),
        other => {
            let reason = match other {
                Some((0xD800..=0xDFFF, _)) => "is a surrogate, which no input holds",
                Some(_) => "is above U+10FFFF",
                None => "lacks the hexadecimal number of a character",
            };
            let message = format!("`{}` {reason}", &rest[..end]);
            faults
                .add(Code::BadCodePoint, here, message)
                .help(match range(digits) {
                    Some(range) => format!("did you mean `{range}`?"),
                    None => "write a character as `U+003C` or `U+003C (<)`".to_owned(),
                });
            None
        }
    };
    let mut end = glyph_end(rest, end, c, here, faults);
    if rest[end..].trim() == "(" {
        let typed = &rest[..end];
        faults
            .add(
                Code::WrongGlyph,
                span.part(start, rest.trim_end().len()),
                "the character in parentheses is cut off",
            )
            .label("a comma ends this, in a list in brackets")
            .help(format!("quote what has a comma in it: `'… {typed} (,)'`"));
        end = rest.len();
    }
    Token {
        kind: Kind::CodePoint(c),
        text: &rest[..end],
        start,
    }
}

/// Reads a range of code points with a sign where `to` belongs, such as `U+0030-U+0039`; the text starts behind the first `U+`.
fn range(digits: &str) -> Option<String> {
    let (first, last) = ["-", "..", "–", "…"]
        .into_iter()
        .find_map(|sign| digits.split_once(sign))?;
    let character = |digits: &str| {
        let number = u32::from_str_radix(digits.trim_start_matches("U+"), 16).ok()?;
        Some(display_char(char::from_u32(number)?))
    };
    Some(format!("{} to {}", character(first)?, character(last)?))
}

/// Reads `(<)` after a code point and checks it; the end of the token.
fn glyph_end(rest: &str, end: usize, c: Option<char>, span: Span, faults: &mut Faults) -> usize {
    let spaces = rest[end..].len() - rest[end..].trim_start().len();
    let shown: Vec<char> = rest[end + spaces..].chars().take(5).collect();
    if let ['(', '"' | '\'', glyph, '"' | '\'', ')'] = shown[..] {
        let close = 4 + glyph.len_utf8();
        faults
            .add(
                Code::WrongGlyph,
                span.part(end + spaces, close),
                "the character in parentheses stands there without quotes",
            )
            .help(format!("write `{}`", display_char(c.unwrap_or(glyph))));
        return end + spaces + close;
    }
    let mut chars = rest[end + spaces..].char_indices();
    let (Some((_, '(')), Some((_, glyph)), Some((close, ')'))) =
        (chars.next(), chars.next(), chars.next())
    else {
        return end;
    };
    if let Some(c) = c
        && glyph != c
    {
        let shown = display_char(glyph);
        faults
            .add(
                Code::WrongGlyph,
                span.part(end + spaces, close + 1),
                format!("U+{:04X} is not `{glyph}`", u32::from(c)),
            )
            .label(format!("this is {shown}"))
            .help(format!("write `{}` or `{shown}`", display_char(c)));
    }
    end + spaces + close + 1
}

/// A number as phrases write it: `16`, `0x80`. Those that do not fit are the largest that does.
pub(crate) fn number(text: &str) -> Option<u32> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    is_number.then(|| u32::from_str_radix(digits, radix).unwrap_or(u32::MAX))
}

/// The text with one space between words, which is how names are compared.
pub(crate) fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
