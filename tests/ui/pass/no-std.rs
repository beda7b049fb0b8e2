//! Without the standard library, as far as a program can be.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
// The program's entry point needs it; the tokenizers do not.
extern crate std;

mod inner {
    speclex::tokenizer! {
        pub mod words = "tables/words.yaml";
        pub mod html = builtin "html-2014";
    }
}

use alloc::string::String;
use inner::words::{Sink, Tokenizer, Word};
use speclex::Span;

#[derive(Default)]
struct Longest(String);

impl Sink for Longest {
    fn word(&mut self, word: &Word<'_>, _: Span) {
        if word.text.len() > self.0.len() {
            self.0 = String::from(word.text);
        }
    }
}

fn main() {
    let mut tokenizer = Tokenizer::new(Longest::default());
    let _ = tokenizer
        .feed("a longer word")
        .and_then(|_| tokenizer.end());
    assert_eq!(tokenizer.into_sink().0, "longer");
    assert_eq!(inner::html::tokens("<p>").count(), 2);
}
