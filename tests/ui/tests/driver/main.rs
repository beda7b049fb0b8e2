//! What the driver lets a caller do: answers, entry states, limits, owned tokens, spans.

mod orders;
mod pages;
mod pauses;
mod readers;

use speclex::markup::{Answer, Collector, Content, Sink, Tag, Token};
use speclex::{FeedError, Limit, Limits, ParseError, Span, UnknownContent};
use speclex_tokenizers::{html_2009, html_living, xml5};

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
    let limits = Limits::MAX.with_token_bytes(20).with_attributes(2);
    let too_long = |offset| FeedError::TooLarge {
        limit: Limit::TokenBytes,
        allowed: 20,
        offset,
    };
    let too_many = |offset| FeedError::TooLarge {
        limit: Limit::Attributes,
        allowed: 2,
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
fn a_sink_with_a_method_for_errors_gets_them_unless_it_says_otherwise() {
    #[derive(Default)]
    struct Silent<const ERRORS: bool>(usize);
    impl Sink for Silent<false> {
        const ERRORS: bool = false;
        fn error(&mut self, _: ParseError) {
            self.0 += 1;
        }
    }
    impl Sink for Silent<true> {
        fn error(&mut self, _: ParseError) {
            self.0 += 1;
        }
    }
    let mut tokenizer = html_living::Tokenizer::new(Silent::<true>::default());
    assert_eq!(tokenizer.feed("</>\u{1}"), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().0, 1);
    let mut tokenizer = html_living::Tokenizer::new(Silent::<false>::default());
    assert_eq!(tokenizer.feed("</>"), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().0, 0);
}

#[test]
fn the_error_of_a_limit_says_which_it_is_and_what_raises_it() {
    let limits = Limits::MAX.with_token_bytes(10).with_attributes(2);
    for (limits, page, message) in [
        (
            limits,
            "a<bcdefghijk",
            "the token at offset 1 has more than 10 bytes: the limit `token_bytes`, which `Tokenizer::set_limits` raises",
        ),
        (
            limits,
            "<a b c d",
            "the token at offset 0 has more than 2 attributes: the limit `attributes`, which `Tokenizer::set_limits` raises",
        ),
        (
            Limits::MAX,
            &["<", &"a".repeat(Limits::MAX.token_bytes)].concat(),
            "the token at offset 0 has more than 268435455 bytes: the limit `token_bytes`, which is the highest there is",
        ),
    ] {
        let mut tokenizer = html_living::Tokenizer::new(Log::default());
        tokenizer.set_limits(limits);
        let error = tokenizer.feed(page).expect_err("too large");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_limit_counts_what_has_only_been_opened_wherever_it_is_cut() {
    let limits = Limits::MAX.with_token_bytes(4).with_attributes(4);
    let letters = "a".repeat(40);
    let too_long = |offset| {
        Err(FeedError::TooLarge {
            limit: Limit::TokenBytes,
            allowed: 4,
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
