//! Guards without `and` and `or`.

use super::pattern::{Pattern, patterns};
use super::sort::{
    Atom, Class, Flag, KindOf, Modes, Part, Question, QuirksOf, Quoted, ScopeOf, Sort, Strings,
    Term, Word,
};
use crate::tree::machine::{
    DoctypeTest, Guard, Identifier, Location, Namespace, Node, Number, Truth, Types, Variable,
};

fn not(guard: Guard) -> Guard {
    Guard::Not(Box::new(guard))
}

fn doctype(test: DoctypeTest) -> Atom {
    Atom(Guard::Doctype(test))
}

const STACK: Variable = Variable::OpenElements;
const LIST: Variable = Variable::ActiveFormattingElements;
const MODES: Variable = Variable::TemplateInsertionModes;

/// All of them.
pub(super) const GUARDS: &[Pattern] = patterns! { Atom;
    /// Whether it is an element of these types; not so for null and for a marker.
    "ELEMENT is TYPES" / "ELEMENT is not TYPES" = "node is a tr element" => |_, node: Node, types: Types| Atom(Guard::Is(node, types));
    /// Whether both are one node.
    "ELEMENT is ELEMENT" / "ELEMENT is not ELEMENT" = "node is formattingElement" => |_, node: Node, other: Node| Atom(Guard::Same(node, other));
    /// Whether there is no node.
    "ELEMENT is null" / "ELEMENT is not null" = "lastTable is null" => |_, node: Node| Atom(Guard::IsNull(node));
    /// Whether it is a marker of the list of active formatting elements.
    "ELEMENT is a marker" / "ELEMENT is not a marker" = "entry is a marker" => |_, node: Node| Atom(Guard::IsMarker(node));
    /// Whether it is there.
    "ELEMENT is in the stack of open elements" / "ELEMENT is not in the stack of open elements" = "entry is in the stack of open elements"
        => |_, node: Node| Atom(Guard::IsIn(node, STACK));
    /// Whether it is there.
    "ELEMENT is in the list of active formatting elements" / "ELEMENT is not in the list of active formatting elements" = "node is in the list of active formatting elements"
        => |_, node: Node| Atom(Guard::IsIn(node, LIST));
    /// Whether the first is nearer to the current node.
    "ELEMENT is lower than ELEMENT in the stack of open elements" = "lastTemplate is lower than lastTable in the stack of open elements"
        => |_, node: Node, other: Node| Atom(Guard::IsLower(node, other));
    /// Whether it is the first entry.
    "there are no entries before ELEMENT in the list of active formatting elements" = "there are no entries before entry in the list of active formatting elements"
        => |_, node: Node| Atom(Guard::IsFirstEntry(node));
    /// Whether it has no entry.
    "the list of active formatting elements is empty" / "the list of active formatting elements is not empty" => |_| Atom(Guard::IsEmpty(LIST));
    /// Whether at least three entries after the last marker are like this element.
    "the list of active formatting elements has three elements after its last marker with the tag name, namespace and attributes of ELEMENT" = "the list of active formatting elements has three elements after its last marker with the tag name, namespace and attributes of element"
        => |_, node: Node| Atom(Guard::HasThreeLike(node));
    /// Whether no element is open.
    "the stack of open elements is empty" / "the stack of open elements is not empty" => |_| Atom(Guard::IsEmpty(STACK));
    /// Whether one element is open.
    "the stack of open elements has only one node on it" => |_| Atom(Guard::HasOneElement);
    /// Whether no insertion mode is on it.
    "the stack of template insertion modes is empty" / "the stack of template insertion modes is not empty" => |_| Atom(Guard::IsEmpty(MODES));
    /// Whether one of these is in a scope.
    "the stack of open elements has TYPES in SCOPE" / "the stack of open elements does not have TYPES in SCOPE" = "the stack of open elements has a p element in button scope"
        => |_, types: Types, scope: ScopeOf| Atom(Guard::HasInScope(types, scope.0));
    /// Whether one of the two is in its scope.
    "the stack of open elements has TYPES in SCOPE or has TYPES in SCOPE" = "the stack of open elements has an option element in scope or has an optgroup element in scope"
        => |_, types: Types, scope: ScopeOf, others: Types, other: ScopeOf|
            Atom(Guard::Any(vec![Guard::HasInScope(types, scope.0), Guard::HasInScope(others, other.0)]));
    /// Whether this element is in a scope.
    "the stack of open elements has ELEMENT in SCOPE" / "the stack of open elements does not have ELEMENT in SCOPE" = "the stack of open elements has node in scope"
        => |_, node: Node, scope: ScopeOf| Atom(Guard::HasElementInScope(node, scope.0));
    /// Whether one of these is open.
    "there is TYPES on the stack of open elements" / "there is no TYPES on the stack of open elements" = "there is a template element on the stack of open elements"
        => |_, types: Types| Atom(Guard::IsOnStack(types));
    /// The same.
    "the stack of open elements has TYPES" / "the stack of open elements does not have TYPES" = "the stack of open elements has an element with the same tag name as the token"
        => |_, types: Types| Atom(Guard::IsOnStack(types));
    /// Whether one that is none of these is open.
    "there is a node in the stack of open elements that is not TYPES" = "there is a node in the stack of open elements that is not a p, body or html element"
        => |_, types: Types| Atom(Guard::IsOtherOnStack(types));
    /// Whether the DOM calls it so.
    "ELEMENT is the body element of its node document" = "node is the body element of its node document" => |_, node: Node| Atom(Guard::IsBody(node));
    /// Whether it has one.
    "ELEMENT has a parent node" / "ELEMENT has no parent node" = "lastTable has a parent node" => |_, node: Node| Atom(Guard::HasParent(node));
    /// Whether both names are the same.
    "ELEMENT's tag name in ASCII lowercase is the token's tag name" / "ELEMENT's tag name in ASCII lowercase is not the token's tag name" = "node's tag name in ASCII lowercase is the token's tag name"
        => |_, node: Node| Atom(Guard::HasTagNameOfToken(node));
    /// Whether it has the attribute, with another value than the URL of the element's namespace.
    "ELEMENT has a STRING attribute in the XMLNS namespace that is not its namespace" = "element has an \"xmlns\" attribute in the XMLNS namespace that is not its namespace"
        => |_, node: Node, name: Quoted| Atom(Guard::HasOtherNamespaceIn(node.clone(), name.0, Namespace::Of(node)));
    /// Whether it has the attribute, with another value than the URL of a namespace.
    "ELEMENT has a STRING attribute in the XMLNS namespace that is not NAMESPACE" = "element has an \"xmlns:xlink\" attribute in the XMLNS namespace that is not the XLink namespace"
        => |_, node: Node, name: Quoted, namespace: Namespace| Atom(Guard::HasOtherNamespaceIn(node, name.0, namespace));

    /// Whether the token is of a kind.
    "the token is KIND" / "the token is not KIND" = "the token is an end-of-file token" => |_, kind: KindOf| Atom(Guard::TokenIs(kind.0));
    /// Whether it is of a kind and has one of these names.
    "the token is KIND whose tag name is STRINGS" = "the token is a start tag whose tag name is \"svg\""
        => |_, kind: KindOf, names: Strings| Atom(Guard::All(vec![Guard::TokenIs(kind.0), Guard::TokenIsNamed(names.0)]));
    /// Whether it is of a kind and has another name.
    "the token is KIND whose tag name is neither STRING nor STRING" = "the token is a start tag whose tag name is neither \"mglyph\" nor \"malignmark\""
        => |_, kind: KindOf, one: Quoted, other: Quoted|
            Atom(Guard::All(vec![Guard::TokenIs(kind.0), not(Guard::TokenIsNamed(vec![one.0, other.0]))]));
    /// Whether it has one of these names.
    "the token's tag name is STRINGS" / "the token's tag name is not STRINGS" = "the token's tag name is \"script\"" => |_, names: Strings| Atom(Guard::TokenIsNamed(names.0));
    /// Whether it has one of these names.
    "the token's name is STRINGS" / "the token's name is not STRINGS" = "the token's name is \"html\"" => |_, names: Strings| Atom(Guard::TokenIsNamed(names.0));
    /// Whether it has one of these names.
    "the name of the token is STRINGS" / "the name of the token is not STRINGS" = "the name of the token is \"amp\"" => |_, names: Strings| Atom(Guard::TokenIsNamed(names.0));
    /// Whether it has this attribute.
    "the token has a STRING attribute" / "the token has no STRING attribute" = "the token has a \"for\" attribute"
        => |_, name: Quoted| Atom(Guard::TokenHasAttribute(vec![name.0]));
    /// Whether it has this attribute with one of these values.
    "the token has a STRING attribute that is STRINGS ASCII case-insensitively" / "the token does not have a STRING attribute that is STRINGS ASCII case-insensitively" = "the token has a \"type\" attribute that is \"hidden\" ASCII case-insensitively"
        => |_, name: Quoted, values: Strings| Atom(Guard::TokenHasValue(name.0, values.0));
    /// Whether it has one of these attributes.
    "the token has any attributes named STRINGS" = "the token has any attributes named \"color\", \"face\", \"size\"" => |_, names: Strings| Atom(Guard::TokenHasAttribute(names.0));
    /// Whether its flag is set.
    "the token has its self-closing flag set" => |_| Atom(Guard::TokenIsSelfClosing);
    /// Whether a DOCTYPE has none.
    "the token's public identifier is missing" / "the token's public identifier is not missing" => |_| doctype(DoctypeTest::IsMissing(Identifier::Public));
    /// Whether a DOCTYPE has one, and another one than this.
    "the token's system identifier is neither missing nor STRING" = "the token's system identifier is neither missing nor \"about:legacy-compat\""
        => |_, it: Quoted| {
            let no = |test| Box::new(DoctypeTest::Not(Box::new(test)));
            let system = Identifier::System;
            doctype(DoctypeTest::Both(no(DoctypeTest::IsMissing(system)), no(DoctypeTest::IsExactly(system, it.0))))
        };
    /// Whether a DOCTYPE meets one of the conditions that `quirks` lists.
    "the token matches one of the QUIRKS conditions" = "the token matches one of the limited-quirks conditions" => |_, quirks: QuirksOf| Atom(Guard::TokenMatches(quirks.0));

    /// Whether a flag has this word.
    "FLAG is set to WORD" / "FLAG is not set to WORD" = "the frameset-ok flag is set to not ok"
        => |holes, flag: Flag, word: Word| Atom(Guard::HasWord(flag.0, holes.word(flag.0, &word)?));
    /// Whether a question has this answer.
    "QUESTION is WORD" / "QUESTION is not WORD" = "the scripting mode is Disabled"
        => |holes, it: Question, word: Word| Atom(Guard::HasWord(it.0, holes.word(it.0, &word)?));
    /// Whether it is one of these.
    "the insertion mode is MODES" / "the insertion mode is not MODES" = "the insertion mode is \"in table\" or \"in row\"" => |_, modes: Modes| Atom(Guard::InsertionModeIs(modes.0));
    /// Whether it is enabled.
    "foster parenting is enabled" / "foster parenting is not enabled" => |_| Atom(Guard::FosterParenting);
    /// Whether there is a pending character of another class.
    "any of the pending table character tokens is not CLASS" = "any of the pending table character tokens is not white space" => |_, class: Class| Atom(Guard::PendingHasOther(class.0));
    /// Whether its node is a Document.
    "LOCATION is in a Document node" / "LOCATION is not in a Document node" = "place is in a Document node" => |_, at: Location| Atom(Guard::IsInDocument(at));
    /// Whether its node is of these types.
    "LOCATION is inside TYPES" / "LOCATION is not inside TYPES" = "place is inside a template element" => |_, at: Location, types: Types| Atom(Guard::IsInside(at, types));
    /// Whether there is one.
    "there is a Text node immediately before LOCATION" / "there is no Text node immediately before LOCATION" = "there is a Text node immediately before place" => |_, at: Location| Atom(Guard::HasTextBefore(at));
    /// Whether the DOM allows it.
    "it is possible to insert ELEMENT at LOCATION" / "it is not possible to insert ELEMENT at LOCATION" = "it is possible to insert element at place" => |_, node: Node, at: Location| Atom(Guard::IsPossible(node, at));
    /// Whether the first is greater.
    "NUMBER is greater than NUMBER" / "NUMBER is not greater than NUMBER" = "innerLoopCounter is greater than 3" => |_, number: Number, than: Number| Atom(Guard::IsGreater(number, than));
    /// Whether the first is not less.
    "NUMBER is greater than or equal to NUMBER" = "outerLoopCounter is greater than or equal to 8" => |_, number: Number, than: Number| Atom(Guard::IsAtLeast(number, than));
    /// Whether it is yes.
    "TRUTH is true" = "last is true" => |_, truth: Truth| Atom(Guard::IsTrue(truth));
    /// Whether it is no.
    "TRUTH is false" = "last is false" => |_, truth: Truth| Atom(not(Guard::IsTrue(truth)));
    /// Always; for `while true`.
    "true" => |_| Atom(Guard::True);
};
