//! A sink that answers with contents, pauses, and is asked.
speclex::tokenizer! {
    mod html = builtin "html-living";
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

fn main() {
    let mut tokenizer = html::Tokenizer::new(Tree::default());
    let fed = tokenizer.feed("<textarea><b></textarea><![CDATA[1]]><svg><![CDATA[2]]><wait>3");
    assert_eq!(fed, Err(FeedError::Paused));
    assert_eq!(tokenizer.sink().text, "<b>2");
    tokenizer.insert("<i>inserted");
    assert_eq!(tokenizer.resume(), Ok(()));
    assert_eq!(tokenizer.end(), Ok(()));
    assert_eq!(tokenizer.into_sink().text, "<b>2inserted3");
}
