//! Counts the start tags of a stream of any length while it comes; it keeps no more than the longest tag: `stream <pages.html`

use speclex::Span;
use speclex::markup::{Answer, Sink, Tag};
use speclex_tokenizers::html_living::Tokenizer;
use std::{error::Error, io, io::Read as _};

struct Count(u64);
impl Sink for Count {
    fn start_tag(&mut self, _: &Tag<'_>, _: Span) -> Answer {
        self.0 += 1;
        Answer::Continue
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut tokenizer, mut piece) = (Tokenizer::new(Count(0)), [0; 1 << 16]);
    while let length @ 1.. = io::stdin().read(&mut piece)? {
        tokenizer.feed_bytes(&piece[..length])?;
    }
    tokenizer.end()?;
    println!("{}", tokenizer.into_sink().0);
    Ok(())
}
