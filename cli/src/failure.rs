//! Why a command could not do its work.

use std::io;
use std::path::{Path, PathBuf};

use speclex_codegen::{Report, files};

/// A reason to exit with status 2.
#[derive(Debug)]
pub enum Failure {
    /// The table has faults.
    Table(Box<Report>),
    /// A file could not be read or written.
    Io {
        /// What was tried: `cannot read`.
        what: &'static str,
        /// With which file; empty for the standard streams.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Anything else, said in one line.
    Other(String),
}

impl Failure {
    /// For `map_err`: what failed on which file.
    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| Self::Io { what, path, error }
    }

    /// The message, with a newline.
    pub fn render(&self, colour: bool) -> String {
        match self {
            Self::Table(report) => report.render(colour),
            Self::Io { what, path, error } if path.as_os_str().is_empty() => {
                format!("error: {what}: {error}\n")
            }
            Self::Io { what, path, error } => {
                format!("error: {what} {}: {error}\n", path.display())
            }
            Self::Other(message) => format!("error: {message}\n"),
        }
    }
}

impl From<files::Failure> for Failure {
    fn from(failure: files::Failure) -> Self {
        match failure {
            files::Failure::Faults(report) => Self::Table(report),
            files::Failure::Unreadable { path, error } => Self::io("cannot read", &path)(error),
            other => Self::Other(other.to_string()),
        }
    }
}

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        Self::Table(Box::new(report))
    }
}
