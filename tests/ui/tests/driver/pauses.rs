//! Pauses: input that waits, text at the insertion point, and what is reported once whatever pauses there are.

use speclex::markup::{Answer, Sink, Tag};
use speclex::{FeedError, Feedback, ParseError, Span};
use speclex_tokenizers::{html_2012, html_living, xml5};

use super::Log;

#[test]
fn a_refusal_does_not_hide_a_pause() {
    let page = "<title><p></p>lost";
    for cut in 0..page.len() {
        let mut tokenizer = xml5::Tokenizer::new(Log {
            pause_at: Some("p"),
            ..Log::default()
        });
        let mut stops = Vec::new();
        for piece in [&page[..cut], &page[cut..]] {
            let mut status = tokenizer.feed(piece);
            while status != Ok(()) {
                stops.push((status, tokenizer.sink().text.clone()));
                status = tokenizer.resume();
            }
        }
        assert_eq!(tokenizer.end(), Ok(()));
        let wanted = [
            (Err(FeedError::UnknownContent), "[title]".to_owned()),
            (Err(FeedError::Paused), "[title][p][/p]".to_owned()),
        ];
        assert_eq!(stops, wanted, "cut at {cut}");
        assert_eq!(tokenizer.into_sink().text, "[title][p][/p]lost[end]");
    }
}

#[test]
fn while_paused_input_only_waits_wherever_it_is_cut() {
    let page = "a</p>x&amp;y<b>z";
    for first in 0..=page.len() {
        for second in first..=page.len() {
            let mut tokenizer = html_living::Tokenizer::new(Log {
                pause_at: Some("p"),
                ..Log::default()
            });
            let pieces = [&page[..first], &page[first..second], &page[second..]];
            for piece in pieces {
                let fed = tokenizer.feed(piece);
                assert!(matches!(fed, Ok(()) | Err(FeedError::Paused)), "{fed:?}");
            }
            assert_eq!(tokenizer.sink().text, "a[/p]", "{pieces:?}");
            tokenizer.insert("<written>");
            assert_eq!(tokenizer.resume(), Ok(()), "{pieces:?}");
            assert_eq!(tokenizer.end(), Ok(()));
            let text = "a[/p][written]x&y[b]z[end]";
            assert_eq!(tokenizer.into_sink().text, text, "{pieces:?}");
        }
    }
}

#[test]
fn feeding_while_paused_is_linear() {
    // Quadratic, it took a minute.
    let mut tokenizer = html_living::Tokenizer::new(Log {
        pause_at: Some("p"),
        ..Log::default()
    });
    assert_eq!(tokenizer.feed("</p>"), Err(FeedError::Paused));
    for _ in 0..400_000 {
        assert_eq!(tokenizer.feed("x"), Err(FeedError::Paused));
    }
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(
        tokenizer.into_sink().text.len(),
        "[/p][end]".len() + 400_000
    );
}

/// Reports errors of the input stream, and pauses at each `p`.
#[derive(Default)]
struct InputErrors(Vec<(&'static str, u64)>);

impl Sink for InputErrors {
    const ERRORS: bool = true;
    const INPUT_ERRORS: bool = true;

    fn start_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        match tag.name {
            "p" => Answer::Pause,
            _ => Answer::Continue,
        }
    }

    fn error(&mut self, error: ParseError) {
        self.0.push((error.code.as_str(), error.offset));
    }
}

#[test]
fn each_error_of_the_input_stream_is_reported_once_whatever_pauses_do() {
    let page = "<p>\u{1}</p>&\u{2}<p>\u{1}";
    for chunk in 1..=page.len() {
        let mut tokenizer = html_living::Tokenizer::new(InputErrors::default());
        for piece in page.as_bytes().chunks(chunk) {
            let fed = tokenizer.feed_bytes(piece);
            assert!(matches!(fed, Ok(()) | Err(FeedError::Paused)), "{fed:?}");
        }
        while tokenizer.end() == Err(FeedError::Paused) {}
        let code = "control-character-in-input-stream";
        let wanted = [(code, 3), (code, 9), (code, 13)];
        assert_eq!(tokenizer.into_sink().0, wanted, "chunks of {chunk}");
    }
}

#[test]
fn errors_of_the_input_stream_are_where_inserted_text_puts_them() {
    let mut tokenizer = html_living::Tokenizer::new(InputErrors::default());
    assert_eq!(tokenizer.feed("<p>\u{1}"), Err(FeedError::Paused));
    tokenizer.insert("12345\u{1}");
    assert_eq!(tokenizer.resume(), Ok(()));
    let code = "control-character-in-input-stream";
    assert_eq!(tokenizer.into_sink().0, [(code, 8), (code, 9)]);
}

#[test]
fn errors_come_in_one_order_wherever_the_input_is_cut() {
    const CONTROL: &str = "control-character-in-input-stream";
    for (page, wanted) in [
        ("\u{1}</>", &[(CONTROL, 0), ("missing-end-tag-name", 3)][..]),
        (
            "<\u{1}\u{2}",
            &[
                ("invalid-first-character-of-tag-name", 1),
                (CONTROL, 1),
                (CONTROL, 2),
            ],
        ),
        (
            "&#1;\u{1}&lt\u{2}",
            &[
                ("control-character-reference", 4),
                (CONTROL, 4),
                ("missing-semicolon-after-character-reference", 8),
                (CONTROL, 8),
            ],
        ),
        // The text of a comment is read again and again; so is what is no CDATA.
        (
            "<!-\u{1}-\u{2}><!\u{3}",
            &[
                ("incorrectly-opened-comment", 2),
                (CONTROL, 3),
                (CONTROL, 5),
                ("incorrectly-opened-comment", 9),
                (CONTROL, 9),
            ],
        ),
        (
            "<a b\u{1}='\u{2}' b\u{1}=\u{3}>",
            &[
                (CONTROL, 4),
                (CONTROL, 7),
                (CONTROL, 11),
                ("duplicate-attribute", 12),
                (CONTROL, 13),
            ],
        ),
        (
            "</\u{1}a\u{2}",
            &[
                ("invalid-first-character-of-tag-name", 2),
                (CONTROL, 2),
                (CONTROL, 4),
            ],
        ),
    ] {
        for first in 0..=page.len() {
            for second in first..=page.len() {
                let mut tokenizer = html_living::Tokenizer::new(InputErrors::default());
                let page = page.as_bytes();
                for piece in [&page[..first], &page[first..second], &page[second..]] {
                    assert_eq!(tokenizer.feed_bytes(piece), Ok(()));
                }
                assert_eq!(tokenizer.end(), Ok(()));
                assert_eq!(tokenizer.into_sink().0, wanted, "cut at {first}, {second}");
            }
        }
    }
    // Whether the first is one depends on what comes behind the letters.
    let page = "<a b='&ampx\u{1}&amp\u{1}'>&\0";
    let mut wanted = None;
    for first in 0..=page.len() {
        for second in first..=page.len() {
            let mut tokenizer = html_2012::Tokenizer::new(InputErrors::default());
            for piece in [&page[..first], &page[first..second], &page[second..]] {
                assert_eq!(tokenizer.feed(piece), Ok(()));
            }
            assert_eq!(tokenizer.end(), Ok(()));
            let found = tokenizer.into_sink().0;
            assert_eq!(wanted.get_or_insert_with(|| found.clone()), &found);
        }
    }
}

#[test]
fn many_pauses_report_as_many_errors_as_there_are() {
    let mut tokenizer = html_living::Tokenizer::new(InputErrors::default());
    let page = "<p>\u{1}</p>".repeat(8000);
    assert_eq!(tokenizer.feed(&page), Err(FeedError::Paused));
    while tokenizer.end() == Err(FeedError::Paused) {}
    assert_eq!(tokenizer.into_sink().0.len(), 8000);
}

#[test]
fn text_can_be_inserted_at_a_pause() {
    for chunk in [1, 3, 1000] {
        let mut tokenizer = html_living::Tokenizer::new(Log {
            pause_at: Some("script"),
            ..Log::default()
        });
        let page = "<script>write()</script>after<script></script>&am";
        let mut pauses = 0;
        let mut status = Ok(());
        for piece in page.as_bytes().chunks(chunk) {
            status = tokenizer.feed_bytes(piece);
            while status == Err(FeedError::Paused)
                && !tokenizer.sink().text.is_empty()
                && pauses < 2
            {
                pauses += 1;
                // Half a tag now, the other half by a second call.
                tokenizer.insert("<a b");
                tokenizer.insert("=1>");
                status = tokenizer.resume();
            }
        }
        assert_eq!(status, Ok(()), "chunks of {chunk}");
        assert_eq!(tokenizer.end(), Ok(()));
        let text = "[script]write()[/script][a]after[script][/script][a]&am[end]";
        assert_eq!(tokenizer.into_sink().text, text, "chunks of {chunk}");
    }
}

#[test]
fn what_is_inserted_comes_behind_what_was_inserted_before() {
    let wanted = "[script][/script]";
    for (texts, then) in [
        (&["A", "B"][..], "AB"),
        (&["", "A", "", "B", "C"], "ABC"),
        (&["<a", " b", ">"], "[a]"),
        (&["<!--a-", "->"], ""),
        (&["\r", "\n"], "\n"),
        (&["\r", "A"], "\nA"),
        (&["&am", "p;"], "&"),
        (&["&#", "6", "5;"], "A"),
    ] {
        // What is behind the insertion point is fed before the pause, or during it.
        for (before, during) in [("Z", ""), ("", "Z"), ("Y", "Z")] {
            let mut tokenizer = html_living::Tokenizer::new(Log {
                pause_at: Some("script"),
                ..Log::default()
            });
            let page = ["<script></script>", before].concat();
            assert_eq!(tokenizer.feed(&page), Err(FeedError::Paused));
            for text in texts {
                assert_eq!(tokenizer.feed(""), Err(FeedError::Paused));
                tokenizer.insert(text);
            }
            let fed = tokenizer.feed(during);
            assert_eq!(fed, Err(FeedError::Paused), "{texts:?}");
            assert_eq!(tokenizer.resume(), Ok(()));
            assert_eq!(tokenizer.end(), Ok(()));
            let text = [wanted, then, before, during, "[end]"].concat();
            assert_eq!(tokenizer.into_sink().text, text, "{texts:?}");
        }
    }
}

#[test]
fn a_pause_in_inserted_text_puts_the_insertion_point_in_front_of_its_rest() {
    let mut tokenizer = html_living::Tokenizer::new(Log {
        pause_at: Some("script"),
        ..Log::default()
    });
    let script = "<script></script>";
    let page = [script, "4"].concat();
    assert_eq!(tokenizer.feed(&page), Err(FeedError::Paused));
    tokenizer.insert(&[script, "3"].concat());
    tokenizer.insert("-");
    assert_eq!(tokenizer.resume(), Err(FeedError::Paused));
    tokenizer.insert(&[script, "1"].concat());
    tokenizer.insert("2");
    assert_eq!(tokenizer.resume(), Err(FeedError::Paused));
    tokenizer.insert("0");
    assert_eq!(tokenizer.end(), Ok(()));
    let text = tokenizer.into_sink().text;
    let text = text.replace("[script][/script]", "S");
    assert_eq!(text, "SSS0123-4[end]");
}

#[test]
fn scripts_that_scripts_write_write_in_order_wherever_the_page_is_cut() {
    let script = "<script></script>";
    let page = [script, "4"].concat();
    let written = [
        &["<script></sc", "ript>3", "-"][..],
        &["<script></script>1", "", "2"],
        &["0"],
    ];
    for cut in 0..=page.len() {
        let mut tokenizer = html_living::Tokenizer::new(Log {
            pause_at: Some("script"),
            ..Log::default()
        });
        let mut scripts = written.iter();
        for piece in [&page[..cut], &page[cut..]] {
            let mut status = tokenizer.feed(piece);
            while status == Err(FeedError::Paused) {
                for text in *scripts.next().expect("three scripts") {
                    tokenizer.insert(text);
                }
                status = tokenizer.resume();
            }
            assert_eq!(status, Ok(()), "cut at {cut}");
        }
        assert_eq!(tokenizer.end(), Ok(()));
        let text = tokenizer.into_sink().text;
        let text = text.replace("[script][/script]", "S");
        assert_eq!(text, "SSS0123-4[end]", "cut at {cut}");
    }
}

#[test]
fn a_pause_in_the_last_of_the_input_is_resumed_by_end() {
    let mut tokenizer = html_living::Tokenizer::new(Log {
        pause_at: Some("i"),
        ..Log::default()
    });
    assert_eq!(tokenizer.feed("<i></i>rest"), Err(FeedError::Paused));
    assert_eq!(tokenizer.sink().text, "[i][/i]");
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "[i][/i]rest[end]");
}

#[test]
fn a_caller_can_keep_what_comes_behind_a_pause() {
    let page = "<title>a</title>b</p>c</p>d";
    for cut in 0..=page.len() {
        let mut tokenizer = html_living::Tokenizer::new(Log {
            pause_at: Some("p"),
            ..Log::default()
        });
        let mut stops = Vec::new();
        let mut at = 0;
        for end in [cut, page.len()] {
            while at < end {
                at += tokenizer
                    .feed_until_pause(&page[at..end])
                    .expect("no error");
                if at < end {
                    stops.push(at);
                }
            }
        }
        // At the end of a chunk a pause needs no telling.
        stops.extend([21, 26].contains(&cut).then_some(cut));
        stops.sort_unstable();
        assert_eq!(stops, [21, 26], "{cut}");
        assert_eq!(tokenizer.end(), Ok(()));
        assert_eq!(tokenizer.feed_until_pause("x"), Err(FeedError::Ended));
        assert_eq!(tokenizer.sink().text, "[title]a[/title]b[/p]c[/p]d[end]");
    }
}

#[test]
fn what_waits_comes_before_a_chunk_that_is_fed_until_a_pause() {
    let mut tokenizer = html_living::Tokenizer::new(Log {
        pause_at: Some("p"),
        ..Log::default()
    });
    assert_eq!(tokenizer.feed("</p>a</p>b"), Err(FeedError::Paused));
    assert_eq!(tokenizer.feed_until_pause("c"), Ok(0));
    assert_eq!(tokenizer.feed_until_pause("c"), Ok(1));
    assert_eq!(tokenizer.into_sink().text, "[/p]a[/p]bc");
}

#[test]
fn a_refusal_while_feeding_until_a_pause_loses_nothing() {
    let mut tokenizer = xml5::Tokenizer::new(Log::default());
    let refused = tokenizer.feed_until_pause("<title>a");
    assert_eq!(refused, Err(FeedError::UnknownContent));
    assert_eq!(tokenizer.feed_until_pause("b"), Ok(1));
    assert_eq!(tokenizer.into_sink().text, "[title]ab");
}

#[test]
fn resuming_before_the_start_loses_no_byte_order_mark() {
    let mut tokenizer = html_living::Tokenizer::new(Log::default());
    assert_eq!(tokenizer.resume(), Ok(()));
    assert_eq!(tokenizer.feed_bytes("\u{FEFF}a".as_bytes()), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "a");
}

/// Keeps what it gets as text, and pauses at each start tag.
#[derive(Default)]
struct Starts(String);

impl Sink for Starts {
    fn start_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.0.push_str(&format!("[{}]", tag.name));
        Answer::Pause
    }

    fn end_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.0.push_str(&format!("[/{}]", tag.name));
        Answer::Continue
    }

    fn characters(&mut self, text: &str, _: Span) {
        self.0.push_str(text);
    }
}

#[test]
fn after_a_pause_at_a_start_tag_the_table_says_what_follows() {
    let page = "<title><b></title><p><script>if (a<b) c</script><noscript><i></noscript>";
    let wanted = "[title]<b>[/title][p][script]if (a<b) c[/script][noscript]";
    for chunk in 1..=page.len() {
        for (feedback, rest) in [
            (Feedback::Scripting, "<i>[/noscript]"),
            (Feedback::NoScripting, "[i][/noscript]"),
        ] {
            let mut tokenizer = html_living::Tokenizer::new(Starts::default());
            tokenizer.set_feedback(feedback);
            for piece in page.as_bytes().chunks(chunk) {
                let fed = tokenizer.feed_bytes(piece);
                assert!(matches!(fed, Ok(()) | Err(FeedError::Paused)), "{fed:?}");
            }
            while tokenizer.end() == Err(FeedError::Paused) {}
            assert_eq!(
                tokenizer.into_sink().0,
                format!("{wanted}{rest}"),
                "chunks of {chunk}"
            );
        }
    }
}
