//! How much a machine keeps, which the limits are compared with.

/// How much a machine keeps for what it has not emitted yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Strings and lists under construction.
    parts: usize,
    /// The bytes of their characters.
    pub(crate) bytes: usize,
    /// The attributes of a tag.
    pub(crate) attributes: usize,
}

impl Held {
    /// Counts a string.
    #[inline]
    pub(crate) fn string(&mut self, bytes: usize) {
        self.parts += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Counts attributes whose characters take these bytes.
    #[inline]
    pub(crate) fn attributes(&mut self, attributes: usize, bytes: usize) {
        self.string(bytes);
        self.attributes += attributes;
    }

    /// Whether nothing is under construction.
    #[inline(always)]
    pub(crate) fn is_nothing(&self) -> bool {
        self.parts == 0
    }
}
