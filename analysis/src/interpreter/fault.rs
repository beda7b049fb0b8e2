//! Why an interpreter refused or stopped.

use std::fmt;

/// Why an interpreter refused something or stopped. None of these is about the input: a checked table
/// and a sane caller never see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The table has no entry state for a content that was asked for; the request was ignored.
    NoEntry(String),
    /// The machine goes on without consuming anything.
    Stuck {
        /// The state it was in.
        state: String,
        /// Byte offset of the next input character.
        offset: u64,
    },
    /// The machine breaks a rule of its model.
    BadMachine(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEntry(content) => write!(f, "no entry state for the content `{content}`"),
            Self::Stuck { state, offset } => write!(
                f,
                "internal error: the machine runs without consuming, in state `{state}` at byte {offset}"
            ),
            Self::BadMachine(what) => write!(f, "internal error: the machine is malformed: {what}"),
        }
    }
}

impl std::error::Error for Fault {}

/// A fault for an id that points nowhere.
pub(super) fn dangling(what: &str) -> Fault {
    Fault::BadMachine(format!("there is no such {what}"))
}
