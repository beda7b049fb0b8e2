//! From arguments to documents: files, folders, lists of files, records of the standard input.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use speclex_analysis::survey::Name;

use super::progress::Progress;
use super::records::{self, TooLong};
use crate::args::{Documents, Records};
use crate::document::is_standard_input;
use crate::files::{Entry, Files};

impl Documents {
    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        !self.inputs.is_empty() || self.files_from.is_some()
    }

    /// How many bytes a document may have.
    pub(super) fn longest(&self) -> u64 {
        u64::from(self.max_size) << 20
    }
}

/// Something to be read.
pub(super) type Input = Box<dyn Read + Send>;

/// Work on a document.
pub(super) enum Job {
    /// Compare this.
    Document(Name, Vec<u8>),
    /// Read it to its end and compare it.
    File(Name, Input),
    /// Count what could not be read.
    NotRead(Name, String),
    /// Count what is no document to compare.
    LeftOut(&'static str, u64),
}

/// How many bytes a document has for which no buffer grows.
const FIRST: usize = 1 << 18;

/// Why a document is not read.
fn too_long(longest: u64) -> String {
    format!("it is longer than {} MiB (--max-size)", longest >> 20)
}

/// What makes jobs of inputs.
pub(super) struct Source<'a> {
    pub(super) args: &'a Documents,
    pub(super) progress: &'a Progress,
    pub(super) send: &'a dyn Fn(Job),
}

impl Source<'_> {
    /// Everything that was asked for.
    pub(super) fn all(&self) {
        for path in &self.args.inputs {
            match is_standard_input(path) {
                true => self.standard_input(),
                false => self.files(Files::new([path.clone()])),
            }
        }
        if let Some(list) = &self.args.files_from {
            self.list(list);
        }
    }

    fn send(&self, job: Job) {
        (self.send)(job);
    }

    fn name(&self, path: &Path) -> Name {
        let file = match is_standard_input(path) {
            true => self.args.name.clone(),
            false => path.to_string_lossy().into_owned(),
        };
        Name { file, record: None }
    }

    fn not_read(&self, name: Name, error: &io::Error) {
        self.send(Job::NotRead(name, format!("cannot read it: {error}")));
    }

    fn files(&self, files: Files) {
        for entry in files {
            match entry {
                Entry::File(path) => self.file(&path),
                Entry::LeftOut(reason) => self.send(Job::LeftOut(reason, 1)),
                Entry::Unreadable(path, error) => self.not_read(self.name(&path), &error),
            }
        }
    }

    fn file(&self, path: &Path) {
        let name = self.name(path);
        match File::open(path) {
            Ok(file) => self.send(Job::File(name, Box::new(self.progress.reads(file)))),
            Err(error) => self.not_read(name, &error),
        }
    }

    fn standard_input(&self) {
        let name = self.name(Path::new("-"));
        let input = self.progress.reads(io::stdin());
        let Some(form) = self.args.records else {
            return self.send(Job::File(name, Box::new(input)));
        };
        let longest = self.args.longest();
        let mut input = BufReader::new(input);
        for number in 1u64.. {
            let name = Name {
                record: Some(number.to_string()),
                ..name.clone()
            };
            let read = match form {
                Records::Newline => records::next(&mut input, b'\n', longest),
                Records::Nul => records::next(&mut input, 0, longest),
                Records::Json => records::next(&mut input, b'\n', records::longest_line(longest)),
            };
            match read {
                Ok(None) => return,
                Ok(Some(Ok(line))) if form == Records::Json => {
                    let (own, read) = records::json(&line);
                    let record = own.or(name.record);
                    let name = Name { record, ..name };
                    self.send(match read {
                        Ok(text) if text.len() as u64 > longest => {
                            Job::NotRead(name, too_long(longest))
                        }
                        Ok(text) => Job::Document(name, text.into_bytes()),
                        Err(reason) => Job::NotRead(name, reason),
                    })
                }
                Ok(Some(Ok(bytes))) => self.send(Job::Document(name, bytes)),
                Ok(Some(Err(TooLong))) => self.send(Job::NotRead(name, too_long(longest))),
                Err(error) => return self.not_read(name, &error),
            }
        }
    }

    /// The files that a list names.
    fn list(&self, list: &Path) {
        let opened: io::Result<Input> = match is_standard_input(list) {
            true => Ok(Box::new(io::stdin())),
            false => File::open(list).map(|file| Box::new(file) as Input),
        };
        let mut lines = match opened {
            Ok(input) => BufReader::new(input),
            Err(error) => return self.not_read(self.name(list), &error),
        };
        let end = if self.args.null { 0 } else { b'\n' };
        loop {
            match records::next(&mut lines, end, 1 << 16) {
                Ok(None) => return,
                Ok(Some(Ok(path))) if path.is_empty() => {}
                Ok(Some(Ok(path))) => self.files(Files::listed(path_of(path))),
                Ok(Some(Err(TooLong))) => {
                    let reason = "a line is not a path: it is longer than 64 KiB".to_owned();
                    self.send(Job::NotRead(self.name(list), reason));
                }
                Err(error) => return self.not_read(self.name(list), &error),
            }
        }
    }
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Reads a document's bytes to the start of a buffer, if they are not too many; how many they are. The buffer serves for the next one.
pub(super) fn read(mut input: Input, longest: u64, buffer: &mut Vec<u8>) -> Result<usize, String> {
    let mut length = 0;
    loop {
        if length as u64 > longest {
            return Err(too_long(longest));
        }
        if length == buffer.len() {
            buffer.resize((2 * length).max(FIRST), 0);
        }
        match input.read(&mut buffer[length..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(format!("cannot read it: {error}")),
            Ok(0) => return Ok(length),
            Ok(more) => length += more,
        }
        let start = &buffer[..length];
        if start.starts_with(b"WARC/") || start.starts_with(&[0x1F, 0x8B]) {
            return Err(
                "it is a WARC file or compressed: docs/surveying-a-crawl.md says how to read it"
                    .to_owned(),
            );
        }
    }
}
