//! What a text and a machine both say: states, arms, steps. Either is brought into this form; nothing in it
//! knows where it came from.

use speclex_codegen::charset::CharSet;

/// The name by which text and table know the number of a numeric character reference, whatever the table calls
/// its register.
pub(crate) const CODE: &str = "character reference code";
/// The text variable of the character reference states and of script data.
pub(crate) const BUFFER: &str = "temporary buffer";
/// Where references return to.
pub(crate) const RETURN_STATE: &str = "return state";
/// The variable of XML declarations.
pub(crate) const ATTRIBUTE_NAME: &str = "current XML declaration attribute name";
/// The code of an error that has none.
pub(crate) const UNNAMED: &str = "parse-error";
/// The question that only tree construction can answer.
pub(crate) const CDATA_ALLOWED: &str = "CDATA sections are allowed";
/// How the names of registers begin that hold who switched to a state that switches back.
pub(crate) const SWITCHED_TO: &str = "state that switched to ";
/// How the names of a procedure's states begin.
pub(crate) const PROCEDURE: &str = "consume a character reference";

/// All that is compared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// In the order of the text; the inner ones (of a procedure) anywhere.
    pub(crate) states: Vec<State>,
    pub(crate) stream: Stream,
}

/// What is said outside the states. `None` where nothing is said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stream {
    pub(crate) initial: Option<Located<String>>,
    pub(crate) drop_bom: Option<Located<bool>>,
    pub(crate) newlines: Option<Located<bool>>,
    pub(crate) replace: Vec<Located<(char, char)>>,
    pub(crate) errors: Vec<Located<(CharSet, String)>>,
    pub(crate) replacements: Vec<Located<(u32, u32)>>,
    pub(crate) codes: Vec<Located<String>>,
    pub(crate) on_emit: Vec<Located<OnEmit>>,
    pub(crate) tokens: Vec<Located<TokenFact>>,
    pub(crate) words: Vec<Located<RegisterFact>>,
}

/// Something said, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Located<T> {
    pub(crate) line: usize,
    pub(crate) value: T,
}

/// What happens when a token is emitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OnEmit {
    pub(crate) kind: String,
    pub(crate) guard: Option<Guard>,
    pub(crate) action: Action,
}

/// A token has a field, or a field begins as missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenFact {
    Has(String, String),
    Missing(String, String),
}

/// A variable has these words, or begins with this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RegisterFact {
    Values(String, Vec<String>),
    Initial(String, String),
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
    Branch(Guard, Box<Body>, Box<Body>),
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

impl Arm {
    /// An arm for characters.
    pub(crate) fn of(label: &str, line: usize, set: CharSet, steps: Vec<Step>) -> Self {
        Self {
            label: label.to_owned(),
            line,
            set,
            steps,
            ..Self::default()
        }
    }

    /// An arm that is no choice of a character: for what is left, for a match, for no match.
    pub(crate) fn labelled(label: &str, line: usize, steps: Vec<Step>) -> Self {
        Self::of(label, line, CharSet::new(), steps)
    }
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
    Do(Action),
    If(Guard, Vec<Step>, Vec<Step>),
    /// The successor.
    Go(Successor),
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
pub(crate) enum Successor {
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
pub(crate) enum Action {
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
        target: Place,
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
pub(crate) enum Place {
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
pub(crate) enum Guard {
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
    Not(Box<Guard>),
    All(Vec<Guard>),
    Any(Vec<Guard>),
}

impl Guard {
    /// The opposite.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// The question and those it is made of.
    pub(crate) fn each<'g>(&'g self, visit: &mut dyn FnMut(&'g Self)) {
        visit(self);
        match self {
            Self::Not(inner) => inner.each(visit),
            Self::All(all) | Self::Any(all) => all.iter().for_each(|one| one.each(visit)),
            _ => {}
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
    /// What it does in each case of its own conditions: none of these is a [`Body::Branch`].
    pub(crate) fn branches(&self) -> Vec<&Self> {
        match self {
            Self::Branch(_, then, otherwise) => {
                let mut all = then.branches();
                all.extend(otherwise.branches());
                all
            }
            body => vec![body],
        }
    }

    /// All step lists.
    pub(crate) fn lists<'b>(&'b self, visit: &mut dyn FnMut(&'b [Step])) {
        for body in self.branches() {
            match body {
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
                Self::Branch(..) => {}
            }
        }
    }

    /// All step lists, for changing them.
    fn lists_mut(&mut self, visit: &mut dyn FnMut(&mut [Step])) {
        match self {
            Self::Steps(steps) => visit(steps),
            Self::Consume(consume) => {
                for arm in consume.arms.iter_mut().chain(&mut consume.anything_else) {
                    visit(&mut arm.steps);
                }
            }
            Self::Match { matched, unmatched } => {
                visit(&mut matched.steps);
                visit(&mut unmatched.steps);
            }
            Self::Branch(_, then, otherwise) => {
                then.lists_mut(visit);
                otherwise.lists_mut(visit);
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

    /// All lists of steps of it, for changing them.
    pub(crate) fn lists_mut(&mut self, visit: &mut dyn FnMut(&mut [Step])) {
        visit(&mut self.entry);
        visit(&mut self.leaving);
        self.body.lists_mut(visit);
    }
}
