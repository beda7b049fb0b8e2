//! What steps and guards speak of: nodes, their types, places, tokens, texts.

use super::{BodyId, SetId, SlotId, StateId};

/// A value that a slot holds or that a procedure is given or returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// No node.
    Null,
    /// A node.
    Node(Node),
    /// A place in the tree.
    Location(Location),
    /// A place in the list of active formatting elements.
    Position(Position),
    /// A text.
    Text(Text),
    /// A number.
    Number(Number),
    /// Yes or no.
    Truth(Truth),
    /// A token.
    Token(TokenOf),
    /// A namespace.
    Namespace(Namespace),
    /// Types of elements.
    Types(Types),
}

/// A node, a marker, or null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// What a slot holds.
    Slot(SlotId),
    /// What a variable or question of the table's own holds.
    State(StateId),
    /// The Document.
    Document,
    /// The last one on the stack of open elements.
    Current,
    /// The context element if the stack has one entry and a fragment is parsed; else the current node.
    AdjustedCurrent,
    /// The element that was created last.
    New,
    /// The element that is being popped.
    Popped,
    /// The first one on the stack.
    Top,
    /// The second one on the stack; null, if there is none.
    Second,
    /// The last one on the stack of these types; null, if there is none.
    Last(Box<Types>),
    /// The one immediately above another on the stack. If that one was removed: what was above it then.
    Above(Box<Node>),
    /// The topmost one on the stack of these types that is lower than another; null, if there is none.
    TopmostLower(Box<Types>, Box<Node>),
    /// The last entry in the list of active formatting elements.
    LastEntry,
    /// The last one there of these types after the last marker; null, if there is none.
    LastEntryOf(Box<Types>),
    /// The earliest one after the last marker with the name, namespace and attributes of another.
    EarliestLike(Box<Node>),
    /// The entry before another one.
    EntryBefore(Box<Node>),
    /// The entry after another one.
    EntryAfter(Box<Node>),
    /// The node in which a location is.
    In(Box<Location>),
    /// The parent of a node; null, if it has none.
    Parent(Box<Node>),
    /// The template contents of an element.
    Contents(Box<Node>),
    /// A property of an element.
    Property(usize, Box<Node>),
    /// A new element; it is the new element from now on.
    Create(Box<Text>, Box<Namespace>),
    /// The nearest of these types among a node and its ancestors; null, if there is none.
    Nearest(Box<Types>, Box<Node>),
    /// What a procedure returns.
    Call(Box<Call>),
}

/// Types of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Types {
    /// What a slot holds.
    Slot(SlotId),
    /// Those with one of these names.
    Names(Vec<ElementName>),
    /// Those of a set.
    Set(SetId),
    /// HTML elements with the tag name of the token.
    SameName,
    /// HTML elements with this name.
    Named(Box<Text>),
    /// Elements with this name in any namespace.
    NamedAny(Box<Text>),
    /// Those in a namespace.
    In(Box<Namespace>),
    /// Those of one of these.
    Any(Vec<Types>),
    /// Those of the first that are not of the second.
    ButNot(Box<Types>, Box<Types>),
}

/// The name of an element type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementName {
    /// Its namespace: HTML, MathML or SVG.
    pub space: Space,
    /// Its local name.
    pub name: String,
}

/// A namespace that the text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Space {
    Html,
    MathMl,
    Svg,
    XLink,
    Xml,
    Xmlns,
    /// None.
    None,
}

impl Space {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Html,
        Self::MathMl,
        Self::Svg,
        Self::XLink,
        Self::Xml,
        Self::Xmlns,
        Self::None,
    ];

    /// As phrases write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Html => "HTML",
            Self::MathMl => "MathML",
            Self::Svg => "SVG",
            Self::XLink => "XLink",
            Self::Xml => "XML",
            Self::Xmlns => "XMLNS",
            Self::None => "no",
        }
    }

    /// Its URL.
    pub fn url(self) -> &'static str {
        match self {
            Self::Html => "http://www.w3.org/1999/xhtml",
            Self::MathMl => "http://www.w3.org/1998/Math/MathML",
            Self::Svg => "http://www.w3.org/2000/svg",
            Self::XLink => "http://www.w3.org/1999/xlink",
            Self::Xml => "http://www.w3.org/XML/1998/namespace",
            Self::Xmlns => "http://www.w3.org/2000/xmlns/",
            Self::None => "",
        }
    }
}

/// A namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Namespace {
    /// What a slot holds.
    Slot(SlotId),
    /// This one.
    Fixed(Space),
    /// That of an element.
    Of(Node),
}

/// A place where a node can be inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// What a slot holds.
    Slot(SlotId),
    /// Behind the last child of a node.
    LastChild(Node),
    /// In the first, immediately before its child, the second.
    Before(Node, Node),
    /// In the first, immediately before its child, the second; after its last child, if the second is null.
    Pair(Node, Node),
    /// What a procedure returns.
    Call(Box<Call>),
}

/// A place between entries of the list of active formatting elements. It moves along with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// What a slot holds.
    Slot(SlotId),
    /// That of an entry.
    Of(Node),
    /// Immediately after an entry.
    After(Node),
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenOf {
    /// What a slot holds.
    Slot(SlotId),
    /// The one that is processed.
    Current,
    /// A start tag token with this name and no attributes.
    Made(String),
    /// The one for which an element was created.
    Created(Node),
}

/// A text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// What a slot holds.
    Slot(SlotId),
    /// This one.
    Literal(String),
    /// The character of the token.
    Character,
    /// The pending characters.
    Pending,
    /// The tag name of a token.
    TagName(TokenOf),
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// What a slot holds.
    Slot(SlotId),
    /// This one.
    Literal(u32),
}

/// Yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// What a slot holds.
    Slot(SlotId),
    /// This one.
    Literal(bool),
    /// What a host step answers.
    Host(HostCall),
}

/// A procedure with what it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The body.
    pub body: BodyId,
    /// For its first slots.
    pub arguments: Vec<Value>,
}

/// A host step with what it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostCall {
    /// The number of the host step.
    pub host: usize,
    /// Nodes, or null.
    pub arguments: Vec<Value>,
}
