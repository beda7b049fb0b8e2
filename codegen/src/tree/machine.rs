//! What a table of phases lowers to: dense numbers, no names to look up, no sugar.

/// A table of phases, ready to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeMachine {
    /// The table's name.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// The number of the section; may be empty.
    pub section: String,
    /// The name of the table whose tokens it takes.
    pub tokenizer: String,
    /// The kinds of tokens: [`CHARACTER`], [`END_OF_FILE`], then those of the tokenizer's vocabulary.
    pub kinds: Vec<String>,
    /// The phases, in the order of the table; at least one.
    pub phases: Vec<Phase>,
    /// The number of the phase that takes the first token.
    pub initial: usize,
}

/// The number of the character token among the kinds.
pub const CHARACTER: usize = 0;
/// The number of the end-of-file token among the kinds.
pub const END_OF_FILE: usize = 1;

/// One phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// What to do with a token, by the number of its kind.
    pub arms: Vec<Vec<Step>>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Something to do.
    Do(Action),
    /// Questions; the first that has the answer it asks for decides what to do.
    If {
        /// In the order of asking.
        branches: Vec<Branch>,
        /// If there is none.
        otherwise: Vec<Step>,
    },
}

/// A question, and what to do after the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The question.
    pub guard: Guard,
    /// The answer.
    pub answer: bool,
    /// What to do.
    pub steps: Vec<Step>,
}

/// One thing to do. Fields of the token are numbers in its list of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Report an error at the token.
    ParseError {
        /// The field with the token's name, if there is one: an error names it.
        name: Option<usize>,
    },
    /// Create an element with the name and attributes of the token.
    CreateElement {
        /// The field with the name.
        name: usize,
        /// The field with the attributes, if there is one.
        attributes: Option<usize>,
    },
    /// Append the element created last.
    AppendElement(Place),
    /// Push the element created last into the stack of open elements.
    PushElement {
        /// The field with its name.
        name: usize,
    },
    /// Pop the current element, if there is one.
    PopElement,
    /// Pop elements until one with the token's name has been popped, or none is left.
    PopUntil {
        /// The field with the name.
        name: usize,
    },
    /// Append the character.
    AppendCharacter(Place),
    /// Append a character that the table gives.
    AppendCodePoint {
        /// The character.
        character: char,
        /// Where.
        place: Place,
    },
    /// Append an entity reference.
    AppendEntityReference {
        /// The field with the name.
        name: usize,
        /// Where.
        place: Place,
    },
    /// Append a comment.
    AppendComment {
        /// The field with the data.
        data: usize,
        /// Where.
        place: Place,
    },
    /// Append a processing instruction.
    AppendProcessingInstruction {
        /// The field with the target.
        target: usize,
        /// The field with the data.
        data: usize,
        /// Where.
        place: Place,
    },
    /// Append a DOCTYPE.
    AppendDoctype {
        /// The field with the name.
        name: usize,
        /// The field with the public identifier, if there is one.
        public_identifier: Option<usize>,
        /// The field with the system identifier, if there is one.
        system_identifier: Option<usize>,
        /// Where.
        place: Place,
    },
    /// Give the next token to another phase.
    SwitchTo(usize),
    /// Switch to another phase and give it this token. Nothing follows it.
    ReprocessIn(usize),
    /// Take no more tokens. Nothing follows it.
    StopParsing,
}

/// Where a node is appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// To the Document.
    Document,
    /// To the last of the open elements; to the Document when there is none.
    CurrentElement,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The token has this name.
    TokenHasName {
        /// The field with the name.
        name: usize,
        /// The name that is asked for.
        text: String,
    },
    /// The current element has the token's name; not so without an open element.
    CurrentHasName {
        /// The field with the name.
        name: usize,
    },
    /// Some open element has the token's name.
    InScope {
        /// The field with the name.
        name: usize,
    },
    /// There are no open elements.
    NoOpenElements,
}
