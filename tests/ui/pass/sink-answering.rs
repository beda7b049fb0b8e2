//! A sink that answers with contents, pauses, and is asked.
speclex::tokenizer! {
    mod html = builtin "html-living";
}

// Two tokens in one step: both answers count.
speclex::tokenizer! {
    mod twice = inline r#"
        table: twice
        title: Two tokens in one step
        section: "1"
        vocabulary: markup
        entry states:
          data: data
          RCDATA: RCDATA
        states:
          data:
            consume:
              EOF: emit EOF
              U+003C (<): [emit a start tag token, emit an end tag token]
              anything else: emit the current input character
          RCDATA:
            consume:
              EOF: emit EOF
              anything else: emit the current input character
    "#;
}

use html::{Answer, Content, Sink};
use speclex::markup::Tag;
use speclex::{FeedError, Span};

#[derive(Default)]
struct Tree {
    text: String,
    foreign: bool,
}

impl Sink for Tree {
    fn characters(&mut self, data: &str, _: Span) {
        self.text += data;
    }

    fn start_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.foreign |= tag.name == "svg";
        match tag.name {
            "textarea" => Answer::Switch(Content::Rcdata),
            "wait" => Answer::Pause,
            _ => Answer::Continue,
        }
    }

    fn cdata_sections_are_allowed(&mut self) -> bool {
        self.foreign
    }
}

/// The answers to a start tag and an end tag, and the text between.
struct Twice([Answer; 2], String);

impl twice::Sink for Twice {
    fn characters(&mut self, data: &str, _: Span) {
        self.1 += data;
    }

    fn start_tag(&mut self, _: &Tag<'_>, _: Span) -> Answer {
        self.0[0]
    }

    fn end_tag(&mut self, _: &Tag<'_>, _: Span) -> Answer {
        self.0[1]
    }
}

/// Whether the sink pauses, and what it gets of a tag and `<`.
fn twice(start_tag: Answer, end_tag: Answer) -> (bool, String) {
    let mut tokenizer = twice::Tokenizer::new(Twice([start_tag, end_tag], String::new()));
    let pauses = tokenizer.feed("<") == Err(FeedError::Paused);
    if pauses {
        assert_eq!(tokenizer.resume(), Ok(()));
    }
    // Only in RCDATA it is text.
    tokenizer.sink().0 = [Answer::Continue; 2];
    assert_eq!(tokenizer.feed("<"), Ok(()));
    (pauses, tokenizer.into_sink().1)
}

fn main() {
    let rcdata = Answer::Switch(Content::Rcdata);
    for answers in [[Answer::Pause, rcdata], [rcdata, Answer::Pause]] {
        assert_eq!(twice(answers[0], answers[1]), (true, "<".to_owned()));
    }
    assert_eq!(twice(rcdata, Answer::Continue), (false, "<".to_owned()));
    assert_eq!(
        twice(Answer::Pause, Answer::Continue),
        (true, String::new())
    );

    let mut tokenizer = html::Tokenizer::new(Tree::default());
    let fed = tokenizer.feed("<textarea><b></textarea><![CDATA[1]]><svg><![CDATA[2]]><wait>3");
    assert_eq!(fed, Err(FeedError::Paused));
    assert_eq!(tokenizer.sink().text, "<b>2");
    tokenizer.insert("<i>inserted");
    assert_eq!(tokenizer.resume(), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "<b>2inserted3");
}
