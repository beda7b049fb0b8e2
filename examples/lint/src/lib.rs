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
use speclex::{LineIndex, ParseError};
use speclex_tokenizers::html_living::Tokenizer;

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
    let mut errors = tokenizer.into_sink().0;
    errors.sort_by_key(|error| error.offset);

    let mut lines = LineIndex::new();
    lines.push(page);
    let shown: Vec<_> = errors.iter().take(SHOWN).collect();
    let mut text: String = shown
        .iter()
        .map(|error| show(name, page, &lines, error) + "\n\n")
        .collect();
    if errors.len() > shown.len() {
        text += &format!("and {} more errors\n", errors.len() - shown.len());
    }
    // A token that is too long: the rest of the page is not looked at.
    if let Err(error) = ended {
        text += &format!("{name}: {error}\n");
    }
    Report {
        errors: errors.len() + usize::from(ended.is_err()),
        text,
    }
}

/// An error with its line and a link to what the standard says of it.
fn show(name: &str, page: &str, lines: &LineIndex, error: &ParseError) -> String {
    let at = usize::try_from(error.offset).map_or(page.len(), |at| at.min(page.len()));
    // A line ends at the first character of a pair.
    let at = at - usize::from(page[..at].ends_with('\r') && page[at..].starts_with('\n'));
    let (before, after) = page.split_at(at);
    let is_end = ['\n', '\r'];
    let start = before.rfind(is_end).map_or(0, |end| end + 1);
    let end = at + after.find(is_end).unwrap_or(after.len());
    let column = at - start;
    let line = &page[start..end];
    let length = line[column..].chars().next().map_or(0, char::len_utf8);

    let code = error.code.as_str();
    let number = lines.locate(error.offset).line;
    let snippet = Snippet::source(line)
        .path(name)
        .line_start(usize::try_from(number).unwrap_or(usize::MAX))
        .annotation(AnnotationKind::Primary.span(column..column + length));
    let link = format!("https://html.spec.whatwg.org/multipage/parsing.html#parse-error-{code}");
    let report = [Level::ERROR
        .primary_title(code)
        .element(snippet)
        .element(Level::NOTE.message(link))];
    Renderer::plain().render(&report)
}
