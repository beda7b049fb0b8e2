//! A tree as HTML: 13.3, serializing HTML fragments.

use alloc::string::{String, ToString as _};
use core::fmt::{self, Write};

use crate::tree::Space;

use super::edges::Edge;
use super::links::{NONE, What};
use super::{Dom, Node};

impl Dom<'_> {
    /// The tree as HTML (13.3, serializing HTML fragments), without the identifiers of its DOCTYPE. Parsed again, most
    /// documents give the same tree, but not all: the standard has examples. The result can be quadratic in the length of the
    /// document, as the tree can be: each `p` of `<p><font size=1><p><font size=2>` has copies of all `font` elements before it.
    ///
    /// A fragment is written as what is in its context element, as `innerHTML` has it: text in `style` as it is, nothing in `br`.
    pub fn serialize(&self) -> String {
        self.to_string()
    }

    /// Writes what is in a node, or the node with it.
    fn write_html(&self, out: &mut dyn Write, id: u32, with_itself: bool) -> fmt::Result {
        // What is in the root of a fragment is what is in its context element.
        let holder = |node| match node == self.root && self.context != NONE {
            true if node != id || !with_itself => self.context,
            _ => node,
        };
        if !with_itself && self.html_name(holder(id)).is_some_and(is_void) {
            return Ok(());
        }
        let is_raw = |node: u32| match self.links.node(node).parent {
            NONE => false,
            parent => self.links.what(node) == What::TEXT && self.is_raw(holder(parent)),
        };
        let mut edges = self.links.edges(id);
        while let Some(edge) = edges.next() {
            match edge {
                Edge::Open(node) if is_raw(node) => out.write_str(self.string(node))?,
                Edge::Open(node) if node != id || with_itself => self.open(out, node)?,
                Edge::Open(_) => {}
                // What is parsed inside a template is in its contents.
                Edge::Close(node) if self.links.what(node) == What::CONTENTS && node != id => {
                    edges.close(node - 1)
                }
                Edge::Close(node) if node != id || with_itself => self.close(out, node)?,
                Edge::Close(_) => {}
            }
            if let Edge::Open(node) = edge
                && self.html_name(node).is_some_and(is_void)
            {
                edges.close(node);
            }
        }
        Ok(())
    }

    /// The name of an HTML element.
    fn html_name(&self, id: u32) -> Option<&str> {
        let what = self.links.what(id);
        (what.is_element() && what.space() == Space::Html).then(|| self.names.text(what.name()))
    }

    fn open(&self, out: &mut dyn Write, id: u32) -> fmt::Result {
        let node = self.links.node(id);
        match node.what {
            What::DOCUMENT | What::CONTENTS => Ok(()),
            What::TEXT => escape(out, self.string(id), false),
            What::COMMENT => write_all(out, &["<!--", self.string(id), "-->"]),
            What::DOCTYPE => write_all(out, &["<!DOCTYPE ", self.doctype(id).name, ">"]),
            What::INSTRUCTION => {
                let (target, data) = self.instruction(id);
                write_all(out, &["<?", target, " ", data, "?>"])
            }
            element => {
                write_all(out, &["<", self.names.text(element.name())])?;
                for attribute in self.raw_attributes(id) {
                    let name = self.attribute_names.get(attribute.name);
                    let prefix = match name.space {
                        Space::Xml => "xml:",
                        Space::Xmlns if name.local != "xmlns" => "xmlns:",
                        Space::XLink => "xlink:",
                        Space::Html | Space::Svg | Space::MathMl | Space::Xmlns | Space::None => "",
                    };
                    write_all(out, &[" ", prefix, name.local, "=\""])?;
                    escape(out, self.strings.get(attribute.value), true)?;
                    out.write_str("\"")?;
                }
                out.write_str(">")
            }
        }
    }

    fn close(&self, out: &mut dyn Write, id: u32) -> fmt::Result {
        let what = self.links.what(id);
        if !what.is_element() || self.html_name(id).is_some_and(is_void) {
            return Ok(());
        }
        write_all(out, &["</", self.names.text(what.name()), ">"])
    }

    /// Whether text in an element is written as it is.
    fn is_raw(&self, id: u32) -> bool {
        match self.html_name(id) {
            Some("style" | "script" | "xmp" | "iframe" | "noembed" | "noframes" | "plaintext") => {
                true
            }
            Some("noscript") => self.scripting,
            _ => false,
        }
    }
}

/// Whether an HTML element has no end tag, nor anything inside.
fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

fn write_all(out: &mut dyn Write, strings: &[&str]) -> fmt::Result {
    strings.iter().try_for_each(|string| out.write_str(string))
}

/// Writes a string with references. `<` and `>` are escaped in attributes, too: so it is since 2025.
fn escape(out: &mut dyn Write, string: &str, is_attribute: bool) -> fmt::Result {
    let mut rest = string;
    let is_special = |c| matches!(c, '&' | '\u{A0}' | '<' | '>') || c == '"' && is_attribute;
    while let Some(at) = rest.find(is_special) {
        let (reference, length) = match rest.as_bytes()[at] {
            b'&' => ("&amp;", 1),
            b'<' => ("&lt;", 1),
            b'>' => ("&gt;", 1),
            b'"' => ("&quot;", 1),
            _ => ("&nbsp;", '\u{A0}'.len_utf8()),
        };
        write_all(out, &[&rest[..at], reference])?;
        rest = &rest[at + length..];
    }
    out.write_str(rest)
}

impl Node<'_> {
    /// What is in it as HTML (13.3, serializing HTML fragments). `<` and `>` are escaped in attributes, too, as the standard has
    /// it since 2025. Of `noscript` elements it depends on whether scripts run in the document.
    pub fn inner_html(self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.dom.write_html(&mut out, self.id.0, false);
        out
    }

    /// The node and what is in it as HTML.
    pub fn outer_html(self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Dom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_html(f, self.root, false)
    }
}

impl fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dom.write_html(f, self.id.0, true)
    }
}
