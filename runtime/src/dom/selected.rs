//! What a `selectedcontent` element shows: copies of what is in the selected option of its select element (4.10.10).

use alloc::vec::Vec;

use crate::tree::Space;

use super::links::{DOCUMENT, Event, Links, NONE, Raw, What};
use super::sink::Selected;
use super::strings::Part;
use super::{DomSink, EXTENDED, NOWHERE, Tags};

impl<const ERRORS: bool> DomSink<'_, ERRORS> {
    /// Runs the host step "maybe clone an option into selectedcontent".
    #[inline(never)]
    pub(super) fn clone_option(&mut self, option: u32) {
        if self.selected.created == 0 {
            return;
        }
        let moves = self.dom.links.moves;
        if self.selected.moves != moves {
            self.selected = Selected {
                created: self.selected.created,
                copies: self.selected.copies,
                moves,
                ..Selected::default()
            };
        }
        let Some(select) = self.nearest_select(option) else {
            return;
        };
        let links = &self.dom.links;
        let is_option = |id| self.is_html(id, "option");
        let is_selected = |id| is_option(id) && self.has_attribute(id, "selected");
        let fresh = self.is_overruled_by_fresh(option, select, is_selected);
        let is_last = fresh.is_some() || links.after(option, select).is_none();
        let is_overruled = fresh.unwrap_or_else(|| {
            let later = |id: &u32| links.following(*id, select);
            core::iter::successors(later(&option), later).any(is_selected)
        });
        // The last one that says so is selected; if none does, the first one.
        let is_first = || fresh.is_none() && !any_before(links, option, select, is_option);
        if !is_overruled
            && (is_selected(option) || is_first())
            && let Some(content) = self.content(select)
        {
            self.copy_children(option, content);
        }
        self.selected.last = is_last.then_some((option, select, self.dom.links.inserted));
    }

    fn is_html(&self, id: u32, name: &str) -> bool {
        let what = self.dom.links.what(id);
        what.is_element() && what.space() == Space::Html && self.dom.names.text(what.name()) == name
    }

    fn has_attribute(&self, id: u32, name: &str) -> bool {
        let name = self.dom.attribute_names.find(name);
        let mut attributes = self.dom.raw_attributes(id).iter();
        attributes.any(|it| Some(it.name) == name)
    }

    /// The nearest select element of an option, unless several of its options can be selected.
    fn nearest_select(&mut self, option: u32) -> Option<u32> {
        let mut path = Vec::new();
        let mut id = self.dom.links.node(option).parent;
        let mut found = loop {
            if id == NONE || !self.dom.links.what(id).is_element() {
                break None;
            }
            if let Some(&known) = self.selected.nearest.get(&id) {
                break known;
            }
            path.push(id);
            id = self.dom.links.node(id).parent;
        };
        for id in path.into_iter().rev() {
            let what = self.dom.links.what(id);
            found = match (what.space(), self.dom.names.text(what.name())) {
                (Space::Html, "datalist" | "hr" | "option") => None,
                (Space::Html, "optgroup") => match found {
                    Some((select, false)) => Some((select, true)),
                    _ => None,
                },
                (Space::Html, "select") if self.has_attribute(id, "multiple") => None,
                (Space::Html, "select") => Some((id, false)),
                _ => found,
            };
            self.selected.nearest.insert(id, found);
        }
        found.map(|(select, _)| select)
    }

    /// Whether a selected option follows this one, if all nodes that were inserted since the last one follow that: then this
    /// is not the first, and nothing follows it.
    fn is_overruled_by_fresh(
        &self,
        option: u32,
        select: u32,
        is_selected: impl Fn(u32) -> bool,
    ) -> Option<bool> {
        let links = &self.dom.links;
        let (last, _, inserted) = self.selected.last.filter(|&(_, of, _)| of == select)?;
        let mut left = (links.inserted - inserted).checked_sub(1)?;
        let mut id = links.after(last, select)?;
        while id != option {
            left = left.checked_sub(1)?;
            id = links.following(id, select)?;
        }
        let mut is_overruled = false;
        while let Some(inside) = links.following(id, option) {
            left = left.checked_sub(1)?;
            is_overruled |= is_selected(inside);
            id = inside;
        }
        (left == 0).then_some(is_overruled)
    }

    /// The `selectedcontent` element of a select element.
    fn content(&mut self, select: u32) -> Option<u32> {
        let key = (select, self.selected.created);
        if let Some((known, content)) = self.selected.content
            && known == key
        {
            return content;
        }
        let links = &self.dom.links;
        let later = |id: &u32| links.following(*id, select);
        let mut inside = core::iter::successors(later(&select), later);
        let content = inside.find(|&id| self.is_html(id, "selectedcontent"));
        self.selected.content = Some((key, content));
        content
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
        let tags = Tags {
            attributes,
            start: NOWHERE,
            end: NOWHERE,
        };
        self.add_element(node.what, tags, node.length)
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
