//! Phrases and guards: what steps say, with the names in them not yet looked up.

mod cursor;
mod guard;
mod guards;
mod holes;
mod other_verbs;
mod phrases;
mod rows;
mod several;
mod step;
mod templates;
mod value;

pub(crate) use cursor::Cursor;
pub(crate) use guard::parse as guard;
pub(crate) use guards::GUARDS;
pub(crate) use holes::name;
pub(crate) use phrases::PHRASES;
pub(crate) use rows::{Hole, Read, Reading, Row, read, rows, templates as templates_of};
pub(crate) use several::several;
pub(crate) use step::{is_phrase, is_steps, parse as phrases};
pub(crate) use templates::{Template, VALUES, corrected, did_you_mean, is_open, nearest};
pub(crate) use value::value_meant;

use crate::diagnostic::Span;

/// A name or other piece of text in a phrase, in normal spacing, without its article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    /// The same with the article it was written with, since a name may begin with one.
    pub(crate) with_article: String,
    pub(crate) span: Span,
}

/// What one step says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Phrase {
    SwitchTo(Name),
    SwitchBack,
    ReconsumeIn(Name),
    Stay,
    AsAnythingElse,
    Ignore,
    ConsumeIt,
    ParseError,
    Error(Name),
    Emit(Operand),
    EmitToken(Name),
    EmitTokenAs(Name, Name),
    EmitNew(Name),
    EmitEof,
    Create(Name),
    Make(Name, Name),
    StartAttribute,
    DropAttribute,
    Append(Operand, Name),
    Set(Name, Operand),
    SetFlag(Name),
    Multiply(Name, u32),
    AddDigit(Name),
    Increase(Name),
    Decrease(Name),
    Replace(Name),
    Attempt(Name, Option<With>),
    ReturnNothing,
    ReturnToken(Name),
    Return(Operand),
}

/// The character register that an `attempt to` sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct With {
    pub(crate) register: Name,
    /// `None` for `with no REGISTER`.
    pub(crate) value: Option<Operand>,
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

/// A guard as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    Not(Box<Guard>),
    All(Vec<Guard>),
    Any(Vec<Guard>),
    Atom(Atom, Span),
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    /// A condition of the table or a question of the vocabulary.
    Named(Name),
    AppropriateEndTag,
    StartTagEmitted,
    NothingReturned,
    TokenReturned(Name),
    AttributeNameTaken,
    HasAttributes(Name),
    HasReplacement(Name),
    GreaterThan(Name, u32),
    /// `SUBJECT is OBJECT`, the object still text.
    Is(Name, Name),
    CurrentIs(Name),
    LastMatchedIs(Name),
    NextIs(Name),
    NextAre {
        run: Name,
        then: Name,
    },
    NextAreLastStartTag(Name),
    LastConsumed(String),
    CalledFrom(Name),
}
