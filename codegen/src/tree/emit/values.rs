//! What steps and guards speak of: nodes, their types, places, tokens, texts.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::super::facts::Given;
use super::super::machine::{
    Location, Namespace, Node, Number, Position, Space, Text, TokenOf, Truth, Types, Value,
};
use super::bodies::single;
use super::calls::{Argument, expression};
use super::code::{Comparison, Condition};
use super::printer::Printing;

impl Printing<'_> {
    /// A value that is kept or handed over.
    pub(super) fn value(&self, value: &Value, sort: Given) -> TokenStream {
        match value {
            Value::Null => quote!(None),
            Value::Node(node) => self.node(node),
            Value::Location(location) => self.location(location),
            Value::Position(position) => self.position(position),
            Value::Text(text) if sort == Given::Name => self.name(text),
            Value::Text(text) => self.data(text),
            Value::Number(number) => self.number(*number),
            Value::Truth(truth) => self.truth(truth),
            Value::Token(token) => self.origin(token),
            Value::Namespace(namespace) => self.namespace(namespace),
            Value::Types(Types::Slot(slot)) => {
                let slot = self.slot(*slot);
                quote!(#slot)
            }
            Value::Types(_) => self.printer.refuse("types of elements in a variable"),
        }
    }

    /// A node, to keep: `Option<Element>`.
    pub(super) fn node(&self, node: &Node) -> TokenStream {
        match node {
            Node::Slot(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot.clone())
            }
            Node::Document => quote!(b.document()),
            Node::In(location) => expression(self.method("node_at", vec![self.at(location)])),
            Node::Contents(of) => expression(self.method("contents", vec![self.kept(of)])),
            Node::Property(number, of) => {
                let number = Literal::usize_unsuffixed(*number);
                let arguments = vec![Argument::plain(quote!(#number)), self.looked_at(of)];
                expression(self.method("property", arguments))
            }
            // It has the token's place, but not its attributes.
            Node::Create(name, namespace) if matches!(**name, Text::TagName(TokenOf::Current)) => {
                let arguments = vec![self.space(namespace)];
                expression(self.with_token("create_without_attributes", arguments))
            }
            Node::Create(name, namespace) => {
                let arguments = vec![self.named(name), self.space(namespace)];
                expression(self.method("create_named", arguments))
            }
            Node::Nearest(types, of) if matches!(**of, Node::State(_)) => {
                let types = self.types(types, &quote!(t.name));
                quote!(b.nearest_of_context(|e| #types))
            }
            Node::EarliestLike(of) => {
                expression(self.with_token("earliest_like", vec![self.own(of)]))
            }
            Node::Call(call) => expression(self.call(call)),
            Node::Parent(of) => expression(self.method("parent", vec![self.shown(of)])),
            Node::Nearest(..) => self
                .printer
                .refuse("the nearest ancestor of another node than the context element"),
            _ => {
                let node = self.node_ref(node);
                quote!(#node.cloned())
            }
        }
    }

    /// A node, to look at: `Option<&Element>`.
    pub(super) fn node_ref(&self, node: &Node) -> TokenStream {
        match node {
            Node::Slot(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot.as_ref())
            }
            Node::State(state) if self.printer.state(*state).is_asked => quote!(b.context.as_ref()),
            Node::State(state) => {
                let field = self.printer.field(*state);
                quote!(b.own.#field.as_ref())
            }
            Node::Current => quote!(b.stack.current()),
            Node::AdjustedCurrent => quote!(b.adjusted_current()),
            Node::New => quote!(b.new.as_ref()),
            Node::Popped => quote!(b.popped.as_ref()),
            Node::Top => quote!(b.stack.first()),
            Node::Second => quote!(b.stack.get(1)),
            Node::Last(types) => self.last_on_stack(types),
            Node::Above(of) => {
                let of = self.apart(of);
                quote!(#of.and_then(|it| b.stack.above(it.serial)))
            }
            Node::TopmostLower(types, than) => {
                self.check_own(than);
                let (sought, than) = (self.sought_on_stack(types, false), self.lent(than));
                quote!(#than.and_then(|it| b.stack.topmost_lower(it.serial, #sought)))
            }
            Node::LastEntry => quote!(b.list.last_element()),
            Node::LastEntryOf(types) => match (self.one_type(types), &**types) {
                (Some(ty), _) => quote!(b.list.last_of(#ty).map(|it| &it.element)),
                (None, Types::NamedAny(name)) => {
                    let name = self.name_of_types(name);
                    quote!(b.last_entry_named(#name))
                }
                _ => self
                    .printer
                    .refuse("the last entry of the list of several types"),
            },
            Node::EntryBefore(of) => {
                let of = self.apart(of);
                quote!(#of.and_then(|it| b.list.before(it.serial)).map(|it| &it.element))
            }
            Node::EntryAfter(of) => {
                let of = self.apart(of);
                quote!(#of.and_then(|it| b.list.after(it.serial)).map(|it| &it.element))
            }
            _ => {
                let node = self.node(node);
                quote!(#node.as_ref())
            }
        }
    }

    /// A node as an argument of a method that changes the builder: what it refers to is not part of that.
    pub(super) fn lent(&self, node: &Node) -> TokenStream {
        match node {
            Node::Slot(_) => self.node_ref(node),
            _ => {
                let node = self.node(node);
                quote!(#node.as_ref())
            }
        }
    }

    /// A node to look at beside the builder: what changes that does not keep it.
    pub(super) fn apart(&self, node: &Node) -> TokenStream {
        self.check_own(node);
        match self.changes(node) {
            true => self.lent(node),
            false => self.node_ref(node),
        }
    }

    /// Whether the element `e` is of these types. `name` is the name of the token.
    pub(super) fn types(&self, types: &Types, name: &TokenStream) -> Condition {
        Condition::One(match types {
            Types::Slot(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot(e, #name))
            }
            Types::Names(_) | Types::Set(_) => {
                let (is, of) = self.known(types).unzip();
                quote!(e.#is(#of))
            }
            Types::SameName => quote!(e.is(Type::html(#name))),
            Types::Named(text) => {
                let name = self.name_in_types(text, name);
                quote!(e.is(Type::html(#name)))
            }
            Types::NamedAny(text) => {
                let name = self.name_in_types(text, name);
                return Condition::Compares(quote!(e.ty.name()), Comparison::Equal, name);
            }
            Types::In(namespace) if self.namespace_changes(namespace) => self.creates_in_types(),
            Types::In(namespace) => {
                let space = self.namespace(namespace);
                let is_it = Condition::Compares(quote!(e.ty.space()), Comparison::Equal, space);
                return match **namespace {
                    Namespace::Fixed(Space::None) => {
                        Condition::all([Condition::One(quote!(e.ty.is_element())), is_it])
                    }
                    _ => is_it,
                };
            }
            Types::Any(any) => {
                return Condition::any(any.iter().map(|types| self.types(types, name)));
            }
            Types::ButNot(one, not) => {
                return Condition::all([self.types(one, name), self.types(not, name).not()]);
            }
        })
    }

    /// The method and its argument that test an element for types that the table lists: `is` of a type, `is_in` of a set.
    pub(super) fn known(&self, types: &Types) -> Option<(Ident, TokenStream)> {
        let names = &self.printer.names;
        match types {
            Types::Names(list) => match &list[..] {
                [one] => Some((format_ident!("is"), names.ty(one))),
                list => Some((format_ident!("is_in"), names.list(list))),
            },
            Types::Set(set) => {
                let set = &self.printer.machine.sets[*set];
                let set = names.named_set(&set.name, &set.members);
                Some((format_ident!("is_in"), set))
            }
            _ => None,
        }
    }

    /// What changes the builder is not done for each element that is compared.
    fn creates_in_types(&self) -> TokenStream {
        (self.printer)
            .refuse("a node that is looked up or made where types of elements are compared");
        quote!(false)
    }

    /// The name that types have. `name` is that of the token.
    fn name_in_types(&self, text: &Text, name: &TokenStream) -> TokenStream {
        match text {
            Text::TagName(TokenOf::Current) => name.clone(),
            text => self.name_of_types(text),
        }
    }

    fn name_of_types(&self, text: &Text) -> TokenStream {
        match self.name_changes(text) {
            true => self.creates_in_types(),
            false => self.name(text),
        }
    }

    /// The last element of these types on the stack, to look at.
    pub(super) fn last_on_stack(&self, types: &Types) -> TokenStream {
        match (self.one_type(types), types) {
            (Some(ty), _) => quote!(b.stack.last_of(#ty)),
            (None, Types::NamedAny(name)) => {
                let name = self.name_of_types(name);
                quote!(b.stack.last_named(#name))
            }
            (None, types) => {
                let sought = self.sought_on_stack(types, false);
                quote!(b.stack.nearest(#sought))
            }
        }
    }

    /// The one type that types are, as a value.
    pub(super) fn one_type(&self, types: &Types) -> Option<TokenStream> {
        match types {
            Types::SameName => Some(quote!(Type::html(t.name))),
            Types::Named(text) => {
                let name = self.name_of_types(text);
                Some(quote!(Type::html(#name)))
            }
            _ => single(types).map(|element| self.printer.names.ty(element)),
        }
    }

    /// A place, to keep: `Option<Location>`.
    pub(super) fn location(&self, location: &Location) -> TokenStream {
        match location {
            Location::Slot(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot.clone())
            }
            Location::LastChild(node) => {
                let node = self.node(node);
                quote!(#node.map(Location::LastChild))
            }
            Location::Before(Node::Parent(of), sibling) if **of == *sibling => {
                expression(self.method("before", vec![self.kept(sibling)]))
            }
            Location::Before(parent, sibling) => {
                expression(self.method("before_in", vec![self.kept(parent), self.kept(sibling)]))
            }
            Location::Pair(parent, child) => {
                expression(self.method("pair", vec![self.kept(parent), self.kept(child)]))
            }
            Location::Call(call) => expression(self.call(call)),
        }
    }

    /// A place, to look at: `Option<&Location>`.
    pub(super) fn location_ref(&self, location: &Location) -> TokenStream {
        match location {
            Location::Slot(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot.as_ref())
            }
            _ => {
                let location = self.location(location);
                quote!(#location.as_ref())
            }
        }
    }

    pub(super) fn position(&self, position: &Position) -> TokenStream {
        match position {
            Position::Slot(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot)
            }
            Position::Of(node) => {
                self.check_own(node);
                expression(self.method("position_of", vec![self.shown(node)]))
            }
            Position::After(node) => {
                self.check_own(node);
                expression(self.method("position_after", vec![self.shown(node)]))
            }
        }
    }

    /// The number of a name.
    pub(super) fn name(&self, text: &Text) -> TokenStream {
        match text {
            Text::Slot(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot)
            }
            Text::Literal(name) => self.printer.names.local(name),
            Text::TagName(TokenOf::Current) => quote!(t.name),
            Text::TagName(token) => {
                let token = self.origin(token);
                quote!(#token.name(t))
            }
            Text::Character | Text::Pending => self.printer.refuse("characters as a name"),
        }
    }

    /// Characters.
    pub(super) fn data(&self, text: &Text) -> TokenStream {
        match text {
            Text::Slot(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot)
            }
            Text::Literal(text) => quote!(Data::Literal(#text)),
            Text::Character => quote!(Data::Token),
            Text::Pending => quote!(Data::Pending),
            Text::TagName(_) => self.printer.refuse("a name as characters"),
        }
    }

    pub(super) fn number(&self, number: Number) -> TokenStream {
        match number {
            Number::Slot(slot) => {
                let slot = self.slot(slot);
                quote!(#slot)
            }
            Number::Literal(number) => {
                let number = Literal::u32_unsuffixed(number);
                quote!(#number)
            }
        }
    }

    pub(super) fn truth(&self, truth: &Truth) -> TokenStream {
        match truth {
            Truth::Slot(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot)
            }
            Truth::Literal(truth) => quote!(#truth),
            Truth::Host(call) => expression(self.host(call)),
        }
    }

    pub(super) fn origin(&self, token: &TokenOf) -> TokenStream {
        match token {
            TokenOf::Slot(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot)
            }
            TokenOf::Current => quote!(Origin::Token),
            TokenOf::Made(name) => {
                let name = self.printer.names.local(name);
                quote!(Origin::Made(#name))
            }
            TokenOf::Created(node) => {
                self.check_own(node);
                let node = self.node_ref(node);
                quote!(Origin::of(#node))
            }
        }
    }

    pub(super) fn namespace(&self, namespace: &Namespace) -> TokenStream {
        match namespace {
            Namespace::Slot(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot)
            }
            Namespace::Fixed(space @ (Space::XLink | Space::Xml | Space::Xmlns)) => {
                let name = space.as_str();
                (self.printer).refuse(&format!("elements in the {name} namespace"))
            }
            Namespace::Fixed(space) => self.printer.names.space(*space),
            Namespace::Of(node) => {
                let node = self.node_ref(node);
                quote!(#node.map_or(Space::None, |e| e.ty.space()))
            }
        }
    }
}
