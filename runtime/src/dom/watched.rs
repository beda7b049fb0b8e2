//! Insertion and removal, with what the standard does then: a few kinds of nodes are watched wherever they move.
//!
//! They are `option` and `selectedcontent` elements and the markers of content that is patched. All others, nearly all nodes, cost a
//! comparison. What moves with watched nodes inside costs time by its size.

use alloc::vec::Vec;

use crate::tree::Space;

use super::DomSink;
use super::known::Around;
use super::links::NONE;

impl<const ERRORS: bool> DomSink<'_, ERRORS> {
    /// What a node and those above it mean for watched nodes inside it.
    pub(super) fn around(&mut self, id: u32) -> Around {
        let mut path = Vec::new();
        let mut at = id;
        let mut around = loop {
            if let Some(&known) = self.watched.around.get(&at) {
                break known;
            }
            path.push(at);
            match self.dom.links.node(at).parent {
                NONE => break self.outermost(at),
                parent => at = parent,
            }
        };
        for at in path.into_iter().rev() {
            around = self.inside(at, around);
            let node = self.dom.links.node(at);
            // Such a node can be inserted as a new one.
            if node.parent != NONE || self.dom.links.first_child(at).is_some() {
                self.watched.around.insert(at, around);
            }
        }
        around
    }

    /// What the nodes above a node mean for it.
    pub(super) fn above(&mut self, id: u32) -> Around {
        match self.dom.links.node(id).parent {
            NONE => self.outermost(id),
            parent => self.around(parent),
        }
    }

    fn outermost(&self, root: u32) -> Around {
        Around {
            root,
            select: None,
            group: None,
            nearest: None,
            disables: false,
        }
    }

    /// What is around the children of a node, if this is around the node.
    fn inside(&self, id: u32, around: Around) -> Around {
        let links = &self.dom.links;
        let mut inside = around;
        let what = links.what(id);
        if !what.is_element() || what.space() != Space::Html {
            return inside;
        }
        match self.dom.names.text(what.name()) {
            "select" => {
                inside.select = (!self.has_attribute(id, "multiple")).then_some(id);
                inside.group = None;
                inside.disables |= around.nearest.is_some();
                inside.nearest = Some(id);
            }
            "option" => (inside.select, inside.disables) = (None, true),
            "datalist" | "hr" => inside.select = None,
            "optgroup" if around.group.is_some() => inside.select = None,
            "optgroup" => inside.group = Some(self.has_attribute(id, "disabled")),
            "selectedcontent" => inside.disables = true,
            _ => {}
        }
        inside
    }

    pub(super) fn has_attribute(&self, id: u32, name: &str) -> bool {
        let name = self.dom.attribute_names.find(name);
        let mut attributes = self.dom.raw_attributes(id).iter();
        name.is_some() && attributes.any(|it| Some(it.name) == name)
    }

    /// Whether a node is watched, or others may be inside it.
    fn watches(&self, id: u32) -> bool {
        self.is_watched(id) || self.watched.around.contains_key(&id)
    }

    fn is_watched(&self, id: u32) -> bool {
        let what = self.dom.links.what(id);
        what == self.option || what == self.selectedcontent || self.marker(id).is_some()
    }

    /// The watched nodes in a node, with itself.
    fn watched_in(&self, id: u32) -> Vec<u32> {
        let links = &self.dom.links;
        let nodes = core::iter::successors(Some(id), |&it| links.following(it, id));
        nodes.filter(|&it| self.is_watched(it)).collect()
    }

    /// Inserts a node before a child of another, or after all of them; it leaves its parent first. What the DOM rejects does
    /// nothing.
    #[inline(never)]
    pub(super) fn attach(&mut self, id: u32, parent: u32, mut before: u32) {
        if self.is_complete() || !self.dom.links.can_insert(id, parent) {
            return;
        }
        if before == id {
            before = self.dom.links.node(id).next;
        }
        self.remove(id);
        if before != NONE && self.dom.links.node(before).parent != parent {
            before = NONE;
        }
        if !self.watches(id) {
            self.dom.links.insert_detached(id, parent, before);
            return self.note_filled(parent);
        }
        let watched = self.watched_in(id);
        self.forget(id, &watched);
        self.dom.links.insert_detached(id, parent, before);
        self.note_filled(parent);
        self.list(&watched);
        self.select_inserted(id, &watched);
        for id in watched {
            if self.dom.links.what(id) == self.selectedcontent {
                self.connect_content(id);
            }
        }
    }

    /// Takes a node from its parent, if it has one.
    pub(super) fn remove(&mut self, id: u32) {
        let parent = self.dom.links.node(id).parent;
        if parent == NONE || self.is_complete() {
            return;
        }
        if !self.watches(id) {
            self.dom.links.detach(id);
            return self.note_emptied(parent);
        }
        let around = self.around(parent);
        let watched = self.watched_in(id);
        let options = self.options_of(around.select, &watched);
        let shows = self.shows_in(around.nearest, &watched);
        self.forget(id, &watched);
        self.dom.links.detach(id);
        self.note_emptied(parent);
        self.list(&watched);
        if let Some(select) = around.select {
            self.deselect_removed(select, &options);
        }
        if let (Some(select), true) = (around.nearest, shows) {
            self.update_content(select);
        }
    }

    /// Moves all children of a node into another.
    pub(super) fn move_all(&mut self, from: u32, to: u32) {
        if self.is_complete() {
            return;
        }
        if !self.watches(from) && self.dom.links.what(to) != self.selectedcontent {
            self.note_change(from);
            self.note_change(to);
            return self.dom.links.move_children(from, to);
        }
        let last = self.dom.links.last_child(from);
        while let Some(child) = self.dom.links.first_child(from) {
            self.attach(child, to, NONE);
            // What the DOM rejects stays.
            if Some(child) == last || self.dom.links.node(child).parent == from {
                break;
            }
        }
    }

    /// Takes watched nodes out of the lists, while they are where they were.
    fn forget(&mut self, id: u32, watched: &[u32]) {
        for &it in watched {
            let root = self.above(it).root;
            let key = self.marker(it).map(|name| (root, name));
            let links = &self.dom.links;
            let lists = &mut self.watched;
            if links.what(it) == self.selectedcontent {
                for lists in [&mut lists.contents, &mut lists.filled] {
                    if let Some(list) = lists.get_mut(&root) {
                        list.remove(links, it);
                    }
                }
            } else if let Some(list) = key.and_then(|key| lists.markers.get_mut(&key)) {
                list.remove(links, it);
            }
        }
        let links = &self.dom.links;
        let nodes = core::iter::successors(Some(id), |&it| links.following(it, id));
        for it in nodes {
            self.watched.around.remove(&it);
        }
    }

    /// Adds watched nodes to the lists.
    fn list(&mut self, watched: &[u32]) {
        for &it in watched {
            let root = self.above(it).root;
            let key = self.marker(it).map(|name| (root, name));
            let links = &self.dom.links;
            let lists = &mut self.watched;
            if links.what(it) == self.selectedcontent {
                lists.contents.entry(root).or_default().add(links, it);
                if links.first_child(it).is_some() {
                    lists.filled.entry(root).or_default().add(links, it);
                }
            } else if let Some(key) = key {
                lists.markers.entry(key).or_default().add(links, it);
            }
        }
    }

    /// A node got a child.
    pub(super) fn note_filled(&mut self, id: u32) {
        self.note_change(id);
        if self.dom.links.what(id) == self.selectedcontent {
            let root = self.above(id).root;
            let list = self.watched.filled.entry(root).or_default();
            list.add(&self.dom.links, id);
        }
    }

    /// A node lost a child.
    fn note_emptied(&mut self, id: u32) {
        self.note_change(id);
        let links = &self.dom.links;
        if links.first_child(id).is_some() {
            return;
        }
        if links.what(id) == self.selectedcontent {
            let root = self.above(id).root;
            if let Some(list) = self.watched.filled.get_mut(&root) {
                list.remove(&self.dom.links, id);
            }
        }
        if self.dom.links.node(id).parent == NONE {
            self.watched.around.remove(&id);
        }
    }
}
