//! What a foreign tokenizer does otherwise, by arm.

use std::collections::BTreeMap;

use serde::Serialize;

use super::answer::Shown;
use super::blame::Difference;

/// An input that shows a deviation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Example {
    /// The input.
    pub input: String,
    /// The content that it starts in.
    pub content: String,
    /// The name of the last start tag.
    pub last_start_tag: Option<String>,
    /// Whether CDATA sections are allowed.
    pub cdata_allowed: bool,
    /// The lengths in bytes of the pieces that it came in; empty if it came whole.
    pub chunks: Vec<usize>,
    /// What the table does.
    pub expected: Shown,
    /// What the tokenizer answers, if it answers.
    pub given: Option<Shown>,
    /// What happened otherwise: that it died, or that it deviated only once.
    pub failure: Option<String>,
}

/// A document that shows a deviation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TreeExample {
    /// The document.
    pub document: String,
    /// The context element, if it is a fragment.
    pub context: Option<String>,
    /// Whether scripting is on.
    pub scripting: bool,
    /// The tree that the table builds, in html5lib's form.
    pub expected: String,
    /// The tree of the answer, if there is one.
    pub given: Option<String>,
    /// What happened otherwise: that it died, or that it deviated only once.
    pub failure: Option<String>,
}

/// An arm or a branch that deviates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deviation<E = Example> {
    /// The arm, with the section and name of its state.
    pub arm: String,
    /// What deviates.
    pub differs: Difference,
    /// How many inputs deviate for which this arm is blamed.
    pub deviating: usize,
    /// How many inputs reach it, without those that deviate for an arm that is blamed before it.
    pub reaching: usize,
    /// The shortest of these inputs.
    pub example: E,
}

/// Everything that came of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report<E = Example> {
    /// The table.
    pub table: String,
    /// The command, for those who read the report; the caller fills it in.
    pub command: Vec<String>,
    /// How many inputs were sent, of each source.
    pub inputs: Inputs,
    /// How many were answered, or should have been.
    pub compared: usize,
    /// Whether there was any answer.
    pub answers: bool,
    /// How many deviate.
    pub deviating: usize,
    /// What the tokenizer does not read, by its reason, with the number of inputs.
    pub refused: BTreeMap<String, usize>,
    /// Whether inputs in pieces were compared, too.
    pub cuts: bool,
    /// Whether errors were compared.
    pub errors: bool,
    /// Why the rest was not sent, if it was not.
    pub stopped: Option<String>,
    /// The arms and branches that deviate, by kind of deviation and in the order of the table.
    pub deviations: Vec<Deviation<E>>,
    /// How many arms and branches the table has, with those of the input stream.
    pub arms: usize,
    /// Those of which every input deviates, but because of others. Of a state it is the state if it is all of its arms, and of an arm
    /// the arm alone.
    pub hidden: Vec<String>,
    /// Those that no compared input reaches, although some input could.
    pub unreached: Vec<String>,
    /// How many no input can reach.
    pub impossible: usize,
}

/// How many inputs there were of each source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Inputs {
    /// Of the cover suite.
    pub cover: usize,
    /// Of tests.
    pub tests: usize,
    /// Random ones.
    pub random: usize,
}

impl<E> Report<E> {
    /// Whether the program does what the table says on all inputs that it reads, and reads any.
    pub fn agrees(&self) -> bool {
        self.compared > 0 && self.deviating == 0 && self.stopped.is_none()
    }
}
