//! Documents of files and of the standard input: whole, or in chunks.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

#[cfg(feature = "encoding")]
use speclex::encoding::{ByteStream, Hints, LOOKED_AT, encoding_rs::UTF_8};
use speclex_codegen::escape;

#[cfg(feature = "encoding")]
use crate::encoding::Decoded;
use crate::{Failure, terminal};

/// How many bytes are read at once.
const CHUNK: usize = 1 << 14;

/// How far the first word of a document is looked for.
const FAR: usize = 1 << 10;

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Whether a path means the standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// A document's text, and whether its bytes were UTF-8: malformed sequences become U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.into(), true),
        Err(_) => (String::from_utf8_lossy(bytes), false),
    }
}

/// A file. A folder can be opened on some systems, but not read.
fn opened(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    match file.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(file),
    }
}

/// A file or the standard input in chunks of text: malformed sequences become U+FFFD. The first one is told on the standard
/// error.
pub(crate) struct Chunks {
    from: Box<dyn Read>,
    path: PathBuf,
    /// What was read and not handed on: the start of a character.
    bytes: Vec<u8>,
    /// How many bytes were read before those.
    before: u64,
    /// Whether all bytes so far were UTF-8.
    valid: bool,
    text: String,
}

impl Chunks {
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let path = path.filter(|path| !is_standard_input(path));
        let from: Box<dyn Read> = match path {
            Some(path) => Box::new(opened(path).map_err(Failure::io("cannot read", path))?),
            None => Box::new(io::stdin().lock()),
        };
        Ok(Self::new(from, path.unwrap_or(Path::new(""))))
    }

    /// The chunks of something else.
    pub(crate) fn of(from: impl Read + 'static) -> Self {
        Self::new(Box::new(from), Path::new(""))
    }

    fn new(from: Box<dyn Read>, path: &Path) -> Self {
        Self {
            from,
            path: path.to_owned(),
            bytes: Vec::new(),
            before: 0,
            valid: true,
            text: String::new(),
        }
    }

    /// Whether the document begins with a word, perhaps after a byte order mark and whitespace. Reads no further than it has to:
    /// somebody may be typing.
    pub(crate) fn begin_with(&mut self, word: &[u8]) -> Result<bool, Failure> {
        let text = |start: &[u8]| {
            let marked = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
            marked.trim_ascii_start().to_owned()
        };
        let start = self.start(|start| {
            let text = text(start);
            let is_open = BYTE_ORDER_MARK.starts_with(start) || word.starts_with(&text);
            text.len() >= word.len() || !is_open || start.len() >= FAR
        })?;
        Ok(text(&start).starts_with(word))
    }

    /// Reads until that is enough, or to the end. What it reads is in the chunks all the same.
    fn start(&mut self, is_enough: impl Fn(&[u8]) -> bool) -> Result<Vec<u8>, Failure> {
        let mut start = Vec::new();
        while !is_enough(&start) {
            let mut more = [0; 64];
            let read = self.read(&mut more)?;
            start.extend(&more[..read]);
            if read == 0 {
                self.from = Box::new(io::empty());
                break;
            }
        }
        let rest = std::mem::replace(&mut self.from, Box::new(io::empty()));
        self.from = Box::new(io::Cursor::new(start.clone()).chain(rest));
        Ok(start)
    }

    /// Finds the encoding of the document, which is read in it from then on. Returns a stream that knows it.
    #[cfg(feature = "encoding")]
    pub(crate) fn sniff(&mut self, mut hints: Hints) -> Result<ByteStream, Failure> {
        let decided = |start: &[u8], hints| {
            let mut stream = ByteStream::new(hints);
            stream.decode(start, |_| {});
            stream
        };
        let start = self.start(|start| decided(start, hints).sniffed().is_some())?;
        // The standard lets browsers look whether a file is UTF-8, which is hard to mistake.
        let is_utf_8 = match std::str::from_utf8(&start) {
            Ok(_) => true,
            // Only a character that is cut off there.
            Err(e) => e.error_len().is_none() && start.len() >= LOOKED_AT,
        };
        if is_utf_8 {
            hints = hints.fallback(UTF_8);
        }
        let mut stream = decided(&start, hints);
        stream.finish(|_| {});
        if stream
            .sniffed()
            .is_some_and(|sniffed| sniffed.encoding != UTF_8)
        {
            let from = std::mem::replace(&mut self.from, Box::new(io::empty()));
            self.from = Box::new(Decoded::new(from, hints, self.name()));
        }
        Ok(stream)
    }

    /// Where it is; empty for the standard input.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The document's name, for people.
    pub(crate) fn name(&self) -> String {
        match self.path.as_os_str().is_empty() {
            true => "the standard input".to_owned(),
            false => escape::line(&self.path.display().to_string()),
        }
    }

    /// Reads some bytes; none at the end.
    fn read(&mut self, into: &mut [u8]) -> Result<usize, Failure> {
        let read = loop {
            match self.from.read(into) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        read.map_err(|error| match self.path.as_os_str().is_empty() {
            true => Failure::input(error),
            false => Failure::io("cannot read", &self.path)(error),
        })
    }

    /// The next chunk; `None` at the end.
    pub(crate) fn next_chunk(&mut self) -> Result<Option<&str>, Failure> {
        self.text.clear();
        while self.text.is_empty() {
            let before = self.bytes.len();
            let mut bytes = std::mem::take(&mut self.bytes);
            bytes.resize(before + CHUNK, 0);
            let read = self.read(&mut bytes[before..])?;
            bytes.truncate(before + read);
            self.bytes = bytes;
            if read == 0 {
                if self.bytes.is_empty() {
                    return Ok(None);
                }
                // The input ends inside a character.
                self.text.push(char::REPLACEMENT_CHARACTER);
                self.warn(0);
                self.bytes.clear();
                break;
            }
            self.decode();
        }
        Ok(Some(&self.text))
    }

    /// The text of all chunks that are left.
    pub(crate) fn joined(&mut self) -> Result<String, Failure> {
        let mut text = String::new();
        while let Some(chunk) = self.next_chunk()? {
            text.push_str(chunk);
        }
        Ok(text)
    }

    /// Decodes what is there, up to a character that has not come whole.
    fn decode(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        let mut rest = bytes.as_slice();
        let left = loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.text.push_str(text);
                    break 0;
                }
                Err(e) => {
                    let (valid, after) = rest.split_at(e.valid_up_to());
                    self.text.push_str(&String::from_utf8_lossy(valid));
                    let Some(malformed) = e.error_len() else {
                        break after.len();
                    };
                    self.text.push(char::REPLACEMENT_CHARACTER);
                    self.warn(bytes.len() - after.len());
                    rest = &after[malformed..];
                }
            }
        };
        let used = bytes.len() - left;
        self.bytes = bytes;
        self.bytes.drain(..used);
        self.before += used as u64;
    }

    /// Tells that the bytes here are not UTF-8, if they are the first.
    fn warn(&mut self, at: usize) {
        if std::mem::replace(&mut self.valid, false) {
            let name = self.name();
            let offset = self.before + at as u64;
            terminal::note(format_args!(
                "warning: {name} is not UTF-8, first at byte {offset}: such bytes are read as U+FFFD"
            ));
        }
    }
}
