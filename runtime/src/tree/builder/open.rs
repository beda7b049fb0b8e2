//! The stack of open elements.

use super::super::element::Element;
use super::super::names::Name;
use super::super::sink::TreeSink;
use super::super::token::{Kind, Token};
use super::{Builder, Rules};
use crate::span::Span;

impl<S: TreeSink, R: Rules<S, SCOPES>, const SCOPES: usize> Builder<S, R, SCOPES> {
    /// Whether the first is lower than the second on the stack.
    pub fn is_lower(
        &self,
        one: Option<&Element<S::Node>>,
        other: Option<&Element<S::Node>>,
    ) -> bool {
        let position = |of: Option<&Element<S::Node>>| self.stack.position(of?.serial);
        matches!((position(one), position(other)), (Some(one), Some(other)) if one > other)
    }

    /// Pushes onto the stack.
    #[inline(always)]
    pub fn push(&mut self, element: Option<Element<S::Node>>) {
        if let Some(element) = element {
            self.stack.push(element);
        }
    }

    /// Puts the second in the place of the first, if that is on the stack.
    pub fn replace_on_stack(
        &mut self,
        old: Option<Element<S::Node>>,
        new: Option<Element<S::Node>>,
    ) {
        if let (Some(old), Some(new)) = (old, new) {
            if self.depths.are_limited() {
                self.depths.pass(old.serial, new.serial);
            }
            self.stack.replace(old.serial, new);
        }
    }

    /// Puts the first immediately below the second on the stack.
    pub fn insert_below(
        &mut self,
        element: Option<Element<S::Node>>,
        above: Option<Element<S::Node>>,
    ) {
        if let (Some(element), Some(above)) = (element, above) {
            if self.depths.are_limited() {
                self.depths.pass(above.serial, element.serial);
            }
            self.stack.insert_below(above.serial, element);
        }
    }

    /// Takes an element from the stack, wherever it is. It stays in the tree, and so do those below it on the stack.
    pub fn remove(&mut self, token: &Token<'_>, element: Option<Element<S::Node>>) {
        let Some(element) = element.filter(|it| self.stack.contains(it.serial)) else {
            return;
        };
        if self.depths.are_limited() {
            let deeper = 1 + self.depths.below(element.serial);
            if let Some(above) = self.stack.above(element.serial) {
                self.depths.add_below(above.serial, deeper);
            }
        }
        self.stack.remove(element.serial);
        self.leaves_the_stack(element.serial);
        if let Some(end_tag) = self.end_tag_of(token, &element) {
            self.sink.end_tag(&element.node, end_tag);
        }
    }

    /// An element is no longer open.
    #[inline(always)]
    pub(super) fn leaves_the_stack(&mut self, serial: u32) {
        if self.depths.are_limited() && !self.depths.are_those_of_the_stack() {
            self.depths.leaves(serial);
            if let Some(current) = self.stack.current() {
                self.depths.has_none_below(current.serial);
            }
        }
    }

    /// Where the token stands, if that is an end tag with the name of an element.
    #[inline(always)]
    pub(super) fn end_tag_of(&self, token: &Token<'_>, element: &Element<S::Node>) -> Option<Span> {
        let (name, span) = Self::named_end_tag(token)?;
        Self::is_named(element, name).then_some(span)
    }

    /// The name of a token and where it stands, if it is an end tag.
    #[inline(always)]
    pub(super) fn named_end_tag(token: &Token<'_>) -> Option<(Name, Span)> {
        let is_end_tag = matches!(token.kind, Kind::EndTag | Kind::ShortEndTag);
        is_end_tag.then_some((token.name, token.span))
    }

    /// Whether an element has a name, as tags spell it.
    #[inline(always)]
    pub(super) fn is_named(element: &Element<S::Node>, name: Name) -> bool {
        let own = element.ty.name();
        own == name || R::lower(own) == name
    }

    /// Pops the current node.
    #[inline]
    pub fn pop(&mut self, token: &mut Token<'_>) {
        if !self.pop_plain(Self::named_end_tag(token)) {
            self.pop_any(token);
        }
    }

    /// Pops the current node, if nothing follows from that but what the sink does. Whether that is so.
    #[inline(always)]
    pub(super) fn pop_plain(&mut self, end_tag: Option<(Name, Span)>) -> bool {
        let Self { stack, sink, .. } = self;
        let Some(current) = stack.plain_current() else {
            return false;
        };
        if self.depths.are_limited() || R::follows_pop(current.ty) {
            return false;
        }
        if let Some((name, span)) = end_tag
            && Self::is_named(current, name)
        {
            sink.end_tag(&current.node, span);
        }
        sink.popped(&current.node);
        stack.pop_plain();
        true
    }

    #[inline(never)]
    pub(super) fn pop_any(&mut self, token: &mut Token<'_>) {
        let Some(popped) = self.stack.pop() else {
            return;
        };
        self.leaves_the_stack(popped.serial);
        if let Some(end_tag) = self.end_tag_of(token, &popped) {
            self.sink.end_tag(&popped.node, end_tag);
        }
        self.sink.popped(&popped.node);
        R::popped(self, token, &popped);
    }

    /// Pops up to and with the first that fits.
    #[inline]
    pub fn pop_until(
        &mut self,
        token: &mut Token<'_>,
        mut is: impl FnMut(&Element<S::Node>, Name) -> bool,
    ) {
        while let Some(current) = self.stack.current() {
            let is_last = is(current, token.name);
            self.pop(token);
            if is_last {
                break;
            }
        }
    }

    /// Pops up to and with an element.
    pub fn pop_through(&mut self, token: &mut Token<'_>, last: Option<Element<S::Node>>) {
        let serial = last.map(|last| last.serial);
        while let Some(current) = self.stack.current() {
            let is_last = Some(current.serial) == serial;
            self.pop(token);
            if is_last {
                break;
            }
        }
    }

    /// Pops what is below an element.
    pub fn pop_below(&mut self, token: &mut Token<'_>, last: Option<Element<S::Node>>) {
        let serial = last.map(|last| last.serial);
        while self
            .stack
            .current()
            .is_some_and(|it| Some(it.serial) != serial)
        {
            self.pop(token);
        }
    }

    /// Takes no more tokens.
    pub fn stop(&mut self, token: &mut Token<'_>) {
        while !self.stack.is_empty() {
            self.pop(token);
        }
        self.stopped = true;
    }
}
