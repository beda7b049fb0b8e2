//! How large a token may be.

use crate::attributes::Offset;

/// How large a token may get. The limits bound the memory of a tokenizer: it keeps at most what is under construction.
///
/// The result does not depend on how the input is cut: a token that exceeds a limit in one chunk does so in any.
///
/// ```
/// # use speclex::Limits;
/// let limits = Limits::default().with_token_bytes(1 << 20);
/// assert!(limits.token_bytes < Limits::MAX.token_bytes);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

    /// These limits with another [`token_bytes`](Self::token_bytes).
    #[must_use]
    pub const fn with_token_bytes(mut self, token_bytes: usize) -> Self {
        self.token_bytes = token_bytes;
        self
    }

    /// These limits with other [`attributes`](Self::attributes).
    #[must_use]
    pub const fn with_attributes(mut self, attributes: usize) -> Self {
        self.attributes = attributes;
        self
    }

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
