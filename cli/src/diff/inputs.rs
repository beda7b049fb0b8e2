//! From arguments to documents: files, folders, lists of files, records of the standard input, WARC files.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use speclex_analysis::survey::Name;

use super::http::{self, NoBody};
use super::progress::Progress;
use super::records::{self, TooLong};
use super::warc::{self, Record, Records};
use crate::args::{Documents, Records as Form};
use crate::walk::{Step, Walk};

/// What compressed files begin with.
pub(super) const GZIP: [u8; 3] = [0x1F, 0x8B, 0x08];

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

/// Why a document is not read whole.
pub(super) fn too_long(longest: u64) -> String {
    format!("it is longer than {} MiB (--max-size)", longest >> 20)
}

/// What makes jobs of inputs.
pub(super) struct Source<'a> {
    pub(super) args: &'a Documents,
    /// Content types of responses that are compared.
    pub(super) types: &'a [String],
    pub(super) progress: &'a Progress,
    pub(super) send: &'a dyn Fn(Job),
}

impl Source<'_> {
    /// Everything that was asked for.
    pub(super) fn all(&self) {
        for path in &self.args.inputs {
            match is_standard(path) {
                true => self.standard_input(),
                false => self.walk(path.clone()),
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
        let file = match is_standard(path) {
            true => self.args.name.clone(),
            false => path.to_string_lossy().into_owned(),
        };
        Name { file, record: None }
    }

    fn not_read(&self, name: Name, error: &io::Error) {
        self.send(Job::NotRead(name, format!("cannot read it: {error}")));
    }

    fn walk(&self, path: PathBuf) {
        for step in Walk::new([path]) {
            match step {
                Step::File(path) => self.file(&path),
                Step::LeftOut(reason) => self.send(Job::LeftOut(reason, 1)),
                Step::Unreadable(path, error) => self.not_read(self.name(&path), &error),
            }
        }
    }

    fn file(&self, path: &Path) {
        let name = self.name(path);
        let is_warc = Path::new(path.file_name().unwrap_or_default());
        let is_warc = is_warc.to_string_lossy().to_ascii_lowercase();
        let is_warc = is_warc.ends_with(".warc") || is_warc.ends_with(".warc.gz");
        match File::open(path) {
            Ok(file) => self.input(name, Box::new(self.progress.reads(file)), is_warc),
            Err(error) => self.not_read(name, &error),
        }
    }

    /// A document or a WARC file, compressed or not.
    fn input(&self, name: Name, input: Input, is_warc: bool) {
        let opened = peeked(input).and_then(|(start, input)| match start.starts_with(&GZIP) {
            true => peeked(Box::new(MultiGzDecoder::new(BufReader::new(input)))),
            false => Ok((start, input)),
        });
        match opened {
            Err(error) => self.not_read(name, &error),
            Ok((start, input)) if is_warc || start.starts_with(warc::START) => {
                self.warc(&name, input);
            }
            Ok((_, input)) => self.send(Job::File(name, input)),
        }
    }

    fn warc(&self, file: &Name, input: Input) {
        let longest = self.args.longest();
        let mut records = Records::new(BufReader::with_capacity(1 << 16, input), longest);
        let mut others = 0;
        let mut left_out: Vec<(&'static str, u64)> = Vec::new();
        for number in 1.. {
            let name = |uri: Option<String>| Name {
                record: Some(uri.unwrap_or_else(|| format!("record {number}"))),
                ..file.clone()
            };
            match records.next() {
                Ok(None) => break,
                Ok(Some(Record::Other)) => others += 1,
                Ok(Some(Record::Broken(uri, why))) => self.send(Job::NotRead(name(uri), why)),
                Ok(Some(Record::Response(uri, block))) => {
                    match http::body(&block, self.types, longest) {
                        Ok(body) => self.send(Job::Document(name(uri), body)),
                        Err(NoBody::Broken(why)) => self.send(Job::NotRead(name(uri), why)),
                        Err(NoBody::LeftOut(reason)) => {
                            match left_out.iter_mut().find(|(known, _)| *known == reason) {
                                Some((_, times)) => *times += 1,
                                None => left_out.push((reason, 1)),
                            }
                        }
                    }
                }
                Err(error) => {
                    let why = format!("cannot read on from here: {error}");
                    self.send(Job::NotRead(name(None), why));
                    break;
                }
            }
        }
        if others > 0 {
            left_out.push(("WARC records that are no responses", others));
        }
        for (reason, times) in left_out {
            self.send(Job::LeftOut(reason, times));
        }
    }

    fn standard_input(&self) {
        let name = self.name(Path::new("-"));
        let input = self.progress.reads(io::stdin());
        let Some(form) = self.args.records else {
            return self.input(name, Box::new(input), false);
        };
        let longest = self.args.longest();
        let mut input = BufReader::new(input);
        for number in 1u64.. {
            let name = Name {
                record: Some(number.to_string()),
                ..name.clone()
            };
            let read = match form {
                Form::Newline => records::next(&mut input, b'\n', longest),
                Form::Nul => records::next(&mut input, 0, longest),
                Form::Json => records::next(&mut input, b'\n', records::in_json(longest)),
            };
            match read {
                Ok(None) => return,
                Ok(Some(Ok(line))) if form == Form::Json => self.send(records::json(name, &line)),
                Ok(Some(Ok(bytes))) => self.send(Job::Document(name, bytes)),
                Ok(Some(Err(TooLong))) => self.send(Job::NotRead(name, too_long(longest))),
                Err(error) => return self.not_read(name, &error),
            }
        }
    }

    /// The files that a list names.
    fn list(&self, list: &Path) {
        let opened: io::Result<Input> = match is_standard(list) {
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
                Ok(Some(Ok(path))) => self.walk(path_of(path)),
                Ok(Some(Err(TooLong))) => {
                    let why = "a line is no path: it is longer than 64 KiB".to_owned();
                    self.send(Job::NotRead(self.name(list), why));
                }
                Err(error) => return self.not_read(self.name(list), &error),
            }
        }
    }
}

pub(super) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
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

/// What an input begins with, and the whole of it.
fn peeked(mut input: Input) -> io::Result<(Vec<u8>, Input)> {
    let mut start = Vec::new();
    let length = warc::START.len().max(GZIP.len()) as u64;
    input.by_ref().take(length).read_to_end(&mut start)?;
    Ok((start.clone(), Box::new(Cursor::new(start).chain(input))))
}

/// A document's bytes, if they are not too many.
pub(super) fn whole(input: Input, longest: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    match input.take(longest + 1).read_to_end(&mut bytes) {
        Err(error) => Err(format!("cannot read it: {error}")),
        Ok(_) if bytes.len() as u64 > longest => Err(too_long(longest)),
        Ok(_) => Ok(bytes),
    }
}
