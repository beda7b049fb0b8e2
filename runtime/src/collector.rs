//! The sink that keeps tokens.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::attributes::{Attributes, OwnedAttributes};
use crate::feed_error::Exceeded;
use crate::source::{Copied, Source};
use crate::span::{ParseError, Span};

/// A sink that keeps tokens `T`, with strings from a [`Source`], and errors. Each vocabulary makes it a sink.
#[derive(Debug)]
pub struct Collector<T, S = Copied, const ERRORS: bool = false> {
    /// The tokens so far, with their spans.
    pub tokens: Vec<(T, Span)>,
    /// The errors so far, in the order of reporting.
    pub errors: Vec<ParseError>,
    /// The tokens so far that exceed a limit, each with the start of its span and what came of it.
    pub exceeded: Vec<Exceeded>,
    source: S,
}

impl<T, S: Default, const ERRORS: bool> Default for Collector<T, S, ERRORS> {
    fn default() -> Self {
        Self::with_source(S::default())
    }
}

impl<T> Collector<T> {
    /// A sink that keeps tokens.
    pub const fn new() -> Self {
        Self::with_source(Copied)
    }
}

impl<T> Collector<T, Copied, true> {
    /// A sink that keeps tokens and errors.
    pub const fn with_errors() -> Self {
        Self::with_source(Copied)
    }
}

impl<T, S, const ERRORS: bool> Collector<T, S, ERRORS> {
    pub(crate) const fn with_source(source: S) -> Self {
        Self {
            tokens: Vec::new(),
            errors: Vec::new(),
            exceeded: Vec::new(),
            source,
        }
    }

    /// Adds a token.
    ///
    /// There is room before it exists, so that it is made in its place: copied there, it would be read while the processor still
    /// writes its parts.
    #[doc(hidden)]
    #[inline(always)]
    pub fn push(&mut self, token: impl FnOnce() -> T, span: Span) {
        // Once; but behind a loop the compiler knows that there is room.
        while self.tokens.len() == self.tokens.capacity() {
            self.grow();
        }
        self.tokens.push((token(), span));
    }

    #[cold]
    fn grow(&mut self) {
        self.tokens.reserve(1);
    }

    /// Adds characters: a token, or more of the last one if that is of characters.
    #[doc(hidden)]
    #[inline(always)]
    pub fn push_characters<'t>(
        &mut self,
        data: &str,
        span: Span,
        token: impl FnOnce(Cow<'t, str>) -> T,
        characters: impl FnOnce(&mut T) -> Option<&mut Cow<'t, str>>,
    ) where
        S: Source<'t>,
    {
        if let Some((last, whole)) = self.tokens.last_mut()
            && let Some(text) = characters(last)
        {
            whole.end = whole.end.max(span.end);
            self.source.append(text, data);
        } else {
            let text = self.source.string(data);
            self.push(|| token(text), span);
        }
    }

    /// The string, for a token to keep.
    #[doc(hidden)]
    #[inline(always)]
    pub fn string<'t>(&self, string: &str) -> Cow<'t, str>
    where
        S: Source<'t>,
    {
        self.source.string(string)
    }

    /// The attributes, for a token to keep.
    #[doc(hidden)]
    #[inline(always)]
    pub fn attributes<'t>(&self, attributes: Attributes<'_>) -> OwnedAttributes<'t>
    where
        S: Source<'t>,
    {
        attributes.keep(self.source)
    }
}

/// The string, independent of the text.
pub fn own_string(string: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(string.into_owned())
}

/// The attributes, independent of the text.
pub fn own_attributes(attributes: OwnedAttributes<'_>) -> OwnedAttributes<'static> {
    let pairs = attributes.into_iter();
    pairs
        .map(|(name, value)| (own_string(name), own_string(value)))
        .collect()
}
