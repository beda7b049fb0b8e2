//! What feeding may be refused for, and tokens that exceed a limit.

use crate::limits::{Excess, Limits};

/// The table has no entry state for the content that was asked for; the request was ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownContent;

impl core::fmt::Display for UnknownContent {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("this table has no entry state for the content asked for")
    }
}

#[cfg(feature = "std")]
impl std::error::Error for UnknownContent {}

/// Which limit a token exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::token_bytes`](crate::Limits::token_bytes).
    TokenBytes,
    /// [`Limits::attributes`](crate::Limits::attributes).
    Attributes,
}

/// A token that exceeds a limit, and does not stop the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exceeded {
    /// The limit.
    pub limit: Limit,
    /// How many bytes or attributes it allows.
    pub allowed: usize,
    /// Byte offset in the stream of the token's first character: the start of its span.
    pub offset: u64,
    /// Whether the token comes with what fits, or not at all; a tag without attributes. For letters that may be text or a token, see
    /// [`Excess`].
    pub excess: Excess,
}

/// Why feeding stopped before the input was used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FeedError {
    /// The sink paused the tokenizer. Input waits until [`resume`](crate::Tokenizer::resume) runs on, and
    /// [`insert`](crate::Tokenizer::insert) puts text in front of it, which waits as well. Without such text, a sink
    /// that never answers with a pause never sees this.
    Paused,
    /// The sink asked for a content that the table has no entry state for. The request was ignored, and the tokenizer
    /// waits as during a pause: [`resume`](crate::Tokenizer::resume) runs on.
    UnknownContent,
    /// The stream has ended: nothing can be fed after [`end`](crate::Tokenizer::end). What was fed was ignored.
    Ended,
    /// A token is larger than a limit allows. Everything before it has been delivered, nothing of it has been and
    /// nothing will be: each later call returns this error.
    TooLarge {
        /// The limit.
        limit: Limit,
        /// How many bytes or attributes it allows.
        allowed: usize,
        /// Byte offset in the stream of the token's first character.
        offset: u64,
    },
}

impl core::fmt::Display for FeedError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Paused => f.write_str("the sink paused the tokenizer: `resume` runs on"),
            Self::UnknownContent => UnknownContent.fmt(f),
            Self::Ended => {
                f.write_str("the input stream has ended: nothing can be fed after `end`")
            }
            Self::TooLarge {
                limit,
                allowed,
                offset,
            } => {
                let (what, name, most) = match limit {
                    Limit::TokenBytes => ("bytes", "token_bytes", Limits::MAX.token_bytes),
                    Limit::Attributes => ("attributes", "attributes", Limits::MAX.attributes),
                };
                let raises = match *allowed < most {
                    true => "which `Tokenizer::set_limits` raises",
                    false => "which is the highest there is",
                };
                write!(
                    f,
                    "the token at offset {offset} has more than {allowed} {what}: the limit `{name}`, {raises}"
                )
            }
        }
    }
}

#[cfg(feature = "std")]
impl std::error::Error for FeedError {}
