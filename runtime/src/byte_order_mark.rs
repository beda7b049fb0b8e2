//! What happens to U+FEFF at the start of a stream.

/// What happens to a byte order mark, U+FEFF, at the start of a stream. Spans count it, skipped or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ByteOrderMark {
    /// A stream that starts as bytes loses it, as in the Encoding Standard's decoder; for text it is as for
    /// [`Table`](Self::Table). Empty chunks say nothing about how the stream starts. A table that drops one, too, drops a
    /// second one.
    #[default]
    Decoded,
    /// It is skipped, in text too.
    Skip,
    /// The table says whether it is dropped.
    Table,
}
