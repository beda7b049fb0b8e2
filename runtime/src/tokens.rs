//! Tokens one at a time.

use crate::machine::Machine;
use crate::span::Span;
use crate::tokenizer::Tokenizer;

/// A sink that tokens can be taken from.
pub trait Queue: Default {
    /// A token that owns what it holds.
    type Token;

    /// Takes the oldest token.
    fn pop(&mut self) -> Option<(Self::Token, Span)>;

    /// How many tokens wait.
    fn len(&self) -> usize;

    /// Whether none waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// How many bytes are tokenized at once.
const STRETCH: usize = 4096;

/// An iterator over the tokens of a text in memory, as `tokens` of each generated module returns it.
/// Adjacent characters are one token.
#[derive(Debug)]
pub struct Tokens<'t, M: Machine> {
    tokenizer: Tokenizer<M>,
    rest: Option<&'t str>,
}

impl<'t, M: Machine<Sink: Queue>> Tokens<'t, M> {
    /// The tokens of `text`.
    pub fn new(text: &'t str) -> Self {
        Self {
            tokenizer: Tokenizer::new(M::Sink::default()),
            rest: Some(text),
        }
    }

    /// The tokenizer, to enter a content before the first token.
    pub fn tokenizer(&mut self) -> &mut Tokenizer<M> {
        &mut self.tokenizer
    }
}

impl<M: Machine<Sink: Queue>> Iterator for Tokens<'_, M> {
    type Item = (<M::Sink as Queue>::Token, Span);

    fn next(&mut self) -> Option<Self::Item> {
        // The newest token may still grow while there is input.
        while self.tokenizer.sink().len() < 2
            && let Some(rest) = self.rest
        {
            // The sink asks for no content, so none can be refused.
            let _ = match rest
                .char_indices()
                .map(|(at, _)| at)
                .find(|at| *at >= STRETCH)
            {
                Some(at) => {
                    self.rest = Some(&rest[at..]);
                    self.tokenizer.feed(&rest[..at])
                }
                None => {
                    self.rest = None;
                    self.tokenizer.feed(rest).and_then(|_| self.tokenizer.end())
                }
            };
        }
        self.tokenizer.sink().pop()
    }
}
