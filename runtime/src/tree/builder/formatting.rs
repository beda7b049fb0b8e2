//! The list of active formatting elements.

use super::super::element::{Element, Type};
use super::super::list::{Entry, Position};
use super::super::names::{Name, Space};
use super::super::sink::{TagAttributes, TreeSink};
use super::super::token::Token;
use super::{Builder, Rules};

impl<S: TreeSink, R: Rules<S, SCOPES>, const SCOPES: usize> Builder<S, R, SCOPES> {
    /// Adds an element at the end of the list.
    pub fn add(&mut self, token: &Token<'_>, element: Option<Element<S::Node>>) {
        if let Some(element) = element {
            self.add_created(&token.attributes, element);
        }
    }

    /// Adds the current node, which was created for a tag with these attributes.
    #[inline(always)]
    pub(super) fn add_current(&mut self, attributes: &TagAttributes<'_>) {
        if let Some(current) = self.stack.current().cloned() {
            self.add_created(attributes, current);
        }
    }

    fn add_created(&mut self, attributes: &TagAttributes<'_>, element: Element<S::Node>) {
        let kept = self.kept(attributes, &element);
        let Self { list, sink, .. } = self;
        list.push(Entry::new(element, kept), |kept| sink.hash(kept));
    }

    /// Adds a marker there.
    pub fn add_marker(&mut self) {
        let marker = Element {
            node: self.document.node.clone(),
            serial: self.serial(),
            ty: Type::MARKER,
            sets: 0,
        };
        let Self { list, sink, .. } = self;
        list.push_marker(marker, |kept| sink.hash(kept));
    }

    /// Replaces an entry of the list.
    pub fn replace_in_list(
        &mut self,
        token: &Token<'_>,
        old: Option<Element<S::Node>>,
        new: Option<Element<S::Node>>,
    ) {
        if let (Some(old), Some(new)) = (old, new)
            && self.list.contains(old.serial)
        {
            let kept = self.kept(&token.attributes, &new);
            let Self { list, sink, .. } = self;
            list.replace(old.serial, Entry::new(new, kept), |kept| sink.hash(kept));
        }
    }

    /// Puts an element into the list at a position.
    pub fn insert_at_position(
        &mut self,
        token: &Token<'_>,
        element: Option<Element<S::Node>>,
        position: Option<Position>,
    ) {
        if let (Some(element), Some(position)) = (element, position) {
            let kept = self.kept(&token.attributes, &element);
            let Self { list, sink, .. } = self;
            list.insert_at(position, Entry::new(element, kept), |kept| sink.hash(kept));
        }
    }

    /// The entry that `find` takes from those of the list that are like an element, from the last one back to the last marker.
    pub(super) fn alike(
        &mut self,
        token: &Token<'_>,
        element: Option<Element<S::Node>>,
        find: impl FnOnce(&mut dyn Iterator<Item = Element<S::Node>>) -> Option<Element<S::Node>>,
    ) -> Option<Element<S::Node>> {
        let element = element?;
        let kept = self.kept(&token.attributes, &element);
        let Self { list, sink, .. } = self;
        let is_alike = |other: &S::Kept| sink.is_alike(&kept, other);
        let mut alike = list.alike(element.ty, is_alike, || sink.hash(&kept));
        find(&mut alike.by_ref().map(|it| it.element.clone()))
    }

    /// Whether the list has three entries after the last marker that are like an element, see 13.2.4.3.
    #[inline(always)]
    pub fn has_three_like(&mut self, token: &Token<'_>, element: Option<Element<S::Node>>) -> bool {
        // Nearly always there is none with its type.
        if element
            .as_ref()
            .is_none_or(|it| self.list.last_of(it.ty).is_none())
        {
            return false;
        }
        self.alike(token, element, |alike| alike.nth(2)).is_some()
    }

    /// The earliest entry after the last marker that is like an element.
    pub fn earliest_like(
        &mut self,
        token: &Token<'_>,
        element: Option<Element<S::Node>>,
    ) -> Option<Element<S::Node>> {
        self.alike(token, element, |alike| alike.last())
    }

    /// The last entry after the last marker with a name, in any namespace.
    #[inline]
    pub fn last_entry_named(&self, name: Name) -> Option<&Element<S::Node>> {
        let has = |space| self.list.has(Type::new(space, name));
        let others = [Space::MathMl, Space::Svg, Space::None];
        let last = match !self.list.is_all_html() && others.into_iter().any(has) {
            false => self.list.last_of(Type::html(name)),
            true => self
                .list
                .iter()
                .fold(None, |found, it| match it.element.ty {
                    Type::MARKER => None,
                    ty if ty.name() == name => Some(it),
                    _ => found,
                }),
        };
        last.map(|entry| &entry.element)
    }

    /// The position of an entry of the list.
    pub fn position_of(&mut self, element: Option<&Element<S::Node>>) -> Option<Position> {
        self.list.position(element?.serial)
    }

    /// The position immediately after an entry of the list.
    pub fn position_after(&mut self, element: Option<&Element<S::Node>>) -> Option<Position> {
        self.list.position_after(element?.serial)
    }
}
