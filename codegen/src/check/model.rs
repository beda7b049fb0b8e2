//! The checked model: names are looked up, everything else is still as the table has it.

use crate::charset::CharSet;
use crate::diagnostic::Span;
use crate::machine::{Action, AttributePart, FieldId, Guard, RegisterId, TokenId, Value};
use crate::machine::{ContentsAfter, Explanations, Preprocessing, Register, Vocabulary};
use crate::set_notation::Literal;

/// A state of the table or of a procedure: index in [`Checked::states`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Named(pub(crate) usize);

/// The whole table.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) errors: Vec<String>,
    pub(crate) explanations: Explanations,
    pub(crate) registers: Vec<Register>,
    pub(crate) preprocessing: Preprocessing,
    pub(crate) references: Vec<(String, String)>,
    pub(crate) replacements: Vec<(u32, u32)>,
    /// The initial one first.
    pub(crate) entries: Vec<Entry>,
    pub(crate) contents_after: ContentsAfter,
    pub(crate) on_emit: Vec<OnEmit>,
    pub(crate) conditions: Vec<(String, Cond)>,
    pub(crate) hot: Vec<Named>,
    /// The states of the table, then those of its procedures.
    pub(crate) states: Vec<State>,
    pub(crate) procedures: Vec<Procedure>,
    pub(crate) step_lists: Vec<Vec<Step>>,
}

/// Where a content starts.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) content: u32,
    pub(crate) state: Named,
    pub(crate) sets: Vec<(RegisterId, u32)>,
}

/// Steps when a token of a kind is emitted.
#[derive(Debug)]
pub(crate) struct OnEmit {
    pub(crate) token: TokenId,
    pub(crate) kind: u32,
    pub(crate) steps: Vec<Step>,
}

/// A sub-machine.
#[derive(Debug)]
pub(crate) struct Procedure {
    pub(crate) name: String,
    pub(crate) first: Named,
}

/// One state.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) name: String,
    /// The sub-machine it belongs to.
    pub(crate) procedure: Option<usize>,
    pub(crate) section: String,
    pub(crate) span: Span,
    pub(crate) includes: bool,
    pub(crate) first: Vec<Step>,
    pub(crate) leaving: Vec<Step>,
    pub(crate) body: Body,
}

/// What a state does.
#[derive(Debug)]
pub(crate) enum Body {
    Arms {
        look_ahead: bool,
        arms: Vec<Arm>,
    },
    /// After a match, and after none.
    Match(Box<(Arm, Arm)>),
    Steps(Vec<Step>),
    Branches(Vec<(Branch, Body)>),
    /// After a fault.
    Unknown,
}

/// The head of a branch.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    /// `None` for `otherwise`.
    pub(crate) guard: Option<Cond>,
    /// The guard's text, or `otherwise`.
    pub(crate) label: String,
    pub(crate) span: Span,
}

/// One arm.
#[derive(Debug, Default)]
pub(crate) struct Arm {
    pub(crate) label: String,
    pub(crate) span: Option<Span>,
    pub(crate) set: CharSet,
    pub(crate) literals: Vec<Literal>,
    pub(crate) eof: bool,
    pub(crate) anything_else: bool,
    pub(crate) steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) span: Span,
    pub(crate) kind: StepKind,
}

/// What a step does.
#[derive(Clone, Debug)]
pub(crate) enum StepKind {
    Do(Action),
    Text(Sink, Text),
    SetState(RegisterId, Named),
    Go(Goal, bool),
    EmitEof,
    AsAnythingElse,
    Ignore,
    ConsumeIt,
    /// Branches, and the steps when none of the guards holds.
    If(Vec<(Branch, Vec<Step>)>, Vec<Step>),
    StepList(usize),
    Attempt {
        procedure: usize,
        with: Option<(RegisterId, Option<char>)>,
    },
    Return(Return),
    /// After a fault.
    Unknown,
}

/// What a sub-machine returns.
#[derive(Clone, Debug)]
pub(crate) enum Return {
    Nothing,
    Text(Text),
    Token(TokenId),
}

/// Where a successor leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    State(Named),
    Register(RegisterId),
    /// The state that switched here.
    Back,
    Stay,
}

/// Where a text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sink {
    Emit,
    Append(FieldId),
    Set(FieldId),
    AppendAttribute(TokenId, AttributePart),
    SetAttribute(TokenId, AttributePart),
    AppendRegister(RegisterId),
    SetText(RegisterId),
}

/// A text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    Is(Value),
    /// What an `attempt to` returned.
    Returned,
}

/// A guard.
#[derive(Clone, Debug)]
pub(crate) enum Cond {
    Is(Guard),
    StateIs(RegisterId, Vec<Named>),
    NothingReturned,
    TokenReturned(TokenId),
    CalledFrom(Vec<Named>),
    Not(Box<Cond>),
    All(Vec<Cond>),
    Any(Vec<Cond>),
}
