//! What stands in holes and is itself a phrase: nodes, types, locations, tokens, texts.

use super::pattern::{Pattern, patterns};
use super::sort::{CodePoint, ElementNames, One, Part, PropertyOf, Quoted, SetOf, Sort, Term};
use crate::tree::machine::{
    HostCall, Location, Mode, Namespace, Node, Position, Space, Text, TokenOf, Truth, Types, Value,
};

pub(super) const NODES: &[Pattern] = patterns! { Node;
    /// The last element on the stack of open elements.
    "the current node" => |_| Node::Current;
    /// The same.
    "the current element" => |_| Node::Current;
    /// The context element, if there is one and one element is open; else the current node.
    "the adjusted current node" => |_| Node::AdjustedCurrent;
    /// The element that was created last, also in a procedure.
    "the new element" => |_| Node::New;
    /// The first element on the stack.
    "the top element of the stack of open elements" => |_| Node::Top;
    /// The second one; null, if there is none.
    "the second element on the stack of open elements" => |_| Node::Second;
    /// Null, if there is none.
    "the last TYPES in the stack of open elements" = "the last table element in the stack of open elements"
        => |_, types: Types| Node::Last(types.into());
    /// What is above it; if it was removed from the stack, what was above it then.
    "the element immediately above ELEMENT in the stack of open elements" = "the element immediately above node in the stack of open elements"
        => |_, node: Node| Node::Above(node.into());
    /// The same.
    "the element immediately above ELEMENT in the stack of open elements, or above where it was removed" = "the element immediately above node in the stack of open elements, or above where it was removed"
        => |_, node: Node| Node::Above(node.into());
    /// Null, if there is none.
    "the topmost TYPES in the stack of open elements lower than ELEMENT" = "the topmost special element in the stack of open elements lower than formattingElement"
        => |_, types: Types, node: Node| Node::TopmostLower(types.into(), node.into());
    /// An element or a marker.
    "the last entry in the list of active formatting elements" => |_| Node::LastEntry;
    /// Null, if there is none.
    "the last TYPES in the list of active formatting elements after its last marker" = "the last a element in the list of active formatting elements after its last marker"
        => |_, types: Types| Node::LastEntryOf(types.into());
    /// Null, if there is none.
    "the last element in the list of active formatting elements after its last marker whose tag name is TEXT" = "the last element in the list of active formatting elements after its last marker whose tag name is subject"
        => |_, name: Text| Node::LastEntryOf(Types::NamedAny(name.into()).into());
    /// An element or a marker.
    "the entry one earlier than ELEMENT in the list of active formatting elements" = "the entry one earlier than entry in the list of active formatting elements"
        => |_, node: Node| Node::EntryBefore(node.into());
    /// An element or a marker.
    "the entry one later than ELEMENT in the list of active formatting elements" = "the entry one later than entry in the list of active formatting elements"
        => |_, node: Node| Node::EntryAfter(node.into());
    /// Of the list of active formatting elements.
    "the earliest element after its last marker with the tag name, namespace and attributes of ELEMENT" = "the earliest element after its last marker with the tag name, namespace and attributes of element"
        => |_, node: Node| Node::EarliestLike(node.into());
    /// The parent that a node gets there.
    "the node in which LOCATION finds itself" = "the node in which place finds itself" => |_, at: Location| Node::In(at.into());
    /// The same.
    "LOCATION's target parent" = "place's target parent" => |_, at: Location| Node::In(at.into());
    /// Null, if it has none.
    "the parent node of ELEMENT" = "the parent node of lastTable" => |_, node: Node| Node::Parent(node.into());
    /// A fragment beside the children.
    "the template contents of ELEMENT" = "the template contents of lastTemplate" => |_, node: Node| Node::Contents(node.into());
    /// What the DOM keeps with the element.
    "the PROPERTY of ELEMENT" = "the insertion target of templateElement" => |_, property: PropertyOf, node: Node| Node::Property(property.0, node.into());
    /// The new element from now on. It is in no tree yet.
    "a new element with TEXT in NAMESPACE" = "a new element with the token's tag name in the HTML namespace"
        => |_, name: Text, namespace: Namespace| Node::Create(name.into(), namespace.into());
    /// The same.
    "a new element with the tag name STRING in NAMESPACE" = "a new element with the tag name \"html\" in the HTML namespace"
        => |_, name: Quoted, namespace: Namespace| Node::Create(Text::Literal(name.0).into(), namespace.into());
    /// Null, if there is none.
    "the nearest TYPES among ELEMENT and its ancestors" = "the nearest form element among the context element and its ancestors"
        => |_, types: Types, node: Node| Node::Nearest(types.into(), node.into());
    /// The root of the tree.
    "the Document" => |_| Node::Document;
    /// In `on popping`.
    "the popped element" => |_| Node::Popped;
};

pub(super) const TYPES: &[Pattern] = patterns! { One;
    /// HTML elements without a prefix: `a td, th or MathML mi element`.
    "NAMES" = "a td or th element" => |_, names: ElementNames| One(Types::Names(names.0));
    /// Those of a set of the table.
    "SET" = "a special element" => |_, set: SetOf| One(Types::Set(set.0));
    /// Those whose name is the token's.
    "an HTML element with the same tag name as the token" => |_| One(Types::SameName);
    /// The same.
    "HTML elements with the same tag name as the token" => |_| One(Types::SameName);
    /// Those whose name is the token's, whatever their namespace.
    "an element with the same tag name as the token" => |_| One(Types::NamedAny(Text::TagName(TokenOf::Current).into()));
    /// Those with this name.
    "an HTML element whose tag name is TEXT" = "an HTML element whose tag name is subject" => |_, name: Text| One(Types::Named(name.into()));
    /// Those in this namespace.
    "an element in NAMESPACE" = "an element in the SVG namespace" => |_, namespace: Namespace| One(Types::In(namespace.into()));
};

pub(super) const OTHERS: &[&[Pattern]] = &[
    patterns! { Location;
        /// Behind all children.
        "inside ELEMENT, after its last child" = "inside node, after its last child" => |_, node: Node| Location::LastChild(node);
        /// Before a child.
        "inside ELEMENT, immediately before ELEMENT" = "inside the parent node of lastTable, immediately before lastTable"
            => |_, node: Node, before: Node| Location::Before(node, before);
        /// The target parent and the reference child: before that child; after all children, if it is null.
        "(ELEMENT, ELEMENT)" = "(targetParent, referenceChild)" => |_, node: Node, before: Node| Location::Pair(node, before);
        /// Behind all children of the target parent.
        "(ELEMENT, null)" = "(the Document, null)" => |_, node: Node| Location::LastChild(node);
    },
    patterns! { Position;
        /// A place between entries, which moves along with them.
        "the position of ELEMENT in the list of active formatting elements" = "the position of node in the list of active formatting elements"
            => |_, node: Node| Position::Of(node);
        /// The same.
        "the position immediately after ELEMENT in the list of active formatting elements" = "the position immediately after node in the list of active formatting elements"
            => |_, node: Node| Position::After(node);
    },
    patterns! { Token;
        /// The one that is processed.
        "the token" => |_| TokenOf::Current;
        /// One that is made.
        "a STRING start tag token with no attributes" = "a \"p\" start tag token with no attributes" => |_, name: Quoted| TokenOf::Made(name.0);
        /// With its attributes as they were.
        "the token for which ELEMENT was created" = "the token for which entry was created" => |_, node: Node| TokenOf::Created(node);
    },
    patterns! { Namespace;
        /// Of HTML elements.
        "the HTML namespace" => |_| Namespace::Fixed(Space::Html);
        /// Of MathML elements.
        "the MathML namespace" => |_| Namespace::Fixed(Space::MathMl);
        /// Of SVG elements.
        "the SVG namespace" => |_| Namespace::Fixed(Space::Svg);
        /// Of attributes.
        "the XLink namespace" => |_| Namespace::Fixed(Space::XLink);
        /// None.
        "no namespace" => |_| Namespace::Fixed(Space::None);
        /// That of an element.
        "the namespace of ELEMENT" = "the namespace of the adjusted current node" => |_, node: Node| Namespace::Of(node);
    },
    patterns! { Text;
        /// Of a character token.
        "the token's character" => |_| Text::Character;
        /// In their order.
        "the characters given by the pending table character tokens" => |_| Text::Pending;
        /// A character.
        "CHARACTER" = "U+FFFD" => |_, character: CodePoint| Text::Literal(character.0.into());
        /// Its name.
        "TOKEN's tag name" = "the token's tag name" => |_, token: TokenOf| Text::TagName(token);
        /// A string.
        "STRING" = "\"img\"" => |_, text: Quoted| Text::Literal(text.0);
    },
    patterns! { Truth;
        /// What a host step answers.
        "the result of HOST" = "the result of attach a declarative shadow root given host, templateElement" => |_, host: HostCall| Truth::Host(host);
        /// Yes.
        "true" => |_| Truth::Literal(true);
        /// No.
        "false" => |_| Truth::Literal(false);
    },
    patterns! { Mode;
        /// What takes the next token.
        "the current insertion mode" => |_| Mode::Current;
        /// What was remembered.
        "the original insertion mode" => |_| Mode::Original;
        /// The last on the stack of template insertion modes.
        "the current template insertion mode" => |_| Mode::CurrentTemplate;
    },
    patterns! { Value;
        /// No node.
        "null" => |_| Value::Null;
    },
];
