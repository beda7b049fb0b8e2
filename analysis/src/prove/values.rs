//! What is known of a text that is compared with words: which beginning of a word it is, or that it is none.

use std::collections::BTreeSet;

/// A text that may be more than this many words is not followed.
const MOST: usize = 64;

/// One of these, or nothing that a word begins with, in whatever case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Values {
    pub(super) words: BTreeSet<String>,
    pub(super) other: bool,
}

impl Values {
    pub(super) fn one(word: String) -> Self {
        Self {
            words: [word].into(),
            other: false,
        }
    }

    pub(super) fn none() -> Self {
        Self {
            words: BTreeSet::new(),
            other: true,
        }
    }

    /// What is in either, if that is not too much.
    pub(super) fn union(&self, other: &Self) -> Option<Self> {
        let words: BTreeSet<String> = self.words.union(&other.words).cloned().collect();
        let other = self.other || other.other;
        (words.len() <= MOST).then_some(Self { words, other })
    }

    /// Whether all of this is in another.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.words.is_subset(&other.words) && (other.other || !self.other)
    }
}
