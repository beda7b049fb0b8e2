//! Template elements that patch content: `<template for="name">` replaces what stands between two markers (4.12.3).

use alloc::collections::BTreeSet;
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
    pub(super) fn marker(&self, id: u32) -> Option<String> {
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

/// The value of an attribute of a processing instruction, by the [rules for parsing pseudo-attributes from a string][rules], which the DOM
/// standard uses. Data with a fault has no attributes.
///
/// [rules]: https://www.w3.org/TR/xml-stylesheet/#dt-parsing
fn pseudo_attribute(data: &str, name: &str) -> Option<String> {
    let (mut rest, mut seen, mut found) = (data, BTreeSet::new(), None);
    loop {
        let start = rest.trim_start_matches(SPACE);
        if start.is_empty() {
            return found;
        }
        let is_apart = seen.is_empty() || start.len() < rest.len();
        let length = start.find(|c| !is_of_name(c)).unwrap_or(start.len());
        let (key, after) = start.split_at(length);
        if !is_apart || !key.starts_with(starts_name) || !seen.insert(key) {
            return None;
        }
        let after = after.trim_start_matches(SPACE).strip_prefix('=')?;
        let after = after.trim_start_matches(SPACE);
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (written, after) = after[1..].split_once(quote)?;
        let value = value(written)?;
        if key == name {
            found = Some(value);
        }
        rest = after;
    }
}

/// What is between the quotes, with characters in the place of references.
fn value(written: &str) -> Option<String> {
    let mut parts = written.split('&');
    let mut value = String::from(parts.next()?);
    for part in parts {
        let (reference, text) = part.split_once(';')?;
        value.push(match reference {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            number => referred(number.strip_prefix('#')?)?,
        });
        value.push_str(text);
    }
    let is_sound = !written.contains('<') && written.chars().all(is_xml);
    is_sound.then_some(value)
}

/// The character with a number.
fn referred(number: &str) -> Option<char> {
    let (digits, radix) = match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    let are_digits = digits.chars().all(|c| c.is_digit(radix));
    let number = u32::from_str_radix(digits, radix).ok();
    let found = number.filter(|_| are_digits).and_then(char::from_u32);
    found.filter(|c| is_xml(*c))
}

/// White space of XML.
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// `Char` of XML.
fn is_xml(c: char) -> bool {
    SPACE.contains(&c) || c >= ' ' && !matches!(c, '\u{FFFE}' | '\u{FFFF}')
}

/// `NameStartChar` of XML.
#[rustfmt::skip]
fn starts_name(c: char) -> bool {
    matches!(c,
        ':' | '_' | 'A'..='Z' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

/// `NameChar` of XML.
#[rustfmt::skip]
fn is_of_name(c: char) -> bool {
    starts_name(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}
