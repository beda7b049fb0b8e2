//! A case: an input, what the sink answers, what the caller does at each stop, and where the input is cut.
//!
//! This file needs only the standard library: the crates of generated tables include it.

/// What a tokenizer is asked to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// The input.
    pub input: String,
    /// The content to start in; the initial one if `None`.
    pub content: Option<String>,
    /// The name of the last start tag.
    pub last_start_tag: Option<String>,
    /// The answer to the question whether CDATA sections are allowed.
    pub cdata_allowed: bool,
    /// What the sink answers to the tokens that it may answer, in their order; afterwards it goes on.
    pub answers: Vec<Answer>,
    /// What the caller does when the tokenizer stops, in the order of the stops; afterwards it resumes.
    pub stops: Vec<Stop>,
    /// Lengths in bytes of the chunks; the rest comes last.
    pub chunks: Vec<usize>,
}

/// What a sink answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Go on.
    Continue,
    /// Go on in this content, for which there may be no entry state.
    Switch(String),
    /// Stop.
    Pause,
}

/// What a caller does when a sink has stopped the tokenizer, before it resumes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// How many chunks it feeds.
    pub chunks: usize,
    /// Texts that it inserts, one after the other.
    pub inserts: Vec<String>,
    /// The content that it enters.
    pub content: Option<String>,
    /// The name that it sets for the last start tag.
    pub last_start_tag: Option<String>,
}

impl Stop {
    /// What a caller does that only resumes.
    pub const RESUME: &'static Self = &Self {
        chunks: 0,
        inserts: Vec::new(),
        content: None,
        last_start_tag: None,
    };
}

impl Case {
    /// What the caller does at a stop.
    pub fn stop(&self, index: usize) -> &Stop {
        self.stops.get(index).unwrap_or(Stop::RESUME)
    }

    /// Whether the sink only listens.
    pub fn is_without_answers(&self) -> bool {
        self.answers.is_empty() && !self.cdata_allowed
    }
}
