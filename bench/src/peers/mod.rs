//! Tokenizers by others.

mod arena;
pub mod html5ever;
mod html5gum;
mod lol_html;
mod quick_xml;
pub mod rewrite;
pub mod trees;
mod xml5ever;
pub mod xml_trees;

use ::html5ever::tendril::StrTendril;

use crate::contender::Contender;
use crate::corpus::Corpus;

/// Those for the corpus's language.
pub fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    if corpus.is_xml() {
        let mut all = quick_xml::contenders(corpus);
        all.push(xml5ever::contender(corpus));
        all.extend(xml_trees::contenders(corpus));
        return all;
    }
    let mut all = html5gum::contenders(corpus);
    all.extend(html5ever::contenders(corpus));
    all.extend(lol_html::contenders(corpus));
    all.extend(rewrite::contenders(corpus));
    all.extend(trees::contenders(corpus));
    all
}

/// The documents as html5ever and xml5ever take them.
fn tendrils(corpus: &Corpus) -> Vec<StrTendril> {
    let texts = corpus.documents.iter();
    texts.map(|text| StrTendril::from_slice(text)).collect()
}
