//! Every table that ships, by name, with one sink for all.
speclex::tokenizer! {
    mod html_2009 = builtin "html-2009";
    mod html_2012 = builtin "html-2012";
    mod html_2014 = builtin "html-2014";
    mod html_2026_06 = builtin "html-2026-06";
    mod html_living = builtin "html-living";
    mod xml5 = builtin "xml5";
    mod xml5_2016 = builtin "xml5-2016";
}

use speclex::Span;
use speclex::markup::{Answer, Sink, Tag};

#[derive(Default)]
struct Names(Vec<String>);

impl Sink for Names {
    fn start_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.0.push(tag.name.to_owned());
        Answer::Continue
    }
}

macro_rules! names {
    ($($revision:ident;)*) => {$({
        let mut tokenizer = $revision::Tokenizer::new(Names::default());
        tokenizer.feed("<a><b>text</b></a>").unwrap();
        tokenizer.end().unwrap();
        assert_eq!(tokenizer.into_sink().0, ["a", "b"], stringify!($revision));
    })*};
}

fn main() {
    names! {
        html_2009;
        html_2012;
        html_2014;
        html_2026_06;
        html_living;
        xml5;
        xml5_2016;
    }
}
