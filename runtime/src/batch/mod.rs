//! Many owned tokens in a few pieces of memory.

mod piece;
mod read;
mod store;

use alloc::vec::Vec;
use core::fmt;

use crate::span::{ParseError, Span};
pub use read::{BatchIter, Recorded};
pub use store::Store;

/// What a vocabulary says of the tokens in a batch: their kinds, which hold the flags. Generated code implements it.
#[doc(hidden)]
pub trait BatchKind: Copy {
    /// A token of the batch, borrowed from it.
    type View<'a>: fmt::Debug;
    /// Character tokens that follow each other.
    const CHARACTERS: Self;
    /// The end-of-file token.
    const END_OF_FILE: Self;

    /// Whether it is that of character tokens.
    fn is_characters(self) -> bool;

    /// The token of this kind with these strings.
    fn view(self, recorded: Recorded<'_>) -> Self::View<'_>;
}

/// A sink that keeps tokens, adjacent characters joined: all characters in one string, all places in a few lists. Cleared
/// and filled again it needs no further memory, so it is the fastest way to owned tokens. It borrows nothing and can
/// go to another thread. Reading it yields tokens that borrow from the batch.
///
/// Each vocabulary has its own, called `Batch`.
///
/// ```
/// use speclex::Span;
/// use speclex::markup::{Batch, Sink, Token, TokenView};
///
/// let mut batch = Batch::new();
/// // As a tokenizer does.
/// batch.characters("Fish &", Span { start: 0, end: 10 });
/// batch.characters(" chips", Span { start: 10, end: 16 });
///
/// for (token, span) in &batch {
///     assert!(matches!(token, TokenView::Characters("Fish & chips")));
///     assert_eq!(span, Span { start: 0, end: 16 });
///     // With memory of its own.
///     assert_eq!(Token::from(token), Token::Characters("Fish & chips".into()));
/// }
///
/// // Others can come into the same memory.
/// batch.clear();
/// assert!(batch.is_empty());
/// ```
///
/// All tokens are complete but the newest: if it is text, more may come.
///
/// A batch copies each piece of input as a whole, and other strings only where they differ from the input. So a sink
/// that passes tokens on to a batch tells it the input too, with `Sink::input`; without that, each string is copied.
#[derive(Clone)]
pub struct Batch<K, const ERRORS: bool = false> {
    store: Store<K>,
    /// The errors so far, in the order of reporting.
    pub errors: Vec<ParseError>,
}

impl<K> Batch<K> {
    /// Without tokens; it keeps no errors.
    pub const fn new() -> Self {
        Self::EMPTY
    }
}

impl<K, const ERRORS: bool> Batch<K, ERRORS> {
    const EMPTY: Self = Self {
        store: Store::EMPTY,
        errors: Vec::new(),
    };

    /// How many tokens there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether there is no token.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops tokens and errors; keeps their memory for the next ones.
    pub fn clear(&mut self) {
        self.store.clear();
        self.errors.clear();
    }

    /// Drops tokens and errors, as [`clear`](Self::clear) does, in the middle of an input: for a sink that reads its batch
    /// when a token has come, not when a piece of input is done. The batch keeps its copy of the input at hand,
    /// so it must have been told of that input, and not have been moved away from the tokenizer since.
    #[inline]
    pub fn proceed(&mut self) {
        self.store.proceed();
        self.errors.clear();
    }

    /// The tokens and errors so far. The next ones come into the memory of the other batch, which loses its own.
    #[must_use]
    pub fn replace(&mut self, mut other: Self) -> Self {
        other.errors.clear();
        other.store.follow(&self.store);
        core::mem::replace(self, other)
    }
}

impl<K: BatchKind, const ERRORS: bool> Batch<K, ERRORS> {
    /// Where generated code puts tokens.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn store(&mut self) -> &mut Store<K> {
        &mut self.store
    }

    /// Tokens with their places in the input.
    #[inline]
    pub fn iter(&self) -> BatchIter<'_, K> {
        self.store.iter()
    }
}

impl<K, const ERRORS: bool> Default for Batch<K, ERRORS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<K: BatchKind, const ERRORS: bool> fmt::Debug for Batch<K, ERRORS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<'a, K: BatchKind, const ERRORS: bool> IntoIterator for &'a Batch<K, ERRORS> {
    type Item = (K::View<'a>, Span);
    type IntoIter = BatchIter<'a, K>;

    #[inline]
    fn into_iter(self) -> BatchIter<'a, K> {
        self.iter()
    }
}
