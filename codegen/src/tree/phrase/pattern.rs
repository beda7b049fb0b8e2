//! Patterns: each phrase of the language is a row that says what it means.

use super::sort::{Sort, Term, Word};
use crate::diagnostic::{Code, Faults, Span};
use crate::phrase::Template;
use crate::suggest::which_of;
use crate::tree::machine::{Holds, State, StateId};

/// One phrase of the language.
pub(crate) struct Pattern {
    pub(crate) template: Template,
    /// The contrary of a guard: `ELEMENT is not null`.
    pub(super) negated: Option<&'static str>,
    pub(super) sort: Sort,
    /// What stands in its holes, in order.
    pub(super) holes: &'static [Sort],
    /// Builds what it means of what stands in its holes. `None` after a fault.
    pub(super) means: fn(&mut Holes<'_, '_>) -> Option<Term>,
}

/// What stands in the holes of a phrase, and what is needed to build its meaning.
pub(crate) struct Holes<'d, 'f> {
    pub(super) terms: std::vec::IntoIter<Term>,
    pub(super) states: &'d [State],
    pub(super) faults: &'f mut Faults,
    pub(super) span: Span,
}

impl Holes<'_, '_> {
    /// The number of a word of a flag or question.
    pub(super) fn word(&mut self, state: StateId, word: &Word) -> Option<usize> {
        let state = self.states.get(state)?;
        let Holds::Words(words) = &state.holds else {
            return None;
        };
        let found = words.iter().position(|it| *it == word.0);
        if found.is_none() {
            let message = format!("`{}` has no word `{}`", state.name, word.0);
            let help = which_of(&word.0, words.iter().map(String::as_str));
            self.faults
                .add(Code::UnknownWord, self.span, message)
                .help(help);
        }
        found
    }
}

/// Rows: what a phrase says, its pattern, its contrary, an example, and its meaning.
macro_rules! patterns {
    ($sort:ident; $($(#[doc = $about:literal])+ $pattern:literal $(/ $not:literal)? $(= $example:literal)?
        => |$holes:pat_param $(, $name:ident: $ty:ty)*| $means:expr;)+) => {
        &[$($crate::tree::phrase::pattern::Pattern {
            template: $crate::phrase::Template {
                pattern: $pattern,
                example: $crate::tree::phrase::pattern::last(&[$pattern $(, $example)?]),
                about: concat!($($about),+).trim_ascii_start(),
            },
            negated: $crate::tree::phrase::pattern::first(&[$($not)?]),
            sort: Sort::$sort,
            holes: &[$(<$ty as Part>::SORT),*],
            means: |holes| {
                $(let $name = <$ty as Part>::of(holes.terms.next()?)?;)*
                let $holes = holes;
                Some(Term::from($means))
            },
        }),+]
    };
}
pub(super) use patterns;

pub(super) const fn first(texts: &[&'static str]) -> Option<&'static str> {
    match texts {
        [text] => Some(text),
        _ => None,
    }
}

pub(super) const fn last(texts: &[&'static str]) -> &'static str {
    match texts {
        [.., text] => text,
        [] => "",
    }
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A word as it stands; a comma, a parenthesis; `'s`.
    Word(String),
    /// `the`, `a` or `an`, which may be missing before any word.
    Article,
    Hole(Sort),
}

/// The pieces of a pattern. A word is a hole if it stands for one of these sorts, which come in order.
pub(super) fn pieces(pattern: &str, mut hole: impl FnMut(&str) -> Option<Sort>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut push = |word: &str| {
        pieces.push(match hole(word) {
            Some(sort) => Piece::Hole(sort),
            None if is_article(word) => Piece::Article,
            None => Piece::Word(word.to_owned()),
        });
    };
    for word in pattern.split_whitespace() {
        let word = match word.strip_prefix('(') {
            Some(rest) => {
                push("(");
                rest
            }
            None => word,
        };
        let is_last = word.ends_with(')');
        let word = word.trim_end_matches(')');
        let bare = word.trim_end_matches(',');
        match bare.strip_suffix("'s") {
            Some(owner) => {
                push(owner);
                push("'s");
            }
            None => push(bare),
        }
        if bare != word {
            push(",");
        }
        if is_last {
            push(")");
        }
    }
    pieces
}

pub(super) fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an")
}
