//! Texts of tables, and places in them.

/// A named text: a table, or the base of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path as it is shown to people.
    pub name: String,
    /// What the file holds.
    pub text: String,
}

/// The address of a scalar: the source and its number among that source's scalars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct At {
    pub(crate) source: u32,
    pub(crate) scalar: u32,
}

impl At {
    /// No scalar of a source: for faults that bring their own offset.
    pub(crate) fn nowhere(source: u32) -> Self {
        Self {
            source,
            scalar: u32::MAX,
        }
    }
}

/// A part of a scalar: what a fault is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) at: At,
    /// Byte offset in the scalar's value.
    pub(crate) start: usize,
    /// Length in bytes; 0 for the whole scalar.
    pub(crate) len: usize,
}

impl Span {
    /// Bytes of a source's text, which are no scalar.
    pub(crate) fn in_text(source: u32, start: usize, len: usize) -> Self {
        Self {
            at: At::nowhere(source),
            start,
            len,
        }
    }

    /// A part of this span's scalar.
    pub(crate) fn part(self, start: usize, len: usize) -> Self {
        Self {
            start: self.start + start,
            len,
            ..self
        }
    }
}

impl From<At> for Span {
    fn from(at: At) -> Self {
        Self {
            at,
            start: 0,
            len: 0,
        }
    }
}
