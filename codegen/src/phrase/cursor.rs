//! Reading along the tokens of a phrase.

use super::Name;
use crate::diagnostic::Span;
use crate::lexer::{Kind, Token, normal};

/// The rest of a phrase.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [Token<'t>],
    pub(super) span: Span,
    /// Whether it is the name of a condition of the table or of a question of the vocabulary.
    pub(super) named: &'t dyn Fn(&str) -> bool,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str, tokens: &'t [Token<'t>], span: Span) -> Self {
        Self {
            text,
            tokens,
            span,
            named: &|_| false,
        }
    }

    /// The same with the names of conditions and questions, which tell where a list ends and the next guard begins.
    pub(crate) fn with_names(self, named: &'t dyn Fn(&str) -> bool) -> Self {
        Self { named, ..self }
    }

    /// Whether it is the name of a condition or question, perhaps with an article.
    pub(crate) fn is_named(mut self) -> bool {
        let whole = (self.named)(&normal(self.typed()));
        self.article();
        whole || (self.named)(&normal(self.typed()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Takes these words if they come next.
    pub(crate) fn eat(&mut self, words: &str) -> bool {
        let count = words.split(' ').count();
        let rest = self.tokens.split_at_checked(count);
        let rest = rest.filter(|(first, _)| are(first, words));
        self.tokens = rest.map_or(self.tokens, |(_, rest)| rest);
        rest.is_some()
    }

    /// Takes `the`, `a` or `an` if it comes next; which.
    pub(crate) fn article(&mut self) -> Option<&'t str> {
        let first = self.tokens.first()?;
        let found = ["the", "a", "an"].iter().any(|article| first.is(article));
        if !found {
            return None;
        }
        self.tokens = &self.tokens[1..];
        Some(first.text)
    }

    /// The place of what is left, or of the end.
    pub(crate) fn here(&self) -> Span {
        match (self.tokens.first(), self.tokens.last()) {
            (Some(first), Some(last)) => self.span.part(first.start, last.end() - first.start),
            _ => self.span,
        }
    }

    /// What is left, as typed.
    pub(crate) fn typed(&self) -> &'t str {
        match (self.tokens.first(), self.tokens.last()) {
            (Some(first), Some(last)) => &self.text[first.start..last.end()],
            _ => "",
        }
    }

    /// What is left, as a name.
    pub(crate) fn name(mut self) -> Option<Name> {
        if self.is_empty() {
            return None;
        }
        let with_article = normal(self.typed());
        let whole = self;
        if self.article().is_none() || self.is_empty() {
            self = whole;
        }
        Some(Name {
            text: normal(self.typed()),
            with_article,
            span: self.here(),
        })
    }

    /// What is left as it stands: a list that is read later, so spacing is kept.
    pub(crate) fn raw(mut self) -> Option<Name> {
        let whole = self;
        let article = self.article().is_some();
        // In a list of words, `a` may be one.
        let ends = |t: &Token<'_>| t.is("or") || t.kind == Kind::Comma;
        if !article || self.tokens.first().is_none_or(ends) {
            self = whole;
        }
        (!self.is_empty()).then(|| Name {
            text: self.typed().to_owned(),
            with_article: whole.typed().to_owned(),
            span: self.here(),
        })
    }

    /// What is left, if it is one token.
    pub(crate) fn only(&self) -> Option<&'t Token<'t>> {
        match self.tokens {
            [token] => Some(token),
            _ => None,
        }
    }

    /// What is left, if it is one quoted string.
    pub(crate) fn quoted(&self) -> Option<&'t str> {
        match &self.only()?.kind {
            Kind::Quoted(text) => Some(text),
            _ => None,
        }
    }
}

/// Whether these tokens are the words, of which there are as many.
fn are(tokens: &[Token<'_>], words: &str) -> bool {
    let mut both = words.split(' ').zip(tokens);
    both.all(|(word, token)| token.is(word))
}
