//! Template elements that patch content: `<template for="name">` replaces what stands between two markers (4.12.3).

use alloc::string::String;

use super::links::{NONE, NodeId, What};
use super::sink::{DomSink, Patched};

impl<const ERRORS: bool> DomSink<'_, ERRORS> {
    /// Runs the host step "prepare content patching": finds the markers that a template element names, and removes what is
    /// between them. `None`: there are none.
    pub(super) fn prepare_patching(&mut self, scope: NodeId, template: NodeId) -> Option<Patched> {
        // Mostly there are no markers.
        if self.watched.markers.is_empty() {
            return None;
        }
        let name = self.dom.at(template.0).attribute("for")?;
        if name.is_empty() {
            return None;
        }
        let name = String::from(name);
        let key = (self.around(scope.0).root, name);
        let list = self.watched.markers.get(&key)?;
        let start = list.first_inside(&self.dom.links, scope.0)?;
        let end = match self.instruction(start) {
            Some(("marker", _)) => Some(start),
            _ => self.end_of(start),
        };
        let target = self.dom.links.node(start).parent;
        if end != Some(start) {
            let last = end.unwrap_or(NONE);
            loop {
                let next = self.dom.links.node(start).next;
                if next == last {
                    break;
                }
                self.remove(next);
            }
        }
        Some(Patched { target, start, end })
    }

    /// The sibling that ends what a marker starts; others may start and end in between.
    fn end_of(&self, start: u32) -> Option<u32> {
        let mut open = 0_usize;
        let mut id = start;
        loop {
            id = self.dom.links.node(id).next;
            if id == NONE {
                return None;
            }
            match self.instruction(id) {
                Some(("start", _)) => open += 1,
                Some(("end", _)) if open == 0 => return Some(id),
                Some(("end", _)) => open -= 1,
                _ => {}
            }
        }
    }

    /// The name of a marker where content that is patched starts.
    pub(super) fn marker(&self, id: u32) -> Option<&str> {
        match self.instruction(id) {
            Some(("marker" | "start", data)) => pseudo_attribute(data, "name"),
            _ => None,
        }
    }

    /// The target and the data of a processing instruction.
    fn instruction(&self, id: u32) -> Option<(&str, &str)> {
        match self.dom.links.what(id) {
            What::INSTRUCTION => Some(self.dom.instruction(id)),
            _ => None,
        }
    }

    /// Whether a node is the body element of the document (3.1.3).
    pub(super) fn is_the_body(&self, id: u32) -> bool {
        let is = |id: u32, name| self.dom.at(id).is(name);
        let parent = self.dom.links.node(id).parent;
        if !is(id, "body") || parent == NONE || !is(parent, "html") {
            return false;
        }
        // The first child of these that is one.
        let mut before = self.dom.links.node(id).previous;
        while before != NONE {
            if is(before, "body") || is(before, "frameset") {
                return false;
            }
            before = self.dom.links.node(before).previous;
        }
        true
    }
}

/// The value of `name="value"` in the data of a processing instruction.
fn pseudo_attribute<'d>(data: &'d str, name: &str) -> Option<&'d str> {
    let mut rest = data;
    while let Some((found, after)) = rest.split_once('=') {
        let after = after.trim_ascii_start();
        let quoted = after.strip_prefix(['"', '\'']);
        let (value, after) = match quoted {
            Some(inside) => inside.split_once(after.chars().next()?)?,
            None => after
                .split_once(|c: char| c.is_ascii_whitespace())
                .unwrap_or((after, "")),
        };
        if found.trim_ascii() == name {
            return Some(value);
        }
        rest = after;
    }
    None
}
