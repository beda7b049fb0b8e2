//! Whole parses into our `Dom`.

use crate::contender::Contender;
use crate::corpus::Corpus;

/// The name of the contender.
pub const DOM: &str = "speclex, Dom";

/// The same by the living standard, whose templates patch content.
pub(crate) const LIVING: &str = "speclex, Dom, living";

/// A parse of each document into a `Dom`.
pub(crate) fn contender(corpus: &'static Corpus) -> Contender {
    by(DOM, corpus, speclex_tokenizers::html_tree_2026_06::parse)
}

/// The same by the living standard.
pub(crate) fn living(corpus: &'static Corpus) -> Contender {
    by(LIVING, corpus, speclex_tokenizers::html_tree_living::parse)
}

fn by(
    name: &str,
    corpus: &'static Corpus,
    parse: for<'t> fn(&'t str) -> speclex::Dom<'t>,
) -> Contender {
    Contender::by_text(name.to_owned(), corpus, move |text, counts| {
        let dom = parse(text);
        // Going through all of it would be measured, too.
        counts.start_tags += dom.document().children().count() as u64;
    })
}
