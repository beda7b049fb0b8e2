//! Phrases and guards: how rows of them are read, and what is meant by texts that are none.

mod cursor;
mod guard;
pub(crate) mod holes;
mod rows;
mod several;
mod step;
mod templates;
mod value;

pub(crate) use cursor::Cursor;
pub(crate) use guard::{Guard, guard, with_signs};
pub(crate) use rows::{NAME, Reading, Row, rows, templates as templates_of};
pub(crate) use several::several;
pub(crate) use step::{fits, phrase};
pub(crate) use templates::{Template, is_open, nearest, takes, templates};
pub(crate) use value::{VALUES, value_meant};

use crate::diagnostic::Span;

/// A name or other piece of text in a phrase, in normal spacing, without its article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    /// The same with the article it was written with, since a name may begin with one.
    pub(crate) with_article: String,
    pub(crate) span: Span,
}

impl Name {
    /// A name without an article.
    pub(crate) fn new(text: impl Into<String>, span: Span) -> Self {
        let text = text.into();
        Self {
            with_article: text.clone(),
            text,
            span,
        }
    }

    /// Whether something of this name is meant.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.text == name || self.with_article == name
    }
}

/// A value, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operand {
    pub(crate) kind: OperandKind,
    pub(crate) span: Span,
}

/// What a value can be written as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OperandKind {
    Quoted(String),
    Character(char),
    Number(u32),
    Current,
    LowerCurrent,
    CharacterOf(Name),
    MatchedCharacters,
    MatchedName,
    Returned,
    /// A register, a field, a state or a word.
    Name(Name),
}
