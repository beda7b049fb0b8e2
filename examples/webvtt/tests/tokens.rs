//! Cue texts and their tokens.

use webvtt_example::cue::{self, Token};
use webvtt_example::{cues, plain};

/// `<name.class annotation>`, `</name>`, `@timestamp` and text, with a bar between tokens.
fn show<'t>(tokens: impl Iterator<Item = Token<'t>>) -> String {
    let shown: Vec<_> = tokens
        .filter_map(|token| match token {
            Token::Characters(data) => Some(data.into()),
            Token::StartTag {
                name,
                classes,
                annotation,
            } => {
                let classes: String = classes.iter().map(|(name, _)| format!(".{name}")).collect();
                let annotation = annotation.map_or(String::new(), |text| format!(" [{text}]"));
                Some(format!("<{name}{classes}{annotation}>"))
            }
            Token::EndTag { name } => Some(format!("</{name}>")),
            Token::TimestampTag { name } => Some(format!("@{name}")),
            _ => None,
        })
        .collect();
    shown.join("|")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let tokens = cue::tokens(text).map(|(token, _)| token);
    assert_eq!(show(tokens), expected, "{text:?}");
}

#[test]
fn tags() {
    check("", "");
    check("Hello", "Hello");
    check("<b>bold</b>!", "<b>|bold|</b>|!");
    check("<b", "<b>");
    check("</", "</>");
    check("<", "<>");
    check("<>x", "<>|x");
    check("< b>x", "< [b]>|x");
    check("a < b", "a |< [b]>");
    check("</b x>", "</b x>");
}

#[test]
fn classes() {
    check("<c.loud.big>", "<c.loud.big>");
    check("<.x>", "<.x>");
    check("<c..x.>", "<c..x.>");
    check("<c.x.x>", "<c.x.x>");
    check("<c.x", "<c.x>");
    check("<c.x y>", "<c.x [y]>");
    check("<c.&amp;>", "<c.&amp;>");
}

#[test]
fn annotations() {
    check("<v Fred>Hi", "<v [Fred]>|Hi");
    check("<v \t Fred \n  the\x0Cgreat  >", "<v [Fred the great]>");
    check("<v >", "<v []>");
    check("<v\nFred", "<v [Fred]>");
    check("<v.loud\nFred>", "<v.loud [Fred]>");
    check("<v A&amp;B>", "<v [A&B]>");
    check("<v A&Tab;&#32; B>", "<v [A B]>");
    check("<v &Tab;A&NewLine;>", "<v [A]>");
    check("<v A&>x", "<v [A&]>|x");
    check("<v A &lt;>", "<v [A <]>");
    check("<v A &amp", "<v [A &]>");
}

#[test]
fn timestamps() {
    check("one <00:00:01.000>two", "one |@00:00:01.000|two");
    check("<1", "@1");
}

#[test]
fn references() {
    check("&lt;b&gt; &amp; &nbsp;&lrm;", "<b> & \u{A0}\u{200E}");
    check("AT&T &unknown; &", "AT&T &unknown; &");
    check("&amp<b>&&lt;x", "&|<b>|&<x");
    check("&#65;&#x42;&#128;&#xD800;&#;", "AB\u{20AC}\u{FFFD}&#;");
    check("&notit;", "\u{AC}it;");
}

#[test]
fn newlines_and_null() {
    check("a\r\nb\rc\0", "a\nb\nc\u{FFFD}");
}

#[test]
fn pieces_of_any_size_make_the_same_tokens() {
    let text = "<v.a.b  x &amp;\r\n y>AT&T &notin;<00:01>\u{E9}</v>&";
    let whole: Vec<_> = cue::tokens(text).collect();
    for size in 1..text.len() {
        let mut tokenizer = cue::Tokenizer::new(cue::Collector::new());
        for piece in text.as_bytes().chunks(size) {
            tokenizer.feed_bytes(piece).expect("no content is asked for");
        }
        tokenizer.end().expect("no content is asked for");
        let tokens = Vec::from(tokenizer.into_sink().tokens);
        assert_eq!(tokens, whole, "pieces of {size}");
    }
}

#[test]
fn a_file_has_cues() {
    let file = "WEBVTT\n\n1\n00:00 --> 00:01\n<v Ann>Hello\nthere\n\nNOTE no cue\n\n00:02 --> 00:03\nBye\n";
    let cues: Vec<_> = cues(file).map(|(timings, text)| (timings, plain(&text))).collect();
    let text = |text: &str| text.to_owned();
    assert_eq!(
        cues,
        [("00:00 --> 00:01", text("Hello\nthere")), ("00:02 --> 00:03", text("Bye"))]
    );
}
