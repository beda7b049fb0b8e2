//! HTML to trees in one call, by the tokenizer and the builder that are generated into this crate.

#[cfg(feature = "encoding")]
mod bytes;

use crate::dom::Dom;
use crate::generated::parsed;

pub use crate::generated::HTML_REVISION;
#[cfg(feature = "encoding")]
pub use bytes::parse_bytes;

/// Parses an HTML document, as browsers do where no scripts run. The tree borrows from the text.
///
/// No input is refused and no errors are kept. For errors, scripting, text in pieces, pauses and other revisions of the standard,
/// use the builders of `speclex-tokenizers`, which make the same trees. What is followed here is the living standard, as in a browser;
/// [`HTML_REVISION`] has its date.
///
/// A byte order mark in front is text here. Cut it off, or give the bytes to `parse_bytes` (feature `encoding`).
///
/// ```
/// let page = "<title>Cats &amp; dogs</title><p>See <a href=/cats>cats</a>, <a href=/dogs>dogs";
/// let dom = speclex::parse(page);
/// let title = dom.elements("title").next().unwrap();
/// assert_eq!(title.text(), "Cats & dogs");
/// let links: Vec<_> = dom.elements("a").filter_map(|link| link.attribute("href")).collect();
/// assert_eq!(links, ["/cats", "/dogs"]);
/// // Where its tags stand in the text: here the second has no end tag.
/// let last = dom.elements("a").last().unwrap();
/// assert_eq!(last.span().map(|span| &page[span.start as usize..span.end as usize]), Some("<a href=/dogs>"));
/// assert_eq!(last.end_tag(), None);
/// ```
pub fn parse(text: &str) -> Dom<'_> {
    parsed::parse(text)
}

/// Parses an HTML fragment, as `innerHTML` does where no scripts run: what may stand in an element with the name `context`. Names of
/// SVG and MathML have `svg` or `math` in front: `td`, `body`, `svg path`, `math mi`. The nodes are the children of
/// [`Dom::root`].
///
/// ```
/// let row = speclex::parse_fragment("<td>One<td>Two", "tr");
/// let cells: Vec<_> = row.root().children().map(|cell| cell.text()).collect();
/// assert_eq!(cells, ["One", "Two"]);
/// // In most other elements there are no cells.
/// let text = speclex::parse_fragment("<td>One<td>Two", "body");
/// assert_eq!(text.root().inner_html(), "OneTwo");
/// ```
pub fn parse_fragment<'t>(text: &'t str, context: &str) -> Dom<'t> {
    parsed::parse_fragment(text, context)
}
