//! What the driver lets a caller do: feedback, pauses, text at the insertion point, entry states, owned
//! tokens, spans.

use speclex::markup::{Answer, Content, Sink, Tag, Token};
use speclex::{ParseError, Span, Status, UnknownContent};
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

    fn end_of_file(&mut self) {
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
    assert_eq!(tokenizer.feed(page), Ok(Status::Ready));
    assert_eq!(tokenizer.end(), Ok(Status::Ready));
    let text = "[title]<b>&[/title][script]<b></b>[/script][b][end]";
    assert_eq!(tokenizer.into_sink().text, text);
}

#[test]
fn the_same_sink_serves_a_revision_with_a_content_model_flag() {
    let mut tokenizer = html_2009::Tokenizer::new(Log::default());
    assert_eq!(
        tokenizer.feed("<title><b>&amp;</TITLE><b>"),
        Ok(Status::Ready)
    );
    assert_eq!(tokenizer.end(), Ok(Status::Ready));
    assert_eq!(tokenizer.into_sink().text, "[title]<b>&[/title][b][end]");
}

#[test]
fn a_content_without_an_entry_state_is_refused_with_an_error() {
    let mut tokenizer = xml5::Tokenizer::new(Log::default());
    assert_eq!(tokenizer.enter(Content::Rcdata), Err(UnknownContent));
    assert_eq!(tokenizer.feed("<title><b/>"), Err(UnknownContent));
    assert_eq!(tokenizer.end(), Ok(Status::Ready));
    // The request was ignored: markup goes on.
    assert_eq!(tokenizer.into_sink().text, "[title][end]");
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
        let mut status = Status::Ready;
        for piece in page.as_bytes().chunks(chunk) {
            status = tokenizer.feed_bytes(piece).expect("a known content");
            while status == Status::Paused && !tokenizer.sink().text.is_empty() && pauses < 2 {
                pauses += 1;
                // Half a tag now, the other half by a second call.
                tokenizer.insert("=1>");
                tokenizer.insert("<a b");
                status = tokenizer.resume().expect("a known content");
            }
        }
        assert_eq!(status, Status::Ready, "chunks of {chunk}");
        assert_eq!(tokenizer.end(), Ok(Status::Ready));
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
    assert_eq!(tokenizer.feed("<i></i>rest"), Ok(Status::Paused));
    assert_eq!(tokenizer.sink().text, "[i][/i]");
    assert_eq!(tokenizer.end(), Ok(Status::Ready));
    assert_eq!(tokenizer.end(), Ok(Status::Ready));
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
