//! A build that shows what it does, and says nothing when there is nothing to do.

use std::io::{self, IsTerminal, Read, Write};
use std::process::{Command, ExitStatus, Stdio};

/// Runs `cargo build`. As soon as cargo says anything but that all is there, `why` and then all that cargo says is shown.
pub(crate) fn build(mut cargo: Command, why: &str) -> io::Result<ExitStatus> {
    if io::stderr().is_terminal() {
        // Through our pipe, cargo does not see the terminal.
        cargo.args(["--color", "always"]);
        cargo.args(["--config", "term.progress.when='always'"]);
        cargo.args(["--config", "term.progress.width=80"]);
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
                if !says_more(&said) {
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

/// Whether cargo has said another line than "Finished". A progress bar is no line.
fn says_more(said: &[u8]) -> bool {
    let said = String::from_utf8_lossy(said);
    let mut lines: Vec<_> = said.split('\n').collect();
    // It has not come whole.
    lines.pop();
    lines.iter().any(|line| {
        let last = line.rsplit('\r').next().unwrap_or_default();
        !(last.is_empty() || last.contains("Finished"))
    })
}

/// Shows it. A failure to write does not stop the build.
fn show(text: &[u8]) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text).and_then(|()| stderr.flush());
}
