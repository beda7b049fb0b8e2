//! Errors as people read them.

use alloc::string::String;

use crate::span::{ErrorCode, ParseError, Span};

/// A parse error with what its table tells people of it. `errors::explain` of each generated module makes it.
///
/// The explanations are in the program only if it calls that function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Explained {
    /// What is wrong.
    pub code: ErrorCode,
    /// The character at which the error is; see [`ParseError::span`].
    pub span: Span,
    /// What is wrong, in a sentence.
    pub explanation: Option<&'static str>,
    /// Where the text of the standard says so.
    pub link: Option<String>,
}

/// What a table tells people of its errors.
#[derive(Clone, Copy, Debug)]
pub struct Explanations {
    /// Sentences, by code.
    pub sentences: &'static [(&'static str, &'static str)],
    /// Links, by code.
    pub links: &'static [(&'static str, &'static str)],
    /// The link of all other codes, in which `CODE` stands for the code.
    pub link: Option<&'static str>,
}

impl Explained {
    /// The error, found in `text`, as a table explains it.
    pub fn new(error: ParseError, text: &str, explanations: &Explanations) -> Self {
        let code = error.code.as_str();
        let link = of(explanations.links, code).map(String::from);
        Self {
            code: error.code,
            span: error.span(text),
            explanation: of(explanations.sentences, code),
            link: link.or_else(|| Some(explanations.link?.replace("CODE", code))),
        }
    }
}

fn of(all: &[(&str, &'static str)], wanted: &str) -> Option<&'static str> {
    let found = all.iter().find(|(code, _)| *code == wanted);
    found.map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPLANATIONS: Explanations = Explanations {
        sentences: &[("a", "An a."), ("b", "A b.")],
        links: &[("b", "https://example.org/CODE/b")],
        link: Some("https://example.org/CODE#CODE"),
    };

    fn explain(code: &'static str, offset: u64, text: &str) -> Explained {
        let code = ErrorCode::new(code);
        Explained::new(ParseError { code, offset }, text, &EXPLANATIONS)
    }

    #[test]
    fn a_code_has_its_own_link_or_that_of_all() {
        let told = |code| {
            let error = explain(code, 0, "");
            assert_eq!(error.code.as_str(), code);
            (error.explanation, error.link)
        };
        let link = |link: &str| Some(String::from(link));
        assert_eq!(told("a"), (Some("An a."), link("https://example.org/a#a")));
        assert_eq!(
            told("b"),
            (Some("A b."), link("https://example.org/CODE/b"))
        );
        assert_eq!(told("c"), (None, link("https://example.org/c#c")));
    }

    #[test]
    fn the_span_is_one_character_or_nothing() {
        let text = "a\r\n\r\u{1f600}\0";
        let ends = [1, 3, 3, 4, 8, 5, 6, 7, 9, 9, 10];
        for (start, end) in (0..).zip(ends) {
            assert_eq!(
                explain("a", start, text).span,
                Span { start, end },
                "{start}"
            );
        }
        let end = u64::MAX;
        assert_eq!(explain("a", end, text).span, Span { start: end, end });
    }
}
