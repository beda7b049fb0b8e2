//! What a tree construction table lowers to: dense numbers, no names to look up, no sugar.

/// A tree construction table, ready to run.
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
    /// What the text calls an insertion mode: `phase`.
    pub called: String,
    /// The kinds of tokens: [`CHARACTER`], [`END_OF_FILE`], then those of the tokenizer's vocabulary.
    pub kinds: Vec<Kind>,
    /// The variables, in the order of the table.
    pub variables: Vec<Variable>,
    /// The insertion modes, in the order of the table; at least one.
    pub modes: Vec<Mode>,
    /// The insertion mode that takes the first token.
    pub initial: ModeId,
    /// The bodies of arms and procedures. None runs itself, whether at once or by way of others.
    pub bodies: Vec<Body>,
}

/// The number of the character token among the kinds.
pub const CHARACTER: usize = 0;
/// The number of the end-of-file token among the kinds.
pub const END_OF_FILE: usize = 1;

/// The number of an insertion mode.
pub type ModeId = usize;
/// The number of a variable.
pub type VariableId = usize;
/// The number of a body.
pub type BodyId = usize;
/// The number of a block in its body.
pub type BlockId = usize;

/// A kind of token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name: `start tag`.
    pub name: String,
    /// Where each part is in the token's list of fields, if it has such a field. The order is that of [`Part::ALL`].
    pub fields: [Option<usize>; Part::ALL.len()],
}

impl Kind {
    /// The number of the field that holds a part of the token.
    pub fn field(&self, part: Part) -> Option<usize> {
        self.fields[part as usize]
    }
}

/// A part of a token that steps read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The name of a tag, of a DOCTYPE, or of an entity.
    Name,
    /// The attributes of a tag.
    Attributes,
    /// The data of a comment or of a processing instruction.
    Data,
    /// The target of a processing instruction.
    Target,
    /// The public identifier of a DOCTYPE.
    PublicIdentifier,
    /// The system identifier of a DOCTYPE.
    SystemIdentifier,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 6] = [
        Self::Name,
        Self::Attributes,
        Self::Data,
        Self::Target,
        Self::PublicIdentifier,
        Self::SystemIdentifier,
    ];

    /// The name that a field has if it holds this.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Attributes => "attributes",
            Self::Data => "data",
            Self::Target => "target",
            Self::PublicIdentifier => "public identifier",
            Self::SystemIdentifier => "system identifier",
        }
    }
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name: `stack of open elements`.
    pub name: String,
    /// What it holds.
    pub ty: Type,
}

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// The insertion mode that takes the next token.
    InsertionMode,
    /// A list of elements, empty at first. The last one is the current element.
    StackOfElements,
}

impl Type {
    /// All types.
    pub const ALL: [Self; 2] = [Self::InsertionMode, Self::StackOfElements];

    /// As a table writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InsertionMode => "insertion mode",
            Self::StackOfElements => "stack of elements",
        }
    }
}

/// An insertion mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Its name.
    pub name: String,
    /// What to do with a token, by the number of its kind.
    pub arms: Vec<BodyId>,
}

/// A list of steps with its branches: block 0 runs first, and the exit of a block says what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The blocks; at least one.
    pub blocks: Vec<Block>,
}

/// Steps that follow each other in any case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// In the order in which they are done.
    pub steps: Vec<Step>,
    /// What follows.
    pub exit: Exit,
}

/// What follows a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Another block.
    Go(BlockId),
    /// One of two blocks, by a guard's answer.
    If {
        /// The question.
        guard: Guard,
        /// The block if it holds.
        yes: BlockId,
        /// The block if it does not.
        no: BlockId,
    },
    /// The body has come to its end: the arm waits for the next token, the procedure returns.
    Done,
    /// Switch to an insertion mode and give it this token.
    ReprocessIn(ModeId),
    /// Take no more tokens.
    StopParsing,
}

/// One thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Report an error at the token.
    ParseError,
    /// Create an element with the name and attributes of the token: the new element.
    CreateElement,
    /// Append a node, or a character to the text there.
    Append(Content, Location),
    /// Push the new element onto a stack.
    Push(VariableId),
    /// Pop the last element off a stack, if there is one.
    Pop(VariableId),
    /// Pop elements off a stack until one of these has been popped, or none is left.
    PopUntil(Elements, VariableId),
    /// Give the next token to another insertion mode.
    SwitchTo(ModeId),
    /// Run a procedure.
    Run(BodyId),
}

/// What is appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The new element.
    NewElement,
    /// The character of the token.
    Character,
    /// A character that the table gives.
    CodePoint(char),
    /// An entity reference with the token's name.
    EntityReference,
    /// A comment with the token's data.
    Comment,
    /// A processing instruction with the token's target and data.
    ProcessingInstruction,
    /// A DOCTYPE with the token's name, and its identifiers if it has any.
    DocumentType,
}

/// Where a node is appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// To the Document.
    Document,
    /// To the current element; to the Document if there is none.
    CurrentElement,
}

/// Some of all elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// Those with the same tag name as the token.
    SameName,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Whether the token has this name.
    TokenIsNamed(String),
    /// Whether the current element is one of these; not so if there is none.
    CurrentIs(Elements),
    /// Whether a stack has one of these.
    Has(VariableId, Elements),
    /// Whether a stack has no elements.
    IsEmpty(VariableId),
}
