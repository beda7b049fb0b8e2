//! Which contenders a class of documents has.

use crate::bound;
use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::ours;

/// The contender that the others are compared with.
pub fn baseline(corpus: &Corpus) -> &'static str {
    match corpus.class {
        #[cfg(feature = "peers")]
        crate::csv::CLASS => crate::csv::OURS,
        "xml" => "xml5, borrowed",
        _ => "html-living, borrowed",
    }
}

/// Tokenizers: ours, and those of others if this program has them.
pub fn tokenizers(corpus: &'static Corpus) -> Vec<Contender> {
    #[cfg(feature = "peers")]
    if corpus.class == crate::csv::CLASS {
        return crate::csv::contenders(corpus);
    }
    let mut all = ours::contenders(corpus);
    all.extend(crate::dom::contenders(corpus));
    #[cfg(feature = "peers")]
    all.extend(crate::peers::contenders(corpus));
    all
}

/// Tokenizers, and of markup the bound.
pub fn all(corpus: &'static Corpus) -> Vec<Contender> {
    let mut all = tokenizers(corpus);
    if corpus.is_markup() {
        all.push(bound::memchr2(corpus));
    }
    all
}
