//! Where the parts of comments and DOCTYPEs are, found by reading them once more.

use super::reader::is_space;
use crate::span::Span;

/// The parts of a DOCTYPE: places in the stream, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DoctypeParts {
    /// The name.
    pub name: Option<Span>,
    /// The public identifier.
    pub public_id: Option<IdentifierParts>,
    /// The system identifier.
    pub system_id: Option<IdentifierParts>,
}

/// The parts of an identifier of a DOCTYPE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdentifierParts {
    /// What stands between the quotation marks.
    pub value: Span,
    /// The same with them. If the DOCTYPE ends in front of the second one, there is only the first.
    pub quoted: Span,
}

impl DoctypeParts {
    /// The parts of a DOCTYPE whose text, from `<` on, starts at an offset in the stream. As in the states of
    /// [13.2.5.53 to 68](https://html.spec.whatwg.org/multipage/parsing.html#doctype-state).
    pub fn of(source: &str, offset: u64) -> Self {
        let mut parts = Self::default();
        let mut rest = Rest {
            source,
            at: DOCTYPE.len().min(source.len()),
            offset,
        };
        rest.take(is_space);
        let name = rest.take(|byte| !is_space(byte) && byte != b'>');
        parts.name = Some(name).filter(|name| name.start < name.end);
        rest.take(is_space);
        if rest.takes_word("public") {
            parts.public_id = rest.identifier();
            if parts.public_id.is_some() {
                parts.system_id = rest.identifier();
            }
        } else if rest.takes_word("system") {
            parts.system_id = rest.identifier();
        }
        parts
    }
}

/// The data of a comment whose text, from `<` on, starts at an offset in the stream. As in the states of
/// [13.2.5.41 to 52](https://html.spec.whatwg.org/multipage/parsing.html#bogus-comment-state).
pub fn comment_data(source: &str, offset: u64) -> Span {
    let (start, end) = match source.strip_prefix("<!--") {
        Some(">" | "->") => (4, 4),
        Some(data) => {
            // At the end of the file what might have become the end is missing too.
            let ends = ["-->", "--!>", "--!", "--", "-"];
            let mut ends = ends.iter().filter_map(|end| data.strip_suffix(end));
            (4, 4 + ends.next().unwrap_or(data).len())
        }
        None => {
            let start = if source.starts_with("<?") { 1 } else { 2 };
            let end = source.strip_suffix('>').unwrap_or(source).len();
            (start, end.max(start))
        }
    };
    Span {
        start: offset + start as u64,
        end: offset + end as u64,
    }
}

/// What every DOCTYPE begins with, in any case.
#[doc(hidden)]
pub const DOCTYPE: &str = "<!doctype";

/// What is still to be read.
struct Rest<'s> {
    source: &'s str,
    at: usize,
    /// Offset of the source in the stream.
    offset: u64,
}

impl Rest<'_> {
    fn bytes(&self) -> &[u8] {
        &self.source.as_bytes()[self.at..]
    }

    /// Takes bytes as long as they are of this kind.
    fn take(&mut self, is_one: impl Fn(u8) -> bool) -> Span {
        let start = self.at;
        self.at += self
            .bytes()
            .iter()
            .take_while(|byte| is_one(**byte))
            .count();
        self.span(start)
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let start = self.bytes().get(..word.len());
        let is_next = start.is_some_and(|it| it.eq_ignore_ascii_case(word.as_bytes()));
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// Takes white space and an identifier in quotation marks.
    fn identifier(&mut self) -> Option<IdentifierParts> {
        self.take(is_space);
        let quote = *self.bytes().first()?;
        if !matches!(quote, b'"' | b'\'') {
            return None;
        }
        let start = self.at;
        self.at += 1;
        let value = self.take(|byte| byte != quote && byte != b'>');
        let is_closed = self.bytes().first() == Some(&quote);
        self.at += usize::from(is_closed);
        Some(IdentifierParts {
            value,
            quoted: self.span(start),
        })
    }

    fn span(&self, start: usize) -> Span {
        Span {
            start: self.offset + start as u64,
            end: self.offset + self.at as u64,
        }
    }
}
