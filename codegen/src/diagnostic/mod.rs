//! Faults as people read them: where, what, why, and what to do.

mod codes;
mod faults;
mod render;

use std::fmt;

pub use crate::source::Source;
pub(crate) use crate::source::Span;
pub use codes::Code;
pub(crate) use faults::{Faults, Hint};

/// Whether a table is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// The table is refused.
    Error,
    /// The table is accepted.
    Warning,
    /// The table is accepted, and nothing is wrong with it.
    Note,
}

/// One fault, with its place in one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the table is refused because of it.
    pub severity: Severity,
    /// Which fault.
    pub code: Code,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The name of the source.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub col: usize,
    /// How many characters the caret covers; at least 1.
    pub len: usize,
    /// What stands beside the caret; may be empty.
    pub label: String,
    /// What to do about it; may be empty.
    pub help: String,
    /// The line of the source.
    pub snippet: String,
}

/// All faults of one table and the sources they are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Sorted by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The table first, then its bases.
    pub sources: Vec<Source>,
}

impl Report {
    /// How many diagnostics have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        let same = |d: &&Diagnostic| d.severity == severity;
        self.diagnostics.iter().filter(same).count()
    }

    /// All diagnostics and a closing line, with terminal colours if asked for.
    pub fn render(&self, color: bool) -> String {
        render::report(self, color)
    }
}

impl Diagnostic {
    /// The message, the place and the source line with a caret, with terminal colours if asked for.
    pub fn render(&self, color: bool) -> String {
        render::diagnostic(self, color)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Report {}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}
