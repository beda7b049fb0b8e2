//! Finds the parse errors of a page that a tokenizer sees, and prints them as a compiler does.
//!
//! ```
//! let report = lint_example::lint("page.html", b"<p>1 &lt 2");
//! assert_eq!(report.errors, 1);
//! assert!(report.text.contains("--> page.html:1:9"));
//! ```
#![forbid(unsafe_code)]

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use speclex::markup::Sink;
use speclex::{Columns, Explained, LineIndex, ParseError};
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

/// A sink that keeps errors.
#[derive(Debug, Default)]
struct Errors(Vec<ParseError>);

impl Sink for Errors {
    const ERRORS: bool = true;
    const INPUT_ERRORS: bool = true;

    fn error(&mut self, error: ParseError) {
        self.0.push(error);
    }
}

/// The errors of a page that has this name. What is not UTF-8 counts as U+FFFD, and a byte order mark at the start is skipped.
#[must_use]
pub fn lint(name: &str, page: &[u8]) -> Report {
    let page = String::from_utf8_lossy(page);
    let page = page.strip_prefix('\u{FEFF}').unwrap_or(&page);
    let mut tokenizer = Tokenizer::new(Errors::default());
    let ended = tokenizer.feed(page).and_then(|()| tokenizer.end());
    let mut found = tokenizer.into_sink().0;
    found.sort_by_key(|error| error.offset);

    let mut lines = LineIndex::new();
    lines.push(page);
    let shown = found.iter().take(SHOWN);
    let mut text: String = shown
        .map(|&error| show(name, page, &lines, &errors::explain(error, page)) + "\n\n")
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

/// An error with its line, what it means, and a link to what the standard says of it.
fn show(name: &str, page: &str, lines: &LineIndex, error: &Explained) -> String {
    let [at, end] = [error.span.start, error.span.end]
        .map(|offset| usize::try_from(offset).map_or(page.len(), |at| at.min(page.len())));
    let place = lines.locate_in(error.span.start, Columns::Bytes);
    let number = usize::try_from(place.line).unwrap_or(usize::MAX);
    let start = at + 1 - usize::try_from(place.column).unwrap_or(1);
    let line = &page[start..];
    let line = &line[..line.find(['\n', '\r']).unwrap_or(line.len())];
    // The character that ends the line is not printed.
    let [at, end] = [at, end].map(|at| (at - start).min(line.len()));

    let snippet = Snippet::source(line)
        .path(name)
        .line_start(number)
        .annotation(AnnotationKind::Primary.span(at..end));
    let link = error.link.iter();
    let report = [Level::ERROR
        .primary_title(error.explanation.unwrap_or_default())
        .id(error.code.as_str())
        .element(snippet)
        .elements(link.map(|link| Level::NOTE.message(link)))];
    Renderer::plain().render(&report)
}
