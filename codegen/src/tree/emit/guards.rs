//! Questions that are answered yes or no.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::super::machine::{
    DoctypeTest, Guard, Identifier, Location, Node, ScopeId, Types, Variable,
};
use super::calls::{Argument, expression};
use super::code::{Comparison, Condition};
use super::printer::{Printing, pattern};
use crate::emit::names::mentions;
use crate::emit::{MOST_RANGES, byte};

impl Printing<'_> {
    /// Whether a guard holds.
    pub(super) fn guard(&self, guard: &Guard) -> Condition {
        let equal = |one, other| Condition::Compares(one, Comparison::Equal, other);
        Condition::One(match guard {
            Guard::Not(guard) => {
                return match &**guard {
                    Guard::IsNull(node) => {
                        let node = self.presence(node);
                        Condition::One(quote!(#node.is_some()))
                    }
                    guard => self.guard(guard).not(),
                };
            }
            Guard::All(guards) => return Condition::all(guards.iter().map(|it| self.guard(it))),
            Guard::Any(guards) => return Condition::any(guards.iter().map(|it| self.guard(it))),
            Guard::True => return Condition::Always,
            Guard::Condition(condition) => {
                let name = &self.printer.idents.conditions[*condition];
                quote!(#name(b, t))
            }

            Guard::Is(node, types) => self.is(node, types),
            Guard::Same(one, other) => {
                let arguments = vec![self.looked_at(one), self.looked_at(other)];
                match self.is_found(one) || self.is_found(other) {
                    true => expression(self.method("is_same_node", arguments)),
                    false => self.ask(&quote!(is_same), arguments),
                }
            }
            Guard::IsNull(node) => {
                let node = self.presence(node);
                quote!(#node.is_none())
            }
            Guard::IsMarker(Node::LastEntry) => quote!(b.list.ends_with_marker()),
            Guard::IsMarker(node) => {
                let node = self.node_ref(node);
                quote!(#node.is_some_and(|e| e.is(Type::MARKER)))
            }
            Guard::IsIn(node, variable) => {
                let node = self.apart(node);
                let list = list(*variable);
                quote!(#node.is_some_and(|e| b.#list.contains(e.serial)))
            }
            Guard::IsLower(one, other) => {
                self.check_own(one);
                self.check_own(other);
                let arguments = vec![self.looked_at(one), self.looked_at(other)];
                expression(self.method("is_lower", arguments))
            }
            Guard::IsFirstEntry(node) => {
                let node = self.apart(node);
                quote!(is_same(#node, b.list.first().map(|it| &it.element)))
            }
            Guard::IsEmpty(variable) => match variable {
                Variable::OpenElements => quote!(b.stack.is_empty()),
                Variable::ActiveFormattingElements => quote!(b.list.is_empty()),
                Variable::TemplateInsertionModes => quote!(b.template_modes.is_empty()),
                Variable::PendingTableCharacters => quote!(b.has_no_pending()),
                Variable::InsertionMode
                | Variable::OriginalInsertionMode
                | Variable::FosterParenting => quote!(false),
            },
            Guard::HasOneElement => return equal(quote!(b.stack.len()), quote!(1)),
            Guard::HasThreeLike(node) => {
                expression(self.with_token("has_three_like", vec![self.own(node)]))
            }
            Guard::HasInScope(types, scope) => self.has_in_scope(types, *scope),
            Guard::HasElementInScope(node, scope) => {
                let (node, scope) = (self.apart(node), self.printer.scope(*scope));
                quote!(#node.is_some_and(|e| b.stack.has_element_in_scope(e.serial, #scope)))
            }
            Guard::IsOnStack(types) => {
                let last = self.last_on_stack(types);
                quote!(#last.is_some())
            }
            Guard::IsOtherOnStack(types) => {
                let sought = self.sought_on_stack(types, true);
                quote!(b.stack.nearest(#sought).is_some())
            }
            Guard::IsBody(node) => expression(self.method("is_body", vec![self.shown(node)])),
            Guard::HasParent(node) => expression(self.method("has_parent", vec![self.shown(node)])),
            Guard::HasTagNameOfToken(node) => {
                self.check_own(node);
                let node = self.node_ref(node);
                quote!(#node.is_some_and(|e| lower(e.ty.name()) == t.name))
            }
            Guard::HasOtherNamespaceIn(node, name, namespace) => {
                let name = Argument::plain(quote!(#name));
                let arguments = vec![self.looked_at(node), name, self.url(namespace)];
                expression(self.with_token("has_other_namespace", arguments))
            }

            Guard::TokenIs(number) => {
                let kind = self.printer.kind(*number);
                return equal(quote!(t.kind), kind);
            }
            Guard::TokenIsNamed(names) => {
                let names = names.iter().map(|name| self.printer.names.local(name));
                let names: Vec<_> = names.collect();
                match &names[..] {
                    [name] => return equal(quote!(t.name), name.clone()),
                    names => quote!(matches!(t.name, #(#names)|*)),
                }
            }
            Guard::TokenHasAttribute(names) => {
                return Condition::any(names.iter().map(|name| {
                    let value = self.printer.attribute(name);
                    Condition::One(quote!(#value.is_some()))
                }));
            }
            Guard::TokenHasValue(name, values) => {
                self.printer.attribute(name);
                quote!(t.has_value(#name, &[#(#values),*]))
            }
            Guard::TokenIsSelfClosing => quote!(t.is_self_closing),
            Guard::Doctype(test) => {
                let test = doctype(test);
                quote!(t.doctype.is_some_and(|it| #test))
            }
            Guard::TokenMatches(list) => {
                let function = &self.printer.idents.quirks[*list];
                quote!(t.doctype.is_some_and(#function))
            }

            Guard::HasWord(state, word) => {
                let (field, ty) = (self.printer.field(*state), self.printer.words(*state));
                let word = self.printer.word(*state, *word);
                return equal(quote!(b.own.#field), quote!(#ty::#word));
            }
            Guard::IsYes(state) => {
                let field = self.printer.field(*state);
                quote!(b.own.#field)
            }
            Guard::InsertionModeIs(modes) => {
                let modes = modes.iter().map(|&mode| self.printer.variant(mode));
                quote!(matches!(b.mode, #(Mode::#modes)|*))
            }
            Guard::FosterParenting => quote!(b.foster_parenting),
            Guard::PendingHasOther(class) => {
                let Some(others) = bytes_outside(class) else {
                    let class = pattern(class);
                    return Condition::One(quote!(b.has_pending(|it| !matches!(it, #class))));
                };
                let others = others.iter().map(|(first, last)| {
                    let (first, last) = (byte(*first), byte(*last));
                    quote!((#first, #last))
                });
                quote!({
                    struct Others;
                    impl ByteSet for Others {
                        const RANGES: &'static [(u8, u8)] = &[#(#others),*];
                    }
                    b.has_pending_byte::<Others>()
                })
            }
            Guard::IsInDocument(location) => self.is_inside(location, &quote!(e.is_document())),
            Guard::IsInside(location, types) => {
                self.check_found(types);
                let types = self.types(types, &quote!(t.name)).to_token_stream();
                self.check_beside(&types, "b");
                self.is_inside(location, &types)
            }
            Guard::HasTextBefore(_) => self
                .printer
                .refuse("whether a Text node is before a place, but to append to it"),
            Guard::IsPossible(..) => (self.printer)
                .refuse("whether a node can be inserted at a place, but to insert it there"),
            Guard::IsGreater(one, other) => {
                let [one, other] = [one, other].map(|it| self.number(*it));
                return Condition::Compares(one, Comparison::Greater, other);
            }
            Guard::IsAtLeast(one, other) => {
                let [one, other] = [one, other].map(|it| self.number(*it));
                return Condition::Compares(one, Comparison::AtLeast, other);
            }
            Guard::IsTrue(truth) => self.truth(truth),
        })
    }

    /// A node, to ask whether there is one.
    fn presence(&self, node: &Node) -> TokenStream {
        match node {
            Node::Slot(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot)
            }
            Node::State(state) if !self.printer.state(*state).is_asked => {
                let field = self.printer.field(*state);
                quote!(b.own.#field)
            }
            Node::State(_) => quote!(b.context),
            node => self.node_ref(node),
        }
    }

    fn is(&self, node: &Node, types: &Types) -> TokenStream {
        if let (Node::Current, Some((is, of))) = (node, self.known(types)) {
            let is = format_ident!("current_{is}");
            return quote!(b.#is(#of));
        }
        if self.is_found(node) {
            self.check_found(types);
        }
        let types = self.types(types, &quote!(t.name)).to_token_stream();
        let node = match mentions(&types, "b") && self.changes(node) {
            true => self.lent(node),
            false => self.node_ref(node),
        };
        quote!(#node.is_some_and(|e| #types))
    }

    /// Whether the node in which a place is is one of these.
    fn is_inside(&self, location: &Location, is: &TokenStream) -> TokenStream {
        let is = Argument::plain(quote!(|e| #is));
        expression(self.method("is_inside", vec![self.at(location), is]))
    }

    fn has_in_scope(&self, types: &Types, scope: ScopeId) -> TokenStream {
        let scope = self.printer.scope(scope);
        match (self.one_type(types), types) {
            (Some(ty), _) => quote!(b.stack.has_in_scope(#ty, #scope)),
            (None, Types::Names(names)) => {
                let types = names.iter().map(|name| self.printer.names.ty(name));
                quote!(b.stack.has_any_in_scope(&[#(#types),*], #scope))
            }
            _ => self
                .printer
                .refuse("a scope that is searched for a set of elements"),
        }
    }
}

/// The field of a list or stack.
pub(super) fn list(variable: Variable) -> TokenStream {
    match variable {
        Variable::ActiveFormattingElements => quote!(list),
        _ => quote!(stack),
    }
}

/// Whether a DOCTYPE token is as a test says.
pub(super) fn doctype(test: &DoctypeTest) -> Condition {
    let equal = |one, other| Condition::Compares(one, Comparison::Equal, other);
    Condition::One(match test {
        DoctypeTest::ForceQuirks => quote!(it.force_quirks_flag),
        DoctypeTest::NameIs(name) => return equal(quote!(it.name), quote!(Some(#name))),
        DoctypeTest::Not(test) => {
            return match &**test {
                DoctypeTest::IsMissing(which) => {
                    let which = identifier(which);
                    Condition::One(quote!(#which.is_some()))
                }
                test => doctype(test).not(),
            };
        }
        DoctypeTest::Both(one, other) => return Condition::all([doctype(one), doctype(other)]),
        DoctypeTest::IsMissing(which) => {
            let which = identifier(which);
            quote!(#which.is_none())
        }
        DoctypeTest::Is(which, text) => {
            let which = identifier(which);
            quote!(#which.is_some_and(|it| it.eq_ignore_ascii_case(#text)))
        }
        DoctypeTest::IsExactly(which, text) => {
            return equal(identifier(which), quote!(Some(#text)));
        }
        DoctypeTest::StartsWith(which, text) => {
            let which = identifier(which);
            quote!(starts_with_any(#which, &[#text]))
        }
    })
}

/// An identifier of the DOCTYPE token `it`.
pub(super) fn identifier(which: &Identifier) -> TokenStream {
    match which {
        Identifier::Public => quote!(it.public_identifier),
        Identifier::System => quote!(it.system_identifier),
    }
}

/// The bytes that are not of these characters, if all of them are ASCII and the scanner takes what is left.
fn bytes_outside(class: &[(char, char)]) -> Option<Vec<(u8, u8)>> {
    let (mut outside, mut from) = (Vec::new(), 0);
    for (first, last) in class {
        let [first, last] = [*first, *last].map(|it| u8::try_from(it).ok().filter(u8::is_ascii));
        if from < first? {
            outside.push((from, first? - 1));
        }
        from = last? + 1;
    }
    outside.push((from, u8::MAX));
    (outside.len() <= MOST_RANGES).then_some(outside)
}
