//! Places in the input stream.

use core::ops::Range;

/// A range of byte offsets in the input stream as it was fed: before newline normalisation, with a
/// byte order mark counted. Text put in at the insertion point counts where it was put. Bytes that are not UTF-8 count
/// as the U+FFFD that replaces them, three bytes for each: spans are places in `String::from_utf8_lossy` of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u64,
    /// Offset after the last byte.
    pub end: u64,
}

impl Span {
    /// The same as an index, so that `&text[span.range()]` is what stands there.
    ///
    /// Offsets are `u64`, since a stream may be longer than the memory. One that no `usize` has becomes `usize::MAX`, where no
    /// text has anything.
    ///
    /// ```
    /// use speclex::Span;
    ///
    /// assert_eq!(&"<p>One"[Span { start: 3, end: 6 }.range()], "One");
    /// ```
    pub fn range(self) -> Range<usize> {
        let [start, end] =
            [self.start, self.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        start..end
    }
}

/// The code of a parse error: the text's own name for it, or `parse-error` where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ErrorCode(&'static str);

impl ErrorCode {
    /// The code with this name. Generated tokenizers call it; codes compare by name.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name, such as `eof-in-tag`.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl core::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.0)
    }
}

/// A parse error and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseError {
    /// What is wrong.
    pub code: ErrorCode,
    /// Byte offset in the input stream, counted as in [`Span`]. [`LineIndex`](crate::LineIndex) turns
    /// it into a line and a column.
    pub offset: u64,
}

impl ParseError {
    /// The character at which the error is, of which `text` is the whole input: a CR LF pair is one character, and
    /// at the end of the input there is none.
    pub fn span(self, text: &str) -> Span {
        let start = usize::try_from(self.offset);
        let rest = start.ok().and_then(|start| text.get(start..));
        let length = match rest.unwrap_or_default() {
            rest if rest.starts_with("\r\n") => 2,
            rest => rest.chars().next().map_or(0, char::len_utf8),
        };
        Span {
            start: self.offset,
            end: self.offset + length as u64,
        }
    }
}
