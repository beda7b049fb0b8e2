//! Tokenizers by others.

mod html5ever;
mod html5gum;
mod lol_html;
mod quick_xml;
mod xml5ever;

use ::html5ever::tendril::StrTendril;

use crate::contender::Contender;
use crate::corpus::Corpus;

pub use self::html5ever::NAME as HTML5EVER;
pub use self::html5gum::{DEFAULT as HTML5GUM_DEFAULT, EMITTER as HTML5GUM_EMITTER};
pub use self::quick_xml::EVENTS as QUICK_XML_EVENTS;
pub use self::xml5ever::NAME as XML5EVER;

/// Those for the corpus's language.
pub fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    if corpus.is_xml() {
        let mut all = quick_xml::contenders(corpus);
        all.push(xml5ever::contender(corpus));
        return all;
    }
    let mut all = html5gum::contenders(corpus);
    all.push(html5ever::contender(corpus));
    all.extend(lol_html::contenders(corpus));
    all
}

/// The documents as html5ever and xml5ever take them.
fn tendrils(corpus: &Corpus) -> Vec<StrTendril> {
    let texts = corpus.documents.iter().map(|document| &document.text);
    texts.map(|text| StrTendril::from_slice(text)).collect()
}
