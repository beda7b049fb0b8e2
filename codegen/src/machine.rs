//! The machine: what a checked table lowers to.
//!
//! It is canonical: dense ids, disjoint character sets, no sugar. The emitter, the interpreter and
//! every describer (diff, graph, cover, audit) read this model and nothing else of the table.
//!
//! # How a state runs
//!
//! The *position* is the place of the next input character. A state is one of three kinds:
//!
//! * [`StateKind::Consume`] first tries its literals in order at the position; the first that the
//!   input continues with is consumed whole and its body runs. Otherwise it consumes one character
//!   (the *current input character*) and runs the body of the arm whose set holds it, or, at the end
//!   of the input, the body for EOF.
//! * [`StateKind::Steps`] consumes nothing and runs its body.
//! * [`StateKind::Match`] consumes the longest run of characters that is an identifier of the named
//!   character references table, then runs `matched`; when none matches it consumes nothing and runs
//!   `unmatched`.
//!
//! A [`Body`] is a decision tree: actions in order, then either a successor or a question with two
//! bodies. A successor that *reconsumes* puts the position back in front of what the state consumed.
//! The successor is decided before the actions run: when a sink answers an emitted token with a
//! content, that answer wins.
//!
//! # Where an error is
//!
//! A body that consumed a character reports at the start of that character (for a literal: of its
//! last character, or where it starts if it is put back; at the end of the input: there). A body that consumed nothing, and the bodies of a
//! match, report at the position. An arm with `peeked` consumed its character only to look at it: it
//! reports at that same character, which is the position too.

use crate::charset::CharSet;

/// Stands for every number above the last code point: numbers never get larger.
pub const TOO_LARGE: u32 = 0x11_0000;

/// Index of a state in [`Machine::states`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// Index of a register in [`Machine::registers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegisterId(pub u32);

/// Index of an error code in [`Machine::errors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ErrorId(pub u32);

/// Index of a token in [`Vocabulary::tokens`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenId(pub u32);

/// A field of a token under construction: the token and the index in its [`Token::fields`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId {
    /// The token that has the field.
    pub token: TokenId,
    /// Index in [`Token::fields`].
    pub field: u32,
}

/// The canonical form of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The table's name, such as the name of a revision.
    pub name: String,
    /// One line saying what the table describes.
    pub title: String,
    /// The tokens it can emit.
    pub vocabulary: Vocabulary,
    /// Error codes in the order of declaration; the code of an unnamed parse error is `parse-error`.
    pub errors: Vec<String>,
    /// What people are told of errors.
    pub explanations: Explanations,
    /// Variables besides the tokens under construction.
    pub registers: Vec<Register>,
    /// What happens to characters before the states see them.
    pub preprocessing: Preprocessing,
    /// The named character references table: (name as written after `&`, replacement), sorted by name.
    pub references: Vec<(String, String)>,
    /// Numeric character references that stand for another code point: (number, code point), sorted.
    pub replacements: Vec<(u32, u32)>,
    /// All states; a state of the text may have lowered to several.
    pub states: Vec<State>,
    /// Where the outside may start or switch to; the first is the initial one.
    pub entries: Vec<Entry>,
    /// What elements contain, by their start tags.
    pub contents_after: ContentsAfter,
    /// Steps that run whenever a token of the kind is about to be emitted.
    pub on_emit: Vec<OnEmit>,
    /// Names for questions, each with the question where nothing of it is known.
    pub conditions: Vec<(String, Guard)>,
    /// States that the table calls hot, in path order; empty when it says nothing.
    pub hot: Vec<StateId>,
}

/// What people are told of errors. Codes stand in the order in which the table explains them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanations {
    /// Sentences: (error code, sentence).
    pub sentences: Vec<(String, String)>,
    /// Links to the text: (error code, link).
    pub links: Vec<(String, String)>,
    /// The link of all other codes, in which `CODE` stands for the code.
    pub link: Option<String>,
}

/// Which tokens exist, with their fields. Generated sinks and token types mirror this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// `Some("markup")` for the shared one, whose Rust types live in the runtime; `None` when the
    /// table declares its own.
    pub shared: Option<String>,
    /// The tokens, in order of declaration. Character tokens and end-of-file are built in.
    pub tokens: Vec<Token>,
    /// The contents that a sink may ask for (`data`, `RCDATA`, ...), in order of declaration.
    pub contents: Vec<String>,
    /// Yes/no questions the machine may ask the sink, such as `CDATA sections are allowed`.
    pub questions: Vec<String>,
}

/// One token under construction. A tag is one token with several kinds, since which it is may be
/// decided late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The name used in phrases: `tag`, `comment`, `DOCTYPE`.
    pub name: String,
    /// The kinds it can be emitted as: `start tag`, `end tag`; just the name when there is one.
    pub kinds: Vec<Kind>,
    /// Its fields in order of declaration.
    pub fields: Vec<Field>,
}

/// What a token is emitted as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The kind's name in phrases: `start tag`.
    pub name: String,
    /// Whether the sink's answer to this kind can name the content that follows, or pause.
    pub answers: bool,
    /// Whether the name of a token of this kind becomes the last start tag name.
    pub is_start_tag: bool,
}

/// One field of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name: `name`, `data`, `public identifier`.
    pub name: String,
    /// What it holds.
    pub ty: FieldType,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A string, empty on creation.
    Text,
    /// A string that is missing on creation, which differs from empty.
    OptionalText,
    /// A flag, unset on creation.
    Flag,
    /// A list of attributes, each a name and a value.
    Attributes,
}

/// A variable of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name in phrases: `temporary buffer`.
    pub name: String,
    /// What it holds.
    pub ty: RegisterType,
}

/// What a register holds, and so what its initial value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegisterType {
    /// A string, initially empty.
    Text,
    /// A state, initially the machine's first entry.
    State,
    /// A number, initially 0, saturating at 0x110000 (one above the last code point).
    Number,
    /// One character or none, initially none.
    Character,
    /// One of a few named values, initially the first.
    Finite(Vec<String>),
}

/// What happens to the input stream before the states see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preprocessing {
    /// Whether one leading U+FEFF is dropped.
    pub drop_bom: bool,
    /// Whether CR LF pairs and lone CRs become LF. No state sees a CR then.
    pub normalize_newlines: bool,
    /// Characters that the states see as others: (character, what the states see). Lowering has
    /// already applied it to the arms: the arm for the character behaves as for its replacement and
    /// appends or emits the replacement. Kept for the describers.
    pub replace: Vec<(char, char)>,
    /// Characters whose occurrence is an error in itself: disjoint sets with their code.
    pub errors: Vec<(CharSet, ErrorId)>,
}

impl Machine {
    /// All entries, with the names of their contents.
    pub fn contents(&self) -> impl Iterator<Item = (&Entry, &str)> {
        let names = &self.vocabulary.contents;
        let entries = self.entries.iter();
        entries.filter_map(|entry| Some((entry, names.get(entry.content as usize)?.as_str())))
    }

    /// The content that follows a start tag, by its name.
    pub fn content_after(&self, start_tag: &str, feedback: Feedback) -> Option<&str> {
        let mut elements = self.contents_after.elements.iter();
        let element = elements.find(|element| element.name == start_tag)?;
        let counts = match feedback {
            Feedback::Off => false,
            Feedback::NoScripting => !element.if_scripting,
            Feedback::Scripting => true,
        };
        let content = self.vocabulary.contents.get(element.content as usize)?;
        counts.then_some(content.as_str())
    }

    /// The entry for a content.
    pub fn entry(&self, content: &str) -> Option<&Entry> {
        let entry = self.contents().find(|(_, name)| *name == content);
        entry.map(|(entry, _)| entry)
    }
}

/// What a tree builder switches a tokenizer to after a start tag, as far as the tag's name tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentsAfter {
    /// The section that says so.
    pub section: Option<String>,
    /// The elements, in the order of the table.
    pub elements: Vec<Element>,
}

/// Whether a tokenizer takes what follows a start tag from [`ContentsAfter`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feedback {
    /// No: markup follows.
    #[default]
    Off,
    /// As where scripting is disabled.
    NoScripting,
    /// As where scripting is enabled.
    Scripting,
}

/// An element whose content is not what other elements contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The name of its start tag.
    pub name: String,
    /// Index in [`Vocabulary::contents`]; the machine has an entry for it.
    pub content: u32,
    /// Whether this is so only if scripting is enabled.
    pub if_scripting: bool,
}

/// Where the outside may start or switch to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Index in [`Vocabulary::contents`].
    pub content: u32,
    /// The state.
    pub state: StateId,
    /// Values that finite registers get.
    pub sets: Vec<(RegisterId, u32)>,
}

/// Steps run whenever a token is about to be emitted as a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnEmit {
    /// The token.
    pub token: TokenId,
    /// Index in [`Token::kinds`].
    pub kind: u32,
    /// Independent steps: each runs its actions when its guard holds.
    pub steps: Vec<(Option<Guard>, Vec<Action>)>,
}

/// One state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Unique name. Equal to the name in the table for the state itself; a part that lowering split
    /// off has the name and a comma and what it is (`bogus comment, first`).
    pub name: String,
    /// The name in the table of the state (or procedure) that this one comes from.
    pub origin: String,
    /// The section of the text, `13.2.5.6`.
    pub section: String,
    /// What it does.
    pub kind: StateKind,
}

/// What a state does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// Consumes a literal or one character.
    Consume(Consume),
    /// Consumes nothing.
    Steps(Body),
    /// Consumes the longest named character reference, without its `&`.
    Match {
        /// The table has an identifier that the input continues with.
        matched: Body,
        /// It has none; nothing was consumed.
        unmatched: Body,
    },
}

/// The arms of a consuming state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consume {
    /// Tried in order before the arms.
    pub literals: Vec<LiteralArm>,
    /// Disjoint sets that together hold every code point but surrogates, ordered as in the table;
    /// the arm for anything else is last (its set is the complement of the others, perhaps empty).
    pub arms: Vec<Arm>,
    /// At the end of the input.
    pub eof: Body,
}

/// An arm for a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralArm {
    /// The string; at least one character, ASCII.
    pub text: String,
    /// Whether ASCII letters match in either case.
    pub ignore_case: bool,
    /// Runs with the whole string consumed, unless a successor reconsumes.
    pub body: Body,
}

/// An arm for single characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Which characters.
    pub set: CharSet,
    /// Whether the arm only looks: it consumes nothing. (Its successors all say `reconsume`, but for
    /// those after a `Rewind`, which puts back more.)
    pub peeked: bool,
    /// What is done.
    pub body: Body,
    /// The arm's key in the table, normalised for display: `U+003C (<)`, `anything else`.
    pub label: String,
}

/// Actions, then a successor or a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// In order.
    pub actions: Vec<Action>,
    /// What comes then.
    pub next: Next,
}

/// The end of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The successor.
    Go {
        /// Where to.
        target: Target,
        /// Whether the characters consumed by this state are put back first.
        reconsume: bool,
    },
    /// A question.
    If {
        /// Asked after the actions before it.
        guard: Guard,
        /// When it holds.
        then: Box<Body>,
        /// When it does not.
        otherwise: Box<Body>,
    },
}

/// Where a successor leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A state; the state itself for "stay".
    State(StateId),
    /// The state that a state register holds.
    Register(RegisterId),
    /// The end, after the end-of-file token.
    End,
}

/// A text that an action emits, appends or compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// The current input character. Only in bodies that consumed one.
    Current,
    /// Its lowercase: an ASCII upper alpha becomes lower, anything else is itself.
    LowerCurrent,
    /// A fixed string.
    Literal(String),
    /// A text register.
    Register(RegisterId),
    /// The character whose code point a number register holds; U+FFFD when it is none.
    Code(RegisterId),
    /// The replacement of the named character reference that the state matched.
    MatchedReplacement,
    /// The name of the matched reference, as consumed.
    MatchedName,
    /// A field of the token under construction.
    Field(FieldId),
}

/// One thing done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Report a parse error.
    Error(ErrorId),
    /// Emit character tokens.
    EmitText(Value),
    /// Emit the token under construction as it is; for a token with several kinds, as the kind it has.
    Emit(TokenId),
    /// Make the token under construction this kind (index in [`Token::kinds`]).
    SetKind(TokenId, u32),
    /// Emit an end-of-file token.
    EmitEof,
    /// Create a new token of this kind: all fields at their initial values.
    Create(TokenId, u32),
    /// Start a new attribute in the token: name and value empty.
    StartAttribute(TokenId),
    /// Remove the current attribute from the token. Later appends to it are lost.
    DropAttribute(TokenId),
    /// Append to a text field (a missing one becomes present).
    Append(FieldId, Value),
    /// Set a text field (a missing one becomes present).
    Set(FieldId, Value),
    /// Append to the current attribute's name or value.
    AppendAttribute(TokenId, AttributePart, Value),
    /// Set the current attribute's name or value.
    SetAttribute(TokenId, AttributePart, Value),
    /// Set or unset a flag field.
    SetFlag(FieldId, bool),
    /// Append to a text register.
    AppendRegister(RegisterId, Value),
    /// Set a text register.
    SetText(RegisterId, Value),
    /// Set a state register.
    SetState(RegisterId, StateId),
    /// Set a number register.
    SetNumber(RegisterId, u32),
    /// Multiply a number register, saturating.
    Multiply(RegisterId, u32),
    /// Add the value of the current input character as a digit (0-9, A-F, a-f), saturating.
    AddDigit(RegisterId),
    /// Add one, saturating.
    Increase(RegisterId),
    /// Subtract one; 0 stays 0.
    Decrease(RegisterId),
    /// Replace the number by its entry in [`Machine::replacements`], if it has one.
    Replace(RegisterId),
    /// Set a character register; `None` for none.
    SetCharacter(RegisterId, Option<char>),
    /// Set a finite register to the value with this index.
    SetFinite(RegisterId, u32),
    /// Remember the position, for `Rewind`.
    Mark,
    /// Put the position back to the last mark: the characters since then are not consumed. Always the
    /// last action before a successor without `reconsume`.
    Rewind,
}

/// The name or the value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttributePart {
    /// The name.
    Name,
    /// The value.
    Value,
}

/// A question without side effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The token under construction has the name of the last start tag emitted.
    AppropriateEndTag(TokenId),
    /// A text register equals one of the strings.
    TextIs {
        /// The register.
        register: RegisterId,
        /// The strings.
        any_of: Vec<String>,
        /// Whether ASCII letters match in either case.
        ignore_case: bool,
    },
    /// A finite register has one of the values (indices).
    FiniteIs(RegisterId, Vec<u32>),
    /// A state register holds one of the states.
    StateIs(RegisterId, Vec<StateId>),
    /// A number register is in one of the inclusive ranges.
    NumberIn(RegisterId, Vec<(u32, u32)>),
    /// A number register has an entry in [`Machine::replacements`].
    HasReplacement(RegisterId),
    /// The current input character is in the set.
    CurrentIn(CharSet),
    /// The current input character is the one in the character register.
    CurrentIsCharacter(RegisterId),
    /// The last character of the matched reference name is in the set.
    LastMatchedIn(CharSet),
    /// The next input character is in the set; at the end of the input: `eof`. Looks one ahead.
    NextIn {
        /// The set.
        set: CharSet,
        /// The answer at the end of the input.
        eof: bool,
    },
    /// The next input characters are one or more of `run`, then one of `then`. Only ever decides
    /// whether errors are reported, so that it needs no retained input.
    NextAre {
        /// One or more of these.
        run: CharSet,
        /// Then one of these.
        then: CharSet,
    },
    /// The next input characters are the name of the last start tag emitted (in either case of ASCII
    /// letters), followed by a character of the set, or by the end of the input if `eof`.
    NextIsLastStartTag {
        /// What must follow.
        followed_by: CharSet,
        /// Whether the end of the input may.
        eof: bool,
    },
    /// A start tag was emitted, or its name set from outside.
    StartTagEmitted,
    /// The last characters consumed, the current one included, are this ASCII string.
    LastConsumed(String),
    /// The sink's answer to a question (index in [`Vocabulary::questions`]).
    Question(u32),
    /// An earlier attribute of the token has exactly the current attribute's name.
    DuplicateAttribute(TokenId),
    /// The token under construction has attributes.
    HasAttributes(TokenId),
    /// A flag of the token under construction is set.
    FlagIs(FieldId),
    /// The token under construction is of this kind.
    KindIs(TokenId, u32),
    /// Negation.
    Not(Box<Guard>),
    /// All hold.
    All(Vec<Guard>),
    /// At least one holds.
    Any(Vec<Guard>),
}

impl Action {
    /// The same where it is known which character the current input character is.
    #[must_use]
    pub fn on(self, current: char) -> Self {
        self.map_value(|value| match value {
            Value::Current => Value::Literal(current.to_string()),
            Value::LowerCurrent => Value::Literal(current.to_ascii_lowercase().to_string()),
            Value::Literal(_)
            | Value::Register(_)
            | Value::Code(_)
            | Value::MatchedReplacement
            | Value::MatchedName
            | Value::Field(_) => value,
        })
    }

    /// The same with another value in the place of that which it has.
    #[must_use]
    pub fn map_value(mut self, value: impl FnOnce(Value) -> Value) -> Self {
        if let Some(own) = self.value_mut() {
            *own = value(std::mem::replace(own, Value::Current));
        }
        self
    }
}

impl Guard {
    /// The same where it is known which character the current input character is: one that stands for another, and
    /// that no register holds, since they are set to characters that the text names.
    #[must_use]
    pub fn on(self, current: char) -> Self {
        let list = |parts: Vec<Self>| parts.into_iter().map(|g| g.on(current)).collect();
        match self {
            Self::CurrentIn(set) => Self::known(set.contains(current)),
            Self::CurrentIsCharacter(_) => Self::known(false),
            Self::Not(inner) => Self::Not(Box::new(inner.on(current))),
            Self::All(parts) => Self::All(list(parts)),
            Self::Any(parts) => Self::Any(list(parts)),
            Self::AppropriateEndTag(_)
            | Self::TextIs { .. }
            | Self::FiniteIs(..)
            | Self::StateIs(..)
            | Self::NumberIn(..)
            | Self::HasReplacement(_)
            | Self::LastMatchedIn(_)
            | Self::NextIn { .. }
            | Self::NextAre { .. }
            | Self::NextIsLastStartTag { .. }
            | Self::StartTagEmitted
            | Self::LastConsumed(_)
            | Self::Question(_)
            | Self::DuplicateAttribute(_)
            | Self::HasAttributes(_)
            | Self::FlagIs(_)
            | Self::KindIs(..) => self,
        }
    }

    /// A guard with a known answer: all of no parts hold, and any of none does not.
    fn known(answer: bool) -> Self {
        if answer {
            Self::All(Vec::new())
        } else {
            Self::Any(Vec::new())
        }
    }
}
