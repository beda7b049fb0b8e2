//! The sink that keeps tokens.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::attributes::Attributes;
use crate::span::{ParseError, Span};

/// Makes the strings of tokens.
pub trait Source<'t>: Copy {
    /// The string, for a token to keep.
    fn string(self, string: &str) -> Cow<'t, str>;

    /// Appends characters to a string that this source has made.
    fn append(self, to: &mut Cow<'t, str>, more: &str);
}

/// Copies every string.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copied;

impl Source<'static> for Copied {
    #[inline(always)]
    fn string(self, string: &str) -> Cow<'static, str> {
        Cow::Owned(String::from(string))
    }

    #[inline(always)]
    fn append(self, to: &mut Cow<'static, str>, more: &str) {
        to.to_mut().push_str(more);
    }
}

/// Borrows the strings that lie in this text and copies the others.
#[derive(Clone, Copy, Debug)]
pub struct Borrowed<'t>(pub(crate) &'t str);

impl<'t> Borrowed<'t> {
    /// The characters of the text at an address. Nothing else lies there as long as the text is borrowed.
    #[inline(always)]
    fn at(self, address: usize, length: usize) -> Option<&'t str> {
        let start = address.wrapping_sub(self.0.as_ptr().addr());
        self.0.get(start..start.wrapping_add(length))
    }
}

impl<'t> Source<'t> for Borrowed<'t> {
    #[inline(always)]
    fn string(self, string: &str) -> Cow<'t, str> {
        match self.at(string.as_ptr().addr(), string.len()) {
            Some(string) => Cow::Borrowed(string),
            None => Cow::Owned(String::from(string)),
        }
    }

    #[inline]
    fn append(self, to: &mut Cow<'t, str>, more: &str) {
        if let Cow::Borrowed(first) = to
            && first.as_ptr().addr().wrapping_add(first.len()) == more.as_ptr().addr()
            && let Some(both) = self.at(first.as_ptr().addr(), first.len() + more.len())
        {
            *first = both;
        } else {
            to.to_mut().push_str(more);
        }
    }
}

/// The attributes of a token.
pub(crate) type OwnedAttributes<'t> = Vec<(Cow<'t, str>, Cow<'t, str>)>;

/// A sink that keeps tokens `T`, with strings from a [`Source`], and errors. Each vocabulary makes it a sink.
#[derive(Debug)]
pub struct Collector<T, S = Copied, const ERRORS: bool = false> {
    /// The tokens so far, with their spans.
    pub tokens: Vec<(T, Span)>,
    /// The errors so far, in the order of reporting.
    pub errors: Vec<ParseError>,
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
            source,
        }
    }

    /// Adds a token.
    #[doc(hidden)]
    #[inline(always)]
    pub fn push(&mut self, token: T, span: Span) {
        self.tokens.push((token, span));
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
            self.push(token(self.source.string(data)), span);
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
        let source = self.source;
        attributes.map(move |string| source.string(string))
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
