//! Characters are inserted.

use crate::span::Span;
use crate::tree::{Place, Text};

use super::links::{DOCUMENT, NONE, NodeId, Raw, What};
use super::strings::Part;
use super::{DomSink, Gap, place};

impl<const ERRORS: bool> DomSink<'_, ERRORS> {
    /// Inserts characters anywhere.
    #[inline(never)]
    pub(super) fn insert_text_before(&mut self, text: Text<'_>, at: &Place<NodeId>) {
        let (parent, before) = self.resolve(at);
        self.note_change(parent);
        let links = &self.dom.links;
        let holder = links.node(parent);
        if !holder.what.takes_all() {
            return;
        }
        let previous = match before {
            NONE => holder.last,
            before => links.node(before).previous,
        };
        if previous != NONE && links.what(previous) == What::TEXT {
            return self.append(previous, text.text, text.span);
        }
        let Part { start, length } = self.dom.strings.add(text.text);
        let id = self.create(Raw::new(What::TEXT, start, length, place(text.span)));
        if id != DOCUMENT {
            self.dom.links.link(id, parent, before);
            self.note_filled(parent);
        }
    }

    /// Inserts characters after the last child of a node.
    #[inline(always)]
    pub(super) fn append_text(&mut self, text: &str, span: Span, parent: u32) {
        if !self.takes_at_once(parent) {
            return self.append_anywhere(text, span, parent);
        }
        let Some(start) = self.dom.strings.find(text) else {
            return self.append_copy(text, span, parent);
        };
        let length = text.len() as u32;
        let node = Raw::new(What::TEXT, start as u32, length, place(span));
        if let Some(last) = self.dom.links.push_text(parent, node) {
            self.append(last, text, span);
        }
    }

    /// Inserts characters after the last child of a node, where more may follow from that.
    #[inline(never)]
    fn append_anywhere(&mut self, text: &str, span: Span, parent: u32) {
        self.insert_text_before(Text { text, span }, &Place::LastChild(NodeId(parent)));
    }

    /// Inserts characters that may not stand in the input after the last child of a node that takes them.
    #[inline(never)]
    fn append_copy(&mut self, text: &str, span: Span, parent: u32) {
        if let Some(last) = self.dom.links.last_child(parent)
            && self.dom.links.what(last) == What::TEXT
        {
            return self.append(last, text, span);
        }
        // Text in tables is gathered before it is inserted.
        let Part { start, length } = self.dom.strings.add_from(text, span);
        let node = Raw::new(What::TEXT, start, length, place(span));
        self.dom.links.push_child(parent, node);
    }

    /// Adds characters to a Text node.
    #[inline(never)]
    fn append(&mut self, id: u32, text: &str, span: Span) {
        if self.is_complete() {
            return;
        }
        let node = self.dom.links.node_mut(id);
        let part = Part {
            start: node.start,
            length: node.length,
        };
        let part = self.dom.strings.append(part, text);
        let (start, end) = place(span);
        (node.start, node.length) = (part.start, part.length);
        let last = node.last;
        if last == start {
            node.last = end;
        } else {
            self.append_after_gap(id, Text { text, span });
        }
    }

    /// Notes where a Text node got characters from that do not adjoin those before.
    #[cold]
    fn append_after_gap(&mut self, id: u32, text: Text<'_>) {
        let at = self.dom.string(id).len().saturating_sub(text.text.len()) as u32;
        let node = self.dom.links.node_mut(id);
        let (start, end) = place(text.span);
        self.dom.gaps.push(Gap {
            text: id,
            at,
            start: node.last,
            end: start,
        });
        (node.first, node.last) = match node.last {
            // A copy.
            NONE => (start, end),
            last => (node.first.min(start), last.max(end)),
        };
    }
}
