//! Who listens to an interpreter while it runs.

use std::ops::Range;

use speclex_codegen::machine::{Body, StateId};

use crate::token::Token;

/// What a host says to a token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// Nothing.
    #[default]
    Nothing,
    /// This content follows: a name of the vocabulary's contents, such as `RCDATA`.
    Content(String),
    /// Stop before the next state.
    Pause,
}

/// Answers what a machine asks; the tree construction stage in its place.
pub trait Host {
    /// A token was emitted whose kind lets the outside answer.
    fn emitted(&mut self, token: &Token) -> Answer;

    /// A token came out, with the bytes of the input that it comes from; if the host may answer, it is asked next.
    fn token(&mut self, _token: &Token, _span: &Range<u64>) {}

    /// Characters came out, with the bytes of the input that they come from.
    fn text(&mut self, _text: &str, _span: &Range<u64>) {}

    /// Whether the answer to a question of the vocabulary is yes.
    fn question(&mut self, question: &str) -> bool;

    /// The table says which content follows the start tag that came out last, and the host nothing else.
    fn followed(&mut self, _content: &str) {}

    /// A body of a state is about to run: that of an arm, which may have consumed a character, or one
    /// that the answer to a guard leads to. For those who measure coverage.
    fn reached(&mut self, _state: StateId, _body: &Body, _current: Option<char>) {}

    /// A step of the table's `on emitting` was asked whether it runs: by its indices.
    fn asked_on_emitting(&mut self, _on_emit: usize, _step: usize, _runs: bool) {}
}

/// Says nothing, and no.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Host for Silent {
    fn emitted(&mut self, _: &Token) -> Answer {
        Answer::Nothing
    }

    fn question(&mut self, _: &str) -> bool {
        false
    }
}
