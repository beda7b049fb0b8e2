//! Elements are created: for tokens, or with a name.

use super::super::element::{Element, Type};
use super::super::names::{Name, Space};
use super::super::sink::{ElementName, TagAttributes, TreeSink};
use super::super::token::{Kind, Token};
use super::{Builder, Rules};
use crate::Span;

/// The token for which an element is created.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// The one that is processed.
    Token,
    /// A start tag with this name and no attributes.
    Made(Name),
    /// That of another element, by its serial and type.
    Created(u32, Type),
}

impl Origin {
    /// The token of an element.
    pub fn of<N>(element: Option<&Element<N>>) -> Self {
        // Without an element there is no token: the name is none.
        element.map_or(Self::Created(u32::MAX, Type::NONE), |it| {
            Self::Created(it.serial, it.ty)
        })
    }

    /// Its tag name.
    #[inline(always)]
    pub const fn name(self, token: &Token<'_>) -> Name {
        match self {
            Self::Token => token.name,
            Self::Made(name) => name,
            Self::Created(_, ty) => ty.name(),
        }
    }
}

impl<S: TreeSink, R: Rules<S, SCOPES>, const SCOPES: usize> Builder<S, R, SCOPES> {
    /// Creates an element for the token, inserts it after the last child of the current node and pushes it onto the stack, if the
    /// sink does so. Whether that is done.
    #[inline(always)]
    pub fn insert_at_once(&mut self, token: &Token<'_>, space: Space) -> bool {
        S::CREATES_IN
            && self.is_plain
            && self.insert_new(token.name, token.text, &token.attributes, space)
    }

    /// The same, for the tag with a name and attributes.
    #[inline(always)]
    pub(super) fn insert_new(
        &mut self,
        number: Name,
        local: &str,
        attributes: &TagAttributes<'_>,
        space: Space,
    ) -> bool {
        let Some(parent) = self.stack.current() else {
            return false;
        };
        if !attributes.are_plain() {
            return false;
        }
        let name = ElementName {
            space,
            local,
            number,
        };
        let span = Some(attributes.span());
        let Some(node) = self.sink.create_in(name, attributes, span, &parent.node) else {
            return false;
        };
        let ty = Type::new(space, number);
        let sets = R::sets(ty, attributes);
        let element = self.created(node, ty, sets, true);
        self.push(element);
        true
    }

    pub(super) fn serial(&mut self) -> u32 {
        let serial = self.serials;
        // So many elements fit into no memory.
        self.serials = serial.saturating_add(1);
        serial
    }

    /// Creates an element for a token, with its attributes.
    #[inline(always)]
    pub fn create(
        &mut self,
        token: &Token<'_>,
        of: Origin,
        space: Space,
    ) -> Option<Element<S::Node>> {
        match of {
            Origin::Token => {
                let name = ElementName {
                    space,
                    local: token.text,
                    number: token.name,
                };
                let node = (self.sink).create_element(name, &token.attributes, place(token));
                let ty = Type::new(space, token.name);
                let sets = R::sets(ty, &token.attributes);
                self.created(node, ty, sets, true)
            }
            Origin::Made(name) => self.create_named(name, space),
            Origin::Created(serial, of) => self.create_again(serial, of, space),
        }
    }

    #[inline(never)]
    pub(super) fn create_again(
        &mut self,
        serial: u32,
        of: Type,
        space: Space,
    ) -> Option<Element<S::Node>> {
        let entry = self.list.get(serial).and_then(|entry| entry.kept.clone());
        let Some(kept) = entry else {
            return self.create_named(of.name(), space);
        };
        let name = ElementName {
            space,
            local: self.names.text(of.name()),
            number: of.name(),
        };
        let node = self.sink.create_again(name, &kept);
        let ty = Type::new(space, of.name());
        let element = self.created(node, ty, R::sets(ty, &TagAttributes::NONE), false);
        self.new_kept = Some(kept);
        element
    }

    /// Creates an element with a token's name and place.
    #[inline(never)]
    pub fn create_without_attributes(
        &mut self,
        token: &Token<'_>,
        space: Space,
    ) -> Option<Element<S::Node>> {
        let name = ElementName {
            space,
            local: token.text,
            number: token.name,
        };
        let none = &TagAttributes::NONE;
        let node = self.sink.create_element(name, none, place(token));
        let ty = Type::new(space, token.name);
        self.created(node, ty, R::sets(ty, none), false)
    }

    /// Creates an element without a token. The name of the token for no element is empty.
    #[inline(never)]
    pub fn create_named(&mut self, mut name: Name, space: Space) -> Option<Element<S::Node>> {
        if self.names.text(name).is_empty() {
            name = self.names.intern("");
        }
        let full = ElementName {
            space,
            local: self.names.text(name),
            number: name,
        };
        let node = self.sink.create_element(full, &TagAttributes::NONE, None);
        let ty = Type::new(space, name);
        self.created(node, ty, R::sets(ty, &TagAttributes::NONE), false)
    }

    #[inline(always)]
    pub(super) fn created(
        &mut self,
        node: S::Node,
        ty: Type,
        sets: u64,
        is_of_token: bool,
    ) -> Option<Element<S::Node>> {
        let serial = self.serial();
        let element = Element {
            node,
            serial,
            ty,
            sets,
        };
        self.new_is_of_token = is_of_token;
        self.new_kept = None;
        self.new = Some(element.clone());
        Some(element)
    }

    /// Whether an element was created for the token, and that has another namespace in an attribute.
    pub fn has_other_namespace(
        &self,
        token: &Token<'_>,
        element: Option<&Element<S::Node>>,
        name: &str,
        url: &str,
    ) -> bool {
        let is_new = element.zip(self.new.as_ref());
        let is_new = is_new.is_some_and(|(one, other)| one.is_same(other));
        is_new && self.new_is_of_token && token.has_other_namespace(name, url)
    }

    /// What is kept of the token of an element that goes into the list.
    #[inline(always)]
    pub(super) fn kept(
        &mut self,
        attributes: &TagAttributes<'_>,
        element: &Element<S::Node>,
    ) -> S::Kept {
        let is_new = self.new.as_ref().is_some_and(|new| new.is_same(element));
        if is_new && let Some(kept) = &self.new_kept {
            return kept.clone();
        }
        let kept = self.sink.keep(&element.node, attributes);
        if is_new {
            self.new_kept = Some(kept.clone());
        }
        kept
    }

    /// Gives an element those attributes of the token that it does not have.
    pub fn add_missing_attributes(
        &mut self,
        token: &Token<'_>,
        element: Option<&Element<S::Node>>,
    ) {
        if let Some(element) = element {
            self.sink
                .add_missing_attributes(&element.node, &token.attributes);
        }
    }
}

/// The place of the element for a token. An end tag has its own, which is not where the element starts.
fn place(token: &Token<'_>) -> Option<Span> {
    (token.kind != Kind::EndTag).then_some(token.span)
}
