//! A document that comes as bytes, in pieces.

use alloc::string::String;
use alloc::vec::Vec;

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8};

use super::sniff::{Hints, LOOKED_AT, Sniffed, Source, decide};
use super::source_map::SourceMap;
use crate::feed_error::FeedError;
use crate::machine::Machine;
use crate::tokenizer::Tokenizer;
use crate::utf8::Utf8Decoder;

/// How much text is decoded at once, in bytes.
const PIECE: usize = 1 << 13;

/// Decodes a document for a tokenizer, in the encoding that [`sniff`](super::sniff) finds.
///
/// It keeps bytes until they decide the encoding: at most [`LOOKED_AT`]. Malformed sequences become U+FFFD, as in browsers. A
/// byte order mark becomes U+FEFF, which the tokenizer skips unless it is set otherwise; spans count it.
///
/// ```
/// use speclex::encoding::{ByteStream, Hints};
///
/// let mut stream = ByteStream::new(Hints::html());
/// let mut text = String::new();
/// for piece in [&b"<meta charset=sh"[..], b"ift_jis>\x83", b"\x58"] {
///     stream.decode(piece, |piece| text += piece);
/// }
/// stream.finish(|piece| text += piece);
/// assert_eq!(text, "<meta charset=shift_jis>\u{30B9}");
/// ```
pub struct ByteStream {
    hints: Hints,
    /// What came before the encoding was known.
    waiting: Vec<u8>,
    sniffed: Option<Sniffed>,
    decoding: Decoding,
    wants_map: bool,
    map: Option<SourceMap>,
}

/// How bytes become text.
enum Decoding {
    /// They borrow from the bytes.
    Utf8(Utf8Decoder),
    Other(Decoder, String),
    Ended,
}

impl core::fmt::Debug for ByteStream {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ByteStream")
            .field("hints", &self.hints)
            .field("sniffed", &self.sniffed)
            .finish_non_exhaustive()
    }
}

impl ByteStream {
    /// The start of a document of which this is known.
    pub const fn new(hints: Hints) -> Self {
        Self {
            hints,
            waiting: Vec::new(),
            sniffed: None,
            decoding: Decoding::Utf8(Utf8Decoder::new()),
            wants_map: false,
            map: None,
        }
    }

    /// Call this at the start to have a [`source_map`](Self::source_map).
    pub fn with_source_map(self) -> Self {
        Self {
            wants_map: true,
            ..self
        }
    }

    /// The encoding, once it is known: at the latest when [`LOOKED_AT`] bytes have come, or the end.
    pub const fn sniffed(&self) -> Option<Sniffed> {
        self.sniffed
    }

    /// The map of what has come, if the stream makes one and the encoding is known.
    pub const fn source_map(&self) -> Option<&SourceMap> {
        self.map.as_ref()
    }

    /// Decodes more of the document for a tokenizer.
    ///
    /// # Errors
    /// As for [`Tokenizer::feed_bytes`]; also after a pause all bytes are decoded, and wait in the tokenizer.
    pub fn feed<M: Machine>(
        &mut self,
        tokenizer: &mut Tokenizer<M>,
        bytes: &[u8],
    ) -> Result<(), FeedError> {
        tokenizer.feed_decoded(|feed| self.take(bytes, false, feed))
    }

    /// Decodes what is left, and [ends](Tokenizer::end) the tokenizer.
    ///
    /// # Errors
    /// As for [`Tokenizer::end`]: after a pause, call it again.
    pub fn end<M: Machine>(&mut self, tokenizer: &mut Tokenizer<M>) -> Result<(), FeedError> {
        match tokenizer.feed_decoded(|feed| self.take(&[], true, feed)) {
            Err(error @ FeedError::UnknownContent) => Err(error),
            _ => tokenizer.end(),
        }
    }

    /// Decodes more of the document without a tokenizer. Passes on text in pieces, none of which is empty.
    pub fn decode(&mut self, bytes: &[u8], mut text: impl FnMut(&str)) {
        self.take(bytes, false, &mut |piece, _| text(piece));
    }

    /// Decodes what is left when the document has ended. What comes after that is ignored.
    pub fn finish(&mut self, mut text: impl FnMut(&str)) {
        self.take(&[], true, &mut |piece, _| text(piece));
    }

    /// What a `<meta>` that the tokenizer found changes ([13.2.3.4]), which declares this encoding: see
    /// [`declared_by`](super::declared_by).
    ///
    /// `None`: nothing, the document is read right, or it is certain that it is read in another encoding. Otherwise the document was
    /// read in the wrong encoding so far, and you have the choice. Either continue: what is not ASCII may be wrong. Or start
    /// again, with [`reset`](Tokenizer::reset), a new sink, and a new stream whose [`Hints::encoding`] is the one returned. After
    /// this call the encoding is certain.
    ///
    /// [13.2.3.4]: https://html.spec.whatwg.org/multipage/parsing.html#changing-the-encoding-while-parsing
    pub fn change_encoding(&mut self, declared: &'static Encoding) -> Option<&'static Encoding> {
        self.sniffed.as_mut()?.change(declared)
    }

    /// Decodes; before the encoding is known, keeps what does not decide it. Says of each piece whether the document begins
    /// with a byte order mark.
    fn take(&mut self, bytes: &[u8], last: bool, out: &mut dyn FnMut(&str, bool)) {
        if let Some(sniffed) = self.sniffed {
            return self.pass_on(sniffed, bytes, last, out);
        }
        // Nothing is copied if the first piece decides.
        if self.waiting.is_empty()
            && let Some(sniffed) = decide(bytes, &self.hints, last)
        {
            self.start(sniffed);
            return self.pass_on(sniffed, bytes, last, out);
        }
        let missing = LOOKED_AT - self.waiting.len();
        let (now, later) = bytes.split_at(missing.min(bytes.len()));
        self.waiting.extend_from_slice(now);
        if let Some(sniffed) = decide(&self.waiting, &self.hints, last) {
            self.start(sniffed);
            let waiting = core::mem::take(&mut self.waiting);
            self.pass_on(sniffed, &waiting, false, out);
            self.pass_on(sniffed, later, last, out);
        }
    }

    fn start(&mut self, sniffed: Sniffed) {
        let encoding = sniffed.encoding;
        self.sniffed = Some(sniffed);
        self.map = self.wants_map.then(|| SourceMap::new(encoding));
        if encoding != UTF_8 {
            let decoder = encoding.new_decoder_without_bom_handling();
            self.decoding = Decoding::Other(decoder, String::with_capacity(PIECE));
        }
    }

    fn pass_on(
        &mut self,
        sniffed: Sniffed,
        bytes: &[u8],
        last: bool,
        out: &mut dyn FnMut(&str, bool),
    ) {
        let is_marked = sniffed.source == Source::ByteOrderMark;
        match &mut self.decoding {
            Decoding::Utf8(decoder) => decoder.decode(bytes, last, |text| out(text, is_marked)),
            Decoding::Other(decoder, text) => {
                let mut rest = bytes;
                loop {
                    text.clear();
                    let (result, read, _) = decoder.decode_to_string(rest, text, last);
                    if !text.is_empty() {
                        out(text, is_marked);
                    }
                    rest = &rest[read..];
                    if result == CoderResult::InputEmpty {
                        break;
                    }
                }
            }
            Decoding::Ended => return,
        }
        if let Some(map) = &mut self.map {
            map.push(bytes);
        }
        if last {
            self.decoding = Decoding::Ended;
        }
    }
}
