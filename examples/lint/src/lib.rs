//! Finds the parse errors of a page that a tokenizer sees, and prints them as a compiler does.
//!
//! ```
//! let report = lint_example::lint("page.html", b"<p>1 &lt 2");
//! assert_eq!(report.errors, 1);
//! assert!(report.text.contains("--> page.html:1:9"));
//! ```
#![forbid(unsafe_code)]

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use speclex::markup::{Answer, Sink, Tag};
use speclex::parts::{AttributeParts, TagParts};
use speclex::{Columns, Explained, LineIndex, ParseError, Span};
use speclex_tokenizers::html_living::{Tokenizer, errors};

/// How many errors are shown at most: each may stand in a long line.
const SHOWN: usize = 100;

/// The errors of a page.
#[derive(Debug)]
pub struct Report {
    /// How many there are.
    pub errors: usize,
    /// The first of them, for people.
    pub text: String,
}

/// A sink that keeps errors, and the tags in which attributes are repeated.
#[derive(Debug, Default)]
struct Errors {
    found: Vec<(ParseError, Option<Span>)>,
    /// How many of them came before the last tag ended.
    before: usize,
}

impl Errors {
    fn note_tag(&mut self, tag: Span) -> Answer {
        for (error, in_tag) in &mut self.found[self.before..] {
            *in_tag = Some(tag).filter(|_| error.code == errors::DUPLICATE_ATTRIBUTE);
        }
        self.before = self.found.len();
        Answer::Continue
    }
}

impl Sink for Errors {
    const ERRORS: bool = true;
    const INPUT_ERRORS: bool = true;

    fn start_tag(&mut self, _: &Tag<'_>, span: Span) -> Answer {
        self.note_tag(span)
    }

    fn end_tag(&mut self, _: &Tag<'_>, span: Span) -> Answer {
        self.note_tag(span)
    }

    fn error(&mut self, error: ParseError) {
        self.found.push((error, None));
    }
}

/// The errors of a page that has this name. What is not UTF-8 counts as U+FFFD, and a byte order mark at the start is skipped.
#[must_use]
pub fn lint(name: &str, page: &[u8]) -> Report {
    let page = String::from_utf8_lossy(page);
    let page = page.strip_prefix('\u{FEFF}').unwrap_or(&page);
    let mut tokenizer = Tokenizer::new(Errors::default());
    let ended = tokenizer.feed(page).and_then(|()| tokenizer.end());
    let mut found = tokenizer.into_sink().found;
    found.sort_by_key(|(error, _)| error.offset);

    let mut lines = LineIndex::new();
    lines.push(page);
    let page = Page {
        name,
        text: page,
        lines,
    };
    let shown = found.iter().take(SHOWN);
    let mut text: String = shown
        .map(|&(error, tag)| page.show(&errors::explain(error, page.text), tag) + "\n\n")
        .collect();
    if found.len() > SHOWN {
        text += &format!("and {} more errors\n", found.len() - SHOWN);
    }
    // A token that is too long: the rest of the page is not looked at.
    if let Err(error) = ended {
        text += &format!("{name}: {error}\n");
    }
    Report {
        errors: found.len() + usize::from(ended.is_err()),
        text,
    }
}

/// A page from which errors are shown.
struct Page<'p> {
    name: &'p str,
    text: &'p str,
    lines: LineIndex,
}

/// A part of a line.
struct Place {
    /// Where the line starts.
    start: usize,
    number: usize,
    /// The part, in the line.
    part: std::ops::Range<usize>,
}

impl<'p> Page<'p> {
    /// An error with its line, what it means, and a link to what the standard says of it.
    fn show(&self, error: &Explained, tag: Option<Span>) -> String {
        let repeated = tag.and_then(|tag| self.repeated(tag, error.span.start));
        let (span, first) = match repeated {
            Some((dropped, first)) => (dropped, Some(first)),
            None => (error.span, None),
        };
        let (place, first) = (self.place(span), first.map(|first| self.place(first)));
        let mut primary = AnnotationKind::Primary.span(place.part.clone());
        if first.is_some() {
            primary = primary.label("this one is ignored");
        }
        let mut snippets = vec![self.snippet(&place).annotation(primary)];
        if let Some(first) = first {
            let note = AnnotationKind::Context.span(first.part.clone());
            let note = note.label("the first of this name");
            if first.start == place.start {
                snippets = snippets
                    .into_iter()
                    .map(|it| it.annotation(note.clone()))
                    .collect();
            } else {
                snippets.push(self.snippet(&first).annotation(note));
            }
        }
        let link = error.link.iter();
        let report = [Level::ERROR
            .primary_title(error.explanation.unwrap_or_default())
            .id(error.code.as_str())
            .elements(snippets)
            .elements(link.map(|link| Level::NOTE.message(link)))];
        Renderer::plain().render(&report)
    }

    /// The attribute of a tag that is dropped, for its name ends at this place, and the first one of the same name.
    fn repeated(&self, tag: Span, end: u64) -> Option<(Span, Span)> {
        let parts = TagParts::of(self.part(tag), tag.start);
        let dropped = parts.attributes.iter().find(|it| it.name.end == end)?;
        // As tokens have it: NUL becomes U+FFFD.
        let name = |it: &AttributeParts| {
            let name = self.part(it.name).to_ascii_lowercase();
            name.replace('\0', "\u{FFFD}")
        };
        let first = parts.kept().find(|it| name(it) == name(dropped))?;
        Some((dropped.span(), first.span()))
    }

    /// A part of the text.
    fn part(&self, span: Span) -> &'p str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// What is shown of a line, with its number.
    fn snippet(&self, place: &Place) -> Snippet<'p, Annotation<'p>> {
        let snippet = Snippet::source(line(&self.text[place.start..]));
        snippet.path(self.name).line_start(place.number)
    }

    /// Where a span stands.
    fn place(&self, span: Span) -> Place {
        let Range { start: at, end } = span.range();
        let [at, end] = [at, end].map(|at| at.min(self.text.len()));
        let place = self.lines.locate_in(span.start, Columns::Bytes);
        let start = at + 1 - usize::try_from(place.column).unwrap_or(1);
        let length = line(&self.text[start..]).len();
        // The character that ends the line is not printed.
        let [at, end] = [at, end].map(|at| (at - start).min(length));
        Place {
            start,
            number: usize::try_from(place.line).unwrap_or(usize::MAX),
            part: at..end,
        }
    }
}

/// The first line of a text.
fn line(text: &str) -> &str {
    &text[..text.find(['\n', '\r']).unwrap_or(text.len())]
}
