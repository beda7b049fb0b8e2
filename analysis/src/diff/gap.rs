//! Why a search was not followed to its end.

/// Why a search was not followed to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gap {
    /// More situations than the limit.
    Situations,
    /// What else follows from a difference was not followed to the end.
    Enough,
    /// A machine stopped or went round in circles.
    Stuck,
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Situations => "there are more situations than the limit",
            Self::Enough => "what else follows from a difference was not followed to the end",
            Self::Stuck => "a machine goes round in circles",
        })
    }
}
