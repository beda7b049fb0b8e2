//! A build that shows what it does, and says nothing when there is nothing to do.

use std::io::{self, IsTerminal, Read, Write};
use std::process::{Command, ExitStatus, Stdio};

/// Runs `cargo build`. As soon as cargo says anything but that all is there, `why` and then all that cargo says is shown.
pub(crate) fn build(mut cargo: Command, why: &str) -> io::Result<ExitStatus> {
    if io::stderr().is_terminal() {
        // Through our pipe, cargo does not see the terminal.
        cargo.args(["--color", "always"]);
        let width = "--config=term.progress={when='always',width=80}";
        cargo.arg(width);
    }
    let mut child = cargo.stderr(Stdio::piped()).spawn()?;
    let mut said = Vec::new();
    let mut shown = 0;
    if let Some(mut stderr) = child.stderr.take() {
        let mut piece = [0; 1 << 12];
        loop {
            let length = stderr.read(&mut piece)?;
            if length == 0 {
                break;
            }
            said.extend_from_slice(&piece[..length]);
            if shown == 0 {
                if is_finished(&said) {
                    continue;
                }
                show(format!("{why}\n").as_bytes());
            }
            show(&said[shown..]);
            shown = said.len();
        }
    }
    child.wait()
}

/// Whether all that was said so far is the beginning of "Finished", or begins with it.
fn is_finished(said: &[u8]) -> bool {
    let said = String::from_utf8_lossy(said);
    let mut word = String::new();
    let mut in_escape = false;
    for c in said.chars() {
        match c {
            '\x1b' => in_escape = true,
            _ if in_escape => in_escape = !c.is_ascii_alphabetic(),
            ' ' | '\r' => {}
            c => word.push(c),
        }
    }
    word.starts_with("Finished") || "Finished".starts_with(&word)
}

/// Shows it; when nobody can read it, the work goes on.
fn show(text: &[u8]) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text).and_then(|()| stderr.flush());
}
