//! Places in the tree, and what is inserted there.

use alloc::boxed::Box;

use super::super::element::{Element, Type};
use super::super::names::Space;
use super::super::sink::{Doctype, Place, Text, TreeSink};
use super::super::token::Token;
use super::{Builder, Rules};
use crate::span::Span;

/// A place for a node, as a builder knows it.
#[derive(Clone, Debug)]
pub enum Location<N> {
    /// After the last child.
    LastChild(Element<N>),
    /// Immediately before the first, in its parent; the second is above it among the open elements.
    Before(Box<(Element<N>, Element<N>)>),
}

/// Characters that are inserted.
#[derive(Clone, Copy, Debug)]
pub enum Data {
    /// Those of the token.
    Token,
    /// These, for the token.
    Literal(&'static str),
    /// The pending ones.
    Pending,
}

/// The serial of the contents of a template element.
const CONTENTS: u32 = u32::MAX - 2;

impl<S: TreeSink, R: Rules<S, SCOPES>, const SCOPES: usize> Builder<S, R, SCOPES> {
    /// The contents of a template element.
    pub fn contents(&mut self, of: Option<Element<S::Node>>) -> Option<Element<S::Node>> {
        let is_template = |ty: Type| {
            // The DOM gives these, and no others, contents.
            ty.space() == Space::Html && self.names.text(ty.name()) == "template"
        };
        let of = of.filter(|of| is_template(of.ty))?;
        Some(Element {
            node: self.sink.template_contents(&of.node),
            serial: CONTENTS,
            ty: Type::NONE,
            sets: 0,
        })
    }

    /// The place immediately before an element, in its parent.
    pub fn before(&mut self, sibling: Option<Element<S::Node>>) -> Option<Location<S::Node>> {
        let sibling = sibling.filter(|it| self.sink.has_parent(&it.node))?;
        let above = self.stack.above(sibling.serial).unwrap_or(&sibling).clone();
        Some(Location::Before(Box::new((sibling, above))))
    }

    /// The same, if the parent is this node; a sink that does not know it is not asked.
    pub fn before_in(
        &mut self,
        parent: Option<Element<S::Node>>,
        sibling: Option<Element<S::Node>>,
    ) -> Option<Location<S::Node>> {
        let known = self.parent(sibling.as_ref());
        if parent.is_none()
            || known.is_some() && !self.is_same_node(known.as_ref(), parent.as_ref())
        {
            return None;
        }
        self.before(sibling)
    }

    /// The place immediately before a child of a node; without a child, after the last one.
    #[inline(always)]
    pub fn pair(
        &mut self,
        parent: Option<Element<S::Node>>,
        child: Option<Element<S::Node>>,
    ) -> Option<Location<S::Node>> {
        match child {
            Some(_) => self.before_in(parent, child),
            None => parent.map(Location::LastChild),
        }
    }

    /// The node in which a place is; the sibling there, if the sink does not know its parent.
    #[inline(always)]
    pub fn node_at(&mut self, at: Option<&Location<S::Node>>) -> Option<Element<S::Node>> {
        match at? {
            Location::LastChild(parent) => Some(parent.clone()),
            Location::Before(both) => self.node_before(&both.0),
        }
    }

    #[cold]
    fn node_before(&mut self, sibling: &Element<S::Node>) -> Option<Element<S::Node>> {
        let parent = self.parent(Some(sibling));
        Some(parent.unwrap_or_else(|| Self::of_type(sibling.node.clone(), Type::NONE)))
    }

    /// Whether the node in which a place is is one of these.
    #[inline(always)]
    pub fn is_inside(
        &mut self,
        at: Option<&Location<S::Node>>,
        is: impl FnOnce(&Element<S::Node>) -> bool,
    ) -> bool {
        match at {
            Some(Location::LastChild(parent)) => is(parent),
            Some(Location::Before(both)) => {
                self.node_before(&both.0).is_some_and(|parent| is(&parent))
            }
            None => false,
        }
    }

    /// The parent of a node, if the sink knows it.
    pub fn parent(&mut self, node: Option<&Element<S::Node>>) -> Option<Element<S::Node>> {
        let parent = self.sink.parent(&node?.node)?;
        Some(self.found(parent))
    }

    /// Whether a node has a parent.
    pub fn has_parent(&mut self, node: Option<&Element<S::Node>>) -> bool {
        node.is_some_and(|node| self.sink.has_parent(&node.node))
    }

    /// Whether the DOM lets a node be inserted at a place. The sink leaves out what it does not let.
    pub fn can_insert(
        &self,
        node: Option<&Element<S::Node>>,
        at: Option<&Location<S::Node>>,
    ) -> bool {
        node.is_some() && at.is_some()
    }

    /// Appends all children of a node to another.
    pub fn move_children(
        &mut self,
        from: Option<&Element<S::Node>>,
        to: Option<&Element<S::Node>>,
    ) {
        if let (Some(from), Some(to)) = (from, to) {
            self.sink.move_children(&from.node, &to.node);
        }
    }

    /// Takes a node from its parent, if it has one.
    pub fn detach(&mut self, node: Option<&Element<S::Node>>) {
        if let Some(node) = node {
            self.sink.detach(&node.node);
        }
    }

    /// A place, as the sink knows it. Before a node it is not deeper than that.
    #[inline(always)]
    pub(super) fn place(&mut self, at: &Location<S::Node>) -> Place<S::Node> {
        match at {
            Location::LastChild(parent) if self.may_be_too_deep() => {
                Place::LastChild(self.not_too_deep(parent))
            }
            Location::LastChild(parent) => Place::LastChild(parent.node.clone()),
            Location::Before(both) => Place::Before {
                sibling: both.0.node.clone(),
                above: both.1.node.clone(),
            },
        }
    }

    /// Whether there may be open elements below the limit of the depth.
    #[inline(always)]
    pub(super) fn may_be_too_deep(&self) -> bool {
        self.stack.len().saturating_add(self.depths.added) > self.depths.limit
    }

    /// A node, or the open element at the limit of the depth if it is deeper. What is not open is as deep as the current node, or
    /// the Document.
    #[cold]
    #[inline(never)]
    pub(super) fn not_too_deep(&mut self, parent: &Element<S::Node>) -> S::Node {
        if parent.serial == self.document.serial {
            return parent.node.clone();
        }
        let deepest = match self.depths.are_those_of_the_stack() {
            true => {
                let position = self.stack.position(parent.serial);
                let is_deeper = position.is_none_or(|it| it >= self.depths.limit);
                self.stack.get(self.depths.limit - 1).filter(|_| is_deeper)
            }
            false => {
                let (mut open, mut depth, mut deepest) = (self.stack.iter(), 0, None);
                loop {
                    let Some(element) = open.next() else {
                        break None;
                    };
                    depth += 1;
                    if depth > self.depths.limit.cast_signed() {
                        break deepest;
                    }
                    if element.serial == parent.serial {
                        break None;
                    }
                    depth += self.depths.below(element.serial);
                    deepest = Some(element);
                }
            }
        };
        let Some(deepest) = deepest.cloned() else {
            return parent.node.clone();
        };
        let contents = self.contents(Some(deepest.clone()));
        contents.unwrap_or(deepest).node
    }

    /// An open element gets into another open one: those below it on the stack move with it.
    #[cold]
    #[inline(never)]
    pub(super) fn move_open(&mut self, element: &Element<S::Node>, parent: &Element<S::Node>) {
        let Some(above) = self.stack.above(element.serial).map(|it| it.serial) else {
            return;
        };
        // How much deeper than its new parent the one above is.
        let (mut deeper, mut at) = (0, above);
        while at != parent.serial {
            let Some(next) = self.stack.above(at) else {
                return;
            };
            at = next.serial;
            deeper += 1 + self.depths.below(at);
        }
        let more = -deeper - self.depths.below(above);
        // An element that was too deep is not where it stands on the stack, and does not get less deep with those above.
        if more > 0 || !self.may_be_too_deep() {
            self.depths.add_below(above, more);
        }
    }

    /// Inserts a node.
    #[inline(always)]
    pub fn insert(&mut self, node: Option<&Element<S::Node>>, at: Option<&Location<S::Node>>) {
        if let (Some(node), Some(at)) = (node, at) {
            let place = self.place(at);
            self.sink.insert(&node.node, &place);
            if let (true, Location::LastChild(parent)) = (self.depths.are_limited(), at)
                && self.stack.contains(node.serial)
                && self.stack.contains(parent.serial)
            {
                self.move_open(node, parent);
            }
        }
    }

    /// Appends a node as the last child of another.
    pub fn append(&mut self, node: Option<&Element<S::Node>>, to: Option<Element<S::Node>>) {
        self.insert(node, to.map(Location::LastChild).as_ref());
    }

    /// Inserts characters; none of them, nothing.
    #[inline(always)]
    pub fn insert_data(&mut self, token: &Token<'_>, data: Data, at: Option<&Location<S::Node>>) {
        let text = match data {
            Data::Token => token.text,
            Data::Literal(text) => text,
            Data::Pending => return self.insert_pending(at),
        };
        if let Some(at) = at
            && !text.is_empty()
        {
            let text = Text {
                text,
                span: token.span,
            };
            let place = self.place(at);
            self.sink.insert_text(text, &place);
        }
    }

    pub(super) fn insert_pending(&mut self, at: Option<&Location<S::Node>>) {
        if let (Some(first), Some(last), Some(at)) = (self.waiting.first(), self.waiting.last(), at)
        {
            let span = Span {
                start: first.span.start,
                end: last.span.end,
            };
            let place = self.place(at);
            let text = &*self.pending;
            self.sink.insert_text(Text { text, span }, &place);
        }
    }

    /// Inserts a comment with the token's data.
    pub fn insert_comment(&mut self, token: &Token<'_>, at: Option<&Location<S::Node>>) {
        if let Some(at) = at {
            let place = self.place(at);
            self.sink.insert_comment(token.text, token.span, &place);
        }
    }

    /// Inserts a processing instruction with the token's target and data.
    pub fn insert_processing_instruction(
        &mut self,
        token: &Token<'_>,
        at: Option<&Location<S::Node>>,
    ) {
        if let Some(at) = at {
            let (target, data) = (token.target, token.text);
            let place = self.place(at);
            self.sink
                .insert_processing_instruction(target, data, token.span, &place);
        }
    }

    /// Inserts a reference to an entity with the token's name.
    pub fn insert_entity_reference(&mut self, token: &Token<'_>, at: Option<&Location<S::Node>>) {
        if let Some(at) = at {
            let place = self.place(at);
            let name = self.names.text(token.name);
            self.sink.insert_entity_reference(name, token.span, &place);
        }
    }

    /// Appends a DOCTYPE with what the token has.
    pub fn append_doctype(&mut self, token: &Token<'_>) {
        let of_token = token.doctype;
        let doctype = Doctype {
            name: self.names.text(token.name),
            public_identifier: of_token
                .and_then(|it| it.public_identifier)
                .unwrap_or_default(),
            system_identifier: of_token
                .and_then(|it| it.system_identifier)
                .unwrap_or_default(),
        };
        self.sink.append_doctype(&doctype, token.span);
    }
}
