//! Whole parses into our `Dom`.

use crate::contender::Contender;
use crate::corpus::Corpus;

/// The name of the contender.
pub const DOM: &str = "speclex::parse";

/// A parse of each document into a `Dom`.
pub(crate) fn contender(corpus: &'static Corpus) -> Contender {
    Contender::by_text(DOM.to_owned(), corpus, |text, counts| {
        let dom = speclex::parse(text);
        // Going through all of it would be measured, too.
        counts.start_tags += dom.document().children().count() as u64;
    })
}
