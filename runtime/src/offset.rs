//! How large positions are.

/// A position in the input or among a list's own characters. [`Limits::MAX`](crate::Limits::MAX) depends on it, so that no
/// position is too large.
#[cfg(not(test))]
pub(crate) type Offset = u32;
/// Few bits, so that tests reach every boundary.
#[cfg(test)]
pub(crate) type Offset = u16;
