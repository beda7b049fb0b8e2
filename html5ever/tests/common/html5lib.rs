//! Trees in the form of html5lib's tests.

use std::fmt::Write as _;

use html5ever::tendril::TendrilSink;
use html5ever::tokenizer::TokenizerOpts;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{LocalName, ParseOpts, QualName, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use speclex_html5ever::Revision;
use speclex_html5ever::driver::{parse_document_as, parse_fragment_as};

use super::{context, nodes};

/// What a parser makes of a document or fragment.
#[derive(Debug)]
pub struct Tree {
    pub dump: String,
    pub errors: usize,
}

impl Tree {
    /// Parses as a revision has it, or with html5ever. The context element is named as in html5lib's tests.
    pub fn parse(
        text: &str,
        element: Option<&str>,
        scripting: bool,
        revision: Option<Revision>,
    ) -> Self {
        let options = ParseOpts {
            tokenizer: TokenizerOpts {
                exact_errors: true,
                ..TokenizerOpts::default()
            },
            tree_builder: TreeBuilderOpts {
                scripting_enabled: scripting,
                ..TreeBuilderOpts::default()
            },
        };
        let element = element.map(|name| {
            let (namespace, name) = context(name);
            QualName::new(None, namespace, LocalName::from(name))
        });
        let (sink, none) = (RcDom::default(), Vec::new());
        let is_fragment = element.is_some();
        let dom = match (revision, element) {
            (None, None) => html5ever::parse_document(sink, options).one(text),
            (None, Some(element)) => {
                html5ever::parse_fragment(sink, options, element, none, scripting).one(text)
            }
            (Some(revision), None) => parse_document_as(revision, sink, options).one(text),
            (Some(revision), Some(element)) => {
                parse_fragment_as(revision, sink, options, element, none, scripting).one(text)
            }
        };
        let root = match is_fragment {
            true => dom.document.children.borrow()[0].clone(),
            false => dom.document.clone(),
        };
        Self {
            dump: dump(&root),
            errors: dom.errors.borrow().len(),
        }
    }
}

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
