//! Characters that wait until others have come.

use super::super::sink::TreeSink;
use super::super::token::{Token, part};
use super::{Builder, Rules};
use crate::scan::{Set as ByteSet, find};
use crate::span::Span;

/// Characters that wait, as they came.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) span: Span,
}

impl<S: TreeSink, R: Rules<S, SCOPES>, const SCOPES: usize> Builder<S, R, SCOPES> {
    /// Forgets the pending characters.
    pub fn empty_pending(&mut self) {
        self.pending.clear();
        self.waiting.clear();
    }

    /// Adds the token's characters to them.
    pub fn append_pending(&mut self, token: &Token<'_>) {
        let start = self.pending.len();
        self.pending.push_str(token.text);
        self.waiting.push(Waiting {
            start,
            end: self.pending.len(),
            span: token.span,
        });
    }

    /// Whether there are none.
    pub fn has_no_pending(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether one of them is as said.
    pub fn has_pending(&self, is: impl Fn(char) -> bool) -> bool {
        self.pending.chars().any(is)
    }

    /// Whether one of their bytes is in a set.
    #[inline(always)]
    pub fn has_pending_byte<B: ByteSet>(&self) -> bool {
        find::<B>(self.pending.as_bytes(), 0) < self.pending.len()
    }

    /// Runs rules with each of the pending characters.
    pub fn for_pending(&mut self, mut rules: impl FnMut(&mut Self, &mut Token<'_>)) {
        let pending = core::mem::take(&mut self.pending);
        let waiting = core::mem::take(&mut self.waiting);
        for run in &waiting {
            let text = pending.get(run.start..run.end).unwrap_or_default();
            for (at, character) in text.char_indices() {
                let (text, span) = part(text, run.span, at, at + character.len_utf8());
                rules(self, &mut Token::characters(text, span));
            }
        }
        (self.pending, self.waiting) = (pending, waiting);
    }
}
