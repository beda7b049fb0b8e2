//! Records of a WARC file (ISO 28500), one at a time. Broken ones are told of, and the next one is looked for.

use std::io::{self, BufRead, Read};

use super::headers::Headers;

/// What every record begins with.
pub(super) const START: &[u8] = b"WARC/";

/// Longer lines are no header fields.
const LONGEST_LINE: u64 = 1 << 16;

/// More header fields are no header.
const MOST_FIELDS: usize = 1000;

/// A record.
#[derive(Debug)]
pub(super) enum Record {
    /// A response: its address, and what the server sent.
    Response(Option<String>, Vec<u8>),
    /// A record of another kind.
    Other,
    /// A record that is not what it says, or too long.
    Broken(Option<String>, String),
}

/// The records of a file.
#[derive(Debug)]
pub(super) struct Records<R> {
    input: R,
    longest: u64,
    /// The first line of the next record, once it was read.
    first: Option<Vec<u8>>,
    /// Whether anything was read.
    begun: bool,
}

impl<R: BufRead> Records<R> {
    /// Blocks of responses may be so long.
    pub(super) fn new(input: R, longest: u64) -> Self {
        Self {
            input,
            longest,
            first: None,
            begun: false,
        }
    }

    /// The next record; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Record>> {
        let Some(first) = self.find_first()? else {
            return Ok(None);
        };
        let begun = std::mem::replace(&mut self.begun, true);
        if !first.starts_with(START) {
            self.skip_to_record()?;
            let why = match begun {
                true => "what follows a record is none: its Content-Length may be wrong",
                false => "it does not begin with a WARC record",
            };
            return Ok(Some(Record::Broken(None, why.to_owned())));
        }
        let Some(headers) = self.headers()? else {
            self.skip_to_record()?;
            let why = "a record's header does not end";
            return Ok(Some(Record::Broken(None, why.to_owned())));
        };
        // Some writers put the address in angle brackets.
        let uri = headers.get("warc-target-uri");
        let uri = uri.map(|uri| uri.trim_matches(['<', '>']).to_owned());
        let length = headers
            .get("content-length")
            .and_then(|length| length.parse().ok());
        let Some(length): Option<u64> = length else {
            self.skip_to_record()?;
            let why = "the record has no Content-Length";
            return Ok(Some(Record::Broken(uri, why.to_owned())));
        };
        let kind = headers.get("warc-type").unwrap_or_default();
        let wanted = kind.eq_ignore_ascii_case("response");
        let mut block = Vec::new();
        let mut rest = self.input.by_ref().take(length);
        if wanted && length <= self.longest {
            rest.read_to_end(&mut block)?;
        } else {
            io::copy(&mut rest, &mut io::sink())?;
        }
        if rest.limit() > 0 {
            let why = "the file ends in the middle of the record";
            return Ok(Some(Record::Broken(uri, why.to_owned())));
        }
        self.first = self.after_block()?;
        if self
            .first
            .as_ref()
            .is_some_and(|line| !line.starts_with(START))
        {
            self.first = None;
            self.skip_to_record()?;
            let why = "its Content-Length is wrong: no record follows";
            return Ok(Some(Record::Broken(uri, why.to_owned())));
        }
        Ok(Some(match (wanted, length <= self.longest) {
            (false, _) => Record::Other,
            (true, true) => Record::Response(uri, block),
            (true, false) => Record::Broken(uri, super::inputs::too_long(self.longest)),
        }))
    }

    fn find_first(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.first.take() {
            Some(line) => Ok(Some(line)),
            None => self.after_block(),
        }
    }

    /// The first line that is not empty.
    fn after_block(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            match self.line()? {
                Some(line) if line.is_empty() => {}
                line => return Ok(line),
            }
        }
    }

    /// A line without its end, or the beginning of a line that is too long.
    fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        self.input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        if line.ends_with(b"\n") {
            line.pop();
            if line.ends_with(b"\r") {
                line.pop();
            }
        }
        Ok(Some(line))
    }

    /// The fields up to the empty line; `None` if that does not come.
    fn headers(&mut self) -> io::Result<Option<Headers>> {
        let mut lines = Vec::new();
        while lines.len() < MOST_FIELDS {
            match self.line()? {
                None => return Ok(None),
                Some(line) if line.is_empty() => {
                    let lines = lines.iter().map(Vec::as_slice);
                    return Ok(Some(Headers::parse(lines)));
                }
                Some(line) => lines.push(line),
            }
        }
        Ok(None)
    }

    /// Goes on to what looks like the start of a record.
    fn skip_to_record(&mut self) -> io::Result<()> {
        while let Some(line) = self.line()? {
            if line.starts_with(START) {
                self.first = Some(line);
                break;
            }
        }
        Ok(())
    }
}
