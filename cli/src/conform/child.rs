//! The process that tokenizes. Threads write and read, so that it is never waited for longer than the limit.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{self, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use speclex_analysis::conform::Foreign;
use speclex_codegen::escape;

use crate::Failure;

/// The longest answer.
const LONGEST: u64 = 16 << 20;
/// How much of the standard error is kept.
const KEPT: usize = 2 << 10;
/// How long a process that has closed its output may take to end.
const END: Duration = Duration::from_secs(1);
/// How often it is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(5);
/// The same while an answer is awaited.
const LOOK_IF_SILENT: Duration = Duration::from_millis(50);

/// A command, and the process that runs it.
pub(super) struct Child {
    words: Vec<OsString>,
    limit: Duration,
    running: Option<Running>,
}

struct Running {
    process: process::Child,
    requests: Sender<String>,
    answers: Receiver<Line>,
    /// The end of what it writes to the standard error.
    complaints: Arc<Mutex<Vec<u8>>>,
    listener: Option<JoinHandle<()>>,
}

enum Line {
    Text(String),
    TooLong,
    NotUtf8,
}

impl Child {
    /// Runs a command. A program that does not exist is refused here, so that it is no deviation.
    pub(super) fn start(words: &[OsString], limit: Duration) -> Result<Self, Failure> {
        let running = Running::start(words).map_err(|e| {
            let name = words.first().map(|word| word.to_string_lossy());
            let name = name.unwrap_or_default();
            Failure::Other(format!("cannot run `{}`: {e}", escape::line(&name)))
        })?;
        Ok(Self {
            words: words.to_vec(),
            limit,
            running: Some(running),
        })
    }
}

impl Foreign for Child {
    fn ask(&mut self, request: &str) -> Result<String, String> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.words)
                .map_err(|e| format!("the command could not be run again: {e}"))?,
        };
        let answer = running.ask(request, self.limit);
        match answer {
            Ok(_) => self.running = Some(running),
            Err(_) => running.stop(),
        }
        answer
    }

    fn restart(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop();
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.restart();
    }
}

impl Running {
    fn start(words: &[OsString]) -> std::io::Result<Self> {
        let mut words = words.iter();
        let mut command = Command::new(words.next().map_or("".as_ref(), OsString::as_os_str));
        let mut process = command
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (requests, to_write) = channel::<String>();
        // A process that writes without end waits when a few lines are not read.
        let (lines, answers) = sync_channel(4);
        let complaints = Arc::new(Mutex::new(Vec::new()));
        if let Some(mut stdin) = process.stdin.take() {
            // The pipe is closed when no more requests can come.
            thread::spawn(move || {
                let mut written = to_write.iter().map(|request| {
                    stdin
                        .write_all(request.as_bytes())
                        .and_then(|()| stdin.flush())
                });
                written.find(Result::is_err)
            });
        }
        if let Some(stdout) = process.stdout.take() {
            thread::spawn(move || read_lines(stdout, &lines));
        }
        let listener = process.stderr.take().map(|stderr| {
            let complaints = Arc::clone(&complaints);
            thread::spawn(move || keep_end(stderr, &complaints))
        });
        Ok(Self {
            process,
            requests,
            answers,
            complaints,
            listener,
        })
    }

    fn ask(&mut self, request: &str, limit: Duration) -> Result<String, String> {
        if let Ok(line) = self.answers.try_recv() {
            return Err(match line {
                Line::Text(line) => format!(
                    "there was one line more than requests: {}",
                    line.trim_end().chars().take(80).collect::<String>()
                ),
                Line::TooLong | Line::NotUtf8 => "there was one line more than requests".to_owned(),
            });
        }
        // That the process has ended shows when its answer does not come.
        let _ = self.requests.send(request.to_owned());
        match self.answer(limit) {
            Ok(Line::Text(line)) => Ok(line),
            Ok(Line::TooLong) => Err(format!("the answer has more than {} MiB", LONGEST >> 20)),
            Ok(Line::NotUtf8) => Err("the answer is not UTF-8".to_owned()),
            Err(RecvTimeoutError::Timeout) => Err(format!(
                "it did not answer within {} s (or did not flush its output)",
                limit.as_secs()
            )),
            Err(RecvTimeoutError::Disconnected) => Err(self.end()),
        }
    }

    /// The next line. A process that has ended answers no more, though another one may have its output open.
    fn answer(&mut self, limit: Duration) -> Result<Line, RecvTimeoutError> {
        let start = Instant::now();
        let mut ended = None;
        loop {
            match self.answers.recv_timeout(LOOK_IF_SILENT) {
                Err(RecvTimeoutError::Timeout) => {}
                answer => return answer,
            }
            if start.elapsed() > limit {
                return Err(RecvTimeoutError::Timeout);
            }
            if self.process.try_wait().is_ok_and(|status| status.is_some())
                && ended.get_or_insert_with(Instant::now).elapsed() > END
            {
                return Err(RecvTimeoutError::Disconnected);
            }
        }
    }

    /// How the process ended, whose output has.
    fn end(&mut self) -> String {
        let start = Instant::now();
        let is_heard = |listener: &Option<JoinHandle<()>>| {
            listener.as_ref().is_none_or(JoinHandle::is_finished)
        };
        let status = loop {
            let status = self.process.try_wait().ok().flatten();
            if start.elapsed() > END || status.is_some() && is_heard(&self.listener) {
                break status;
            }
            thread::sleep(LOOK);
        };
        let how = status.map_or_else(
            || "it closed its output".to_owned(),
            |status: ExitStatus| format!("it ended ({status})"),
        );
        let complaints = self
            .complaints
            .lock()
            .map(|kept| kept.clone())
            .unwrap_or_default();
        let complaints = String::from_utf8_lossy(&complaints);
        // Interpreters say what happened in the last line.
        match complaints.lines().rfind(|line| !line.trim().is_empty()) {
            Some(last) => format!("{how}: {}", last.trim()),
            None => how,
        }
    }

    /// Ends the process. The threads end with their pipes.
    fn stop(mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Sends each line until the output ends or a line is too long.
fn read_lines(output: impl Read, lines: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output
            .by_ref()
            .take(LONGEST + 1)
            .read_until(b'\n', &mut line);
        if !read.is_ok_and(|length| length > 0) {
            return;
        }
        let is_too_long = line.len() as u64 > LONGEST;
        let line = match String::from_utf8(line) {
            _ if is_too_long => Line::TooLong,
            Ok(line) => Line::Text(line),
            Err(_) => Line::NotUtf8,
        };
        if lines.send(line).is_err() || is_too_long {
            return;
        }
    }
}

/// Keeps the end of what comes.
fn keep_end(mut complaints: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut piece = [0; KEPT];
    while let Ok(length) = complaints.read(&mut piece) {
        let Ok(mut kept) = kept.lock() else { return };
        if length == 0 {
            return;
        }
        kept.extend_from_slice(piece.get(..length).unwrap_or_default());
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }
}
