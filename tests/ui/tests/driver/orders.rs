//! Calls in an order that nobody needs: what they do is said, and nothing is lost.

use speclex::{ByteOrderMark, FeedError, Span};
use speclex_tokenizers::{html_2009, html_living};

use super::Log;

/// A new tokenizer that pauses at `</p>`.
fn tokenizer() -> html_living::Tokenizer<Log> {
    html_living::Tokenizer::new(Log {
        pause_at: Some("p"),
        ..Log::default()
    })
}

#[test]
fn an_empty_text_that_is_inserted_changes_nothing() {
    let mut tokenizer = tokenizer();
    tokenizer.insert("");
    assert_eq!(tokenizer.feed("a&am"), Ok(()));
    tokenizer.insert("");
    assert_eq!(tokenizer.feed("p;</p>b"), Err(FeedError::Paused));
    tokenizer.insert("");
    assert_eq!(tokenizer.feed(""), Err(FeedError::Paused));
    assert_eq!(tokenizer.resume(), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "a&[/p]b[end]");
}

#[test]
fn text_that_is_inserted_without_a_pause_waits() {
    let page = "ab<i";
    for cut in 0..=page.len() {
        let (before, after) = page.split_at(cut);
        let mut whole = tokenizer();
        assert_eq!(whole.feed(&[before, "x", after, " a>"].concat()), Ok(()));
        assert_eq!(whole.end(), Ok(()));
        let mut tokenizer = tokenizer();
        assert_eq!(tokenizer.feed(before), Ok(()));
        tokenizer.insert("x");
        assert_eq!(tokenizer.feed(after), Err(FeedError::Paused));
        assert_eq!(tokenizer.resume(), Ok(()));
        assert_eq!(tokenizer.feed(" a>"), Ok(()));
        assert_eq!(tokenizer.end(), Ok(()));
        let wanted = whole.into_sink().text;
        assert_eq!(tokenizer.into_sink().text, wanted, "cut at {cut}");
    }
}

#[test]
fn nothing_comes_after_the_end() {
    let mut tokenizer = tokenizer();
    assert_eq!(tokenizer.feed_bytes(b"a\xE2\x82"), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    tokenizer.insert("x");
    assert_eq!(tokenizer.resume(), Ok(()));
    assert_eq!(tokenizer.feed("x"), Err(FeedError::Ended));
    assert_eq!(tokenizer.feed(""), Err(FeedError::Ended));
    assert_eq!(tokenizer.feed_bytes(b"\xE2"), Err(FeedError::Ended));
    assert_eq!(tokenizer.feed_until_pause("x"), Err(FeedError::Ended));
    tokenizer.insert("<b>");
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.sink().text, "a\u{FFFD}[end]");
    tokenizer.reset();
    tokenizer.sink().text.clear();
    assert_eq!(tokenizer.feed_bytes(b"\xAC"), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "\u{FFFD}[end]");
}

#[test]
fn empty_chunks_do_not_say_how_the_stream_starts() {
    for mark in [ByteOrderMark::Decoded, ByteOrderMark::Skip] {
        for cut in 0..3 {
            let mut tokenizer = tokenizer();
            let page = "\u{FEFF}<b>".as_bytes();
            tokenizer.set_byte_order_mark(mark);
            assert_eq!(tokenizer.feed(""), Ok(()));
            assert_eq!(tokenizer.feed_bytes(b""), Ok(()));
            assert_eq!(tokenizer.feed_bytes(&page[..cut]), Ok(()));
            assert_eq!(tokenizer.feed(""), Ok(()));
            assert_eq!(tokenizer.feed_until_pause(""), Ok(0));
            assert_eq!(tokenizer.resume(), Ok(()));
            assert_eq!(tokenizer.feed_bytes(&page[cut..]), Ok(()));
            assert_eq!(tokenizer.end(), Ok(()));
            let Log { text, spans, .. } = tokenizer.into_sink();
            assert_eq!(text, "[b][end]", "{mark:?}, cut at {cut}");
            assert_eq!(spans, [Span { start: 3, end: 6 }]);
        }
    }
    // Text that is empty does not make a stream one of bytes, nor do bytes that are none.
    let mut tokenizer = tokenizer();
    assert_eq!(tokenizer.feed_bytes(b""), Ok(()));
    assert_eq!(tokenizer.feed("\u{FEFF}a"), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "\u{FEFF}a");
}

#[test]
fn a_byte_order_mark_behind_other_input_is_text() {
    let mark = "\u{FEFF}".as_bytes();
    let mut tokenizer = tokenizer();
    assert_eq!(tokenizer.feed("a"), Ok(()));
    assert_eq!(tokenizer.feed_bytes(mark), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "a\u{FEFF}");
    // The table of 2009 drops one of its own, of text too.
    let mut tokenizer = html_2009::Tokenizer::new(Log::default());
    assert_eq!(tokenizer.feed("\u{FEFF}"), Ok(()));
    assert_eq!(tokenizer.feed_bytes(mark), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "\u{FEFF}");
}

#[test]
fn text_ends_a_character_that_came_in_part() {
    for start in [&b"\xEF"[..], b"\xE2\x82", b"\xF0\x9F\x98"] {
        let fed = |rest: &dyn Fn(&mut html_living::Tokenizer<Log>)| {
            let mut tokenizer = tokenizer();
            assert_eq!(tokenizer.feed_bytes(start), Ok(()));
            assert_eq!(tokenizer.feed(""), Ok(()));
            rest(&mut tokenizer);
            assert_eq!(tokenizer.end(), Ok(()));
            tokenizer.into_sink().text
        };
        let text = fed(&|tokenizer| assert_eq!(tokenizer.feed("x"), Ok(())));
        assert_eq!(text, "\u{FFFD}x[end]");
        let text = fed(&|tokenizer| assert_eq!(tokenizer.feed_until_pause("x"), Ok(1)));
        assert_eq!(text, "\u{FFFD}x[end]");
        let text = fed(&|tokenizer| assert_eq!(tokenizer.feed("\u{FEFF}"), Ok(())));
        assert_eq!(text, "\u{FFFD}\u{FEFF}[end]");
        // Text at the insertion point stands in front of what is not used yet.
        let text = fed(&|tokenizer| {
            tokenizer.insert("x");
            assert_eq!(tokenizer.resume(), Ok(()));
            assert_eq!(tokenizer.feed("y"), Ok(()));
        });
        assert_eq!(text, "x\u{FFFD}y[end]");
    }
    // During a pause it waits in its order.
    let mut tokenizer = tokenizer();
    assert_eq!(
        tokenizer.feed_bytes(b"</p>a\xE2\x82"),
        Err(FeedError::Paused)
    );
    assert_eq!(tokenizer.feed("b"), Err(FeedError::Paused));
    assert_eq!(tokenizer.feed_bytes(b"\xE2\x82"), Err(FeedError::Paused));
    assert_eq!(tokenizer.feed_until_pause("c"), Ok(1));
    assert_eq!(tokenizer.into_sink().text, "[/p]a\u{FFFD}b\u{FFFD}c");
}

#[test]
fn a_character_goes_on_behind_inserted_text() {
    let mut tokenizer = tokenizer();
    assert_eq!(tokenizer.feed_bytes(b"\xE2\x82"), Ok(()));
    tokenizer.insert("x");
    assert_eq!(tokenizer.feed_bytes(b"\xAC"), Err(FeedError::Paused));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "x\u{20AC}[end]");
}

#[test]
fn a_reset_forgets_whatever_was_under_way() {
    let inputs: [&[u8]; 6] = [
        b"<p a=b",
        b"&am",
        b"\xE2\x82",
        b"</p>waits",
        b"\r",
        "\u{FEFF}".as_bytes(),
    ];
    let page = "\u{FEFF}a</p>b".as_bytes();
    let all = |tokenizer: &mut html_living::Tokenizer<Log>| {
        *tokenizer.sink() = Log {
            pause_at: Some("p"),
            ..Log::default()
        };
        assert_eq!(tokenizer.feed_bytes(page), Err(FeedError::Paused));
        tokenizer.insert("<b>");
        assert_eq!(tokenizer.end(), Ok(()));
        let log = tokenizer.sink();
        (log.text.clone(), log.spans.clone(), log.errors.clone())
    };
    let wanted = all(&mut tokenizer());
    assert_eq!(wanted.0, "a[/p][b]b[end]");
    for input in inputs {
        let mut tokenizer = tokenizer();
        let _ = tokenizer.feed_bytes(input);
        tokenizer.insert("<i ");
        tokenizer.reset();
        assert_eq!(all(&mut tokenizer), wanted, "{input:?}");
    }
}

#[test]
fn a_tokenizer_that_is_dropped_in_a_token_says_so_once() {
    const CHILD: &str = "SPECLEX_TEST_WITHOUT_END";
    let said = |case: &str| {
        let name = "orders::a_tokenizer_that_is_dropped_in_a_token_says_so_once";
        let program = std::env::current_exe().expect("a path");
        let output = std::process::Command::new(program)
            .args([name, "--exact", "--nocapture"])
            .env(CHILD, case)
            .output()
            .expect("a test that runs");
        assert!(output.status.success());
        String::from_utf8(output.stderr).expect("text")
    };
    let feed = |page: &str| {
        let mut tokenizer = tokenizer();
        let _ = tokenizer.feed(page);
        tokenizer
    };
    match std::env::var(CHILD).as_deref() {
        Ok("forgets") => {
            drop(feed("a<b"));
            feed("a&am").into_sink();
        }
        // Nothing of a token would come, or that it does not is on purpose.
        Ok("does not") => {
            drop(feed("a"));
            drop(feed("</p>a<b"));
            feed("a<b").reset();
            feed("a<b").end().expect("the end");
            let _ = html_living::tokens("<a b=c><d").next();
            let mut limited = tokenizer();
            limited.set_limits(speclex::Limits::default().with_token_bytes(3));
            let _ = limited.feed("a<bcdef");
        }
        _ => {
            let said_so = said("forgets");
            assert!(said_so.starts_with("speclex: the tokenizer made at "));
            assert!(said_so.contains("orders.rs:"), "{said_so}");
            assert_eq!(said_so.matches("speclex: ").count(), 1, "{said_so}");
            assert_eq!(said("does not"), "");
        }
    }
}
