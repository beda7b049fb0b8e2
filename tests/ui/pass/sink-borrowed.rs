//! A sink of the user's that sees borrowed tokens, and errors.
speclex::tokenizer! {
    mod html = builtin "html-living";
}

use html::{Answer, Sink};
use speclex::markup::{Comment, Tag};
use speclex::{ParseError, Span};

#[derive(Default)]
struct Outline {
    text: String,
    errors: Vec<(&'static str, u64)>,
}

impl Sink for Outline {
    const ERRORS: bool = true;

    fn characters(&mut self, data: &str, _: Span) {
        self.text += data;
    }

    fn start_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        let attributes: Vec<_> = tag.attributes.iter().collect();
        self.text += &format!("[{} {attributes:?} {}]", tag.name, span.start);
        Answer::Continue
    }

    fn comment(&mut self, comment: &Comment<'_>, _: Span) {
        self.text += &format!("({})", comment.data);
    }

    fn error(&mut self, error: ParseError) {
        self.errors.push((error.code.as_str(), error.offset));
    }
}

fn main() {
    let mut tokenizer = html::Tokenizer::new(Outline::default());
    for piece in ["x<a b", "=c><!--", "-->&am", "p;</a b>"] {
        tokenizer.feed(piece).unwrap();
    }
    tokenizer.end().unwrap();
    let outline = tokenizer.into_sink();
    assert_eq!(outline.text, r#"x[a [("b", "c")] 1]()&"#);
    assert_eq!(outline.errors, [("end-tag-with-attributes", 25)]);
    assert_eq!(
        html::errors::END_TAG_WITH_ATTRIBUTES.as_str(),
        "end-tag-with-attributes"
    );
}
