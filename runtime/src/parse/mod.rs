//! HTML to trees in one call, by the tokenizer and the builder that are generated into this crate.

#[cfg(feature = "encoding")]
mod bytes;
mod context;

use crate::dom::{Dom, DomSink, run};
use crate::generated::parsed::{self, Builder, NAMES, Parser};
use crate::tree::Options;

pub use crate::generated::HTML_REVISION;
#[cfg(feature = "encoding")]
pub use bytes::{parse_bytes, parse_bytes_with};
pub use context::{Context, ContextError};

/// Parses an HTML document, as browsers do where no scripts run. The tree borrows from the text.
///
/// No input is refused and no errors are kept. For scripting and limits see [`parse_with`]. For errors, text in pieces, pauses and
/// other revisions of the standard, use the builders of `speclex-tokenizers`, which make the same trees. What is followed here is the
/// living standard, as in a browser; [`HTML_REVISION`] has its date.
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

/// Parses an HTML document, as [`parse`] does, with options: whether scripts run, and limits of depth, nodes and memory.
///
/// ```
/// use speclex::tree::{Options, Scripting};
/// use speclex::{DomLimit, parse_with};
///
/// let mut options = Options::default();
/// options.scripting = Scripting::Normal;
/// options.depth = Some(512);
/// options.most_memory = Some(100_000);
/// let dom = parse_with("<noscript><p>x</noscript>", &options);
/// assert_eq!(dom.elements("noscript").next().unwrap().text(), "<p>x");
///
/// // Each `p` has copies of all `font` elements before it.
/// let page: String = (0..1_000).map(|n| format!("<p><font size={n}>")).collect();
/// assert_eq!(parse_with(&page, &options).limit(), Some(DomLimit::Memory));
/// ```
pub fn parse_with<'t>(text: &'t str, options: &Options) -> Dom<'t> {
    let sink = DomSink::<false>::with_options(text, &NAMES, options);
    run(Parser::new(Builder::new(sink, options)), text)
}

/// Parses an HTML fragment, as `innerHTML` does where no scripts run: what may stand in a [`Context`], which may be the name of an element:
/// `td`, `body`, `svg path`, `math mi`. The nodes are the children of [`Dom::root`]. `noscript` elements are as for [`parse`];
/// U+FEFF is text, since a fragment is a string and no file.
///
/// In `title`, `textarea`, `style`, `script`, `xmp`, `iframe`, `noembed`, `noframes` and `plaintext` all is text. If the context is not
/// known, take `template`, in which all may stand.
///
/// # Errors
/// When no element's name is spelled as that of the context: `TR`, `svg foreignobject`. The error says what is meant.
///
/// ```
/// # fn main() -> Result<(), speclex::ContextError> {
/// let row = speclex::parse_fragment("<td>One<td>Two", "tr")?;
/// let cells: Vec<_> = row.root().children().map(|cell| cell.text()).collect();
/// assert_eq!(cells, ["One", "Two"]);
/// // In most other elements there are no cells.
/// let text = speclex::parse_fragment("<td>One<td>Two", "body")?;
/// assert_eq!(text.root().inner_html(), "OneTwo");
/// # Ok(())
/// # }
/// ```
pub fn parse_fragment<'t, C>(text: &'t str, context: C) -> Result<Dom<'t>, ContextError>
where
    C: TryInto<Context>,
    ContextError: From<C::Error>,
{
    parse_fragment_with(text, context, &Options::default())
}

/// Parses an HTML fragment, as [`parse_fragment`] does, with options, of which the context's mode is not one: [`Context::in_mode`] says it.
///
/// # Errors
/// As for [`parse_fragment`].
///
/// ```
/// use speclex::tree::{Options, Scripting};
///
/// # fn main() -> Result<(), speclex::ContextError> {
/// let mut options = Options::default();
/// options.scripting = Scripting::Inert;
/// let dom = speclex::parse_fragment_with("<noscript><p>x", "div", &options)?;
/// assert_eq!(dom.root().text(), "<p>x");
/// # Ok(())
/// # }
/// ```
pub fn parse_fragment_with<'t, C>(
    text: &'t str,
    context: C,
    options: &Options,
) -> Result<Dom<'t>, ContextError>
where
    C: TryInto<Context>,
    ContextError: From<C::Error>,
{
    Ok(in_context(text, &context.try_into()?, options))
}

/// Parses a fragment in a context.
pub(crate) fn in_context<'t>(text: &'t str, context: &Context, options: &Options) -> Dom<'t> {
    let sink = DomSink::<false>::with_options(text, &NAMES, options);
    run(Parser::new(context.builder(sink, options)), text)
}
