//! Pages: contents by the names of tags, and byte order marks.

use speclex::markup::{Answer, Sink, Tag};
use speclex::{ByteOrderMark, Feedback, Limits, Span};
use speclex_tokenizers::{html_2009, html_2012, html_living};

use super::Log;

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
            tokenizer.set_limits(Limits::default().with_token_bytes(token_bytes));
            let page = ["\u{FEFF}", input].concat();
            for piece in page.as_bytes().chunks(cut) {
                assert_eq!(tokenizer.feed_bytes(piece), Ok(()), "{input} by {cut}");
            }
            assert_eq!(tokenizer.end(), Ok(()));
            assert_eq!(tokenizer.into_sink().text, output, "{input} by {cut}");
        }
    }
}
