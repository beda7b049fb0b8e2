//! Documents as bytes: html5lib's tests of encodings, and places in real pages.

mod html5lib;
mod parsed;
mod places;

use speclex::encoding::encoding_rs::Encoding;
use speclex::encoding::{ByteStream, Hints, declared_by};
use speclex::markup::{Answer, Sink, Tag};
use speclex::{FeedError, Span};
use speclex_tokenizers::html_living;

/// A token in short.
#[derive(Debug, PartialEq)]
pub enum Token {
    /// Its characters.
    Text(String),
    /// Its name, with `</` or `<` in front.
    Tag(String),
    /// The end of the file.
    End,
}

/// Keeps what the tests compare.
#[derive(Default)]
pub struct Kept {
    /// Tokens, with their spans.
    pub tokens: Vec<(Token, Span)>,
    /// What the first `<meta>` declares.
    pub declared: Option<&'static Encoding>,
}

impl Sink for Kept {
    const ERRORS: bool = false;

    fn characters(&mut self, data: &str, span: Span) {
        if let Some((Token::Text(text), whole)) = self.tokens.last_mut() {
            text.push_str(data);
            whole.end = span.end;
        } else {
            self.tokens.push((Token::Text(data.to_owned()), span));
        }
    }

    fn start_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        let name = format!("<{}", tag.name);
        self.tokens.push((Token::Tag(name), span));
        if tag.name == "meta" && self.declared.is_none() {
            self.declared = declared_by(|name| tag.attributes.get(name));
        }
        Answer::Continue
    }

    fn end_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        let name = format!("</{}", tag.name);
        self.tokens.push((Token::Tag(name), span));
        Answer::Continue
    }

    fn end_of_file(&mut self, at: u64) {
        self.tokens.push((Token::End, Span { start: at, end: at }));
    }
}

/// A whole document in pieces.
pub fn run<'b>(
    stream: &mut ByteStream,
    pieces: impl IntoIterator<Item = &'b [u8]>,
) -> Result<Kept, FeedError> {
    let mut tokenizer: html_living::Tokenizer<Kept> = html_living::Tokenizer::new(Kept::default());
    for piece in pieces {
        stream.feed(&mut tokenizer, piece)?;
    }
    stream.end(&mut tokenizer)?;
    stream.end(&mut tokenizer)?;
    Ok(tokenizer.into_sink())
}

/// Pauses at each `<p>`.
#[derive(Default)]
struct Pausing(String);

impl Sink for Pausing {
    const ERRORS: bool = false;

    fn characters(&mut self, data: &str, _: Span) {
        self.0.push_str(data);
    }

    fn start_tag(&mut self, _: &Tag<'_>, _: Span) -> Answer {
        Answer::Pause
    }
}

#[test]
fn what_is_decoded_waits_for_a_pause_to_end() {
    let mut tokenizer = html_living::Tokenizer::new(Pausing::default());
    let mut stream = ByteStream::new(Hints::html().content_type("text/html; charset=shift_jis"));
    assert_eq!(stream.feed(&mut tokenizer, b"\x83"), Ok(()));
    assert_eq!(
        stream.feed(&mut tokenizer, b"X<p>\x83"),
        Err(FeedError::Paused)
    );
    assert_eq!(stream.feed(&mut tokenizer, b"X"), Err(FeedError::Paused));
    assert_eq!(tokenizer.sink().0, "\u{30B9}");
    assert_eq!(tokenizer.resume(), Ok(()));
    assert_eq!(tokenizer.sink().0, "\u{30B9}\u{30B9}");
    assert_eq!(
        stream.feed(&mut tokenizer, b"<p>\x83"),
        Err(FeedError::Paused)
    );
    assert_eq!(stream.end(&mut tokenizer), Ok(()));
    assert_eq!(stream.end(&mut tokenizer), Ok(()));
    assert_eq!(stream.feed(&mut tokenizer, b"X"), Err(FeedError::Ended));
    assert_eq!(tokenizer.into_sink().0, "\u{30B9}\u{30B9}\u{FFFD}");
}

#[test]
fn a_character_that_was_fed_before_is_cut_short() {
    let mut tokenizer = html_living::Tokenizer::new(Pausing::default());
    assert_eq!(tokenizer.feed_bytes(b"\xE2\x82"), Ok(()));
    let mut stream = ByteStream::new(Hints::xml());
    assert_eq!(stream.feed(&mut tokenizer, b"\xACa"), Ok(()));
    assert_eq!(stream.end(&mut tokenizer), Ok(()));
    assert_eq!(tokenizer.into_sink().0, "\u{FFFD}\u{FFFD}a");
}
