//! Why a reader was not fed to its end.

use std::io;

use crate::feed_error::FeedError;

/// Why [`feed_reader`](crate::Tokenizer::feed_reader) stopped before the end of its reader.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The reader failed. What it gave before is tokenized.
    Io(io::Error),
    /// The tokenizer stopped. What was read and is not tokenized yet is treated as [`feed`](crate::Tokenizer::feed) treats it.
    Feed(FeedError),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<FeedError> for ReadError {
    fn from(error: FeedError) -> Self {
        Self::Feed(error)
    }
}

impl core::fmt::Display for ReadError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Feed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}
