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
/// A browser that runs scripts takes what is in a `noscript` element for text, up to `</noscript>`. Here it is parsed, so that
/// `<noscript><!--</noscript><img src=x onerror=alert(1)>-->` is a comment here and an image there: a sanitizer must not let `noscript`
/// elements through.
///
/// One U+FEFF at the start is a byte order mark and skipped, as in `parse_bytes` (feature `encoding`); places count it.
///
/// ```
/// let page = "<title>Cats &amp; dogs</title><p>See <a href=/cats>cats</a>, <a href=/dogs>dogs";
/// let dom = speclex::parse(page);
/// assert_eq!(dom.title().as_deref(), Some("Cats & dogs"));
/// let links: Vec<_> = dom.elements("a").filter_map(|link| link.attribute("href")).collect();
/// assert_eq!(links, ["/cats", "/dogs"]);
/// // Where its tags stand in the text: here the second has no end tag.
/// let last = dom.elements("a").last().unwrap();
/// assert_eq!(last.span().map(|span| &page[span.range()]), Some("<a href=/dogs>"));
/// assert_eq!(last.end_tag(), None);
/// assert_eq!(dom.source(last), Some("<a href=/dogs>dogs"));
/// ```
pub fn parse(text: &str) -> Dom<'_> {
    parsed::parse(text)
}

/// Parses an HTML fragment, as `innerHTML` does where no scripts run: what may stand in an element with the name `context`. Names of
/// SVG and MathML have `svg` or `math` in front: `td`, `body`, `svg path`, `math mi`. The nodes are the children of
/// [`Dom::root`]. `noscript` elements are as for [`parse`]; U+FEFF is text, since a fragment is a string and no file.
///
/// The context has no attributes and no ancestors. In `title`, `textarea`, `style`, `script`, `xmp`, `iframe`, `noembed`, `noframes` and
/// `plaintext` all is text. A name that HTML does not know is a context like `div`.
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
