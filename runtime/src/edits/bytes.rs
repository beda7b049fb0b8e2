//! Edits of the bytes of a document in any encoding.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_16BE, UTF_16LE};

use crate::encoding::{Hints, SourceMap};
use crate::parse::parse_bytes_with;

use super::Edits;
use super::error::{EditError, EditErrorKind, Refused};
use super::session::{Others, Session};
use super::splice::spliced;

impl Edits<'_> {
    /// The bytes of a document with all edits, where the tree is that of [`parse_bytes`](crate::parse_bytes) for these bytes and hints. All other
    /// bytes stay, malformed ones too. Characters that the encoding does not have are written as references. With the feature `encoding`.
    ///
    /// # Errors
    /// As [`apply`](Self::apply), and if the result is read in another encoding, as after an edit of `<meta charset>`, or if the encoding
    /// is ISO-2022-JP, where bytes depend on those before.
    ///
    /// ```
    /// use speclex::encoding::Hints;
    ///
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let page = b"<meta charset=latin1><p title=x>caf\xE9";
    /// let (dom, _) = speclex::parse_bytes(page, &Hints::html());
    /// let mut edits = speclex::Edits::new(&dom);
    /// edits.set_attribute(dom.elements("p").next().unwrap(), "title", "th\u{E9} \u{2603}");
    /// let page = edits.apply_bytes(page, &Hints::html())?;
    /// assert_eq!(page, b"<meta charset=latin1><p title=\"th\xE9 &#9731;\">caf\xE9");
    /// # Ok(())
    /// # }
    /// ```
    pub fn apply_bytes(&self, bytes: &[u8], hints: &Hints) -> Result<Vec<u8>, EditError> {
        let others = Others::new(&self.also);
        let options = self.dom.options();
        let (old, found) = parse_bytes_with(bytes, hints, options);
        let encoding = found.encoding;
        let rewrite = |text: &str| {
            let bytes = encoded(text, encoding);
            let (text, _) = encoding.decode_without_bom_handling(&bytes);
            text.into_owned()
        };
        let session = Session::new(self.dom, &self.list, &others, Some(&rewrite));
        let Some(number) = self.list.len().checked_sub(1) else {
            return Ok(bytes.to_vec());
        };
        let kind = EditErrorKind::Encoding;
        let refused = || {
            session.error(Refused {
                number,
                kind: kind.clone(),
            })
        };
        if [ISO_2022_JP, REPLACEMENT].contains(&encoding) || old.input() != self.dom.input() {
            return Err(refused());
        }
        let splices = session.all()?;
        let mut map = SourceMap::new(encoding);
        map.push(bytes);
        let mut out = Vec::with_capacity(bytes.len() + 64);
        let mut from = 0;
        for splice in &splices {
            let range = map.range(splice.span, bytes);
            let (start, end) = (range.start as usize, range.end as usize);
            out.extend_from_slice(bytes.get(from..start).unwrap_or_default());
            out.extend_from_slice(&encoded(&splice.text, encoding));
            from = end;
        }
        out.extend_from_slice(bytes.get(from..).unwrap_or_default());
        let text: String = spliced(old.input(), &splices);
        let (new, found) = parse_bytes_with(&out, hints, options);
        match found.encoding == encoding && new.input() == text {
            true => Ok(out),
            false => Err(refused()),
        }
    }
}

/// Text in an encoding.
fn encoded<'t>(text: &'t str, encoding: &'static Encoding) -> Cow<'t, [u8]> {
    let units = text.encode_utf16();
    match encoding {
        it if it == UTF_16BE => units.flat_map(u16::to_be_bytes).collect::<Vec<_>>().into(),
        it if it == UTF_16LE => units.flat_map(u16::to_le_bytes).collect::<Vec<_>>().into(),
        it => it.encode(text).0,
    }
}
