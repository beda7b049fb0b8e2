//! Outlines: lines that begin with number signs are headings, those that begin with a hyphen are items of a list, and other lines
//! are text of paragraphs. `tables/outline.yaml` makes tokens of a text, `tables/outline-tree.yaml` a tree of the tokens.
#![forbid(unsafe_code)]

use speclex::tree::Options;
use speclex::{Dom, DomSink, LineIndex};

speclex::parser! {
    /// The parser that is made of the tables.
    pub mod outline = "tables/outline-tree.yaml";
}

/// An outline as HTML, and the lines with a heading of a rank that HTML has no use for.
pub fn to_html(text: &str) -> (String, Vec<u64>) {
    let dom = parse(text);
    let mut lines = LineIndex::new();
    lines.push(text);
    let errors = dom.errors().iter();
    let errors = errors.map(|error| lines.locate(error.offset).line);
    (dom.serialize(), errors.collect())
}

/// `outline::parse` with errors.
fn parse(text: &str) -> Dom<'_> {
    let sink = DomSink::<true>::new(text, &outline::NAMES);
    let mut parser = outline::Parser::new(outline::Builder::new(sink, &Options::default()));
    // These pause or fail for a sink that wants it, and for limits.
    let _ = parser.feed(text).and_then(|_| parser.end());
    parser.into_sink().into_sink().finish()
}
