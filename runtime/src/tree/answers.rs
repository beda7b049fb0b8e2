//! The words with which questions of tables are answered.

/// Whether scripts run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scripting {
    /// They run.
    Normal,
    /// There is no scripting: `noscript` elements have elements inside.
    #[default]
    Disabled,
    /// They do not run, but `noscript` elements have text inside: `innerHTML`.
    Inert,
    /// They run once they are inserted into a document: `createContextualFragment`.
    Fragment,
}

/// The mode of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DocumentMode {
    /// It has a DOCTYPE of today.
    #[default]
    NoQuirks,
    /// It has one that wants some old rules.
    LimitedQuirks,
    /// It has none, or one that wants all old rules.
    Quirks,
}

impl DocumentMode {
    /// The word of tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoQuirks => "no-quirks",
            Self::LimitedQuirks => "limited-quirks",
            Self::Quirks => "quirks",
        }
    }
}

/// Whether scripts run, in words that the standard no longer has.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptingFlag {
    Enabled,
    Disabled,
}
