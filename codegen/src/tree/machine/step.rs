//! Bodies: steps in blocks.

use super::value::{Call, HostCall, Location, Node, Number, Position, Text, TokenOf, Types, Value};
use super::{ArmId, Guard, ModeId, SlotId, StateId, Variable};

/// The number of a block in its body.
pub type BlockId = usize;

/// A list of steps with its branches: block 0 runs first, and the exit of a block says what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The name of the procedure; the key of an arm.
    pub name: String,
    /// How many of its slots are filled by the caller, in the order of the holes in the name.
    pub parameters: usize,
    /// The values that it keeps.
    pub slots: Vec<Slot>,
    /// What a procedure returns, if it returns a value.
    pub returns: Option<ValueSort>,
    /// The blocks; at least one.
    pub blocks: Vec<Block>,
    /// As written, a step or branch a line, each indented by two spaces for each list around its own.
    pub lines: Vec<String>,
    /// For each block the lines of its steps, and that of the question at its end, if it has one.
    pub places: Vec<(Vec<usize>, usize)>,
}

/// A variable of a list of steps, or a hole in the name of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its name: `targetParent`, or `ELEMENT`.
    pub name: String,
    /// What it holds. A node, a place or a position may also be null.
    pub sort: ValueSort,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueSort {
    /// An element, the Document or the contents of a template.
    Node,
    /// A place in the tree.
    Location,
    /// A place in the list of active formatting elements.
    Position,
    /// Characters, or the name of a tag.
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Truth,
    /// A token.
    Token,
    /// A namespace.
    Namespace,
    /// Types of elements.
    Types,
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
    /// The procedure returns a value.
    Return(Value),
    /// Give this token to the dispatcher again, once all arms that run have ended.
    Reprocess,
    /// Give this token to these rules, past the dispatcher.
    ReprocessUsing(Mode),
    /// Do what another arm of the same rules does. The token stays what it is.
    ActAs(ModeId, ArmId),
    /// Take no more tokens; pop all elements.
    StopParsing,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Report an error at the token.
    ParseError,
    /// Keep a value.
    Set(SlotId, Value),
    /// Keep a node, or null, in a variable of the table's own.
    SetNode(StateId, Value),
    /// Set a variable of the table's own to one of its words.
    SetWord(StateId, usize),
    /// Keep a node, or null, with an element: a property of the second.
    SetProperty(usize, Node, Value),
    /// Add to a number that is kept.
    Increment(SlotId, Number),
    /// The element above the one that is kept, on the stack, is kept instead.
    SetPrevious(SlotId),
    /// Enable or disable foster parenting.
    FosterParenting(bool),
    /// The rules that take the next token.
    SwitchTo(Mode),
    /// Remember the current insertion mode as the original one.
    SetOriginalMode,
    /// Push onto the stack of template insertion modes.
    PushMode(Mode),
    /// Pop off the stack of template insertion modes, if there is one.
    PopMode,
    /// Switch the tokenizer to a content, by its name.
    SwitchTokenizer(String),
    /// The self-closing flag of the token is no error.
    Acknowledge,
    /// Ignore the next token if it is this character.
    IgnoreNext(char),
    /// Run the rules with the token, and come back. The insertion mode stays unless they switch it.
    UseRules(Mode),
    /// Run an arm of rules with the token, and come back.
    RunArm(ModeId, ArmId),
    /// Run an arm of rules with each pending character, and come back.
    RunArmForPending(ModeId, ArmId),
    /// Run a procedure without a result.
    Run(Call),
    /// Run a host step.
    Host(HostCall),

    /// Pop the current node, if there is one.
    Pop,
    /// Pop up to and with the first that is of these types; all, if none is.
    PopUntil(Types),
    /// Pop up to and with this element; all, if it is not there.
    PopThrough(Node),
    /// Pop what is below this element; all, if it is not there.
    PopBelow(Node),
    /// Push onto the stack of open elements.
    Push(Node),
    /// Take an element out of a list or stack, if it is there. A position after it moves along.
    Remove(Variable, Node),
    /// Put the second in the place of the first, if that is there.
    Replace(Variable, Node, Node),
    /// Put the first immediately below the second on the stack of open elements.
    InsertBelow(Node, Node),
    /// Add an element at the end of the list of active formatting elements.
    Add(Node),
    /// Add a marker there.
    AddMarker,
    /// Put an element into the list at a position.
    InsertAtPosition(Node, Position),

    /// Insert a node; it leaves its parent first. What the DOM rejects does nothing.
    Insert(Node, Location),
    /// Append the first as the last child of the second; it leaves its parent first.
    Append(Node, Node),
    /// Append all children of the first to the second.
    MoveChildren(Node, Node),
    /// Take a node from its parent, if it has one.
    Detach(Node),
    /// Give an element the attributes of a token; the token is the one for which it was created.
    AppendAttributes(TokenOf, Node),
    /// Give an element those attributes of the token that it does not have.
    AddMissingAttributes(Node),
    /// Take all attributes from the token.
    DropAttributes,
    /// Change the tag name of the token.
    Rename(Text),
    /// Change the tag name of the token as a list of names says.
    RenameBy(usize),
    /// Change the names of the token's attributes as a list of names says.
    AdjustAttributes(usize),
    /// Append to the Text node immediately before a location.
    AppendText(Text, Location),
    /// Insert a Text node; nothing, without characters.
    InsertText(Text, Location),
    /// Insert a comment with the token's data.
    InsertComment(Location),
    /// Insert a processing instruction with the token's target and data.
    InsertProcessingInstruction(Location),
    /// Insert a reference to an entity, by the token's name.
    InsertEntityReference(Location),
    /// Insert a DOCTYPE with what the token has; what is missing is empty.
    InsertDoctype(Location),
    /// Forget the pending characters.
    EmptyPending,
    /// Add the token's character to them.
    AppendPending,
}

/// Some rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Those with this number.
    Named(ModeId),
    /// Those of the current insertion mode.
    Current,
    /// Those of the original insertion mode.
    Original,
    /// The last on the stack of template insertion modes.
    CurrentTemplate,
}
