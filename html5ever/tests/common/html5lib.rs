//! Trees in the form of html5lib's tests.

use std::fmt::Write as _;

use html5ever::ns;
use markup5ever_rcdom::{Handle, NodeData};

use super::nodes;

/// The nodes below one, without a newline at the end.
pub fn dump(root: &Handle) -> String {
    let mut out = String::new();
    for (node, depth) in nodes(root).into_iter().skip(1) {
        let indent = " ".repeat(2 * (depth - 1));
        let _ = match &node.data {
            NodeData::Document => writeln!(out, "| {indent}content"),
            NodeData::Doctype {
                name,
                public_id,
                system_id,
            } => match [public_id, system_id].map(|id| &**id) {
                ["", ""] => writeln!(out, "| {indent}<!DOCTYPE {name}>"),
                [public, system] => {
                    writeln!(out, "| {indent}<!DOCTYPE {name} \"{public}\" \"{system}\">")
                }
            },
            NodeData::Text { contents } => writeln!(out, "| {indent}\"{}\"", contents.borrow()),
            NodeData::Comment { contents } => writeln!(out, "| {indent}<!-- {contents} -->"),
            NodeData::Element { name, attrs, .. } => {
                let _ = writeln!(out, "| {indent}<{}{}>", prefix(&name.ns), name.local);
                let attributes = attrs.borrow();
                let shown = attributes.iter().map(|attribute| {
                    let name = &attribute.name;
                    let (prefix, value) = (prefix(&name.ns), &attribute.value);
                    format!("| {indent}  {prefix}{}=\"{value}\"\n", name.local)
                });
                let mut shown: Vec<_> = shown.collect();
                shown.sort();
                shown.iter().try_for_each(|line| out.write_str(line))
            }
            NodeData::ProcessingInstruction { target, contents } => {
                writeln!(out, "| {indent}<?{target} {contents}>")
            }
        };
    }
    out.pop();
    out
}

/// What stands in front of a name.
fn prefix(namespace: &html5ever::Namespace) -> &'static str {
    match *namespace {
        ns!(svg) => "svg ",
        ns!(mathml) => "math ",
        ns!(xlink) => "xlink ",
        ns!(xml) => "xml ",
        ns!(xmlns) => "xmlns ",
        _ => "",
    }
}
