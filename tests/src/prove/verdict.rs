//! What became of a planted change.

use speclex_analysis::diff::Witness;

/// What became of a change.
#[derive(Clone, Debug)]
pub(super) enum Verdict {
    /// An input shows it, in the interpreter.
    Different(Box<Witness>),
    /// The search was complete and found nothing, and so did random inputs.
    Equal,
    /// No table says this: it goes round in circles, leads into the middle of a procedure, or is about a character that states
    /// never see.
    NoTable,
    /// The search was not complete, for this reason.
    Undecided(String),
    /// It is called equal, and an input shows that it is not.
    False(String),
}
