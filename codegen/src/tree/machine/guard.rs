//! Guards: questions that are answered yes or no.

use super::value::{Location, Namespace, Node, Number, Truth, Types};
use super::{ModeId, ScopeId, StateId, Variable};

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The contrary.
    Not(Box<Guard>),
    /// Whether all hold; the rest is not asked once one does not.
    All(Vec<Guard>),
    /// Whether one holds; the rest is not asked once one does.
    Any(Vec<Guard>),
    /// Always.
    True,
    /// A condition with a name, by its number.
    Condition(usize),

    /// Whether a node is an element of these types; not so for null and for a marker.
    Is(Node, Types),
    /// Whether both are one node, or both null.
    Same(Node, Node),
    /// Whether there is no node.
    IsNull(Node),
    /// Whether it is a marker.
    IsMarker(Node),
    /// Whether it is in a list or stack.
    IsIn(Node, Variable),
    /// Whether the first is lower than the second on the stack of open elements.
    IsLower(Node, Node),
    /// Whether it is the first entry of the list of active formatting elements.
    IsFirstEntry(Node),
    /// Whether a list or stack is empty.
    IsEmpty(Variable),
    /// Whether the stack of open elements has one entry.
    HasOneElement,
    /// Whether the list has at least three entries after its last marker that have the name, namespace and attributes
    /// of an element.
    HasThreeLike(Node),
    /// Whether an element of these types is in a scope.
    HasInScope(Types, ScopeId),
    /// Whether this element is in a scope.
    HasElementInScope(Node, ScopeId),
    /// Whether one of these is on the stack.
    IsOnStack(Types),
    /// Whether one that is not of these is on the stack.
    IsOtherOnStack(Types),
    /// Whether it is the body element of its document.
    IsBody(Node),
    /// Whether it has a parent.
    HasParent(Node),
    /// Whether its tag name, in ASCII lowercase, is the token's.
    HasTagNameOfToken(Node),
    /// Whether it has an attribute of this name in the XMLNS namespace whose value is not that namespace.
    HasOtherNamespaceIn(Node, String, Namespace),

    /// Whether the token is of a kind.
    TokenIs(usize),
    /// Whether the token has one of these names.
    TokenIsNamed(Vec<String>),
    /// Whether it has one of these attributes.
    TokenHasAttribute(Vec<String>),
    /// Whether it has an attribute with one of these values, ASCII case-insensitively.
    TokenHasValue(String, Vec<String>),
    /// Whether its self-closing flag is set.
    TokenIsSelfClosing,
    /// What the token has by way of a DOCTYPE.
    Doctype(DoctypeTest),
    /// Whether it meets one of the conditions of a document mode, by its number in the list.
    TokenMatches(usize),

    /// Whether a variable or question has this word, by its number.
    HasWord(StateId, usize),
    /// Whether a question is answered with yes.
    IsYes(StateId),
    /// Whether the insertion mode is one of these.
    InsertionModeIs(Vec<ModeId>),
    /// Whether foster parenting is enabled.
    FosterParenting,
    /// Whether a pending character is none of a class, as sorted ranges.
    PendingHasOther(Vec<(char, char)>),
    /// Whether a location is in a Document.
    IsInDocument(Location),
    /// Whether a location is inside an element of these types.
    IsInside(Location, Types),
    /// Whether a Text node is immediately before a location.
    HasTextBefore(Location),
    /// Whether the DOM lets a node be inserted there.
    IsPossible(Node, Location),
    /// Whether the first is greater than the second.
    IsGreater(Number, Number),
    /// Whether the first is at least the second.
    IsAtLeast(Number, Number),
    /// Whether it is yes.
    IsTrue(Truth),
}

/// What a DOCTYPE token can be asked. Strings are compared ASCII case-insensitively where nothing else
/// is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DoctypeTest {
    /// Whether the force-quirks flag is set.
    ForceQuirks,
    /// Whether the name is this one, exactly.
    NameIs(String),
    /// The contrary of another.
    Not(Box<DoctypeTest>),
    /// Whether both hold.
    Both(Box<DoctypeTest>, Box<DoctypeTest>),
    /// Whether an identifier is missing.
    IsMissing(Identifier),
    /// Whether an identifier is there and is this string.
    Is(Identifier, String),
    /// Whether an identifier is there and is exactly this string.
    IsExactly(Identifier, String),
    /// Whether an identifier is there and starts with this string.
    StartsWith(Identifier, String),
}

/// An identifier of a DOCTYPE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identifier {
    /// The public one.
    Public,
    /// The system one.
    System,
}
