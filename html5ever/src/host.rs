//! Who takes what a tokenizer emits: a sink of html5ever's tokens, or a tree builder.

use std::borrow::Cow;

use speclex::markup::{self, Answer};
use speclex::{Attributes, ParseError, Span};

use crate::base::tendril::StrTendril;
use crate::base::tokenizer::{Doctype, Tag, TagKind, Token};
use crate::base::{Attribute, LocalName, QualName, ns};
use crate::known_parts::Known;
use crate::names::local_name;
use crate::place::Place;
use crate::spans::Spans;

/// How many bytes a tendril holds without allocating.
const INLINE: usize = 8;

/// The chunk that is tokenized.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk<'a> {
    tendril: Option<&'a StrTendril>,
    /// Its text.
    pub(crate) text: &'a str,
}

impl<'a> Chunk<'a> {
    /// None, between chunks.
    pub(crate) const NONE: Chunk<'static> = Chunk {
        tendril: None,
        text: "",
    };

    pub(crate) fn new(tendril: Option<&'a StrTendril>) -> Self {
        Self {
            tendril,
            text: tendril.map_or("", |tendril| tendril),
        }
    }

    /// Where a string stands in it.
    #[inline(always)]
    pub(crate) fn place(self, string: &str) -> Place {
        Place::of(string, self.text)
    }

    /// The name.
    #[inline(always)]
    pub(crate) fn name(self, name: &str) -> LocalName {
        local_name(name, self.text, self.place(name).start)
    }

    /// The string as a part of the chunk, if that is where it stands.
    #[inline(always)]
    pub(crate) fn tendril(self, string: &str) -> StrTendril {
        match self.tendril {
            Some(chunk) => tendril(string, chunk, self.text),
            None => StrTendril::from_slice(string),
        }
    }
}

/// A tendril that has the string in itself. Where its length is known, it is copied without a call.
#[inline(always)]
fn short_tendril(string: &str) -> StrTendril {
    macro_rules! copies {
        ($($length:literal)*) => {
            match string.len() {
                $($length => StrTendril::from_slice(&string[..$length]),)*
                _ => StrTendril::from_slice(string),
            }
        };
    }
    copies!(1 2 3 4 5 6 7 8)
}

/// The string as a part of a chunk, whose text this is, if that is where it stands.
#[inline(always)]
pub(crate) fn tendril(string: &str, chunk: &StrTendril, text: &str) -> StrTendril {
    if string.len() <= INLINE {
        return short_tendril(string);
    }
    let at = Place::of(string, text).start;
    if at < text.len()
        && let Ok(part) = chunk.try_subtendril(at as u32, string.len() as u32)
    {
        return part;
    }
    StrTendril::from_slice(string)
}

/// A tag that comes.
pub(crate) struct NewTag<'a, 't> {
    pub(crate) kind: TagKind,
    pub(crate) tag: &'t markup::Tag<'t>,
    pub(crate) span: Span,
    pub(crate) line: u64,
    /// Whether it has an attribute twice.
    pub(crate) has_duplicate: bool,
    pub(crate) spans: Option<&'a Spans>,
    /// Where its attributes are to be added.
    pub(crate) known: Option<Known<'a>>,
}

/// Takes what a tokenizer emits, each token with its line.
pub(crate) trait Host {
    /// Whether U+0000 in text is a token of its own.
    fn splits_nul(&self) -> bool;

    /// Takes a tag, shows it in the cell of spans, and answers how the tokenizer continues.
    fn tag(&mut self, chunk: Chunk<'_>, tag: NewTag<'_, '_>) -> Answer;

    /// Takes characters.
    fn characters(&mut self, chunk: Chunk<'_>, text: &str, span: Span, line: u64);

    /// Takes U+0000 in text.
    fn nul(&mut self, line: u64);

    /// Takes a comment.
    fn comment(&mut self, chunk: Chunk<'_>, it: &markup::Comment<'_>, span: Span, line: u64);

    /// Takes a DOCTYPE.
    fn doctype(&mut self, chunk: Chunk<'_>, it: &markup::Doctype<'_>, span: Span, line: u64);

    /// Takes the end of the file.
    fn end_of_file(&mut self, at: u64, line: u64);

    /// Takes an error of the text.
    fn error(&mut self, error: ParseError, line: u64);

    /// Takes an error that is not one of the text.
    fn complaint(&mut self, message: Cow<'static, str>, line: u64);

    /// Whether CDATA sections are allowed.
    fn is_in_foreign_content(&mut self) -> bool;
}

/// Takes html5ever's tokens.
pub(crate) trait TokenHost {
    /// Takes a token that is a tag; says how to go on.
    fn tag(&self, tag: Token, line: u64) -> Answer;

    /// Takes any other token.
    fn token(&self, token: Token, line: u64);

    /// Whether CDATA sections are allowed.
    fn is_in_foreign_content(&self) -> bool;
}

/// A host whose type the tokenizer does not know.
pub(crate) enum AnyHost<'a> {
    /// Nobody, between chunks.
    Nobody,
    /// A sink of html5ever's tokens.
    Tokens(&'a dyn TokenHost),
    /// A tree builder.
    Tree(&'a mut dyn Host),
}

impl AnyHost<'_> {
    /// The same for a while.
    pub(crate) fn reborrow(&mut self) -> AnyHost<'_> {
        match self {
            AnyHost::Nobody => AnyHost::Nobody,
            AnyHost::Tokens(host) => AnyHost::Tokens(*host),
            AnyHost::Tree(tree) => AnyHost::Tree(&mut **tree),
        }
    }

    /// The tree builder, if it is one.
    // Seldom: a tree builder comes here with other revisions only, see `tree_builder`.
    #[cold]
    fn tree(&mut self) -> Option<&mut dyn Host> {
        match self {
            AnyHost::Tree(tree) => Some(&mut **tree),
            AnyHost::Nobody | AnyHost::Tokens(_) => None,
        }
    }
}

/// The attributes of a tag. Also shows names and values.
#[inline(always)]
fn attributes(
    chunk: Chunk<'_>,
    attributes: Attributes<'_>,
    mut show: impl FnMut(&str, &str),
) -> Vec<Attribute> {
    if attributes.is_empty() {
        return Vec::new();
    }
    let mut all = Vec::with_capacity(attributes.len());
    for (name, value) in attributes.iter() {
        show(name, value);
        let (local, value) = (chunk.name(name), chunk.tendril(value));
        all.push(Attribute {
            name: QualName::new(None, ns!(), local),
            value,
        });
    }
    all
}

impl Host for AnyHost<'_> {
    #[inline(always)]
    fn splits_nul(&self) -> bool {
        matches!(self, AnyHost::Tokens(_))
    }

    #[inline(always)]
    fn tag(&mut self, chunk: Chunk<'_>, tag: NewTag<'_, '_>) -> Answer {
        let AnyHost::Tokens(host) = self else {
            let tree = self.tree();
            return tree.map_or(Answer::Continue, |tree| tree.tag(chunk, tag));
        };
        let name = chunk.name(tag.tag.name);
        if let Some(spans) = tag.spans {
            spans.show_tag(tag.kind, &name, tag.span);
        }
        let attrs = match tag.known {
            Some(mut known) => attributes(chunk, tag.tag.attributes, |name, value| {
                known.attribute(name, value);
            }),
            None => attributes(chunk, tag.tag.attributes, |_, _| {}),
        };
        let token = Tag {
            kind: tag.kind,
            name,
            self_closing: tag.tag.self_closing_flag,
            attrs,
            had_duplicate_attributes: tag.has_duplicate,
        };
        host.tag(Token::TagToken(token), tag.line)
    }

    #[inline(always)]
    fn characters(&mut self, chunk: Chunk<'_>, text: &str, span: Span, line: u64) {
        if let AnyHost::Tokens(host) = self {
            host.token(Token::CharacterTokens(chunk.tendril(text)), line);
        } else if let Some(tree) = self.tree() {
            tree.characters(chunk, text, span, line);
        }
    }

    fn nul(&mut self, line: u64) {
        if let AnyHost::Tokens(host) = self {
            host.token(Token::NullCharacterToken, line);
        }
    }

    fn comment(&mut self, chunk: Chunk<'_>, it: &markup::Comment<'_>, span: Span, line: u64) {
        if let AnyHost::Tokens(host) = self {
            host.token(Token::CommentToken(chunk.tendril(it.data)), line);
        } else if let Some(tree) = self.tree() {
            tree.comment(chunk, it, span, line);
        }
    }

    fn doctype(&mut self, chunk: Chunk<'_>, it: &markup::Doctype<'_>, span: Span, line: u64) {
        if let AnyHost::Tokens(host) = self {
            let part = |part: Option<&str>| part.map(|part| chunk.tendril(part));
            let doctype = Doctype {
                name: part(it.name),
                public_id: part(it.public_identifier),
                system_id: part(it.system_identifier),
                force_quirks: it.force_quirks_flag,
            };
            host.token(Token::DoctypeToken(doctype), line);
        } else if let Some(tree) = self.tree() {
            tree.doctype(chunk, it, span, line);
        }
    }

    fn end_of_file(&mut self, at: u64, line: u64) {
        if let AnyHost::Tokens(host) = self {
            host.token(Token::EOFToken, line);
        } else if let Some(tree) = self.tree() {
            tree.end_of_file(at, line);
        }
    }

    fn error(&mut self, error: ParseError, line: u64) {
        if let AnyHost::Tokens(host) = self {
            let message = Cow::Borrowed(error.code.as_str());
            host.token(Token::ParseError(message), line);
        } else if let Some(tree) = self.tree() {
            tree.error(error, line);
        }
    }

    fn complaint(&mut self, message: Cow<'static, str>, line: u64) {
        if let AnyHost::Tokens(host) = self {
            host.token(Token::ParseError(message), line);
        } else if let Some(tree) = self.tree() {
            tree.complaint(message, line);
        }
    }

    fn is_in_foreign_content(&mut self) -> bool {
        if let AnyHost::Tokens(host) = self {
            return host.is_in_foreign_content();
        }
        self.tree().is_some_and(|tree| tree.is_in_foreign_content())
    }
}
