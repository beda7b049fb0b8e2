//! The words of a scalar: what phrases, guards and character sets are made of.

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

fn quoted<'a>(text: &'a str, start: usize, span: Span, faults: &mut Faults) -> Token<'a> {
    let rest = &text[start + 1..];
    let end = rest.find('"').unwrap_or_else(|| {
        faults
            .add(
                Code::BadLiteral,
                span.part(start, rest.len() + 1),
                "the quote is not closed",
            )
            .help("a quoted string ends with `\"`; write the quote itself as U+0022 (\")");
        rest.len()
    });
    Token {
        kind: Kind::Quoted(rest[..end].to_owned()),
        text: &text[start..(start + end + 2).min(text.len())],
        start,
    }
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
    let number = digits
        .bytes()
        .all(|b| b.is_ascii_hexdigit())
        .then(|| u32::from_str_radix(digits, 16).ok())
        .flatten();
    let here = span.part(start, end);
    let c = match number.map(|n| (n, char::from_u32(n))) {
        Some((_, Some(c))) => Some(c),
        other => {
            let reason = match other {
                Some((0xD800..=0xDFFF, _)) => "is a surrogate, which no input holds",
                Some(_) => "is above U+10FFFF",
                None => "lacks the hexadecimal number of a character",
            };
            faults
                .add(
                    Code::BadCodePoint,
                    here,
                    format!("`{}` {reason}", &rest[..end]),
                )
                .help("write a character as `U+003C` or `U+003C (<)`");
            None
        }
    };
    let end = glyph_end(rest, end, c, here, faults);
    Token {
        kind: Kind::CodePoint(c),
        text: &rest[..end],
        start,
    }
}

/// Reads `(<)` after a code point and checks it; the end of the token.
fn glyph_end(rest: &str, end: usize, c: Option<char>, span: Span, faults: &mut Faults) -> usize {
    let spaces = rest[end..].len() - rest[end..].trim_start().len();
    let mut chars = rest[end + spaces..].char_indices();
    let (Some((_, '(')), Some((_, glyph)), Some((close, ')'))) =
        (chars.next(), chars.next(), chars.next())
    else {
        return end;
    };
    if let Some(c) = c
        && glyph != c
    {
        let shown = crate::charset::display_char(glyph);
        faults
            .add(
                Code::WrongGlyph,
                span.part(end + spaces, close + 1),
                format!("U+{:04X} is not `{glyph}`", u32::from(c)),
            )
            .label(format!("this is {shown}"))
            .help(format!(
                "write `{}` or `{shown}`",
                crate::charset::display_char(c)
            ));
    }
    end + spaces + close + 1
}

/// A number as phrases write it: `16`, `0x80`.
pub(crate) fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
            u32::from_str_radix(digits, 16).ok()
        }
        None if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}

/// The text with one space between words, which is how names are compared.
pub(crate) fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
