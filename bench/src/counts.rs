//! What a contender found in the documents: counts and lengths, so that a table shows skipped work.

use std::ops::AddAssign;

/// How many numbers there are.
pub const LENGTH: usize = 10;

/// Counts of tokens and sums of lengths in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Start tags; of XML, empty tags too.
    pub start_tags: u64,
    /// End tags.
    pub end_tags: u64,
    /// Attributes of tags of either kind.
    pub attributes: u64,
    /// Bytes of tag and attribute names.
    pub name_bytes: u64,
    /// Bytes of attribute values.
    pub value_bytes: u64,
    /// Bytes of character tokens.
    pub text_bytes: u64,
    /// Comments.
    pub comments: u64,
    /// Bytes of comments.
    pub comment_bytes: u64,
    /// DOCTYPEs, processing instructions, declarations, references that are tokens.
    pub others: u64,
    /// Reported parse errors; for contenders that stop at an error, documents with an error.
    pub errors: u64,
}

impl Counts {
    /// The columns' titles, in the order of [`numbers`](Self::numbers).
    pub const TITLES: [&str; LENGTH] = [
        "start tags",
        "end tags",
        "attributes",
        "name bytes",
        "value bytes",
        "text bytes",
        "comments",
        "comment bytes",
        "others",
        "errors",
    ];

    /// All numbers.
    pub fn numbers(mut self) -> [u64; LENGTH] {
        self.fields().map(|number| *number)
    }

    /// The counts with these numbers.
    pub fn from_numbers(numbers: [u64; LENGTH]) -> Self {
        let mut counts = Self::default();
        for (field, number) in counts.fields().into_iter().zip(numbers) {
            *field = number;
        }
        counts
    }

    fn fields(&mut self) -> [&mut u64; LENGTH] {
        [
            &mut self.start_tags,
            &mut self.end_tags,
            &mut self.attributes,
            &mut self.name_bytes,
            &mut self.value_bytes,
            &mut self.text_bytes,
            &mut self.comments,
            &mut self.comment_bytes,
            &mut self.others,
            &mut self.errors,
        ]
    }

    /// Counts an attribute.
    #[inline(always)]
    pub fn attribute(&mut self, name: usize, value: usize) {
        self.attributes += 1;
        self.name_bytes += name as u64;
        self.value_bytes += value as u64;
    }

    /// Counts a comment.
    #[inline(always)]
    pub fn comment(&mut self, data: usize) {
        self.comments += 1;
        self.comment_bytes += data as u64;
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        for (number, more) in self.fields().into_iter().zip(other.numbers()) {
            *number += more;
        }
    }
}
