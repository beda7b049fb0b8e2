//! XML to trees in one call, by the tokenizer and the builder of the XML5 draft that are generated into this crate.

mod namespaces;

use crate::dom::{Dom, DomSink, run};
use crate::generated::parsed_xml::{Builder, NAMES, Parser};
use crate::tree::Options;

pub use crate::generated::XML_REVISION;
pub use namespaces::{ExpandedName, Namespaces};

/// Parses XML by the [XML5 draft], which says what becomes of any text: broken XML has a tree, too, and errors with places:
/// [`Dom::errors`] and [`Dom::tokenizer_errors`]. The tree borrows from the text.
///
/// Names are kept as they are written, with their prefixes, and no namespace is resolved, since the draft leaves that open: elements are in
/// [no namespace](crate::tree::Space::None), so [`Dom::elements_in_all_namespaces`] finds them. [`Namespaces`] resolves them after that.
/// The five names that XML predefines are characters; another reference is a node of its own
/// ([`NodeKind::EntityReference`](crate::NodeKind::EntityReference)), since no DTD is read. What follows the root element is not part of
/// the tree but for comments and processing instructions.
///
/// [XML5 draft]: https://ygg01.github.io/xml5_draft/
///
/// ```
/// let text = "<list xmlns:x='urn:x'><x:item id='1'>Fish &amp; chips</x:item><x:item>&peas;</list>";
/// let dom = speclex::xml::parse(text);
/// let items: Vec<_> = dom.elements_in_all_namespaces("x:item").collect();
/// assert_eq!(items[0].attribute("id"), Some("1"));
/// assert_eq!(items[0].text(), "Fish & chips");
/// assert_eq!(dom.source(items[0]), Some("<x:item id='1'>Fish &amp; chips</x:item>"));
/// let reference = items[1].first_child().map(|node| node.kind());
/// assert_eq!(reference, Some(speclex::NodeKind::EntityReference("peas")));
/// // The end tag of the list comes where that of an item is missing.
/// let places: Vec<_> = dom.errors().iter().map(|error| &text[error.offset as usize..]).collect();
/// assert_eq!(places, ["</list>"]);
/// ```
pub fn parse(text: &str) -> Dom<'_> {
    parse_with(text, &Options::default())
}

/// Parses XML, as [`parse`] does, with limits of depth, nodes and memory.
///
/// ```
/// let mut options = speclex::tree::Options::default();
/// options.depth = Some(2);
/// let dom = speclex::xml::parse_with("<a><b><c>text</c></b></a>", &options);
/// assert_eq!(dom.dump(), "| <a>\n|   <b>\n|     <c>\n|     \"text\"\n");
/// ```
pub fn parse_with<'t>(text: &'t str, options: &Options) -> Dom<'t> {
    let sink = DomSink::<true>::with_options(text, &NAMES, options);
    run(Parser::new(Builder::new(sink, options)), text)
}
