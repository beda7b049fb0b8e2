//! Why a command could not do its work.

use std::io;
use std::path::{Path, PathBuf};

use speclex_codegen::{Report, escape, files};

/// A reason to exit with status 2.
#[derive(Debug)]
#[non_exhaustive]
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

    /// For `map_err`: the standard input could not be read.
    #[cfg(feature = "analysis")]
    pub(crate) fn input(error: io::Error) -> Self {
        Self::io("cannot read the standard input", Path::new(""))(error)
    }

    /// For `map_err`: the output could not be written.
    pub(crate) fn output(error: io::Error) -> Self {
        Self::io("cannot write the output", Path::new(""))(error)
    }

    /// A table has no such state; which may be meant.
    #[cfg(feature = "analysis")]
    pub(crate) fn unknown_state(wanted: &str, machine: &speclex_codegen::machine::Machine) -> Self {
        let names = machine.states.iter().map(|state| state.name.as_str());
        Self::unknown(wanted, "state", &machine.name, names)
    }

    /// A table of tree construction has no such insertion mode; which may be meant.
    #[cfg(feature = "analysis")]
    pub(crate) fn unknown_mode(wanted: &str, machine: &speclex_codegen::tree::TreeMachine) -> Self {
        let names = machine.modes.iter().map(|rules| rules.name.as_str());
        Self::unknown(wanted, &machine.called, &machine.name, names)
    }

    #[cfg(feature = "analysis")]
    fn unknown<'n>(
        wanted: &str,
        what: &str,
        table: &str,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Self {
        // People write the heading: `Tag open state`.
        let heading = wanted.strip_suffix(what).unwrap_or(wanted).trim();
        let lower = heading.to_lowercase();
        let similar: Vec<&str> = names
            .clone()
            .filter(|name| name.to_lowercase().contains(&lower))
            .collect();
        let exact = names
            .clone()
            .find(|name| name.eq_ignore_ascii_case(heading));
        let help = match exact.or_else(|| speclex_codegen::closest(heading, names)) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if similar.is_empty() => "`analyze` without `--state` lists all".to_owned(),
            None => format!("with this in their names: {}", similar.join("; ")),
        };
        Self::Other(format!("table `{table}` has no {what} `{wanted}`; {help}"))
    }

    /// A table does not start in this content; which may be meant.
    #[cfg(feature = "analysis")]
    pub(crate) fn unknown_content(
        wanted: &str,
        machine: &speclex_codegen::machine::Machine,
    ) -> Self {
        let contents = || machine.contents().map(|(_, content)| content);
        let help = match speclex_codegen::closest(wanted, contents()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("it has {}", contents().collect::<Vec<_>>().join(", ")),
        };
        Self::Other(format!(
            "table `{}` has no content `{wanted}`; {help}",
            machine.name
        ))
    }

    /// What is wrong, for people.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Table(report) => report.to_string(),
            Self::Io { what, path, error } if path.as_os_str().is_empty() => {
                format!("{what}: {error}")
            }
            Self::Io { what, path, error } => {
                let path = escape::line(&path.display().to_string());
                format!("{what} {path}: {error}")
            }
            Self::Other(message) => escape::lines(message),
        }
    }

    /// The message, with a newline.
    pub fn render(&self, colour: bool) -> String {
        match self {
            Self::Table(report) => report.render(colour),
            other => format!("error: {}\n", other.message()),
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
