//! An upper bound of speed: the least that every tokenizer has to do with the bytes of a document.

use crate::contender::Contender;
use crate::corpus::Corpus;

/// Finds all `<` and `&`.
pub fn memchr2(corpus: &'static Corpus) -> Contender {
    Contender::by_text("bound: memchr2 of < and &", corpus, |text, counts| {
        counts.others += memchr::memchr2_iter(b'<', b'&', text.as_bytes()).count() as u64;
    })
}
