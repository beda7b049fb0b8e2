//! WARC files made of documents, as a crawl would have them.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Whether records are compressed, each on its own as crawls have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// As they are.
    Plain,
    /// gzip.
    Gzip,
}

/// A WARC file under construction.
#[derive(Debug)]
pub struct Warc {
    packing: Packing,
    bytes: Vec<u8>,
}

impl Warc {
    /// A file that begins with a record about itself.
    pub fn new(packing: Packing) -> Self {
        let mut warc = Self {
            packing,
            bytes: Vec::new(),
        };
        warc.record("warcinfo", None, b"software: speclex-tests\r\n");
        warc
    }

    /// Adds a record.
    pub fn record(&mut self, kind: &str, uri: Option<&str>, block: &[u8]) {
        self.record_of_length(kind, uri, block, block.len());
    }

    /// Adds a record that says it is so long.
    pub fn record_of_length(&mut self, kind: &str, uri: Option<&str>, block: &[u8], length: usize) {
        let uri = uri.map_or(String::new(), |uri| format!("WARC-Target-URI: {uri}\r\n"));
        let header =
            format!("WARC/1.0\r\nWARC-Type: {kind}\r\n{uri}Content-Length: {length}\r\n\r\n");
        let record = [header.as_bytes(), block, b"\r\n\r\n"].concat();
        match self.packing {
            Packing::Plain => self.bytes.extend(record),
            Packing::Gzip => self.bytes.extend(gzip(&record)),
        }
    }

    /// Adds what a server answered, with the request before it.
    pub fn response(&mut self, uri: &str, fields: &str, body: &[u8]) {
        self.record("request", Some(uri), b"GET / HTTP/1.1\r\n\r\n");
        let header = format!("HTTP/1.1 200 OK\r\n{fields}\r\n");
        self.record("response", Some(uri), &[header.as_bytes(), body].concat());
    }

    /// The file.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// A text compressed.
///
/// # Panics
/// When there is no memory.
pub fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).expect("memory");
    encoder.finish().expect("memory")
}
