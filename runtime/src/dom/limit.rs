//! How large a tree can be.

/// What of a document is too large for a [`Dom`](crate::Dom): it takes 2 GiB of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DomLimit {
    /// The input has more than 2^31 bytes.
    Input,
    /// There are more than 2^31 nodes, or elements with more than 2^29 different names.
    Nodes,
    /// There are more than 2^31 attributes.
    Attributes,
    /// There are more than 2^31 bytes of characters that do not stand in the input as they are: those with character
    /// references, for example.
    Text,
}

impl core::fmt::Display for DomLimit {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Input => "the document has more than 2 GiB",
            Self::Nodes => "the document has more than 2^31 nodes, or 2^29 names",
            Self::Attributes => "the document has more than 2^31 attributes",
            Self::Text => "the document has more than 2 GiB of text with character references",
        })
    }
}

#[cfg(feature = "std")]
impl std::error::Error for DomLimit {}
