//! Whole parses of XML.

use markup5ever_rcdom::RcDom;
use xml5ever::driver::parse_document;
use xml5ever::tendril::TendrilSink;

use crate::contender::Contender;
use crate::corpus::Corpus;

/// Trees of any text, by the same draft, with namespaces.
pub const XML5EVER: &str = "xml5ever, RcDom";

/// Trees of well-formed documents only, with namespaces.
pub const ROXMLTREE: &str = "roxmltree";

pub(super) fn contenders(corpus: &'static Corpus) -> [Contender; 2] {
    let texts = super::tendrils(corpus);
    [
        Contender::by_index(XML5EVER, texts.len(), move |index, counts| {
            let parser = parse_document(RcDom::default(), Default::default());
            super::trees::count(&parser.one(texts[index].clone()), counts);
        }),
        Contender::by_text(ROXMLTREE, corpus, |text, counts| {
            let options = roxmltree::ParsingOptions {
                allow_dtd: true,
                ..Default::default()
            };
            match roxmltree::Document::parse_with_options(text, options) {
                Ok(document) => counts.start_tags += document.root().children().count() as u64,
                Err(_) => counts.errors += 1,
            }
        }),
    ]
}
