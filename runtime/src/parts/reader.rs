//! Reads along the text of a tag. As in the states of
//! [13.2.5.8](https://html.spec.whatwg.org/multipage/parsing.html#tag-name-state) and
//! [13.2.5.32 to 40](https://html.spec.whatwg.org/multipage/parsing.html#before-attribute-name-state).

use crate::scan::{Set, find_by_call};
use crate::span::Span;

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Not at all.
    Missing,
    /// Without quotation marks.
    Bare,
    /// In quotation marks.
    Quoted,
    /// Behind a quotation mark, up to the end of the file.
    Open,
}

struct Double;
struct Single;

impl Set for Double {
    const RANGES: &'static [(u8, u8)] = &[(b'"', b'"')];
}

impl Set for Single {
    const RANGES: &'static [(u8, u8)] = &[(b'\'', b'\'')];
}

/// Reads along a tag.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'s> {
    /// The text.
    pub text: &'s str,
    /// What is read next.
    pub at: usize,
    /// Offset of the text in the stream.
    pub offset: u64,
}

impl Reader<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Goes on to the first byte that is among these.
    fn to(&mut self, stop: impl Fn(u8) -> bool) -> Span {
        let start = self.at;
        while self.byte().is_some_and(|byte| !stop(byte)) {
            self.at += 1;
        }
        self.span(start)
    }

    /// Advances to the next quotation mark.
    fn up_to_quote(&mut self, quote: u8) -> Span {
        let start = self.at;
        let find = match quote {
            b'"' => find_by_call::<Double>,
            _ => find_by_call::<Single>,
        };
        self.at = find(self.text.as_bytes(), start);
        self.span(start)
    }

    /// The name of a tag.
    pub fn tag_name(&mut self) -> Span {
        self.to(|byte| is_space(byte) || matches!(byte, b'/' | b'>'))
    }

    fn skip_space(&mut self) {
        self.to(|byte| !is_space(byte));
    }

    /// From a place on.
    fn span(&self, start: usize) -> Span {
        Span {
            start: self.offset + start as u64,
            end: self.offset + self.at as u64,
        }
    }

    /// The name of the next attribute, if there is one, and the value behind it.
    pub fn attribute(&mut self) -> Option<(Span, (Span, Form))> {
        self.to(|byte| !is_space(byte) && byte != b'/');
        if matches!(self.byte(), None | Some(b'>')) {
            return None;
        }
        let start = self.at;
        // A `=` in the first place belongs to the name.
        self.at += 1;
        self.to(|byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
        let name = self.span(start);
        Some((name, self.value()))
    }

    /// The value behind a name, and how it is written.
    pub fn value(&mut self) -> (Span, Form) {
        let missing = (self.span(self.at), Form::Missing);
        self.skip_space();
        if self.byte() != Some(b'=') {
            return missing;
        }
        self.at += 1;
        self.skip_space();
        match self.byte() {
            Some(quote @ (b'"' | b'\'')) => {
                self.at += 1;
                let value = self.up_to_quote(quote);
                if self.byte().is_none() {
                    return (value, Form::Open);
                }
                self.at += 1;
                (value, Form::Quoted)
            }
            None | Some(b'>') => missing,
            Some(_) => (self.to(|byte| is_space(byte) || byte == b'>'), Form::Bare),
        }
    }

    /// The `/` of `/>`, when no attribute comes any more.
    pub(super) fn slash(&self) -> Option<Span> {
        let before = self.at.checked_sub(1)?;
        let bytes = self.text.as_bytes();
        let is_slash = self.byte() == Some(b'>') && bytes.get(before) == Some(&b'/');
        is_slash.then(|| Span {
            start: self.offset + before as u64,
            end: self.offset + self.at as u64,
        })
    }
}

/// Whether a byte is white space between the parts of a tag.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}
