//! Where the parts of a tag are, found by reading it once more.

use std::collections::HashSet;

use speclex::Span;
use speclex::rt::scan::{Set, find_by_call};

/// The parts of a tag: places in the stream, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagParts {
    /// The name.
    pub name: Span,
    /// The attributes that the element has, in order: without those whose name came before.
    pub attributes: Vec<AttributeParts>,
}

/// The parts of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeParts {
    /// The name.
    pub name: Span,
    /// Where the value would be, if there is none.
    pub(crate) value: Span,
    pub(crate) form: Form,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Not at all.
    Missing,
    /// Without quotation marks.
    Bare,
    /// In quotation marks.
    Quoted,
}

impl AttributeParts {
    /// The value without quotation marks, if there is one.
    #[inline]
    pub fn value(&self) -> Option<Span> {
        (self.form != Form::Missing).then_some(self.value)
    }

    /// The value with its quotation marks, if it has them.
    #[inline]
    pub fn quoted(&self) -> Option<Span> {
        (self.form == Form::Quoted).then_some(Span {
            start: self.value.start - 1,
            end: self.value.end + 1,
        })
    }
}

impl AttributeParts {
    /// Behind all of it.
    pub(crate) fn end(&self) -> u64 {
        self.quoted().unwrap_or(self.value).end
    }
}

impl TagParts {
    /// The parts of a tag whose text, from `<` to `>`, starts at an offset in the stream.
    pub fn of(source: &str, offset: u64) -> Self {
        let mut parts = Self::default();
        parts.read(source, offset);
        parts
    }

    /// Reads a tag. As in the states of
    /// [13.2.5.8](https://html.spec.whatwg.org/multipage/parsing.html#tag-name-state) and
    /// [13.2.5.32 to 40](https://html.spec.whatwg.org/multipage/parsing.html#before-attribute-name-state).
    pub(crate) fn read(&mut self, source: &str, offset: u64) {
        let mut reader = Reader {
            text: source,
            at: if source.starts_with("</") { 2 } else { 1 },
            offset,
        };
        self.name = reader.tag_name();
        self.attributes.clear();
        while let Some(attribute) = reader.attribute() {
            self.attributes.push(attribute);
        }
        if self.attributes.len() > 1 {
            self.leave_out_repeated(source, offset);
        }
    }

    /// Leaves out the attributes whose name came before.
    fn leave_out_repeated(&mut self, source: &str, offset: u64) {
        let text = |attribute: &AttributeParts| {
            let Span { start, end } = attribute.name;
            let [start, end] = [start, end].map(|at| (at - offset) as usize);
            source.get(start..end).unwrap_or_default()
        };
        let all = &mut self.attributes;
        if all.len() < MANY && !source.contains('\0') {
            let mut index = 1;
            while index < all.len() {
                let (before, rest) = all.split_at(index);
                let is_same = |other| text(other).eq_ignore_ascii_case(text(&rest[0]));
                if before.iter().any(is_same) {
                    all.remove(index);
                } else {
                    index += 1;
                }
            }
        } else {
            let mut names = HashSet::new();
            all.retain(|attribute| {
                let name = text(attribute).to_ascii_lowercase();
                names.insert(name.replace('\0', "\u{FFFD}"))
            });
        }
    }
}

struct Double;
struct Single;

impl Set for Double {
    const RANGES: &'static [(u8, u8)] = &[(b'"', b'"')];
}

impl Set for Single {
    const RANGES: &'static [(u8, u8)] = &[(b'\'', b'\'')];
}

/// A tag with fewer attributes than this is searched for each name; one with more gets a set of names.
const MANY: usize = 16;

/// Reads along a tag.
pub(crate) struct Reader<'s> {
    pub(crate) text: &'s str,
    pub(crate) at: usize,
    /// Offset of the text in the stream.
    pub(crate) offset: u64,
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
    pub(crate) fn tag_name(&mut self) -> Span {
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

    pub(crate) fn attribute(&mut self) -> Option<AttributeParts> {
        self.to(|byte| !is_space(byte) && byte != b'/');
        if matches!(self.byte(), None | Some(b'>')) {
            return None;
        }
        let start = self.at;
        // A `=` in the first place belongs to the name.
        self.at += 1;
        self.to(|byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
        let name = self.span(start);
        let (value, form) = self.value();
        Some(AttributeParts { name, value, form })
    }

    /// The value behind a name, and how it is written.
    pub(crate) fn value(&mut self) -> (Span, Form) {
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
                self.at += 1;
                (value, Form::Quoted)
            }
            None | Some(b'>') => missing,
            Some(_) => (self.to(|byte| is_space(byte) || byte == b'>'), Form::Bare),
        }
    }
}

pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use html5ever::tendril::StrTendril;
    use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult};

    use super::*;
    use crate::revision::Revision;
    use crate::spans::Spans;
    use crate::testing::each;
    use crate::tokenizer::{BufferQueue, Tokenizer, TokenizerOpts};

    /// Compares the parts of tags with the tokens, and those in the cell with those that are read.
    struct Compares<'t> {
        text: &'t str,
        spans: Spans,
        tags: Cell<usize>,
    }

    impl TokenSink for Compares<'_> {
        type Handle = ();

        fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
            let Token::TagToken(tag) = token else {
                return TokenSinkResult::Continue;
            };
            let token = self.spans.token();
            let text = |part: Span| &self.text[part.start as usize..part.end as usize];
            let parts = TagParts::of(text(token), token.start);
            assert_eq!(*self.spans.tag().expect("a tag"), parts, "{:?}", self.text);
            let named = |part| {
                let name: &str = text(part);
                name.to_ascii_lowercase().replace('\0', "\u{FFFD}")
            };
            assert_eq!(named(parts.name), &*tag.name, "{:?}", self.text);
            assert_eq!(parts.attributes.len(), tag.attrs.len(), "{:?}", self.text);
            for (part, attribute) in parts.attributes.iter().zip(&tag.attrs) {
                assert_eq!(named(part.name), &*attribute.name.local, "{:?}", self.text);
                let value = part.value().map_or("", text);
                if !value.contains('&') {
                    let value = value.replace("\r\n", "\n").replace('\0', "\u{FFFD}");
                    assert_eq!(value, &*attribute.value, "{:?}", self.text);
                }
                if let Some(quoted) = part.quoted() {
                    let quoted = text(quoted);
                    let quote = &quoted[..1];
                    assert!(["\"", "'"].contains(&quote), "{:?}", self.text);
                    assert_eq!(quoted, format!("{quote}{value}{quote}"), "{:?}", self.text);
                }
            }
            self.tags.set(self.tags.get() + 1);
            TokenSinkResult::Continue
        }
    }

    /// Compares the tags of every text that consists of a beginning, at most `most` pieces and an end.
    fn compare(beginning: &str, pieces: &[&str], most: u32) -> usize {
        compare_as(Revision::default(), beginning, pieces, most)
    }

    fn compare_as(revision: Revision, beginning: &str, pieces: &[&str], most: u32) -> usize {
        let spans = Spans::new();
        let mut tags = 0;
        each(beginning, pieces, most, &mut |text| {
            let text = format!("{text}>\">'><p>");
            let sink = Compares {
                text: &text,
                spans: spans.clone(),
                tags: Cell::default(),
            };
            let mut tokenizer = Tokenizer::new_as(revision, sink, TokenizerOpts::default());
            tokenizer.show_spans(&spans);
            let input = BufferQueue::default();
            input.push_back(StrTendril::from(&*text));
            let _ = tokenizer.feed(&input);
            tokenizer.end();
            tags += tokenizer.sink.tags.get();
        });
        tags
    }

    #[test]
    fn parts_are_where_the_tokenizer_has_them() {
        let pieces = [" ", "a", "=", "\"", "'", "/", "B\0", "\r\nx"];
        assert!(compare("é<b", &pieces, 5) > 30_000);
        assert!(compare("é</b a", &pieces, 4) > 4_000);
        let pieces = ["&amp;", "amp;", "&quot;", "&#38;", "x", "&", "\"", " "];
        assert!(compare("é<b a=\"", &pieces, 5) > 30_000);
        assert!(compare("é<b a=", &pieces, 5) > 30_000);
        let pieces = ["\0", "\u{FFFD}", "A", "a", " "];
        assert!(compare("é<b a", &pieces, 6) > 15_000);
        // It names no error for an attribute that is left out.
        let pieces = [" ", "a", "A", "=", "B"];
        assert!(compare_as(Revision::Html2009, "é<b", &pieces, 6) > 10_000);
    }
}
