//! Encodings by name, and documents that are not UTF-8 as such that are.

use std::io::{self, Read};

use speclex::encoding::encoding_rs::Encoding;
use speclex::encoding::{ByteStream, Hints};

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
}

impl Decoded {
    pub(crate) fn new(from: Box<dyn Read>, hints: Hints) -> Self {
        Self {
            from,
            stream: Some(ByteStream::new(hints)),
            text: Vec::new(),
            used: 0,
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
                0 => {
                    stream.finish(add);
                    self.stream = None;
                }
                read => stream.decode(&bytes[..read], add),
            }
        }
        let read = (&self.text[self.used..]).read(into)?;
        self.used += read;
        Ok(read)
    }
}
