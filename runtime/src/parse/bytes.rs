//! Documents that come as bytes.

use alloc::borrow::Cow;

use crate::byte_order_mark::ByteOrderMark;
use crate::dom::{Dom, DomSink};
use crate::encoding::{Confidence, Hints, Sniffed, Source, sniff};
use crate::generated::parsed::{Builder, NAMES, Parser};
use crate::limits::Limits;
use crate::tree::Options;

/// Parses the bytes of an HTML document, whose encoding is found as browsers find it: the tree, and the encoding with where it comes
/// from. With the feature `encoding`.
///
/// A `<meta>` may stand behind the bytes that [`sniff`] looks at. If it declares another encoding, and the one that was found is only
/// [tentative](crate::encoding::Confidence::Tentative), the document is parsed again from its start, once ([13.2.3.4]).
///
/// Malformed sequences become U+FFFD, and a byte order mark is skipped. Spans count the decoded text, which is [`Dom::input`], with its
/// mark: of well-formed UTF-8 they are ranges of the bytes, from which the tree borrows then. For the others a
/// [`SourceMap`](crate::encoding::SourceMap) has the places in the bytes.
///
/// ```
/// use speclex::encoding::encoding_rs::{SHIFT_JIS, WINDOWS_1252};
/// use speclex::encoding::{Hints, Source};
///
/// let (dom, found) = speclex::parse_bytes(b"<meta charset=sjis><title>\x83X</title>", &Hints::html());
/// assert_eq!((found.encoding, found.source), (SHIFT_JIS, Source::Meta));
/// assert_eq!(dom.elements("title").next().unwrap().text(), "\u{30B9}");
///
/// let (dom, found) = speclex::parse_bytes(b"<p>caf\xE9", &Hints::html());
/// assert_eq!((found.encoding, found.source), (WINDOWS_1252, Source::Fallback));
/// assert_eq!(dom.elements("p").next().unwrap().text(), "café");
/// ```
///
/// [13.2.3.4]: https://html.spec.whatwg.org/multipage/parsing.html#changing-the-encoding-while-parsing
pub fn parse_bytes<'t>(bytes: &'t [u8], hints: &Hints) -> (Dom<'t>, Sniffed) {
    parse_bytes_with(bytes, hints, &Options::default())
}

/// Parses the bytes of an HTML document, as [`parse_bytes`] does, with the options of [`parse_with`](crate::parse_with).
///
/// ```
/// use speclex::encoding::Hints;
/// use speclex::tree::Options;
///
/// let mut options = Options::default();
/// options.most_nodes = Some(100);
/// let page = b"<br>".repeat(1_000);
/// let (dom, _) = speclex::parse_bytes_with(&page, &Hints::html(), &options);
/// assert_eq!(dom.limit(), Some(speclex::DomLimit::Nodes));
/// ```
pub fn parse_bytes_with<'t>(
    bytes: &'t [u8],
    hints: &Hints,
    options: &Options,
) -> (Dom<'t>, Sniffed) {
    let mut sniffed = sniff(bytes, hints);
    loop {
        let (text, _) = sniffed.encoding.decode_without_bom_handling(bytes);
        let dom = match &text {
            Cow::Borrowed(text) => decoded(text, &mut sniffed, options),
            Cow::Owned(text) => decoded(text, &mut sniffed, options).map(Dom::into_owned),
        };
        // It is certain after a change: there is no second.
        if let Some(dom) = dom {
            return (dom, sniffed);
        }
    }
}

/// Parses a decoded document. `None`, and another encoding, if a `<meta>` says that it must be decoded otherwise.
fn decoded<'t>(text: &'t str, sniffed: &mut Sniffed, options: &Options) -> Option<Dom<'t>> {
    let mut sink = DomSink::<false>::with_options(text, &NAMES, options);
    sink.pauses_at_encoding = sniffed.confidence == Confidence::Tentative;
    let mut parser = Parser::new(Builder::new(sink, options));
    parser.without_reminder();
    parser.set_limits(Limits::MAX);
    parser.set_byte_order_mark(ByteOrderMark::Skip);
    let mut rest = text;
    while !rest.is_empty() {
        let piece = parser.sink().sink.piece(rest);
        // A token that is too large is in a text that is too large, which the tree says.
        let Ok(used) = parser.feed_until_pause(piece) else {
            break;
        };
        let declared = parser.sink().sink.declared_encoding.take();
        if let Some(encoding) = declared.and_then(|declared| sniffed.change(declared)) {
            (sniffed.encoding, sniffed.source) = (encoding, Source::Meta);
            return None;
        }
        if parser.sink().sink.is_full() {
            return Some(parser.into_sink().into_sink().finish());
        }
        rest = &rest[used..];
    }
    let _ = parser.end();
    Some(parser.into_sink().into_sink().finish())
}
