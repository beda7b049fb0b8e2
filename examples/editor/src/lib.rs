//! A text that is edited, and its tokens. After an edit it is read again from the last checkpoint in front of the edit until it comes to an
//! equal checkpoint behind it, and no further.
//!
//! ```
//! use editor_example::Page;
//!
//! let mut page = Page::new(&"<p title=a>one</p>\n".repeat(1000));
//! let read = page.edit(9511..9514, "<b>two");
//! assert_eq!(&page.text()[9500..9521], "<p title=a><b>two</p>");
//! assert!(read < 1000, "{read} of 19,003 bytes");
//! ```
#![forbid(unsafe_code)]

use std::ops::Range;

use speclex::markup::{Collector, Token};
use speclex::rt::Machine;
use speclex::{Checkpoint, ParseError, Span, Tokenizer};
use speclex_tokenizers::html_living;

/// A page of today's HTML.
pub type Page = Document<html_living::Machine<Collector<true>>>;

/// How many bytes a segment has before it ends at the next `>`. It ends without one after twice as many.
const LENGTH: usize = 256;

/// A text of which the tokens are known. `M` is the machine of a generated module.
#[derive(Debug)]
pub struct Document<M: Machine> {
    /// Only the last may be empty.
    segments: Vec<Segment<M>>,
}

/// A piece of the text that begins between two tokens. Its places count from its start, so that an edit in front of it changes nothing.
#[derive(Debug)]
struct Segment<M: Machine> {
    start: Checkpoint<M::State, M::Registers>,
    text: String,
    tokens: Vec<(Token<'static>, Span)>,
    errors: Vec<ParseError>,
}

impl<M: Machine<Sink = Collector<true>>> Document<M> {
    /// The tokens of a text.
    pub fn new(text: &str) -> Self {
        let mut tokenizer = Tokenizer::<M>::new(Collector::with_errors());
        let (start, _) = tokenizer.checkpoint().expect("nothing has begun");
        let all = Segment {
            start,
            text: String::new(),
            tokens: Vec::new(),
            errors: Vec::new(),
        };
        let mut document = Self {
            segments: vec![all],
        };
        document.read(0..1, text.to_owned());
        document
    }

    /// Puts a text in the place of a range of bytes. Returns how many bytes were read again.
    ///
    /// # Panics
    /// If the range is not in the text, or ends inside a character.
    pub fn edit(&mut self, range: Range<usize>, text: &str) -> usize {
        let (first, start) = self.segment(range.start);
        let (last, _) = self.segment(range.start.max(range.end.saturating_sub(1)));
        let old = self.segments[first..=last].iter();
        let mut edited: String = old.map(|segment| segment.text.as_str()).collect();
        edited.replace_range(range.start - start..range.end - start, text);
        self.read(first..last + 1, edited)
    }

    /// The last segment that does not start behind a place, and where it starts. Its checkpoint depends on nothing behind that.
    fn segment(&self, place: usize) -> (usize, usize) {
        let (mut index, mut start) = (0, 0);
        for segment in &self.segments[..self.segments.len() - 1] {
            if start + segment.text.len() > place {
                break;
            }
            start += segment.text.len();
            index += 1;
        }
        (index, start)
    }

    /// Reads the text that stands in the place of some segments, and the segments behind it until the checkpoint of the next one is as it
    /// was. Returns how much that is.
    fn read(&mut self, replaced: Range<usize>, mut text: String) -> usize {
        let mut end = replaced.end;
        let mut segments = Vec::new();
        let mut checkpoint = self.segments[replaced.start].start.clone();
        let mut tokenizer = Tokenizer::<M>::new(Collector::with_errors());
        tokenizer.restore(&checkpoint, 0);
        let (mut start, mut fed) = (0, 0);
        loop {
            let next = cut(&text, start, fed);
            let read = tokenizer.feed(&text[fed..next]);
            read.expect("no pauses, and no token of 64 MiB");
            fed = next;
            // If it is in front of what was fed, it still depends on what comes.
            let reached = tokenizer.checkpoint().filter(|(_, at)| *at == fed as u64);
            let reached = reached.map(|(checkpoint, _)| checkpoint);
            let next = self.segments.get(end);
            let is_done = fed == text.len()
                && match next {
                    Some(next) => reached.as_ref() == Some(&next.start),
                    None => tokenizer.end().is_ok(),
                };
            let is_long = fed - start >= LENGTH && reached.is_some();
            if is_long || is_done && (fed > start || next.is_none()) {
                let sink = tokenizer.sink();
                segments.push(Segment {
                    start: checkpoint.clone(),
                    text: text[start..fed].to_owned(),
                    tokens: sink.tokens.drain(..).map(|it| moved(it, start)).collect(),
                    errors: (sink.errors.drain(..))
                        .map(|it| ParseError {
                            offset: it.offset - start as u64,
                            ..it
                        })
                        .collect(),
                });
                start = fed;
            }
            if is_done {
                break;
            }
            if start == fed
                && let Some(reached) = reached
            {
                checkpoint = reached;
            }
            if fed == text.len()
                && let Some(next) = next
            {
                text += &next.text;
                end += 1;
            }
        }
        self.segments.splice(replaced.start..end, segments);
        fed
    }

    /// The text.
    pub fn text(&self) -> String {
        let segments = self.segments.iter();
        segments.map(|segment| segment.text.as_str()).collect()
    }

    /// The tokens, each with its place in the text. Text tokens of several segments are one.
    pub fn tokens(&self) -> Vec<(Token<'static>, Span)> {
        let mut tokens: Vec<(Token<'static>, Span)> = Vec::new();
        for (start, segment) in self.placed() {
            for (token, span) in &segment.tokens {
                let span = Span {
                    start: start + span.start,
                    end: start + span.end,
                };
                match (tokens.last_mut(), token) {
                    (Some((Token::Characters(text), whole)), Token::Characters(more)) => {
                        text.to_mut().push_str(more);
                        whole.end = whole.end.max(span.end);
                    }
                    _ => tokens.push((token.clone(), span)),
                }
            }
        }
        tokens
    }

    /// The parse errors, in the order of reporting.
    pub fn errors(&self) -> Vec<ParseError> {
        let errors = |(start, segment): (u64, &Segment<M>)| {
            let errors = segment.errors.iter();
            let errors = errors.map(|error| ParseError {
                offset: start + error.offset,
                ..*error
            });
            errors.collect::<Vec<_>>()
        };
        self.placed().flat_map(errors).collect()
    }

    /// The segments, each with its place in the text.
    fn placed(&self) -> impl Iterator<Item = (u64, &Segment<M>)> {
        let segments = self.segments.iter();
        segments.scan(0, |end, segment| {
            let start = *end;
            *end += segment.text.len() as u64;
            Some((start, segment))
        })
    }
}

/// The token with a place that counts from the start of a segment.
fn moved((token, span): (Token<'static>, Span), start: usize) -> (Token<'static>, Span) {
    let span = Span {
        start: span.start - start as u64,
        end: span.end - start as u64,
    };
    (token, span)
}

/// Where to look next whether a segment ends: behind a `>` it mostly does.
fn cut(text: &str, start: usize, fed: usize) -> usize {
    let least = fed.max(start + LENGTH).min(text.len());
    let bytes = text.as_bytes()[least..].iter().take(LENGTH);
    let length = bytes.clone().position(|byte| *byte == b'>');
    let next = least + length.map_or(bytes.len(), |length| length + 1);
    (next..text.len())
        .find(|next| text.is_char_boundary(*next))
        .unwrap_or(text.len())
}
