//! How far a comparison is, on a terminal.

use std::io::{IsTerminal, Read, stderr};
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::ProgressBar;

use crate::args::Documents;
use crate::document::is_standard_input;
use crate::files::{Entry, Files};
use crate::terminal;

/// A bar on the standard error; nothing if that is no terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    documents: AtomicU64,
    differing: AtomicU64,
}

impl Progress {
    /// The bar for these inputs.
    pub(super) fn new(args: &Documents) -> Self {
        Self {
            bar: if stderr().is_terminal() {
                bar(args)
            } else {
                ProgressBar::hidden()
            },
            documents: AtomicU64::new(0),
            differing: AtomicU64::new(0),
        }
    }

    /// A file whose bytes count.
    pub(super) fn reads<R: Read + Send>(&self, input: R) -> impl Read + Send + use<R> {
        self.bar.wrap_read(input)
    }

    /// A document was compared.
    pub(super) fn compared(&self, differs: bool) {
        let documents = self.documents.fetch_add(1, Ordering::Relaxed) + 1;
        let differs = u64::from(differs);
        let differing = self.differing.fetch_add(differs, Ordering::Relaxed) + differs;
        if !self.bar.is_hidden() {
            self.bar
                .set_message(format!("{documents} documents, {differing} differ"));
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar on the standard error for the changes between two tables; nothing if that is no terminal.
pub(super) fn of_changes() -> ProgressBar {
    terminal::bar(0, "{bar:30} {pos} of {len} changes")
}

fn bar(args: &Documents) -> ProgressBar {
    const UNKNOWN: &str = "{spinner} {bytes} {bytes_per_sec}  {msg}";
    const KNOWN: &str = "{bar:30} {bytes}/{total_bytes} {bytes_per_sec}  {msg}";
    let standard = args.inputs.iter().any(|path| is_standard_input(path));
    let known = !standard && args.files_from.is_none();
    let bar = match known {
        true => ProgressBar::new(bytes(args)),
        false => ProgressBar::new_spinner(),
    };
    terminal::with_template(bar, if known { KNOWN } else { UNKNOWN })
}

/// The bytes of all files below the inputs.
fn bytes(args: &Documents) -> u64 {
    let files = Files::new(args.inputs.iter().cloned()).filter_map(|entry| match entry {
        Entry::File(path) => Some(path.metadata().map_or(0, |metadata| metadata.len())),
        Entry::LeftOut(_) | Entry::Unreadable(..) => None,
    });
    files.sum()
}
