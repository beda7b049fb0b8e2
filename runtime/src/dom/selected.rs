//! What a `selectedcontent` element shows: copies of what is in the selected option of its select element (4.10.10).

use alloc::vec::Vec;

use crate::tree::Space;

use super::links::{DOCUMENT, Event, Links, NONE, Raw, What};
use super::names::usual;
use super::strings::Part;
use super::{DomSink, EXTENDED, NOWHERE, Tags};

impl<const ERRORS: bool> DomSink<'_, ERRORS> {
    /// Runs the host step "maybe clone an option into selectedcontent".
    pub(super) fn clone_option(&mut self, option: u32) {
        if self.selected.created > 0
            && let Some(content) = self.content_for(option)
        {
            self.copy_children(option, content);
        }
    }

    fn is_html(&self, id: u32, name: &str) -> bool {
        let what = self.dom.links.what(id);
        what.is_element() && what.space() == Space::Html && self.dom.names.get(what.name()) == name
    }

    fn has_attribute(&self, id: u32, name: &str) -> bool {
        let name = usual(name);
        let mut attributes = self.dom.raw_attributes(id).iter();
        attributes.any(|it| Some(it.name) == name)
    }

    /// The `selectedcontent` element of an option's select element, if the option is selected.
    fn content_for(&mut self, option: u32) -> Option<u32> {
        let links = &self.dom.links;
        let (moves, parent) = (links.moves, links.node(option).parent);
        let select = match self.selected.select {
            Some((at, of, select)) if (at, of) == (moves, parent) => select,
            _ => {
                let found = self.nearest_select(parent);
                let select = found.filter(|&id| !self.has_attribute(id, "multiple"));
                self.selected.select = Some((moves, parent, select));
                select
            }
        }?;
        // The last one that says so is selected; if none does, the first one.
        let is_option = |id: u32| self.is_html(id, "option");
        let is_selected = |id: u32| is_option(id) && self.has_attribute(id, "selected");
        let later = |id: &u32| links.following(*id, select);
        let mut behind = core::iter::successors(later(&option), later);
        if behind.any(is_selected)
            || !is_selected(option) && any_before(links, option, select, is_option)
        {
            return None;
        }
        let created = self.selected.created;
        match self.selected.content {
            Some((at, of, number, content)) if (at, of, number) == (moves, select, created) => {
                content
            }
            _ => {
                let mut inside = core::iter::successors(links.following(select, select), later);
                let content = inside.find(|&id| self.is_html(id, "selectedcontent"));
                self.selected.content = Some((moves, select, created, content));
                content
            }
        }
    }

    /// The nearest select that has an option with this parent.
    fn nearest_select(&self, mut id: u32) -> Option<u32> {
        let mut is_in_group = false;
        while id != NONE {
            let what = self.dom.links.what(id);
            if !what.is_element() {
                return None;
            }
            match (what.space(), self.dom.names.get(what.name())) {
                (Space::Html, "datalist" | "hr" | "option") => return None,
                (Space::Html, "optgroup") if core::mem::replace(&mut is_in_group, true) => {
                    return None;
                }
                (Space::Html, "select") => return Some(id),
                _ => {}
            }
            id = self.dom.links.node(id).parent;
        }
        None
    }

    /// Replaces the children of a node with copies of those of another, contents of templates included.
    fn copy_children(&mut self, from: u32, to: u32) {
        let links = &mut self.dom.links;
        let moves = links.moves;
        let (content, first, end) = self.selected.copies;
        let mut had_copies_only = true;
        while let Some(child) = links.first_child(to) {
            had_copies_only &= content == to && (first..end).contains(&child);
            links.detach(child);
        }
        // Copies are known here only: that they go moves nothing that was found.
        if had_copies_only {
            links.moves = moves;
        }
        // All at once: the copies may be in what is copied.
        let events: Vec<Event> = links.events(from).collect();
        let first = links.nodes.len() as u32;
        let mut open = Vec::from([to]);
        let inner = events.len().saturating_sub(1);
        for event in events.into_iter().take(inner).skip(1) {
            match (event, open.last()) {
                (Event::Enter(id), Some(&parent)) => match self.copy(id, parent) {
                    DOCUMENT => break,
                    copy => open.push(copy),
                },
                _ => {
                    open.pop();
                }
            }
        }
        self.selected.copies = (to, first, self.dom.links.nodes.len() as u32);
    }

    /// Copies a node without what is in it. The Document: there are too many.
    fn copy(&mut self, id: u32, parent: u32) -> u32 {
        let node = *self.dom.links.node(id);
        let copy = match node.what {
            What::CONTENTS => return self.dom.links.contents(parent).unwrap_or(DOCUMENT),
            what if what.is_element() => self.copy_element(node),
            What::TEXT | What::COMMENT => {
                let Raw { start, length, .. } = node;
                let part = self.dom.strings.share(Part { start, length });
                self.create(Raw::new(node.what, part.start, part.length, NOWHERE))
            }
            what => self.create(Raw::new(what, node.start, node.length, NOWHERE)),
        };
        self.dom.links.insert(copy, parent, NONE);
        copy
    }

    fn copy_element(&mut self, node: Raw) -> u32 {
        let mut attributes = self.dom.tags[node.start as usize].attributes;
        if node.length == EXTENDED {
            // A list grows for one element only.
            let list = self.dom.extended[attributes as usize].clone();
            self.extended
                .push(self.extended[attributes as usize].clone());
            attributes = self.dom.extended.len() as u32;
            self.dom.extended.push(list);
        }
        self.add_element(
            node.what,
            Tags {
                attributes,
                start: NOWHERE,
                end: NOWHERE,
            },
            node.length,
        )
    }
}

/// Whether there is such a node before another inside a root.
fn any_before(links: &Links, mut id: u32, root: u32, is: impl Fn(u32) -> bool) -> bool {
    loop {
        let Raw {
            parent, previous, ..
        } = *links.node(id);
        id = previous;
        if id == NONE {
            if parent == root || parent == NONE {
                return false;
            }
            id = parent;
        } else {
            // Down to the last node in there.
            while let Some(child) = links.last_child(id) {
                if is(id) {
                    return true;
                }
                id = child;
            }
        }
        if is(id) {
            return true;
        }
    }
}
