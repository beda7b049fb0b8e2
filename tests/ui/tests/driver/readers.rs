//! Readers: what `feed_reader` reads, and what it leaves.

use std::io::{self, ErrorKind, Read};

use speclex::{FeedError, ReadError};
use speclex_tokenizers::html_living;

use super::Log;

/// Gives pieces and errors in turn, and counts the calls.
struct Script<'a> {
    steps: std::vec::IntoIter<Result<&'a [u8], ErrorKind>>,
    calls: usize,
}

impl<'a> Script<'a> {
    fn new(steps: Vec<Result<&'a [u8], ErrorKind>>) -> Self {
        Self {
            steps: steps.into_iter(),
            calls: 0,
        }
    }
}

impl Read for Script<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        match self.steps.next() {
            None => Ok(0),
            Some(Ok(piece)) => {
                buffer[..piece.len()].copy_from_slice(piece);
                Ok(piece.len())
            }
            Some(Err(kind)) => Err(kind.into()),
        }
    }
}

#[test]
fn a_reader_is_fed_as_its_bytes_are_whatever_the_buffer() {
    let page = "\u{FEFF}<p a=é b='\u{1F600}' a>a\r\n&amp;<!--c--></p><script><b></script>";
    let page = [page.as_bytes(), b"\xF0\x9F<b>\xFF"].concat().repeat(100);
    let mut whole = html_living::Tokenizer::new(html_living::Collector::with_errors());
    whole.feed_bytes(&page).expect("a page");
    whole.end().expect("a page");
    let whole = whole.into_sink();
    assert!(whole.tokens.len() > 600 && whole.errors.len() == 100);
    for size in [0, 1, 7, 4096, page.len() + 1] {
        let mut tokenizer = html_living::Tokenizer::new(html_living::Collector::with_errors());
        tokenizer.feed_reader(&page[..], size).expect("a page");
        tokenizer.end().expect("a page");
        let read = tokenizer.into_sink();
        assert_eq!(read.tokens, whole.tokens, "buffer of {size}");
        assert_eq!(read.errors, whole.errors, "buffer of {size}");
    }
}

#[test]
fn a_reader_that_fails_is_read_on_and_an_interrupted_one_is_asked_again() {
    let mut tokenizer = html_living::Tokenizer::new(Log::default());
    let mut reader = Script::new(vec![
        Ok(b"<p>a\xC3"),
        Err(ErrorKind::Interrupted),
        Ok(b"\xA9<"),
        Err(ErrorKind::ConnectionReset),
        Ok(b"b>c"),
    ]);
    let failed = tokenizer.feed_reader(&mut reader, 8);
    assert!(
        matches!(&failed, Err(ReadError::Io(error)) if error.kind() == ErrorKind::ConnectionReset),
        "{failed:?}"
    );
    assert_eq!(tokenizer.sink().text, "[p]aé");
    assert!(tokenizer.feed_reader(&mut reader, 8).is_ok());
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "[p]aé[b]c[end]");
}

#[test]
fn a_pause_leaves_the_rest_of_a_reader_unread_and_loses_nothing() {
    let mut tokenizer = html_living::Tokenizer::new(Log {
        pause_at: Some("p"),
        ..Log::default()
    });
    let mut reader = Script::new(vec![Ok(b"a</p>b\xC3"), Ok(b"\xA9</p>"), Ok(b"c")]);
    for (calls, text) in [(1, "a[/p]"), (2, "a[/p]bé[/p]")] {
        for _ in 0..2 {
            // During the pause nothing is read.
            let paused = tokenizer.feed_reader(&mut reader, 16);
            assert!(
                matches!(paused, Err(ReadError::Feed(FeedError::Paused))),
                "{paused:?}"
            );
            assert_eq!(reader.calls, calls);
            assert_eq!(tokenizer.sink().text, text);
        }
        assert_eq!(tokenizer.resume(), Ok(()));
    }
    assert!(tokenizer.feed_reader(&mut reader, 16).is_ok());
    assert_eq!(tokenizer.end(), Ok(()));
    let ended = tokenizer.feed_reader(&mut reader, 16);
    assert!(
        matches!(ended, Err(ReadError::Feed(FeedError::Ended))),
        "{ended:?}"
    );
    assert_eq!(tokenizer.into_sink().text, "a[/p]bé[/p]c[end]");
}

#[test]
fn a_buffer_that_cannot_be_allocated_is_an_error() {
    let mut tokenizer = html_living::Tokenizer::new(Log::default());
    let refused = tokenizer.feed_reader(io::empty(), usize::MAX);
    assert!(
        matches!(&refused, Err(ReadError::Io(error)) if error.kind() == ErrorKind::OutOfMemory),
        "{refused:?}"
    );
}
