//! Changes every `href` of a stream and leaves all other bytes alone. A value whose bytes are not UTF-8 stays as it is.
//!
//! ```
//! let page = b"<p>see <A\n HREF = 'one'>this</a><a href=two&amp;>";
//! let mut out = Vec::new();
//! let to = |href: &str| Some(format!("/to/{href}"));
//! rewrite_example::rewrite(&page[..], &mut out, to).expect("a page");
//! assert_eq!(out, b"<p>see <A\n HREF = \"/to/one\">this</a><a href=\"/to/two&amp;\">");
//! ```
#![forbid(unsafe_code)]

mod href;

use std::io::{self, ErrorKind, Read, Write};
use std::ops::Range;

use speclex::markup::{Answer, Comment, Doctype, Sink, Tag};
use speclex::{Limits, ParseError, Span};
use speclex_tokenizers::html_living::Tokenizer;

/// How many bytes are read at a time.
const CHUNK: usize = 1 << 16;

/// The `href` of a tag.
#[derive(Debug)]
struct Href {
    tag: Span,
    /// Where its value is in all values.
    value: Range<usize>,
}

/// A sink that notes each `href`, and up to where the input is done with: no tag starts before there and ends behind it.
#[derive(Debug, Default)]
struct Hrefs {
    all: Vec<Href>,
    values: String,
    done: u64,
}

impl Hrefs {
    fn is_done(&mut self, span: Span) {
        self.done = self.done.max(span.end);
    }
}

impl Sink for Hrefs {
    const ERRORS: bool = true;

    fn characters(&mut self, _: &str, span: Span) {
        self.is_done(span);
    }

    fn start_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.is_done(span);
        if let Some(value) = tag.attributes.get("href") {
            let start = self.values.len();
            self.values.push_str(value);
            self.all.push(Href {
                tag: span,
                value: start..self.values.len(),
            });
        }
        Answer::Continue
    }

    fn end_tag(&mut self, _: &Tag<'_>, span: Span) -> Answer {
        self.is_done(span);
        Answer::Continue
    }

    fn comment(&mut self, _: &Comment<'_>, span: Span) {
        self.is_done(span);
    }

    fn doctype(&mut self, _: &Doctype<'_>, span: Span) {
        self.is_done(span);
    }

    fn error(&mut self, error: ParseError) {
        // `</>` is no token. The error is at its `>`.
        if error.code.as_str() == "missing-end-tag-name" {
            self.done = self.done.max(error.offset + 1);
        }
    }
}

/// Rewrites a stream that comes in pieces.
#[derive(Debug)]
pub struct Rewriter<F: FnMut(&str) -> Option<String>> {
    tokenizer: Tokenizer<Hrefs>,
    change: F,
    /// What is not written yet: an unfinished token.
    kept: Vec<u8>,
    /// Offset in the stream of what is kept.
    offset: u64,
    /// How much of what is kept has been fed.
    fed: usize,
}

impl<F: FnMut(&str) -> Option<String>> Rewriter<F> {
    /// `change` gets the value of each `href`, with its references decoded, and returns a new one, or nothing to leave all
    /// as it is. It does not get a value whose bytes are not UTF-8, which stays as it is. No token may be longer than the
    /// limits allow.
    pub fn new(limits: Limits, change: F) -> Self {
        let mut tokenizer = Tokenizer::new(Hrefs::default());
        tokenizer.set_limits(limits);
        Self {
            tokenizer,
            change,
            kept: Vec::new(),
            offset: 0,
            fed: 0,
        }
    }

    /// Rewrites more of the stream.
    ///
    /// # Errors
    /// When writing fails, or when a token is too long. Nothing can be fed after that.
    pub fn feed(&mut self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        self.kept.extend_from_slice(bytes);
        self.tokenize(false)?;
        self.write(out)
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// As for [`feed`](Self::feed).
    pub fn end(mut self, out: &mut impl Write) -> io::Result<()> {
        self.tokenize(true)?;
        self.tokenizer.end().map_err(io::Error::other)?;
        self.tokenizer.sink().done = self.offset + self.kept.len() as u64;
        self.write(out)
    }

    /// For how many bytes there is memory, most of it for those that are read and not written yet.
    pub fn memory(&self) -> usize {
        self.kept.capacity()
    }

    /// Feeds what has not been fed. A malformed sequence becomes as many control characters as it has bytes, so that
    /// spans count the bytes of the stream: what it is makes no difference to where tags and attributes are.
    fn tokenize(&mut self, is_last: bool) -> io::Result<()> {
        for chunk in self.kept[self.fed..].utf8_chunks() {
            let malformed = chunk.invalid();
            self.fed += chunk.valid().len();
            let is_cut = self.fed + malformed.len() == self.kept.len()
                && str::from_utf8(malformed).is_err_and(|error| error.error_len().is_none());
            self.tokenizer
                .feed(chunk.valid())
                .map_err(io::Error::other)?;
            if is_last || !is_cut {
                self.fed += malformed.len();
                let same_length = "\u{1A}".repeat(malformed.len());
                self.tokenizer
                    .feed(&same_length)
                    .map_err(io::Error::other)?;
            }
        }
        Ok(())
    }

    /// Writes all that is done with.
    fn write(&mut self, out: &mut impl Write) -> io::Result<()> {
        let offset = self.offset;
        let index = |at: u64| (at - offset) as usize;
        let sink = self.tokenizer.sink();
        let mut written = 0;
        for Href { tag, value } in sink.all.drain(..) {
            let start = index(tag.start);
            let tag = &self.kept[start..index(tag.end)];
            // The tokenizer got U+FFFD for malformed bytes; the output must have the bytes themselves.
            if let Some(place) = href::find(tag)
                && str::from_utf8(&tag[place.value.clone()]).is_ok()
                && let Some(value) = (self.change)(&sink.values[value])
            {
                out.write_all(&self.kept[written..start + place.value.start])?;
                out.write_all(place.before.as_bytes())?;
                write!(out, "\"{}\"", href::escape(&value))?;
                written = start + place.value.end;
            }
        }
        sink.values.clear();
        let done = index(sink.done);
        out.write_all(&self.kept[written..done])?;
        self.kept.drain(..done);
        self.fed -= done;
        self.offset = sink.done;
        Ok(())
    }
}

/// Rewrites all that a reader gives; see [`Rewriter::new`].
///
/// # Errors
/// When reading or writing fails, or when a token is longer than [`Limits::default`] allows.
pub fn rewrite(
    mut reader: impl Read,
    mut out: impl Write,
    change: impl FnMut(&str) -> Option<String>,
) -> io::Result<()> {
    let mut rewriter = Rewriter::new(Limits::default(), change);
    let mut buffer = vec![0; CHUNK];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return rewriter.end(&mut out),
            Ok(read) => rewriter.feed(&buffer[..read], &mut out)?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
