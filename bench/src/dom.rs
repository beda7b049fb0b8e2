//! Whole parses into our `Dom`.

use std::hint::black_box;

use crate::contender::Contender;
use crate::corpus::Corpus;

/// The name of the contender.
pub const DOM: &str = "speclex::parse";

/// That for XML.
pub const XML: &str = "speclex::xml::parse";

/// The same, and then the namespaces of all names.
pub const NAMESPACES: &str = "speclex::xml::parse, namespaces";

/// A parse of each document into a `Dom`.
pub(crate) fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    // Going through all of it would be measured, too.
    let top = |dom: &speclex::Dom<'_>| dom.document().children().count() as u64;
    if !corpus.is_xml() {
        return vec![Contender::by_text(DOM, corpus, move |text, counts| {
            counts.start_tags += top(&speclex::parse(text));
        })];
    }
    [(XML, false), (NAMESPACES, true)]
        .map(|(name, with_namespaces)| {
            Contender::by_text(name, corpus, move |text, counts| {
                let dom = speclex::xml::parse(text);
                counts.start_tags += top(&dom);
                counts.errors += (dom.errors().len() + dom.tokenizer_errors().len()) as u64;
                if with_namespaces {
                    black_box(speclex::xml::Namespaces::of(&dom));
                }
            })
        })
        .into()
}
