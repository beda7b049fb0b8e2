//! Encodings by name, and documents that are not UTF-8 as such that are.

use std::io::{self, Read};

use speclex::encoding::encoding_rs::{Encoding, GB18030, UTF_16BE, UTF_16LE};
use speclex::encoding::{ByteStream, Hints};

use crate::terminal;

/// The names of the Encoding Standard, for suggestions.
const NAMES: [&str; 40] = [
    "big5",
    "euc-jp",
    "euc-kr",
    "gb18030",
    "gbk",
    "ibm866",
    "iso-2022-jp",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "replacement",
    "shift_jis",
    "utf-16be",
    "utf-16le",
    "utf-8",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "windows-874",
    "x-mac-cyrillic",
    "x-user-defined",
];

/// The encoding with this label, by whatever name the standard knows it.
pub(crate) fn named(label: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(label.as_bytes()).ok_or_else(|| {
        let meant = speclex_codegen::closest(&label.to_lowercase(), NAMES);
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        format!("the Encoding Standard has no encoding of this name{meant}")
    })
}

/// A document in UTF-8 that another reader gives in another encoding.
pub(crate) struct Decoded {
    from: Box<dyn Read>,
    /// `None` at the end.
    stream: Option<ByteStream>,
    text: Vec<u8>,
    /// How much of the text is handed on.
    used: usize,
    /// The document's name, until it is said that some bytes are malformed.
    unwarned: Option<String>,
}

impl Decoded {
    pub(crate) fn new(from: Box<dyn Read>, hints: Hints, name: String) -> Self {
        Self {
            from,
            stream: Some(ByteStream::new(hints)),
            text: Vec::new(),
            used: 0,
            unwarned: Some(name),
        }
    }

    /// Tells that some bytes are malformed, once. Of U+FFFD in some encodings it is not known whether it stands there as such.
    fn warn(&mut self, encoding: &'static Encoding) {
        let is_written = [GB18030, UTF_16BE, UTF_16LE].contains(&encoding);
        let is_malformed = || self.text.windows(3).any(|it| it == "\u{FFFD}".as_bytes());
        if !is_written && self.unwarned.is_some() && is_malformed() {
            let name = self.unwarned.take().unwrap_or_default();
            let encoding = encoding.name();
            terminal::note(format_args!(
                "warning: {name} is not {encoding} everywhere: such bytes are read as U+FFFD"
            ));
        }
    }
}

impl Read for Decoded {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.used == self.text.len()
            && let Some(stream) = &mut self.stream
        {
            self.text.clear();
            self.used = 0;
            let mut bytes = [0; 4096];
            let read = self.from.read(&mut bytes)?;
            let text = &mut self.text;
            let add = |piece: &str| text.extend_from_slice(piece.as_bytes());
            match read {
                0 => stream.finish(add),
                read => stream.decode(&bytes[..read], add),
            }
            let sniffed = stream.sniffed();
            if read == 0 {
                self.stream = None;
            }
            if let Some(sniffed) = sniffed {
                self.warn(sniffed.encoding);
            }
        }
        let read = (&self.text[self.used..]).read(into)?;
        self.used += read;
        Ok(read)
    }
}
