//! A document, read piece by piece.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::Failure;

/// How many bytes are read at once.
const PIECE: usize = 1 << 14;

/// A file or the standard input, as text: malformed sequences become U+FFFD.
pub(super) struct Document {
    from: Box<dyn Read>,
    path: PathBuf,
    /// What was read and not handed on: the start of a character.
    bytes: Vec<u8>,
    text: String,
}

impl Document {
    pub(super) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let path = path.filter(|path| *path != Path::new("-"));
        let from: Box<dyn Read> = match path {
            Some(path) => Box::new(File::open(path).map_err(Failure::io("cannot read", path))?),
            None => Box::new(io::stdin().lock()),
        };
        Ok(Self {
            from,
            path: path.unwrap_or(Path::new("")).to_owned(),
            bytes: Vec::new(),
            text: String::new(),
        })
    }

    /// One that is read from something else.
    pub(super) fn of(from: impl Read + 'static) -> Self {
        Self {
            from: Box::new(from),
            path: PathBuf::new(),
            bytes: Vec::new(),
            text: String::new(),
        }
    }

    /// The next piece; `None` at the end.
    pub(super) fn piece(&mut self) -> Result<Option<&str>, Failure> {
        self.text.clear();
        while self.text.is_empty() {
            let before = self.bytes.len();
            self.bytes.resize(before + PIECE, 0);
            let read = loop {
                match self.from.read(&mut self.bytes[before..]) {
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    other => break other,
                }
            };
            let what = if self.path.as_os_str().is_empty() {
                "cannot read the standard input"
            } else {
                "cannot read"
            };
            let read = read.map_err(Failure::io(what, &self.path))?;
            self.bytes.truncate(before + read);
            if read == 0 {
                if self.bytes.is_empty() {
                    return Ok(None);
                }
                // The input ends inside a character.
                self.text.push(char::REPLACEMENT_CHARACTER);
                self.bytes.clear();
                break;
            }
            self.decode();
        }
        Ok(Some(&self.text))
    }

    /// Decodes what is there, up to a character that has not come whole.
    fn decode(&mut self) {
        let mut rest = self.bytes.as_slice();
        let left = loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.text.push_str(text);
                    break 0;
                }
                Err(e) => {
                    let (valid, after) = rest.split_at(e.valid_up_to());
                    self.text.push_str(&String::from_utf8_lossy(valid));
                    let Some(wrong) = e.error_len() else {
                        break after.len();
                    };
                    self.text.push(char::REPLACEMENT_CHARACTER);
                    rest = &after[wrong..];
                }
            }
        };
        let used = self.bytes.len() - left;
        self.bytes.drain(..used);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes one by one.
    struct Slow(Vec<u8>);

    impl Read for Slow {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            to[0] = self.0.remove(0);
            Ok(1)
        }
    }

    #[test]
    fn pieces_are_what_the_whole_would_be() {
        let inputs: [&[u8]; 6] = [
            b"",
            "a€\u{1F600}b".as_bytes(),
            b"a\xFFb\xE2\x82c\xF0\x9F\x98",
            b"\xE2\x82",
            b"\xF0\x9F\xE2\x82\xAC",
            b"\xED\xA0\x80",
        ];
        for input in inputs {
            let mut document = Document::of(Slow(input.to_vec()));
            let mut text = String::new();
            while let Ok(Some(piece)) = document.piece() {
                text.push_str(piece);
            }
            assert_eq!(text, String::from_utf8_lossy(input));
        }
    }
}
