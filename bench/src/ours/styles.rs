//! The styles that only the tables are about: they take longer to compile than all else.

use speclex::Tokens;
use speclex::markup::Token;
use speclex::rt::{Machine, Queue};

use super::kept::count;
use super::{Keep, Kept, whole};
use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::tally::Tally;

pub(super) fn iterate<'t, M: Machine<Sink: Queue<'t, Token = Token<'t>>>>(
    text: &'t str,
    tally: &mut Tally,
) {
    for (token, _) in Tokens::<'_, M>::new(text) {
        count(tally, &token);
    }
}

pub(super) fn kept<M, K: Keep, const FEEDBACK: bool>(
    name: String,
    corpus: &'static Corpus,
) -> Contender
where
    M: Machine<Sink = Kept<K, FEEDBACK>>,
{
    Contender::each(name, corpus, |text, tally| {
        *tally += whole::<M>(text).tally();
    })
}

/// The revision in every style.
macro_rules! every_style {
    ($revision:literal, $module:ident, $corpus:expr) => {{
        use speclex_tokenizers::$module::Machine;
        use $crate::ours::Collected;
        use $crate::ours::styles::{iterate, kept};
        const FEEDBACK: bool = is_html($revision);
        let corpus = $corpus;
        let mut all = few_styles!($revision, $module, corpus);
        all.push(errors::<
            Machine<Borrowed<FEEDBACK, { report::ALL }>>,
            FEEDBACK,
            { report::ALL },
        >(name($revision, style::ALL_ERRORS), corpus));
        all.push(kept::<Machine<Collected<FEEDBACK>>, _, FEEDBACK>(
            name($revision, style::COLLECTED),
            corpus,
        ));
        all.push(Contender::each(
            name($revision, style::ITERATOR),
            corpus,
            |text, tally| {
                use speclex::rt::{Borrowed, Collector};
                iterate::<Machine<Collector<speclex::markup::Token<'_>, Borrowed<'_>>>>(
                    text, tally,
                );
            },
        ));
        all
    }};
}
pub(super) use every_style;
