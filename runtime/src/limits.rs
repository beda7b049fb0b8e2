//! How large a token may be, and what a caller gets when one is larger.

use crate::attributes::Offset;

/// How large a token may get. The limits bound the memory of a tokenizer: it keeps at most what is under construction.
///
/// The result does not depend on how the input is cut: a token that exceeds a limit in one chunk does so in any.
///
/// ```
/// # use speclex::Limits;
/// let limits = Limits {
///     token_bytes: 1 << 20,
///     ..Limits::default()
/// };
/// assert!(limits.token_bytes < Limits::MAX.token_bytes);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of input from the first character of a token to its last. Character tokens have no limit: they come in
    /// pieces.
    pub token_bytes: usize,
    /// The most attributes of a tag.
    pub attributes: usize,
}

impl Limits {
    /// The largest limits. [`Tokenizer::set_limits`](crate::Tokenizer::set_limits) lowers what is above them: positions inside
    /// a tag have 31 bits, and what is kept of a token may be several times as long as its input.
    pub const MAX: Self = Self {
        token_bytes: (Offset::MAX >> 4) as usize,
        attributes: (Offset::MAX >> 4) as usize,
    };

    /// These limits, each at least 1 and at most that of [`MAX`](Self::MAX).
    pub(crate) const fn clamped(self) -> Self {
        const fn clamp(limit: usize, max: usize) -> usize {
            match limit {
                0 => 1,
                limit if limit > max => max,
                limit => limit,
            }
        }
        Self {
            token_bytes: clamp(self.token_bytes, Self::MAX.token_bytes),
            attributes: clamp(self.attributes, Self::MAX.attributes),
        }
    }
}

impl Default for Limits {
    /// 64 MiB and 2^20 attributes: far more than documents have.
    fn default() -> Self {
        Self {
            token_bytes: 1 << 26,
            attributes: 1 << 20,
        }
    }
}

/// Which limit a token exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::token_bytes`].
    TokenBytes,
    /// [`Limits::attributes`].
    Attributes,
}

/// Why feeding stopped before the input was used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FeedError {
    /// The sink asked for a content that the table has no entry state for. The request was ignored, and the tokenizer
    /// waits as after [`Status::Paused`](crate::Status::Paused): [`resume`](crate::Tokenizer::resume) goes on.
    UnknownContent,
    /// The stream has ended: nothing can be fed after [`end`](crate::Tokenizer::end). What was fed was ignored.
    Ended,
    /// A token is larger than a limit allows. Everything before it has been delivered, nothing of it has been and
    /// nothing will be: each later call returns this error.
    TooLarge {
        /// The limit.
        limit: Limit,
        /// Byte offset in the stream of the token's first character.
        offset: u64,
    },
}

impl core::fmt::Display for FeedError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::UnknownContent => crate::UnknownContent.fmt(f),
            Self::Ended => {
                f.write_str("the input stream has ended: nothing can be fed after `end`")
            }
            Self::TooLarge { limit, offset } => {
                let what = match limit {
                    Limit::TokenBytes => "is longer",
                    Limit::Attributes => "has more attributes",
                };
                write!(
                    f,
                    "the token at offset {offset} {what} than the tokenizer's limits allow"
                )
            }
        }
    }
}

#[cfg(feature = "std")]
impl std::error::Error for FeedError {}
