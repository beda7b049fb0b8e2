//! Bytes to text: the encoding of a page, and where its tokens are in its bytes.
//!
//! With the feature `encoding`. [`sniff`] finds the encoding as browsers do. A [`ByteStream`] does so while the bytes come, and decodes them for a
//! tokenizer. A [`SourceMap`] finds the original bytes of a [`Span`](crate::Span). Encodings, and how they are decoded, are
//! those of the Encoding Standard; the crate `encoding_rs` has them.
//!
//! ```
//! use speclex::encoding::encoding_rs::SHIFT_JIS;
//! use speclex::encoding::{Hints, Source, sniff};
//!
//! let sniffed = sniff(b"<title>\x83X</title><meta charset=sjis>", &Hints::html());
//! assert_eq!((sniffed.encoding, sniffed.source), (SHIFT_JIS, Source::Meta));
//! ```

mod meta;
mod prescan;
mod shift;
mod sniff;
mod source_map;
mod stream;
#[cfg(test)]
mod testing;

pub use encoding_rs;
pub use encoding_rs::Encoding;
pub use meta::declared_by;
pub use sniff::{Confidence, Hints, LOOKED_AT, Sniffed, Source, sniff};
pub use source_map::SourceMap;
pub use stream::ByteStream;
