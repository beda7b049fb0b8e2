//! Contenders in processes of their own: in C, or built from the same source in another way. They get
//! the documents once and time themselves, in the same rounds as everybody else.
//!
//! The protocol, on standard input and output: `load N`, then N times a line with a length in bytes
//! and so many bytes; the answer is `ok`. `run N` makes N passes; the answer is one line with the
//! nanoseconds of the thread's CPU time, the ten numbers of a tally of one pass and each document's least
//! nanoseconds.

use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::tally::Tally;

/// A process that has the documents.
pub struct Worker {
    child: Child,
    requests: Option<BufWriter<ChildStdin>>,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts it and gives it the documents.
    ///
    /// # Errors
    /// When it cannot be started or does not answer.
    pub fn start(command: &mut Command, corpus: &Corpus) -> io::Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let pipe = || io::Error::other("no pipe to a worker");
        let mut requests = BufWriter::new(child.stdin.take().ok_or_else(pipe)?);
        let answers = BufReader::new(child.stdout.take().ok_or_else(pipe)?);
        writeln!(requests, "load {}", corpus.documents.len())?;
        for document in &corpus.documents {
            writeln!(requests, "{}", document.text.len())?;
            requests.write_all(document.text.as_bytes())?;
        }
        let mut worker = Self {
            child,
            requests: Some(requests),
            answers,
        };
        match worker.answer()?.as_str() {
            "ok" => Ok(worker),
            other => Err(io::Error::other(format!("a worker said `{other}`"))),
        }
    }

    /// The CPU time of so many passes, and what one of them saw. Lessens each document's least time.
    pub(crate) fn time(
        &mut self,
        passes: u32,
        least: &mut [Duration],
    ) -> io::Result<(Duration, Tally)> {
        if let Some(requests) = &mut self.requests {
            writeln!(requests, "run {passes}")?;
        }
        let line = self.answer()?;
        let broken = || io::Error::other(format!("a worker said `{line}`"));
        let mut numbers = line.split(' ').map(|word| word.parse::<u64>().ok());
        let mut next = || numbers.next().flatten().ok_or_else(broken);
        let time = Duration::from_nanos(next()?);
        let mut tally = [0; 10];
        for number in &mut tally {
            *number = next()?;
        }
        for least in least {
            *least = Duration::from_nanos(next()?).min(*least);
        }
        Ok((time, Tally::from_numbers(tally)))
    }

    fn answer(&mut self) -> io::Result<String> {
        if let Some(requests) = &mut self.requests {
            requests.flush()?;
        }
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The end of its input is the end of its work.
        self.requests = None;
        let _ = self.child.wait();
    }
}

/// The other side: serves a contender that is made from the documents.
///
/// # Errors
/// When a request is malformed or the other side is gone.
pub fn serve(
    mut requests: impl BufRead,
    mut answers: impl Write,
    contender: impl FnOnce(&'static Corpus) -> io::Result<Contender>,
) -> io::Result<()> {
    let mut contender = contender(Box::leak(Box::new(receive(&mut requests)?)))?;
    writeln!(answers, "ok")?;
    answers.flush()?;
    loop {
        let line = read_line(&mut requests)?;
        if line.is_empty() {
            return Ok(());
        }
        let (time, tally) = contender.time(number(&line, "run ")?)?;
        write!(answers, "{}", time.as_nanos())?;
        for number in tally.numbers() {
            write!(answers, " {number}")?;
        }
        for least in &contender.least {
            write!(answers, " {}", least.as_nanos())?;
        }
        writeln!(answers)?;
        answers.flush()?;
    }
}

fn receive(requests: &mut impl BufRead) -> io::Result<Corpus> {
    let count: u32 = number(&read_line(requests)?, "load ")?;
    let documents = (0..count)
        .map(|index| {
            let length: u32 = number(&read_line(requests)?, "")?;
            let mut bytes = vec![0; length as usize];
            requests.read_exact(&mut bytes)?;
            Ok(crate::corpus::Document {
                name: index.to_string(),
                text: String::from_utf8(bytes).map_err(io::Error::other)?,
            })
        })
        .collect::<io::Result<_>>()?;
    Ok(Corpus {
        class: "given",
        documents,
    })
}

fn read_line(requests: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    requests.read_line(&mut line)?;
    Ok(line)
}

fn number(line: &str, prefix: &str) -> io::Result<u32> {
    line.trim_end()
        .strip_prefix(prefix)
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| io::Error::other(format!("malformed request `{}`", line.trim_end())))
}
