//! In unit tests positions inside a tag have 16 bits: a tokenizer with the largest limits meets every boundary of them.

#![cfg(test)]

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::generated::tokenizer::Tokenizer;
use crate::markup::{Answer, Sink, Tag};
use crate::{FeedError, Limit, Limits, Span};

#[derive(Default)]
struct Tags(Vec<(String, Vec<(String, String)>)>);

impl Sink for Tags {
    fn start_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.0.push((tag.name.to_string(), tag.attributes.to_vec()));
        Answer::Continue
    }
}

/// Tokenizes with the largest limits: the tags, or the error.
fn tags(page: &str, chunk: usize) -> Result<Tags, FeedError> {
    let mut tokenizer = Tokenizer::new(Tags::default());
    tokenizer.set_limits(Limits {
        token_bytes: usize::MAX,
        attributes: usize::MAX,
        ..Limits::MAX
    });
    for piece in page.as_bytes().chunks(chunk) {
        tokenizer.feed_bytes(piece)?;
    }
    tokenizer.end()?;
    Ok(tokenizer.into_sink())
}

const CHUNKS: [usize; 4] = [1, 13, 1 << 12, usize::MAX];

/// A tag of this many bytes is right, or too long if it exceeds the limit.
fn check(page: &str, tag: (&str, Vec<(String, String)>)) {
    for chunk in CHUNKS {
        // In front and behind stands another tag.
        let pages = format!("<i j=k>{page}<i>");
        let found = tags(&pages, chunk).map(|tags| tags.0);
        if page.len() > Limits::MAX.token_bytes {
            let error = FeedError::TooLarge {
                limit: Limit::TokenBytes,
                allowed: Limits::MAX.token_bytes,
                offset: 7,
            };
            assert_eq!(found, Err(error));
        } else {
            let other = |attributes| ("i".to_string(), attributes);
            let attribute = vec![("j".to_string(), "k".to_string())];
            let tag = (tag.0.to_string(), tag.1.clone());
            let wanted = [other(attribute), tag, other(Vec::new())];
            assert!(
                found == Ok(wanted.into()),
                "{} bytes, chunks of {chunk}",
                page.len()
            );
        }
    }
}

/// Lengths near powers of two and the limit.
fn lengths() -> impl Iterator<Item = usize> {
    let powers = (0..13).map(|power| 1_usize << power);
    powers
        .chain([Limits::MAX.token_bytes])
        .flat_map(|length| length.saturating_sub(12)..length + 12)
}

#[test]
fn values_of_any_length_are_right_or_too_long() {
    for length in lengths() {
        for (written, meant) in [("x", "x"), ("\0", "\u{FFFD}"), ("é", "é"), ("&lt;", "<")] {
            let count = length / written.len();
            let value = ("a".to_string(), meant.repeat(count));
            check(
                &format!("<p a='{}'>", written.repeat(count)),
                ("p", vec![value]),
            );
        }
    }
}

#[test]
fn names_of_any_length_are_right_or_too_long() {
    for length in lengths() {
        let name = "N".repeat(length);
        let lower = name.to_lowercase();
        check(&format!("<p{name}>"), (&format!("p{lower}"), Vec::new()));
        let attributes = vec![(format!("a{lower}"), "v".to_string())];
        check(&format!("<p a{name}=v>"), ("p", attributes));
    }
}

#[test]
fn as_many_attributes_as_there_is_room_for_are_right() {
    for count in [1, 2, 100, 500, 700, 800, 1000] {
        let names = (0..count).map(|number| format!("{number:x}"));
        let written: String = names.clone().map(|name| format!(" {name}=\0")).collect();
        let attributes = names.map(|name| (name, "\u{FFFD}".to_string()));
        check(&format!("<p{written}>"), ("p", attributes.collect()));
    }
}
