//! The form of html5lib-tests' tree construction tests.

use alloc::string::String;
use alloc::vec::Vec;

use crate::tree::{AttributeName, Space};

use super::Dom;
use super::edges::Edge;
use super::links::What;

impl Dom<'_> {
    /// The tree as html5lib-tests have it: a line for each node and attribute with `| `, two spaces for each parent, and
    /// what it is. Attributes are sorted by name. Text is as it is, with newlines and quotes. Where no element has a namespace the
    /// tests of XML are meant, in which a processing instruction ends with `?>`.
    ///
    /// The size grows with the depth of each node.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        let mut depth = 0;
        let mut nodes = self.links.nodes.iter();
        let is_html = nodes.any(|it| it.what.is_element() && it.what.space() != Space::None);
        for edge in self.links.edges(self.root) {
            match edge {
                // The root is not shown.
                Edge::Open(id) if id == self.root => {}
                Edge::Open(id) => {
                    self.dump_node(&mut out, id, depth, is_html);
                    depth += 1;
                }
                Edge::Close(_) => depth = depth.saturating_sub(1),
            }
        }
        out
    }

    fn dump_node(&self, out: &mut String, id: u32, depth: usize, is_html: bool) {
        indent(out, depth);
        match self.links.what(id) {
            What::DOCUMENT => {}
            What::CONTENTS => out.push_str("content"),
            What::TEXT => push(out, &["\"", self.string(id), "\""]),
            What::COMMENT => push(out, &["<!-- ", self.string(id), " -->"]),
            What::REFERENCE => push(out, &["&", self.string(id), ";"]),
            What::DOCTYPE => {
                let doctype = self.doctype(id);
                let identifiers = [doctype.public_identifier, doctype.system_identifier];
                push(out, &["<!DOCTYPE ", doctype.name]);
                if identifiers != ["", ""] {
                    push(out, &[" \"", identifiers[0], "\" \"", identifiers[1], "\""]);
                }
                out.push('>');
            }
            What::INSTRUCTION => {
                let (target, data) = self.instruction(id);
                let end = if is_html { ">" } else { "?>" };
                push(out, &["<?", target, " ", data, end]);
            }
            element => {
                let space = match element.space() {
                    Space::Svg => "svg ",
                    Space::MathMl => "math ",
                    Space::Html | Space::XLink | Space::Xml | Space::Xmlns | Space::None => "",
                };
                push(out, &["<", space, self.names.text(element.name()), ">"]);
                let attributes = self.raw_attributes(id).iter();
                let named =
                    attributes.map(|it| (shown(self.attribute_names.get(it.name)), it.value));
                let mut named: Vec<_> = named.collect();
                named.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
                for (name, value) in named {
                    out.push('\n');
                    indent(out, depth + 1);
                    push(out, &[&name, "=\"", self.strings.get(value), "\""]);
                }
            }
        }
        out.push('\n');
    }
}

/// The name of an attribute: `xlink href` for one in a namespace, also if its name has no prefix (`xmlns xmlns`).
fn shown(name: AttributeName<'_>) -> String {
    let designator = match name.space {
        Space::XLink => "xlink ",
        Space::Xml => "xml ",
        Space::Xmlns => "xmlns ",
        Space::Html | Space::Svg | Space::MathMl | Space::None => "",
    };
    [designator, name.local].concat()
}

fn push(out: &mut String, strings: &[&str]) {
    strings.iter().for_each(|string| out.push_str(string));
}

/// The start of a line.
fn indent(out: &mut String, depth: usize) {
    out.push_str("| ");
    out.extend(core::iter::repeat_n("  ", depth));
}
