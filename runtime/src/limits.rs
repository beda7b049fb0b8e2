//! How large a token may be.

use crate::offset::Offset;

/// How large a token may get. The limits bound the memory of a tokenizer: it keeps at most what is under construction.
///
/// The result does not depend on how the input is cut: a token that exceeds a limit in one chunk does so in any.
///
/// ```
/// # use speclex::{Excess, Limits};
/// let limits = Limits::default().with_token_bytes(1 << 20);
/// assert!(limits.token_bytes < Limits::MAX.token_bytes);
/// // A crawler that goes on behind a comment of 2 MiB, and reads the beginning of a tag of that size.
/// let limits = limits.with_comments(Excess::Drop).with_tags(Excess::Truncate);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most bytes of input from the first character of a token to its last. Character tokens have no limit: they come in
    /// pieces.
    pub token_bytes: usize,
    /// The most attributes of a tag.
    pub attributes: usize,
    /// What happens to a tag that exceeds a limit.
    pub tags: Excess,
    /// What happens to a comment that exceeds a limit.
    pub comments: Excess,
    /// What happens to a DOCTYPE that exceeds a limit.
    pub doctypes: Excess,
    /// What happens to any other token that exceeds a limit: a processing instruction, say, or what may become one.
    pub others: Excess,
}

/// What happens to a token that exceeds a limit.
///
/// Except for [`Stop`](Self::Stop), the sink learns of it by `exceeded`, in front of the token; the input behind the token is read as
/// ever.
///
/// A tokenizer also keeps letters until it knows what they are: behind `</` in a title or a script, an end tag or text; behind `<?`, a
/// processing instruction or a comment. If they exceed the limit, and `tags` or else `others` do not stop the stream, the sink learns
/// of it, and gets up to three times as many bytes as the limit allows. If they are text, the rest of that text is lost; if they are a
/// token behind `<?`, it is truncated, even where it would be dropped.
///
/// The stream always stops where a table has to look ahead, or to go back, by more than the limit: at `&` and so many letters in
/// XML5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Excess {
    /// The stream ends in front of it: feeding returns [`FeedError::TooLarge`](crate::FeedError::TooLarge).
    #[default]
    Stop,
    /// It comes with what has been read until then. The rest of it is read and dropped: of a tag also the last attribute, if
    /// that has no value yet.
    Truncate,
    /// It is read and dropped. A tag comes without attributes: what follows depends on it.
    Drop,
}

/// The fewest bytes that a token may have where it does not stop the stream: in fewer, it is not always known what it is.
pub(crate) const LEAST: usize = 64;

impl Limits {
    /// The largest limits. [`Tokenizer::set_limits`](crate::Tokenizer::set_limits) lowers what is above them: positions inside
    /// a tag have 31 bits, and what is kept of a token may be several times as long as its input. It raises `token_bytes` to 64 if
    /// not every token stops the stream.
    pub const MAX: Self = Self {
        token_bytes: (Offset::MAX >> 4) as usize,
        attributes: (Offset::MAX >> 4) as usize,
        tags: Excess::Stop,
        comments: Excess::Stop,
        doctypes: Excess::Stop,
        others: Excess::Stop,
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

    /// These limits, where something else happens to tags that exceed them.
    #[must_use]
    pub const fn with_tags(mut self, excess: Excess) -> Self {
        self.tags = excess;
        self
    }

    /// These limits, where something else happens to comments that exceed them.
    #[must_use]
    pub const fn with_comments(mut self, excess: Excess) -> Self {
        self.comments = excess;
        self
    }

    /// These limits, where something else happens to DOCTYPEs that exceed them.
    #[must_use]
    pub const fn with_doctypes(mut self, excess: Excess) -> Self {
        self.doctypes = excess;
        self
    }

    /// These limits, where something else happens to other tokens that exceed them.
    #[must_use]
    pub const fn with_others(mut self, excess: Excess) -> Self {
        self.others = excess;
        self
    }

    /// Whether every token that exceeds a limit stops the stream.
    pub(crate) const fn always_stop(&self) -> bool {
        let Self {
            tags,
            comments,
            doctypes,
            others,
            ..
        } = self;
        matches!(
            (tags, comments, doctypes, others),
            (Excess::Stop, Excess::Stop, Excess::Stop, Excess::Stop)
        )
    }

    /// These limits, each at least 1 and at most that of [`MAX`](Self::MAX).
    pub(crate) const fn clamped(self) -> Self {
        const fn clamp(limit: usize, min: usize, max: usize) -> usize {
            match limit {
                limit if limit < min => min,
                limit if limit > max => max,
                limit => limit,
            }
        }
        let least = if self.always_stop() { 1 } else { LEAST };
        Self {
            token_bytes: clamp(self.token_bytes, least, Self::MAX.token_bytes),
            attributes: clamp(self.attributes, 1, Self::MAX.attributes),
            ..self
        }
    }
}

impl Default for Limits {
    /// 64 MiB and 2^20 attributes: far more than documents have.
    fn default() -> Self {
        Self {
            token_bytes: 1 << 26,
            attributes: 1 << 20,
            ..Self::MAX
        }
    }
}
