//! Where a string of the tokenizer stands in a text.

/// Where a string stands in a text.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Behind the end of the text, if the string is not a part of it.
    pub(crate) start: usize,
    /// In bytes.
    pub(crate) length: usize,
}

impl Place {
    /// The place of a string. Nothing else is at the text's addresses as long as it is borrowed.
    #[inline(always)]
    pub(crate) fn of(string: &str, text: &str) -> Self {
        let (first, string_at) = (text.as_ptr().addr(), string.as_ptr().addr());
        Self {
            start: string_at.wrapping_sub(first),
            length: string.len(),
        }
    }
}
