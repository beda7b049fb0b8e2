//! What is wrong with a selector.

use std::error::Error;
use std::fmt;

use cssparser::{BasicParseErrorKind, ParseErrorKind, Parser, Token};
use selectors::parser::{Selector, SelectorParseErrorKind as Kind};

use crate::css::{Fault, Reader};

/// In how many parentheses around each other an error is looked for.
const NESTED: usize = 16;

/// A selector is wrong. It is shown with the place:
///
/// ```
/// let error = speclex_select::Selector::parse("ul > > li").unwrap_err();
/// assert_eq!(error.offset(), 3);
/// assert_eq!(error.to_string(), "\
/// a combinator has no selector at one side, column 4
///   ul > > li
///      ^");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    selector: String,
    offset: usize,
    message: &'static str,
}

impl SelectorError {
    pub(crate) fn new(selector: &str, fault: &Fault) -> Self {
        let message = match &fault.kind {
            ParseErrorKind::Basic(BasicParseErrorKind::EndOfInput) => "the selector ends too early",
            ParseErrorKind::Basic(BasicParseErrorKind::TooManyNestedBlocks) => {
                "parentheses are nested too deeply"
            }
            ParseErrorKind::Custom(kind) => of_kind(kind),
            _ => "this is not expected here",
        };
        let is_missing = matches!(fault.kind, ParseErrorKind::Custom(Kind::EmptySelector));
        Self {
            selector: selector.to_owned(),
            offset: offset(selector, is_missing, NESTED),
            message,
        }
    }

    /// The selector.
    pub fn selector(&self) -> &str {
        &self.selector
    }

    /// Where it is wrong: how many bytes come before the token that cannot stand there, or after which something is missing.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

/// Where the first token is that is wrong in a list of selectors, or before which something is missing.
fn offset(list: &str, is_missing: bool, nested: usize) -> usize {
    let mut parser = Parser::new(list);
    while Selector::parse(&Reader, &mut parser).is_ok() && parser.expect_comma().is_ok() {}
    // It is after the wrong token, or after all that is in parentheses where the token is in those.
    let end = parser.position().byte_index();
    let mut tokens = Parser::new(list);
    let (mut start, mut content) = (0, None);
    loop {
        tokens.skip_whitespace();
        let at = tokens.position().byte_index();
        let Ok(token) = tokens.next() else { break };
        let opens = matches!(token, Token::Function(_));
        let after = tokens.position().byte_index();
        if after > end {
            break;
        }
        (start, content) = (at, opens.then_some(after));
    }
    match content.filter(|_| nested > 0) {
        Some(from) => {
            let inner = list[from..end].trim_end_matches(')');
            from + offset(inner, is_missing, nested - 1)
        }
        None if is_missing => list.len() - list[end..].trim_start().len(),
        None => start,
    }
}

fn of_kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::EmptySelector => "a selector is missing",
        Kind::DanglingCombinator => "a combinator has no selector at one side",
        Kind::UnsupportedPseudoClassOrElement => "no pseudo-class or element has this name",
        Kind::ClassNeedsIdent => "the name of a class is missing after `.`",
        Kind::ExpectedNamespace => "no namespace has this prefix: html, svg, math, xlink have",
        Kind::InvalidQualNameInAttr => "the name of an attribute is missing after `[`",
        Kind::UnexpectedTokenInAttributeSelector => "expected one of = ~= |= ^= $= *= ]",
        Kind::BadValueInAttr => "an attribute's value is a name or in quotes",
        _ => "this is not expected here",
    }
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.selector.get(..self.offset).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = self.selector[start..].lines().next().unwrap_or_default();
        let shown = |text: &str| text.replace(char::is_control, " ");
        let column = before[start..].chars().count();
        writeln!(f, "{}, column {}", self.message, column + 1)?;
        write!(f, "  {}\n  {:column$}^", shown(line), "")
    }
}

impl Error for SelectorError {}
