//! What the driver lets a caller do: feedback, pauses, text at the insertion point, entry states, owned
//! tokens, spans.

use std::io::{self, ErrorKind, Read};

use speclex::markup::{Answer, Collector, Content, Sink, Tag, Token};
use speclex::{
    ByteOrderMark, FeedError, Feedback, Limit, Limits, ParseError, ReadError, Span, UnknownContent,
};
use speclex_tokenizers::{html_2009, html_2012, html_living, xml5};

/// Writes down what it is told, and answers start tags by name.
#[derive(Default)]
struct Log {
    text: String,
    pause_at: Option<&'static str>,
    errors: Vec<(&'static str, u64)>,
    spans: Vec<Span>,
}

impl Sink for Log {
    const ERRORS: bool = true;

    fn characters(&mut self, data: &str, _: Span) {
        self.text += data;
    }

    fn start_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.text += &format!("[{}]", tag.name);
        self.spans.push(span);
        match tag.name {
            "title" => Answer::Switch(Content::Rcdata),
            "script" => Answer::Switch(Content::ScriptData),
            _ => Answer::Continue,
        }
    }

    fn end_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.text += &format!("[/{}]", tag.name);
        self.spans.push(span);
        match self.pause_at {
            Some(name) if name == tag.name => Answer::Pause,
            _ => Answer::Continue,
        }
    }

    fn end_of_file(&mut self, _: u64) {
        self.text += "[end]";
    }

    fn error(&mut self, error: ParseError) {
        self.errors.push((error.code.as_str(), error.offset));
    }
}

#[test]
fn the_answer_to_a_start_tag_names_the_content_that_follows() {
    let mut tokenizer = html_living::Tokenizer::new(Log::default());
    let page = "<title><b>&amp;</TITLE><script><b></b></script><b>";
    assert_eq!(tokenizer.feed(page), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    let text = "[title]<b>&[/title][script]<b></b>[/script][b][end]";
    assert_eq!(tokenizer.into_sink().text, text);
}

#[test]
fn the_same_sink_serves_a_revision_with_a_content_model_flag() {
    let mut tokenizer = html_2009::Tokenizer::new(Log::default());
    assert_eq!(tokenizer.feed("<title><b>&amp;</TITLE><b>"), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "[title]<b>&[/title][b][end]");
}

#[test]
fn a_content_without_an_entry_state_is_refused_with_an_error() {
    let mut tokenizer = xml5::Tokenizer::new(Log::default());
    assert_eq!(tokenizer.enter(Content::Rcdata), Err(UnknownContent));
    assert_eq!(
        tokenizer.feed("<title><b></b>"),
        Err(FeedError::UnknownContent)
    );
    // A refusal stops the tokenizer as a pause does, wherever chunks are cut.
    assert_eq!(tokenizer.sink().text, "[title]");
    assert_eq!(tokenizer.feed("<i></i>"), Err(FeedError::Paused));
    assert_eq!(tokenizer.sink().text, "[title]");
    // The request was ignored: markup goes on.
    assert_eq!(tokenizer.resume(), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "[title][b][/b][i][/i][end]");
}

#[test]
fn a_refusal_at_the_end_does_not_lose_the_end_of_file_token() {
    let mut tokenizer = xml5::Tokenizer::new(Log::default());
    assert_eq!(tokenizer.feed("<title"), Ok(()));
    // XML5 emits the tag at the end of the input.
    assert_eq!(tokenizer.end(), Err(FeedError::UnknownContent));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "[title][end]");
}

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
fn nothing_can_be_fed_after_the_end() {
    let mut tokenizer = html_living::Tokenizer::new(Log::default());
    tokenizer.feed("<p").expect("known contents");
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.feed("a>text"), Err(FeedError::Ended));
    assert_eq!(tokenizer.feed_bytes(b"a>text"), Err(FeedError::Ended));
    assert_eq!(tokenizer.resume(), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "[end]");
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
fn many_pauses_report_as_many_errors_as_there_are() {
    let mut tokenizer = html_living::Tokenizer::new(InputErrors::default());
    let page = "<p>\u{1}</p>".repeat(8000);
    assert_eq!(tokenizer.feed(&page), Err(FeedError::Paused));
    while tokenizer.end() == Err(FeedError::Paused) {}
    assert_eq!(tokenizer.into_sink().0.len(), 8000);
}

#[test]
fn a_new_last_start_tag_is_compared_from_its_first_character() {
    for table in 0..2 {
        let run = |log: &mut dyn FnMut(&str, bool)| {
            log("x</scr", false);
            log("abcipt", true);
            log("ipt>", false);
        };
        let mut text = String::new();
        if table == 0 {
            let mut tokenizer = html_2009::Tokenizer::new(Log::default());
            tokenizer.enter(Content::Rcdata).expect("an entry");
            tokenizer.set_last_start_tag("script");
            run(&mut |part, is_name| match is_name {
                true => tokenizer.set_last_start_tag(part),
                false => assert_eq!(tokenizer.feed(part), Ok(())),
            });
            tokenizer.end().expect("known contents");
            text += &tokenizer.into_sink().text;
        } else {
            let mut tokenizer = html_living::Tokenizer::new(Log::default());
            tokenizer.enter(Content::Rcdata).expect("an entry");
            tokenizer.set_last_start_tag("script");
            run(&mut |part, is_name| match is_name {
                true => tokenizer.set_last_start_tag(part),
                false => assert_eq!(tokenizer.feed(part), Ok(())),
            });
            tokenizer.end().expect("known contents");
            text += &tokenizer.into_sink().text;
        }
        // `script` is not the name that was set.
        assert_eq!(text, "x</script>[end]", "table {table}");
    }
}

/// Answers end tags: `x` with RCDATA, the others not.
#[derive(Default)]
struct EndTags(String);

impl Sink for EndTags {
    fn characters(&mut self, data: &str, _: Span) {
        self.0 += data;
    }

    fn end_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.0 += &format!("[/{}]", tag.name);
        match tag.name {
            "x" => Answer::Switch(Content::Rcdata),
            _ => Answer::Continue,
        }
    }
}

#[test]
fn after_an_answer_to_an_end_tag_the_last_start_tag_is_known() {
    let page = "<a></x><b></a><b>";
    for cut in 0..page.len() {
        let mut tokenizer = html_living::Tokenizer::new(EndTags::default());
        tokenizer.feed(&page[..cut]).expect("known contents");
        tokenizer.feed(&page[cut..]).expect("known contents");
        tokenizer.end().expect("known contents");
        assert_eq!(tokenizer.into_sink().0, "[/x]<b>[/a]", "cut at {cut}");
    }
}

#[test]
fn a_token_that_exceeds_a_limit_is_an_error_wherever_it_is_cut() {
    let limits = Limits {
        token_bytes: 20,
        attributes: 2,
    };
    let too_long = |offset| FeedError::TooLarge {
        limit: Limit::TokenBytes,
        offset,
    };
    let too_many = |offset| FeedError::TooLarge {
        limit: Limit::Attributes,
        offset,
    };
    let text = "t".repeat(100);
    for (page, log, error) in [
        ("<p a='0123456789ab'>x", "[p]x", None),
        ("<p a='0123456789abc'>x", "", Some(too_long(0))),
        ("é<i><p a='0123456789abc'>x", "é[i]", Some(too_long(5))),
        ("<b a b><b c d></b>", "[b][b][/b]", None),
        ("<i><b a b c>x", "[i]", Some(too_many(3))),
        (
            &format!("{text}<!--{}-->x", "c".repeat(13)),
            &format!("{text}x"),
            None,
        ),
        (&format!("{text}<!--{text}-->x"), &text, Some(too_long(100))),
        (
            &format!("{text}<!doctype {text}>x"),
            &text,
            Some(too_long(100)),
        ),
        (&format!("{text}</{text}>x"), &text, Some(too_long(100))),
        (
            &format!("{text}&amp;&{text};<b>"),
            &format!("{text}&&{text};[b]"),
            None,
        ),
    ] {
        for chunk in 1..=page.len() {
            let mut tokenizer = html_living::Tokenizer::new(Log::default());
            tokenizer.set_limits(limits);
            let mut result = Ok(());
            for piece in page.as_bytes().chunks(chunk) {
                result = tokenizer.feed_bytes(piece);
            }
            let wanted = error.map_or(Ok(()), Err);
            assert_eq!(result, wanted, "{page} in chunks of {chunk}");
            let end = match error {
                None => "[end]",
                Some(_) => "",
            };
            assert_eq!(tokenizer.end(), wanted, "{page} in chunks of {chunk}");
            assert_eq!(tokenizer.resume(), wanted);
            let found = tokenizer.into_sink().text;
            assert_eq!(found, format!("{log}{end}"), "{page} in chunks of {chunk}");
        }
    }
}

#[test]
fn a_limit_counts_what_has_only_been_opened_wherever_it_is_cut() {
    let limits = Limits {
        token_bytes: 4,
        attributes: 4,
    };
    let letters = "a".repeat(40);
    let too_long = |offset| {
        Err(FeedError::TooLarge {
            limit: Limit::TokenBytes,
            offset,
        })
    };
    for (content, page, text, wanted) in [
        (Content::Data, "aaaaa</b>", "aaaaa[/b]", Ok(())),
        (Content::Data, "aaaaa</bc>", "aaaaa", too_long(5)),
        // A register outlives tokens: the text has been delivered.
        (
            Content::ScriptData,
            &format!("<!--<{letters}"),
            "<!--<aaaaaaaaaaaaaaa",
            too_long(20),
        ),
    ] {
        for first in 0..page.len() {
            for chunk in 1..=page.len() {
                let mut tokenizer = html_living::Tokenizer::new(Log::default());
                tokenizer.set_limits(limits);
                tokenizer.enter(content).expect("an entry");
                let mut result = tokenizer.feed(&page[..first]);
                for piece in page.as_bytes()[first..].chunks(chunk) {
                    result = tokenizer.feed_bytes(piece);
                }
                assert_eq!(result, wanted, "{page} cut at {first}, then by {chunk}");
                assert_eq!(tokenizer.into_sink().text, text);
            }
        }
    }
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
                tokenizer.insert("=1>");
                tokenizer.insert("<a b");
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
fn a_caller_can_start_anywhere_with_a_last_start_tag() {
    let mut tokenizer = html_living::Tokenizer::new(Log::default());
    tokenizer.enter(Content::Rcdata).expect("an entry");
    tokenizer.set_last_start_tag("textarea");
    tokenizer
        .feed("</title></textarea><b>")
        .expect("known contents");
    tokenizer.end().expect("known contents");
    assert_eq!(tokenizer.into_sink().text, "</title>[/textarea][b][end]");
}

#[test]
fn spans_and_errors_are_offsets_in_the_stream() {
    for chunk in [1, 4, 1000] {
        let mut tokenizer = html_living::Tokenizer::new(Log::default());
        let page = "é\r\n<a\r\n x x>\r\n</a>";
        for piece in page.as_bytes().chunks(chunk) {
            tokenizer.feed_bytes(piece).expect("known contents");
        }
        tokenizer.end().expect("known contents");
        let log = tokenizer.into_sink();
        assert_eq!(
            log.errors,
            [("duplicate-attribute", 12)],
            "chunks of {chunk}"
        );
        let spans: Vec<_> = log
            .spans
            .iter()
            .map(|s| &page[s.start as usize..s.end as usize])
            .collect();
        assert_eq!(spans, ["<a\r\n x x>", "</a>"], "chunks of {chunk}");
    }
}

#[test]
fn owned_tokens_are_whole_whatever_the_length() {
    let long = "x".repeat(10_000);
    let page = format!("<p a={long}>{long}&amp;{long}<!--{long}-->");
    let tokens: Vec<_> = html_living::tokens(&page).map(|(token, _)| token).collect();
    let expected = [
        Token::StartTag {
            name: "p".into(),
            self_closing_flag: false,
            attributes: vec![("a".into(), long.as_str().into())],
        },
        Token::Characters(format!("{long}&{long}").into()),
        Token::Comment {
            data: long.clone().into(),
        },
        Token::EndOfFile,
    ];
    assert_eq!(tokens, expected);
}

/// Also where what stood last was no token.
#[test]
fn the_end_of_file_is_where_the_input_ends() {
    for page in ["", "<a", "x<a b", "<?a", "<b>c", "\u{FEFF}a"] {
        let end = page.len() as u64;
        let last = html_living::tokens(page).last();
        assert_eq!(
            last,
            Some((Token::EndOfFile, Span { start: end, end })),
            "{page}"
        );
        for chunk in 1..=page.len() {
            let mut tokenizer = html_living::Tokenizer::new(Collector::new());
            for piece in page.as_bytes().chunks(chunk) {
                tokenizer.feed_bytes(piece).expect("a page");
            }
            tokenizer.end().expect("its end");
            let tokens = tokenizer.into_sink().tokens;
            assert_eq!(tokens.last().map(|(_, span)| span.end), Some(end), "{page}");
        }
    }
}

#[test]
fn malformed_utf_8_becomes_u_fffd_wherever_it_is_cut() {
    let bytes = b"a\xF0\x9F\x90\xFFb\xC3\xA9<i>\xE2\x82";
    for chunk in [1, 2, 3, 100] {
        let mut tokenizer = html_living::Tokenizer::new(Log::default());
        for piece in bytes.chunks(chunk) {
            tokenizer.feed_bytes(piece).expect("known contents");
        }
        tokenizer.end().expect("known contents");
        let text = String::from_utf8_lossy(bytes).replace("<i>", "[i]") + "[end]";
        assert_eq!(tokenizer.into_sink().text, text, "chunks of {chunk}");
    }
}

/// What a page becomes.
fn read(page: &str, feedback: Feedback) -> String {
    let mut tokenizer = html_living::Tokenizer::new(Plain::<true>::default());
    tokenizer.set_feedback(feedback);
    assert_eq!(tokenizer.feed(page), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    tokenizer.into_sink().0
}

/// Writes down tags and text, and says nothing.
#[derive(Default)]
struct Plain<const FEEDBACK: bool>(String);

impl<const FEEDBACK: bool> Sink for Plain<FEEDBACK> {
    const FEEDBACK: bool = FEEDBACK;

    fn characters(&mut self, data: &str, _: Span) {
        self.0 += data;
    }

    fn start_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.0 += &format!("[{}]", tag.name);
        Answer::Continue
    }

    fn end_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.0 += &format!("[/{}]", tag.name);
        Answer::Continue
    }
}

#[test]
fn a_sink_that_says_nothing_gets_the_page() {
    for name in ["title", "textarea"] {
        let page = format!("<{name}><b>&amp;</{name}><b>");
        let text = format!("[{name}]<b>&[/{name}][b]");
        assert_eq!(read(&page, Feedback::Scripting), text);
    }
    for name in [
        "style", "xmp", "iframe", "noembed", "noframes", "noscript", "script",
    ] {
        let page = format!("<{name}><b>&amp;</{name}><b>");
        let text = format!("[{name}]<b>&amp;[/{name}][b]");
        assert_eq!(read(&page, Feedback::Scripting), text);
        let markup = format!("[{name}][b]&[/{name}][b]");
        assert_eq!(read(&page, Feedback::Off), markup);
        let without = match name {
            "noscript" => markup,
            _ => text,
        };
        assert_eq!(read(&page, Feedback::NoScripting), without);
    }
    let plain = "[plaintext]<b></plaintext>";
    assert_eq!(
        read("<plaintext><b></plaintext>", Feedback::default()),
        plain
    );
    assert_eq!(
        read("<p><titles><b>", Feedback::default()),
        "[p][titles][b]"
    );
}

#[test]
fn a_sink_can_turn_feedback_off() {
    let mut tokenizer = html_living::Tokenizer::new(Plain::<false>::default());
    assert_eq!(tokenizer.feed("<script><b>"), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().0, "[script][b]");
}

#[test]
fn bytes_lose_a_byte_order_mark_and_text_what_the_table_says() {
    use ByteOrderMark::{Decoded, Skip, Table};
    // (bytes, mark, marks that are left): of two at the start of the stream, html-living drops none and html-2009 one.
    let cases = [
        (false, Decoded, [2, 1]),
        (true, Decoded, [1, 0]),
        (false, Skip, [1, 0]),
        (true, Skip, [1, 0]),
        (false, Table, [2, 1]),
        (true, Table, [2, 1]),
    ];
    let page = "\u{FEFF}\u{FEFF}<p>";
    for (bytes, mark, left) in cases {
        for chunk in 1..=page.len() {
            macro_rules! check {
                ($module:ident, $left:expr) => {
                    let mut tokenizer = $module::Tokenizer::new(Log::default());
                    tokenizer.set_byte_order_mark(mark);
                    for piece in page.as_bytes().chunks(chunk) {
                        let fed = match (bytes, std::str::from_utf8(piece)) {
                            (true, _) => tokenizer.feed_bytes(piece),
                            (_, Ok(text)) => tokenizer.feed(text),
                            // This cut is inside a character.
                            _ => break,
                        };
                        assert_eq!(fed, Ok(()));
                    }
                    if bytes || chunk % 3 == 0 {
                        assert_eq!(tokenizer.end(), Ok(()));
                        let Log { text, spans, .. } = tokenizer.into_sink();
                        let what = format!("{mark:?}, bytes: {bytes}, chunks of {chunk}");
                        assert_eq!(text, "\u{FEFF}".repeat($left) + "[p][end]", "{what}");
                        assert_eq!(spans, [Span { start: 6, end: 9 }], "{what}");
                    }
                };
            }
            check!(html_living, left[0]);
            check!(html_2009, left[1]);
        }
    }
}

#[test]
fn a_tokenizer_after_a_reset_is_as_a_new_one() {
    let firsts = [
        "",
        "<a b=c",
        "</p><p>",
        "<title>&am",
        "<!--x",
        "&#x1F",
        "\u{FEFF}",
        "<script><!--<script>",
    ];
    let page = "\u{FEFF}a&amp;</title><p b=1>\r";
    let run = |tokenizer: &mut html_2009::Tokenizer<Log>| {
        let _ = tokenizer.feed(page);
        let _ = tokenizer.end();
        let log = std::mem::take(tokenizer.sink());
        (log.text, log.errors, log.spans)
    };
    let expected = run(&mut html_2009::Tokenizer::new(Log::default()));
    for first in firsts {
        for end in [false, true] {
            let mut tokenizer = html_2009::Tokenizer::new(Log {
                pause_at: Some("p"),
                ..Log::default()
            });
            let _ = tokenizer.feed(first);
            if end {
                let _ = tokenizer.end();
            }
            tokenizer.reset();
            *tokenizer.sink() = Log::default();
            assert_eq!(run(&mut tokenizer), expected, "after {first:?}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_token() {
    // (input, limit, output): what is undecided after the mark is shorter than the limit.
    let cases = [
        ("\raaaaaaaa<b>", 3, "\naaaaaaaa[b][end]"),
        ("&amp;<b>", 6, "&[b][end]"),
        ("</b>", 5, "[/b][end]"),
    ];
    for (input, token_bytes, output) in cases {
        for cut in 1..=8 {
            let mut tokenizer = html_2012::Tokenizer::new(Log::default());
            tokenizer.set_limits(Limits {
                token_bytes,
                ..Limits::default()
            });
            let page = ["\u{FEFF}", input].concat();
            for piece in page.as_bytes().chunks(cut) {
                assert_eq!(tokenizer.feed_bytes(piece), Ok(()), "{input} by {cut}");
            }
            assert_eq!(tokenizer.end(), Ok(()));
            assert_eq!(tokenizer.into_sink().text, output, "{input} by {cut}");
        }
    }
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

/// Writes down text and errors as they come, and where it was asked about CDATA sections.
#[derive(Default)]
struct InOrder(Vec<String>);

impl Sink for InOrder {
    const ERRORS: bool = true;
    const ERRORS_IN_ORDER: bool = true;

    fn characters(&mut self, data: &str, _: Span) {
        self.0.push(data.to_owned());
    }

    fn error(&mut self, error: ParseError) {
        self.0.push(format!("! {}", error.code));
    }

    fn cdata_sections_are_allowed(&mut self) -> bool {
        self.0.push("?".to_owned());
        true
    }
}

#[test]
fn errors_and_questions_come_behind_the_text_before_them() {
    let mut tokenizer = html_living::Tokenizer::new(InOrder::default());
    assert_eq!(tokenizer.feed("</>\na&bogus;b<![CDATA[c]]>&#10"), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    let wanted = [
        "! missing-end-tag-name",
        "\na&bogus",
        "! unknown-named-character-reference",
        ";b",
        "?",
        "c",
        "! missing-semicolon-after-character-reference",
        "\n",
    ];
    assert_eq!(tokenizer.into_sink().0, wanted);
}

#[test]
fn a_tokenizer_with_another_sink_goes_on_where_it_was() {
    let page = "<p a='&lt;'>x&am<title>&copy;</title\r\n>y<!-- \0 --></p b>";
    for cut in 0..=page.len() {
        let mut first = html_living::Tokenizer::new(Log::default());
        assert_eq!(first.feed(&page[..cut]), Ok(()));
        let (mut second, log) = first.with_sink(Log::default());
        assert_eq!(second.feed(&page[cut..]), Ok(()));
        assert_eq!(second.end(), Ok(()));
        let mut whole = html_living::Tokenizer::new(Log::default());
        assert_eq!((whole.feed(page), whole.end()), (Ok(()), Ok(())));
        let (rest, whole) = (second.into_sink(), whole.into_sink());
        assert_eq!(log.text + &rest.text, whole.text, "{cut}");
        assert_eq!([log.spans, rest.spans].concat(), whole.spans, "{cut}");
        assert_eq!([log.errors, rest.errors].concat(), whole.errors, "{cut}");
    }
}

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
