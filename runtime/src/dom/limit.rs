//! How large a tree can be.

/// What of a document is too large for a [`Dom`](crate::Dom), which takes 2 GiB of each, or larger than wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DomLimit {
    /// The input has more than 2^31 bytes.
    Input,
    /// There are more nodes than [`Options::most_nodes`](crate::tree::Options::most_nodes) or 2^31, or elements with more than 2^29 different
    /// names. The tree is that of what comes before.
    Nodes,
    /// The tree takes more bytes than [`Options::most_memory`](crate::tree::Options::most_memory). It is that of what comes before.
    Memory,
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
            Self::Nodes => "the document has more nodes than wanted, or 2^29 names",
            Self::Memory => "the tree takes more memory than wanted",
            Self::Attributes => "the document has more than 2^31 attributes",
            Self::Text => "the document has more than 2 GiB of text with character references",
        })
    }
}

#[cfg(feature = "std")]
impl std::error::Error for DomLimit {}
