//! What a contender saw of a corpus: counts and lengths, so that skipped work shows.

use std::ops::AddAssign;

/// Counts of tokens and sums of lengths in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
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
    /// Parse errors reported; for those who stop at one, documents not read to the end.
    pub errors: u64,
}

impl Tally {
    /// The columns' titles, in the order of [`numbers`](Self::numbers).
    pub const TITLES: [&str; 10] = [
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
    pub fn numbers(&self) -> [u64; 10] {
        [
            self.start_tags,
            self.end_tags,
            self.attributes,
            self.name_bytes,
            self.value_bytes,
            self.text_bytes,
            self.comments,
            self.comment_bytes,
            self.others,
            self.errors,
        ]
    }

    /// The tally with these numbers.
    pub fn from_numbers(numbers: [u64; 10]) -> Self {
        let [
            start_tags,
            end_tags,
            attributes,
            name_bytes,
            value_bytes,
            text_bytes,
            comments,
            comment_bytes,
            others,
            errors,
        ] = numbers;
        Self {
            start_tags,
            end_tags,
            attributes,
            name_bytes,
            value_bytes,
            text_bytes,
            comments,
            comment_bytes,
            others,
            errors,
        }
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

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        let mut numbers = self.numbers();
        for (number, more) in numbers.iter_mut().zip(other.numbers()) {
            *number += more;
        }
        *self = Self::from_numbers(numbers);
    }
}
