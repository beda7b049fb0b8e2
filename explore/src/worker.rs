//! The process that answers requests. It may take all the time and memory that it is given: whoever started it can stop it.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::Library;
use crate::api::{Answer, Request, answer};
use crate::library::Own;

/// The most memory that a worker may have, in MiB.
pub const MEMORY: u64 = 2048;

/// How often a search tells how far it is.
const PROGRESS: Duration = Duration::from_millis(100);

/// The largest answer, in MiB.
const ANSWER: u64 = 32;

/// Answers requests, a line each, until there are no more. The first line has the user's own tables.
///
/// # Errors
/// When a stream cannot be read or written, or holds something else.
pub fn run(requests: impl BufRead, mut answers: impl Write) -> io::Result<()> {
    // Where a system knows no such limit, there is that of time.
    let _ = rlimit::setrlimit(rlimit::Resource::AS, MEMORY << 20, MEMORY << 20);
    let mut lines = requests.lines();
    let own = lines.next().transpose()?.unwrap_or_default();
    let library = Library::new(serde_json::from_str(&own)?);
    for line in lines {
        let mut told = Instant::now();
        // Who does not get this does not get the answer either.
        let mut progress = |done, all| {
            if told.elapsed() >= PROGRESS {
                told = Instant::now();
                let _ = write(&mut answers, &Answer::Progress { done, all });
            }
        };
        let answer = match serde_json::from_str::<Request>(&line?) {
            Ok(request) => answer(&library, &request, &mut progress),
            Err(error) => Answer::Refused {
                why: format!("This is no request: {error}."),
            },
        };
        write(&mut answers, &answer)?;
    }
    Ok(())
}

fn write(mut answers: impl Write, answer: &Answer) -> io::Result<()> {
    serde_json::to_writer(&mut answers, answer)?;
    answers.write_all(b"\n")?;
    answers.flush()
}

/// A worker that runs.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
}

/// Why a worker has not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// It took longer than it may.
    TooLong,
    /// It ended, or its answer had no end: it had used up its memory.
    TooLarge,
}

impl Worker {
    /// Starts a worker that knows these tables.
    pub(crate) fn start(mut command: Command, own: &Own) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn()?;
        let (requests, out) = (child.stdin.take(), child.stdout.take());
        let (Some(requests), Some(out)) = (requests, out) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (send, answers) = channel();
        thread::spawn(move || {
            let mut out = BufReader::new(out);
            loop {
                let mut line = String::new();
                let read = io::Read::take(&mut out, ANSWER << 20).read_line(&mut line);
                let is_whole = read.is_ok() && line.ends_with('\n');
                if !is_whole || send.send(line).is_err() {
                    return;
                }
            }
        });
        let mut worker = Self {
            child,
            requests,
            answers,
        };
        worker.write(&serde_json::to_string(own)?)?;
        Ok(worker)
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        self.requests.write_all(line.as_bytes())?;
        self.requests.write_all(b"\n")?;
        self.requests.flush()
    }

    /// Hands over a request, which is one line of JSON.
    pub(crate) fn ask(&mut self, request: &str) -> Result<(), Stopped> {
        self.write(request).map_err(|_| Stopped::TooLarge)
    }

    /// Waits for the answer, a line of JSON.
    pub(crate) fn answer(&mut self, time: Duration) -> Result<String, Stopped> {
        self.answers
            .recv_timeout(time)
            .map_err(|error| match error {
                RecvTimeoutError::Timeout => Stopped::TooLong,
                RecvTimeoutError::Disconnected => Stopped::TooLarge,
            })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It has ended already, or ends now.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
