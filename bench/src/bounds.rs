//! What no tokenizer passes: the least that has to be done with the bytes.

use crate::contender::Contender;
use crate::corpus::Corpus;

/// The name of the bound that the fraction is of.
pub const MEMCHR2: &str = "bound: memchr2 of < and &";

/// All bounds.
pub fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    let longest = corpus.documents.iter().map(|d| d.text.len()).max();
    let mut copy = vec![0; longest.unwrap_or_default()];
    vec![
        Contender::each(MEMCHR2, corpus, |text, tally| {
            tally.others += memchr::memchr2_iter(b'<', b'&', text.as_bytes()).count() as u64;
        }),
        Contender::each("bound: str::from_utf8", corpus, |text, tally| {
            let valid = std::str::from_utf8(std::hint::black_box(text.as_bytes()));
            tally.text_bytes += valid.map_or(0, str::len) as u64;
        }),
        Contender::each("bound: memcpy", corpus, move |text, tally| {
            let copy = &mut copy[..text.len()];
            copy.copy_from_slice(text.as_bytes());
            tally.text_bytes += std::hint::black_box(copy).len() as u64;
        }),
    ]
}
