//! What a text and a machine both say: states, arms, steps. Either is brought into this form; nothing in it
//! knows where it came from.

use speclex_codegen::charset::CharSet;

/// All that is compared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// In the order of the text; the inner ones (of a procedure) anywhere.
    pub(crate) states: Vec<State>,
    /// Who attempts a procedure, and what it does with what is returned.
    pub(crate) stream: Stream,
}

/// What is said outside the states. `None` where nothing is said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stream {
    pub(crate) initial: Option<Said<String>>,
    pub(crate) drop_bom: Option<Said<bool>>,
    pub(crate) newlines: Option<Said<bool>>,
    pub(crate) replace: Vec<Said<(char, char)>>,
    pub(crate) errors: Vec<Said<(CharSet, String)>>,
    pub(crate) replacements: Vec<Said<(u32, u32)>>,
    pub(crate) codes: Vec<Said<String>>,
    pub(crate) on_emit: Vec<Said<OnEmit>>,
    pub(crate) tokens: Vec<Said<TokenFact>>,
    pub(crate) words: Vec<Said<Words>>,
}

/// Something said, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said<T> {
    pub(crate) line: usize,
    pub(crate) what: T,
}

/// What happens when a token is emitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OnEmit {
    pub(crate) kind: String,
    pub(crate) guard: Option<Cond>,
    pub(crate) act: Act,
}

/// A token has a field, or a field begins as missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenFact {
    Has(String, String),
    Missing(String, String),
}

/// A variable has these words, or begins with this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    Are(String, Vec<String>),
    Begin(String, String),
}

/// One state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) name: String,
    pub(crate) section: String,
    pub(crate) line: usize,
    /// Part of a procedure or of a sentence that takes several states: found by what leads to it.
    pub(crate) inner: bool,
    /// Steps on entering it.
    pub(crate) entry: Vec<Step>,
    pub(crate) body: Body,
    /// A switch from an arm that consumed a character gives that character to it.
    pub(crate) includes: bool,
    /// Steps before those of an arm that goes elsewhere.
    pub(crate) leaving: Vec<Step>,
}

/// What a state does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    Steps(Vec<Step>),
    Consume(Consume),
    Match { matched: Arm, unmatched: Arm },
    Branch(Cond, Box<Body>, Box<Body>),
}

impl Default for Body {
    fn default() -> Self {
        Self::Steps(Vec::new())
    }
}

/// Arms. The first that takes the input wins; `anything_else` takes what is left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Consume {
    /// Whether nothing is consumed unless an arm says so.
    pub(crate) looks: bool,
    pub(crate) arms: Vec<Arm>,
    pub(crate) anything_else: Option<Arm>,
}

/// One arm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arm {
    /// As the text or the table writes it.
    pub(crate) label: String,
    pub(crate) line: usize,
    pub(crate) set: CharSet,
    pub(crate) eof: bool,
    pub(crate) literal: Option<Literal>,
    /// Takes the additional allowed character.
    pub(crate) allowed: bool,
    /// Consumes nothing, whatever its block does.
    pub(crate) peeked: bool,
    pub(crate) steps: Vec<Step>,
}

/// A string that the input continues with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Literal {
    pub(crate) text: String,
    pub(crate) ignore_case: bool,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Do(Act),
    If(Cond, Vec<Step>, Vec<Step>),
    /// The successor.
    Go(To),
    /// What the state consumed is given to the successor again.
    Reconsume,
    /// All of what matched is consumed.
    ConsumeAll,
    /// The steps of the arm for anything else.
    AsAnythingElse,
    /// Run the procedure; the steps after this one are run when it returns. `Some` names the additional
    /// allowed character (or that there is none).
    Attempt(Option<Option<char>>),
    /// The procedure returns. What is done ends here.
    Return(Returned),
}

/// Where a successor leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum To {
    State(String),
    /// The same state, without its entry steps.
    Stay,
    /// The state that a variable holds.
    Register(String),
    /// The state that switched here.
    Back,
    End,
}

/// What a procedure returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Returned {
    Nothing,
    Text(Vec<Piece>),
    Token(String),
}

/// One thing done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Error(String),
    EmitText(Vec<Piece>),
    /// A token, by the token's name; `None` for "the current token".
    Emit(Option<String>),
    EmitEof,
    /// A kind of token; `tag` when the kind is left open.
    Create(String),
    SetKind(String),
    StartAttribute,
    DropAttribute,
    Write {
        target: Target,
        /// Replaces what is there.
        set: bool,
        value: Vec<Piece>,
    },
    Flag(String, bool),
    SetState(String, String),
    SetNumber(String, u32),
    Multiply(String, u32),
    AddDigit(String),
    Increase(String),
    Decrease(String),
    Replace(String),
    SetAllowed(Option<char>),
    SetWord(String, String),
    /// Remembers who attempts a procedure.
    Call(String),
    /// Remembers who switched to a state that switches back.
    Back(String, String),
    Mark,
    Rewind,
}

/// What is written to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Target {
    /// Token and field.
    Field(String, String),
    AttributeName,
    AttributeValue,
    Register(String),
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Lit(String),
    Current,
    LowerCurrent,
    Register(String),
    /// The character of a number.
    Code(String),
    MatchedReplacement,
    MatchedName,
    Field(String, String),
    /// What the procedure returned.
    Returned,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cond {
    True,
    Appropriate,
    TextIs {
        register: String,
        any_of: Vec<String>,
        ignore_case: bool,
    },
    WordIs(String, Vec<String>),
    StateIs(String, Vec<String>),
    /// Called from one of these states.
    Caller(Vec<String>),
    /// Called from where attributes get their values; the text does not say which states those are.
    InAttribute,
    NumberIn(String, Vec<(u32, u32)>),
    HasReplacement(String),
    CurrentIn(CharSet),
    CurrentIsAllowed,
    LastMatched(CharSet),
    Next(CharSet, bool),
    NextAre(CharSet, CharSet),
    /// The next characters are the last start tag's name.
    NextIsName,
    /// ... followed by one of these, or the end of the file.
    NextIsNameThen(CharSet, bool),
    NextIs(Literal),
    StartTagEmitted,
    LastConsumed(String),
    Question(String),
    Duplicate,
    HasAttributes,
    FlagIs(String),
    KindIs(String, String),
    Matched,
    AtEof,
    ReturnedNothing,
    ReturnedToken,
    Not(Box<Cond>),
    All(Vec<Cond>),
    Any(Vec<Cond>),
}

impl Cond {
    /// The opposite.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }
}

/// The pieces of a fixed text.
pub(crate) fn literal(text: &str) -> Vec<Piece> {
    match text {
        "" => Vec::new(),
        text => vec![Piece::Lit(text.to_owned())],
    }
}

/// All steps, those in branches included.
pub(crate) fn walk<'s>(steps: &'s [Step], visit: &mut dyn FnMut(&'s Step)) {
    for step in steps {
        visit(step);
        if let Step::If(_, then, otherwise) = step {
            walk(then, visit);
            walk(otherwise, visit);
        }
    }
}

impl Body {
    /// All arms and step lists.
    pub(crate) fn lists<'b>(&'b self, visit: &mut dyn FnMut(&'b [Step])) {
        match self {
            Self::Steps(steps) => visit(steps),
            Self::Consume(consume) => {
                for arm in consume.arms.iter().chain(&consume.anything_else) {
                    visit(&arm.steps);
                }
            }
            Self::Match { matched, unmatched } => {
                visit(&matched.steps);
                visit(&unmatched.steps);
            }
            Self::Branch(_, then, otherwise) => {
                then.lists(visit);
                otherwise.lists(visit);
            }
        }
    }

    /// How many arms it has.
    pub(crate) fn arms(&self) -> usize {
        match self {
            Self::Steps(_) => 1,
            Self::Consume(consume) => {
                consume.arms.len() + usize::from(consume.anything_else.is_some())
            }
            Self::Match { .. } => 2,
            Self::Branch(_, then, otherwise) => then.arms() + otherwise.arms(),
        }
    }
}

impl State {
    /// All steps of it.
    pub(crate) fn steps<'s>(&'s self, visit: &mut dyn FnMut(&'s Step)) {
        walk(&self.entry, visit);
        walk(&self.leaving, visit);
        self.body.lists(&mut |steps| walk(steps, visit));
    }
}
