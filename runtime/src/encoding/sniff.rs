//! The encoding sniffing algorithm.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::meta::{is_space, of_content_type};
use super::prescan::{meant, of_xml_declaration, prescan};

/// How many bytes at the start of a page may declare its encoding: authors must not do it later.
pub const LOOKED_AT: usize = 1024;

/// Whose rules find the encoding.
#[derive(Clone, Copy, Debug)]
enum Language {
    Html,
    Xml,
}

/// What is known of a document beside its bytes.
///
/// ```
/// use speclex::encoding::encoding_rs::{KOI8_R, WINDOWS_1251};
/// use speclex::encoding::{Confidence, Hints, Source, sniff};
///
/// let hints = Hints::html().content_type("text/html; charset=koi8-r");
/// let sniffed = sniff(b"<meta charset=utf-8>", &hints);
/// assert_eq!((sniffed.encoding, sniffed.confidence), (KOI8_R, Confidence::Certain));
///
/// let sniffed = sniff(b"<p>", &Hints::html().fallback(WINDOWS_1251));
/// assert_eq!((sniffed.encoding, sniffed.source), (WINDOWS_1251, Source::Fallback));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hints {
    language: Language,
    chosen: Option<&'static Encoding>,
    transport: Option<&'static Encoding>,
    fallback: &'static Encoding,
}

impl Hints {
    /// For HTML: a page that does not declare its encoding is windows-1252.
    pub const fn html() -> Self {
        Self::of(Language::Html, WINDOWS_1252)
    }

    /// For XML: a document that does not declare its encoding is UTF-8.
    pub const fn xml() -> Self {
        Self::of(Language::Xml, UTF_8)
    }

    const fn of(language: Language, fallback: &'static Encoding) -> Self {
        Self {
            language,
            chosen: None,
            transport: None,
            fallback,
        }
    }

    /// The encoding is this one, whatever the header and the document declare: the user chose it, or a `<meta>` was found in
    /// an earlier pass. Only a byte order mark outweighs it.
    pub const fn encoding(self, encoding: &'static Encoding) -> Self {
        Self {
            chosen: Some(encoding),
            ..self
        }
    }

    /// The value of the header `Content-Type` that came with the document. It outweighs what the document declares.
    pub fn content_type(self, header: &str) -> Self {
        Self {
            transport: of_content_type(header),
            ..self
        }
    }

    /// The encoding of documents that declare none. Browsers choose it by the user's language.
    pub const fn fallback(self, encoding: &'static Encoding) -> Self {
        Self {
            fallback: encoding,
            ..self
        }
    }
}

/// Where an encoding comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// The document begins with a byte order mark.
    ByteOrderMark,
    /// [`Hints::encoding`].
    Chosen,
    /// [`Hints::content_type`].
    ContentType,
    /// The document begins with `<?` in UTF-16.
    FirstBytes,
    /// A `<meta>`: in the first [`LOOKED_AT`] bytes, or, if it was found while the document was parsed, a later one.
    Meta,
    /// The XML declaration, in XML or in HTML.
    XmlDeclaration,
    /// [`Hints::fallback`]: nothing else is known.
    Fallback,
}

/// Whether a `<meta>` that the tokenizer finds may still change the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Confidence {
    /// It may.
    Tentative,
    /// It may not.
    Certain,
}

/// An encoding, and why it is that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sniffed {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// Where it comes from.
    pub source: Source,
    /// Whether it may still change.
    pub confidence: Confidence,
}

impl Sniffed {
    /// What a `<meta>` that the tokenizer found changes, which declares this encoding (13.2.3.4): in which the document is to be read
    /// again, if that is another. The encoding is certain then.
    pub(crate) fn change(&mut self, declared: &'static Encoding) -> Option<&'static Encoding> {
        let before = core::mem::replace(&mut self.confidence, Confidence::Certain);
        let is_changed = before == Confidence::Tentative
            && self.encoding != UTF_16BE
            && self.encoding != UTF_16LE
            && self.encoding != meant(declared);
        is_changed.then(|| meant(declared))
    }
}

/// The encoding of a document that begins with these bytes, as browsers find it. It looks at the first [`LOOKED_AT`] bytes at
/// most, so pass as many, or the whole document if it is shorter.
///
/// For HTML this is the standard's encoding sniffing algorithm ([13.2.3.2]), with what it leaves open decided so: the prescan ends
/// after [`LOOKED_AT`] bytes, and no encoding is guessed from the text. For XML these decide: a byte order mark, the hints, the first
/// bytes of UTF-16, the declaration's `encoding`.
///
/// [13.2.3.2]: https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
pub fn sniff(bytes: &[u8], hints: &Hints) -> Sniffed {
    look(bytes, hints).0
}

/// The same while bytes come: `None` if more of them may change it. `is_all` says that no more come.
pub(super) fn decide(bytes: &[u8], hints: &Hints, is_all: bool) -> Option<Sniffed> {
    let (sniffed, may_change) = look(bytes, hints);
    (is_all || !may_change || bytes.len() >= LOOKED_AT).then_some(sniffed)
}

const BYTE_ORDER_MARKS: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE"];

/// How HTML and XML begin in UTF-16 without a byte order mark. That of HTML is longer for historical reasons.
const HTML_IN_UTF_16: [(&[u8], &Encoding); 2] =
    [(b"<\0?\0x\0", UTF_16LE), (b"\0<\0?\0x", UTF_16BE)];
const XML_IN_UTF_16: [(&[u8], &Encoding); 2] = [(b"<\0?\0", UTF_16LE), (b"\0<\0?", UTF_16BE)];

const XML_DECLARATION: &[u8] = b"<?xml";

/// The encoding of a document that has these bytes, and whether it may be another if more come.
fn look(bytes: &[u8], hints: &Hints) -> (Sniffed, bool) {
    use Confidence::{Certain, Tentative};
    let found = |encoding, source, confidence| Sniffed {
        encoding,
        source,
        confidence,
    };
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    let may_become = |start: &[u8]| start.starts_with(head);
    if let Some((encoding, _)) = Encoding::for_bom(head) {
        return (found(encoding, Source::ByteOrderMark, Certain), false);
    }
    let is_open = BYTE_ORDER_MARKS.into_iter().any(may_become);
    if let Some(encoding) = hints.chosen {
        return (found(encoding, Source::Chosen, Certain), is_open);
    }
    if let Some(encoding) = hints.transport {
        return (found(encoding, Source::ContentType, Certain), is_open);
    }
    let (in_utf_16, confidence) = match hints.language {
        Language::Html => (HTML_IN_UTF_16, Tentative),
        // The tokenizer finds nothing later.
        Language::Xml => (XML_IN_UTF_16, Certain),
    };
    if let Some((_, encoding)) = in_utf_16.iter().find(|(start, _)| head.starts_with(start)) {
        return (found(encoding, Source::FirstBytes, confidence), false);
    }
    let (declaration, is_open) = match hints.language {
        Language::Html => {
            if let Some(encoding) = prescan(head) {
                return (found(encoding, Source::Meta, confidence), false);
            }
            (Some(head), true)
        }
        Language::Xml => {
            let end = head.iter().position(|byte| *byte == b'>');
            let is_declaration = head
                .strip_prefix(XML_DECLARATION)
                .is_some_and(|rest| rest.first().is_none_or(|byte| is_space(*byte)));
            let declaration = end.map(|end| &head[..=end]).filter(|_| is_declaration);
            let mut starts = in_utf_16.iter().map(|(start, _)| *start);
            let is_open = is_open
                || starts.any(may_become)
                || may_become(XML_DECLARATION)
                || is_declaration && end.is_none();
            (declaration, is_open)
        }
    };
    let sniffed = match declaration.and_then(of_xml_declaration) {
        Some(encoding) => found(encoding, Source::XmlDeclaration, confidence),
        None => found(hints.fallback, Source::Fallback, confidence),
    };
    (sniffed, is_open)
}
