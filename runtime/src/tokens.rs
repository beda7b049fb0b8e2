//! Tokens one at a time.

use alloc::vec::{IntoIter, Vec};
use core::mem;

use crate::collector::Collector;
use crate::feed_error::FeedError;
use crate::limits::Limits;
use crate::machine::Machine;
use crate::source::Borrowed;
use crate::span::Span;
use crate::tokenizer::{Tokenizer, boundary};

/// A sink that the tokens of a text can be taken from.
pub trait Queue<'t> {
    /// A token, which may borrow from the text.
    type Token: core::fmt::Debug;

    /// The sink for the tokens of `text`.
    fn of(text: &'t str) -> Self;

    /// The tokens that wait, the oldest first.
    fn tokens(&mut self) -> &mut Vec<(Self::Token, Span)>;
}

impl<'t, T: core::fmt::Debug> Queue<'t> for Collector<T, Borrowed<'t>> {
    type Token = T;

    fn of(text: &'t str) -> Self {
        Self::with_source(Borrowed(text))
    }

    fn tokens(&mut self) -> &mut Vec<(T, Span)> {
        &mut self.tokens
    }
}

/// How many bytes are tokenized at once.
const STRETCH: usize = 4096;

/// So many bytes are one token, in documents full of tags.
const USUAL: usize = 16;

/// An iterator over the tokens of a text in memory, as `tokens` of each generated module returns it. Tokens borrow
/// from the text what stands there as they have it. Adjacent characters are one token.
#[derive(Debug)]
pub struct Tokens<'t, M: Machine<Sink: Queue<'t>>> {
    tokenizer: Tokenizer<M>,
    rest: Option<&'t str>,
    error: Option<FeedError>,
    /// Tokens that are complete.
    complete: IntoIter<(<M::Sink as Queue<'t>>::Token, Span)>,
}

impl<'t, M: Machine<Sink: Queue<'t>>> Tokens<'t, M> {
    /// The tokens of `text`.
    pub fn new(text: &'t str) -> Self {
        let mut sink = M::Sink::of(text);
        sink.tokens().reserve(text.len().min(STRETCH) / USUAL);
        let mut tokenizer = Tokenizer::new(sink);
        tokenizer.set_limits(Limits::MAX);
        tokenizer.without_reminder();
        Self {
            tokenizer,
            rest: Some(text),
            error: None,
            complete: Vec::new().into_iter(),
        }
    }

    /// The tokenizer, to enter a content before the first token.
    pub fn tokenizer(&mut self) -> &mut Tokenizer<M> {
        &mut self.tokenizer
    }

    /// Why the tokens ended before the text: a token exceeds [`Limits::MAX`].
    pub fn error(&self) -> Option<FeedError> {
        self.error
    }

    /// Tokenizes a stretch of the rest.
    fn advance(&mut self, rest: &'t str) {
        let at = boundary(rest, STRETCH);
        // The sink never pauses the tokenizer.
        let result = if at < rest.len() {
            self.rest = Some(&rest[at..]);
            self.tokenizer.feed(&rest[..at])
        } else {
            self.rest = None;
            self.tokenizer
                .feed(rest)
                .and_then(|()| self.tokenizer.end())
        };
        if let Err(error) = result {
            (self.error, self.rest) = (Some(error), None);
        }
        let tokens = self.tokenizer.sink().tokens();
        // The newest token may still grow while there is input.
        let newest = self.rest.and_then(|_| tokens.pop());
        let empty = Vec::with_capacity(tokens.capacity());
        self.complete = mem::replace(tokens, empty).into_iter();
        tokens.extend(newest);
    }
}

impl<'t, M: Machine<Sink: Queue<'t>>> Iterator for Tokens<'t, M> {
    type Item = (<M::Sink as Queue<'t>>::Token, Span);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(token) = self.complete.next() {
                return Some(token);
            }
            self.advance(self.rest?);
        }
    }
}
