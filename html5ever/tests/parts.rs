//! The parts of tags in the cell are those that are read, and those that the tokens have.

use std::cell::Cell;

use speclex_html5ever::tendril::StrTendril;
use speclex_html5ever::tokenizer::{
    BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use speclex_html5ever::{Revision, Span, Spans, TagParts};

#[allow(unreachable_pub)]
#[path = "../../tests/src/each_text.rs"]
mod each_text;

use each_text::each;

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
        assert_eq!(parts.kept().count(), tag.attrs.len(), "{:?}", self.text);
        let slash = parts.slash.map(text);
        let wanted = tag.self_closing.then_some("/");
        assert_eq!(slash, wanted, "{:?}", self.text);
        for (part, attribute) in parts.kept().zip(&tag.attrs) {
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
