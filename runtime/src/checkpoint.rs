//! The state of a tokenizer between two tokens.

use crate::short_name::ShortName;

/// The state of a tokenizer between two tokens. The tokens, errors and spans of the rest of the stream depend on it and on nothing
/// else. [`Tokenizer::checkpoint`](crate::Tokenizer::checkpoint) returns it, and
/// [`Tokenizer::restore`](crate::Tokenizer::restore) continues from it. Generated modules call it `Checkpoint`.
///
/// From equal checkpoints the same text becomes the same tokens and errors, as far from there, if settings and answers of the sink are the
/// same, too: limits, feedback, whether CDATA sections are allowed. It knows nothing of a tree.
///
/// It takes some 50 bytes, and more only if the name of the last start tag is longer than 22 bytes or a table keeps text between tokens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Checkpoint<State, Registers> {
    pub(crate) state: State,
    /// Those that count in this state.
    pub(crate) registers: Registers,
    /// If the table asks for it.
    pub(crate) last_start_tag: Option<ShortName>,
    /// How much was consumed last of a text that the table looks back for.
    pub(crate) consumed: &'static str,
    /// How many byte order marks may still be dropped; nothing if no input has come.
    pub(crate) marks: Option<u8>,
}
