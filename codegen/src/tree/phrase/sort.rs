//! Sorts of phrases: a step, a guard, a node, a location, a name that the table declares.

use crate::tree::machine::{
    ElementName, Exit, Guard, HostCall, Location, Mode, ModeId, Namespace, Node, Number, Position,
    SetId, SlotId, StateId, Step, Text, TokenOf, Tokens, Truth, Types, Value, ValueSort,
};

/// What a phrase in a list of steps says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    Does(Step),
    /// The end of the list, and of the arm or procedure.
    Ends(Exit),
    /// The end of the arm, which does what another one does.
    ActsAs(ArmWanted),
    /// What another arm does; then the next step.
    Runs(ArmWanted, ModeId),
    /// The same for each pending character.
    RunsForPending(ArmWanted, ModeId),
    Returns(Option<Value>),
    Breaks,
    Continues,
    Jumps(Label),
    Lets(NewName, Value),
    Sets(Assigned, Value),
}

/// An arm as phrases name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArmWanted(pub(crate) Tokens);

/// Declares what stands in holes: a type for each sort of names.
macro_rules! newtypes {
    ($($(#[doc = $about:literal])+ $name:ident($($of:ty),+);)+) => {
        $($(#[doc = $about])+ #[derive(Clone, Debug, PartialEq, Eq)] pub(crate) struct $name($(pub(crate) $of),+);)+
    };
}

newtypes! {
    /// The name of a value that is declared here.
    NewName(String);
    /// A label of a list.
    Label(String);
    /// A flag of the table.
    Flag(StateId);
    /// A question of the table with words.
    Question(StateId);
    /// A word of a flag or question.
    Word(String);
    /// A scope.
    ScopeOf(usize);
    /// A set of element types.
    SetOf(SetId);
    /// A property of elements.
    PropertyOf(usize);
    /// A list of names.
    NamesOf(usize);
    /// A list of conditions of DOCTYPEs.
    QuirksOf(usize);
    /// A kind of token.
    KindOf(usize);
    /// A class of characters, as sorted ranges.
    Class(Vec<(char, char)>);
    /// A content of the tokenizer.
    Content(String);
    /// A string in quotes.
    Quoted(String);
    /// Strings in quotes: `"a", "b" or "c"`.
    Strings(Vec<String>);
    /// Insertion modes in quotes.
    Modes(Vec<ModeId>);
    /// A character: `U+000A`.
    CodePoint(char);
    /// Types of elements that are no list.
    One(Types);
    /// Names of element types: `a td or th element`.
    ElementNames(Vec<ElementName>);
    /// A guard without `and` and `or`.
    Atom(Guard);
    /// A guard without `or`.
    Both(Guard);
}

/// What `set` can set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Assigned {
    Slot(SlotId, Sort),
    State(StateId),
}

/// A type whose values stand in holes, or are phrases themselves.
pub(crate) trait Part: Sized {
    const SORT: Sort;
    fn of(term: Term) -> Option<Self>;
}

macro_rules! sorts {
    ($($name:ident: $ty:ty, $word:literal, $expected:literal;)+) => {
        /// What a part of a phrase is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum Sort { $($name),+ }

        /// A part of a phrase that has been read.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) enum Term { $($name($ty)),+ }

        $(impl Part for $ty {
            const SORT: Sort = Sort::$name;
            fn of(term: Term) -> Option<Self> {
                match term { Term::$name(it) => Some(it), _ => None }
            }
        }
        impl From<$ty> for Term {
            fn from(it: $ty) -> Self { Self::$name(it) }
        })+

        impl Sort {
            /// The word that stands for it in patterns.
            pub(crate) fn word(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }

            /// As messages call it.
            pub(crate) fn expected(self) -> &'static str {
                match self { $(Self::$name => $expected),+ }
            }
        }
    };
}

sorts! {
    Step: Says, "STEP", "a step";
    Guard: Guard, "GUARD", "a guard";
    Both: Both, "GUARD", "a guard";
    Atom: Atom, "GUARD", "a guard";
    Node: Node, "ELEMENT", "an element";
    Types: Types, "TYPES", "types of elements";
    One: One, "TYPES", "types of elements";
    ElementNames: ElementNames, "NAMES", "types of elements";
    Set: SetOf, "SET", "a set of element types";
    Location: Location, "LOCATION", "a location";
    Position: Position, "POSITION", "a position in the list";
    Token: TokenOf, "TOKEN", "a token";
    Namespace: Namespace, "NAMESPACE", "a namespace";
    Text: Text, "TEXT", "a text";
    Number: Number, "NUMBER", "a number";
    Truth: Truth, "TRUTH", "a yes or no";
    Value: Value, "VALUE", "a value";
    Host: HostCall, "HOST", "a host step";
    Mode: Mode, "MODE", "an insertion mode";
    Modes: Modes, "MODES", "insertion modes in quotes";
    Arm: ArmWanted, "ARM", "an arm";
    Content: Content, "CONTENT", "a content of the tokenizer";
    Scope: ScopeOf, "SCOPE", "a scope";
    NewName: NewName, "NAME", "a name of one word";
    Assigned: Assigned, "VARIABLE", "a variable";
    Label: Label, "LABEL", "a label";
    Flag: Flag, "FLAG", "a flag";
    Question: Question, "QUESTION", "a question";
    Word: Word, "WORD", "a word";
    Property: PropertyOf, "PROPERTY", "a property";
    Names: NamesOf, "NAMES", "a list of names";
    Quirks: QuirksOf, "QUIRKS", "a document mode";
    Kind: KindOf, "KIND", "a kind of token";
    Class: Class, "CLASS", "a class of characters";
    Quoted: Quoted, "STRING", "a string in quotes";
    Strings: Strings, "STRINGS", "strings in quotes";
    CodePoint: CodePoint, "CHARACTER", "a character, such as `U+000A`";
}

impl Sort {
    /// The sorts of values, which a slot can hold.
    pub(crate) const VALUES: [Self; 9] = [
        Self::Node,
        Self::Location,
        Self::Position,
        Self::Text,
        Self::Number,
        Self::Truth,
        Self::Token,
        Self::Namespace,
        Self::Types,
    ];

    /// The same in a machine; none for what is no value.
    pub(crate) fn of_value(self) -> Option<ValueSort> {
        Some(match self {
            Self::Node => ValueSort::Node,
            Self::Location => ValueSort::Location,
            Self::Position => ValueSort::Position,
            Self::Text => ValueSort::Text,
            Self::Number => ValueSort::Number,
            Self::Truth => ValueSort::Truth,
            Self::Token => ValueSort::Token,
            Self::Namespace => ValueSort::Namespace,
            Self::Types => ValueSort::Types,
            _ => return None,
        })
    }

    /// The sorts of values that `let` can declare and a procedure can return.
    pub(crate) const LET: [Self; 6] = [
        Self::Node,
        Self::Location,
        Self::Position,
        Self::Text,
        Self::Number,
        Self::Truth,
    ];

    /// The holes that the name of a procedure can have.
    pub(crate) const HOLES: [(&'static str, Self); 8] = [
        ("TOKEN", Self::Token),
        ("ELEMENT", Self::Node),
        ("TARGET", Self::Node),
        ("PARENT", Self::Node),
        ("NAMESPACE", Self::Namespace),
        ("LOCATION", Self::Location),
        ("DATA", Self::Text),
        ("TYPES", Self::Types),
    ];

    /// What a slot of this sort is, where it is read.
    pub(crate) fn slot(self, slot: SlotId) -> Option<Term> {
        Some(match self {
            Self::Node => Node::Slot(slot).into(),
            Self::Location => Location::Slot(slot).into(),
            Self::Position => Position::Slot(slot).into(),
            Self::Text => Text::Slot(slot).into(),
            Self::Number => Number::Slot(slot).into(),
            Self::Truth => Truth::Slot(slot).into(),
            Self::Token => TokenOf::Slot(slot).into(),
            Self::Namespace => Namespace::Slot(slot).into(),
            Self::Types => Types::Slot(slot).into(),
            _ => return None,
        })
    }
}

impl Term {
    /// The term as a value, if it can be one.
    pub(crate) fn value(self) -> Option<Value> {
        Some(match self {
            Self::Value(it) => it,
            Self::Node(it) => Value::Node(it),
            Self::Location(it) => Value::Location(it),
            Self::Position(it) => Value::Position(it),
            Self::Text(it) => Value::Text(it),
            Self::Number(it) => Value::Number(it),
            Self::Truth(it) => Value::Truth(it),
            Self::Token(it) => Value::Token(it),
            Self::Namespace(it) => Value::Namespace(it),
            Self::Types(it) => Value::Types(it),
            _ => return None,
        })
    }
}
