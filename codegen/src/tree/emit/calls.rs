//! Calls of procedures and of the builder's methods. An argument that changes the builder is evaluated before the call, as are those in
//! front of it: the builder is lent only once at a time.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::super::facts::Given;
use super::super::machine::{
    Call, Location, Namespace, Node, Position, Text, TokenOf, Types, Value,
};
use super::idents::unused;
use super::printer::Printing;
use crate::emit::names::mentions;

/// A call as an expression, with the statements in front of it.
pub(super) type Called = (TokenStream, TokenStream);

/// An argument of a call.
pub(super) struct Argument {
    /// Its name, if it is evaluated before.
    name: Ident,
    /// As an expression among the arguments.
    here: TokenStream,
    /// As the value of a variable, and whether the call looks at that.
    before: TokenStream,
    is_lent: bool,
    changes: bool,
}

impl Argument {
    /// What changes nothing.
    pub(super) fn plain(value: TokenStream) -> Self {
        Self {
            name: format_ident!("value"),
            here: value.clone(),
            before: value,
            is_lent: false,
            changes: false,
        }
    }
}

impl Printing<'_> {
    /// A node that the call keeps.
    pub(super) fn kept(&self, node: &Node) -> Argument {
        Argument {
            name: format_ident!("node"),
            changes: self.changes(node),
            ..Argument::plain(self.node(node))
        }
    }

    /// A node that must be an element of the builder.
    pub(super) fn own(&self, node: &Node) -> Argument {
        self.check_own(node);
        self.kept(node)
    }

    /// Refuses nodes that only the sink knows where open elements or entries of the list are meant.
    pub(super) fn check_own(&self, node: &Node) {
        if self.is_found(node) {
            self.printer.refuse(
                "a node that the sink finds, such as a parent, on the stack of open elements or in the list",
            );
        }
    }

    /// Refuses types that depend on attributes where the sink may have found the node: a builder does not know its attributes.
    pub(super) fn check_found(&self, types: &Types) {
        let sets = &self.printer.machine.sets;
        let depends = match types {
            Types::Set(set) => sets[*set].members.iter().any(|it| it.attribute.is_some()),
            Types::Any(any) => return any.iter().for_each(|it| self.check_found(it)),
            Types::ButNot(one, not) => {
                return [one, not].into_iter().for_each(|it| self.check_found(it));
            }
            Types::Slot(_) => true,
            Types::Names(_)
            | Types::SameName
            | Types::Named(_)
            | Types::NamedAny(_)
            | Types::In(_) => false,
        };
        if depends {
            self.printer.refuse(
                "a node that the sink finds, such as a parent, where attributes decide whether it is meant",
            );
        }
    }

    /// Whether only the sink may know a node.
    pub(super) fn is_found(&self, node: &Node) -> bool {
        let given = match Given::of(&Value::Node(node.clone())) {
            Given::Slot(slot) => Some(self.function.sorts[slot]),
            Given::Result(body) => self.printer.functions[body].returns,
            given => Some(given),
        };
        given == Some(Given::Found)
    }

    /// A node that the call looks at. The call changes the builder, so that the node is not a part of that.
    pub(super) fn shown(&self, node: &Node) -> Argument {
        Argument {
            here: self.lent(node),
            is_lent: true,
            ..self.kept(node)
        }
    }

    /// A node that the call looks at, and that may be a part of the builder.
    pub(super) fn looked_at(&self, node: &Node) -> Argument {
        Argument {
            here: self.node_ref(node),
            ..self.shown(node)
        }
    }

    /// A place that the call looks at.
    pub(super) fn at(&self, location: &Location) -> Argument {
        Argument {
            name: format_ident!("at"),
            here: self.location_ref(location),
            before: self.location(location),
            is_lent: true,
            changes: self.location_changes(location),
        }
    }

    /// A place in the list.
    pub(super) fn spot(&self, position: &Position) -> Argument {
        Argument {
            name: format_ident!("position"),
            // To find a position, the runtime takes the list mutably.
            changes: !matches!(position, Position::Slot(_)),
            ..Argument::plain(self.position(position))
        }
    }

    /// The namespace of an element.
    pub(super) fn space(&self, namespace: &Namespace) -> Argument {
        Argument {
            name: format_ident!("space"),
            changes: self.namespace_changes(namespace),
            ..Argument::plain(self.namespace(namespace))
        }
    }

    /// Its URL, whichever it is.
    pub(super) fn url(&self, namespace: &Namespace) -> Argument {
        let space = match namespace {
            Namespace::Fixed(space) => self.printer.names.space(*space),
            namespace => self.namespace(namespace),
        };
        Argument {
            name: format_ident!("url"),
            changes: self.namespace_changes(namespace),
            ..Argument::plain(quote!(#space.url()))
        }
    }

    /// The creation of an element for a token, with its attributes.
    pub(super) fn create(&self, token: &TokenOf, namespace: &Namespace) -> TokenStream {
        let origin = Argument {
            name: format_ident!("origin"),
            changes: self.token_changes(token),
            ..Argument::plain(self.origin(token))
        };
        expression(self.with_token("create", vec![origin, self.space(namespace)]))
    }

    /// The name of an element.
    pub(super) fn named(&self, text: &Text) -> Argument {
        Argument {
            name: format_ident!("named"),
            changes: self.name_changes(text),
            ..Argument::plain(self.name(text))
        }
    }

    /// The arguments of a call, after what is evaluated before: up to the last one that changes the builder, or mentions what is `lent`
    /// to the call before its arguments are looked at.
    fn arguments(&self, lent: Option<&[&str]>, arguments: Vec<Argument>) -> Called {
        let uses =
            |it: &Argument, names: &[&str]| names.iter().any(|name| mentions(&it.here, name));
        let is_before = |it: &Argument| it.changes || uses(it, lent.unwrap_or_default());
        let last = arguments.iter().rposition(is_before);
        // A function that has nothing lent leaves the last one where it is.
        let count = last.map_or(0, |last| last + usize::from(lent.is_some()));
        let slots = self.function.slots.iter().map(ToString::to_string);
        let mut taken: BTreeSet<String> = slots.collect();
        let (mut before, mut list) = (TokenStream::new(), TokenStream::new());
        for (number, it) in arguments.into_iter().enumerate() {
            if number < count && uses(&it, &["b", "t"]) {
                let (name, value) = (unused(&mut taken, &it.name, "_"), &it.before);
                before.extend(quote!(let #name = #value;));
                let lent = it.is_lent.then(|| quote!(.as_ref()));
                list.extend(quote!(#name #lent,));
            } else {
                let value = it.here;
                list.extend(quote!(#value,));
            }
        }
        (before, list)
    }

    /// A call of a function that looks at what it is given.
    pub(super) fn ask(&self, function: &TokenStream, arguments: Vec<Argument>) -> TokenStream {
        let (before, list) = self.arguments(None, arguments);
        expression((before, quote!(#function(#list))))
    }

    /// A call of a method of the builder.
    pub(super) fn method(&self, method: &str, arguments: Vec<Argument>) -> Called {
        let (before, list) = self.arguments(Some(&[]), arguments);
        let method = format_ident!("{method}");
        (before, quote!(b.#method(#list)))
    }

    /// A call of a method that looks at the token.
    pub(super) fn with_token(&self, method: &str, arguments: Vec<Argument>) -> Called {
        let (before, list) = self.arguments(Some(&[]), arguments);
        let method = format_ident!("{method}");
        (before, quote!(b.#method(t, #list)))
    }

    /// A call of a method that may change the token.
    pub(super) fn for_token(&self, method: &str, arguments: Vec<Argument>) -> Called {
        let (before, list) = self.arguments(Some(&["t"]), arguments);
        let method = format_ident!("{method}");
        (before, quote!(b.#method(t, #list)))
    }

    /// A call of a procedure, which has the builder and the token lent before its arguments are looked at.
    pub(super) fn call(&self, call: &Call) -> Called {
        let callee = &self.printer.functions[call.body];
        let arguments = call.arguments.iter().enumerate();
        let arguments = arguments.map(|(slot, value)| Argument {
            name: callee.slots[slot].clone(),
            ..Argument::plain(match value {
                Value::Types(types) => self.outer_test(types),
                value => self.value(value, callee.sorts[slot]),
            })
        });
        let (before, list) = self.arguments(Some(&["b", "t"]), arguments.collect());
        let ident = &callee.ident;
        (before, quote!(#ident(b, t, #list)))
    }
}

/// A call as an expression.
pub(super) fn expression((before, call): Called) -> TokenStream {
    match before.is_empty() {
        true => call,
        false => quote!({ #before #call }),
    }
}

/// A call as a statement. The names of what is evaluated before are no others.
pub(super) fn statement((before, call): Called) -> TokenStream {
    quote!(#before #call;)
}

impl Printing<'_> {
    /// Whether a node, as an expression, changes the builder or needs it as if it did.
    pub(super) fn changes(&self, node: &Node) -> bool {
        match node {
            Node::Create(..)
            | Node::Call(_)
            | Node::In(_)
            | Node::Contents(_)
            | Node::Parent(_)
            | Node::TopmostLower(..)
            | Node::EarliestLike(_) => true,
            // A search for several types remembers what it has seen.
            Node::Last(types) => {
                self.one_type(types).is_none() && !matches!(**types, Types::NamedAny(_))
            }
            Node::Property(_, of)
            | Node::Above(of)
            | Node::EntryBefore(of)
            | Node::EntryAfter(of) => self.changes(of),
            Node::Slot(_)
            | Node::State(_)
            | Node::Document
            | Node::Current
            | Node::AdjustedCurrent
            | Node::New
            | Node::Popped
            | Node::Top
            | Node::Second
            | Node::LastEntry
            | Node::LastEntryOf(_)
            | Node::Nearest(..) => false,
        }
    }

    fn location_changes(&self, location: &Location) -> bool {
        match location {
            Location::Slot(_) => false,
            Location::LastChild(node) => self.changes(node),
            Location::Before(..) | Location::Pair(..) | Location::Call(_) => true,
        }
    }

    pub(super) fn namespace_changes(&self, namespace: &Namespace) -> bool {
        matches!(namespace, Namespace::Of(node) if self.changes(node))
    }

    pub(super) fn name_changes(&self, text: &Text) -> bool {
        matches!(text, Text::TagName(token) if self.token_changes(token))
    }

    fn token_changes(&self, token: &TokenOf) -> bool {
        matches!(token, TokenOf::Created(node) if self.changes(node))
    }
}
