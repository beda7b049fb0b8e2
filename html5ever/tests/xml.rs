//! `speclex::xml` beside xml5ever and roxmltree: the same trees and namespaces of documents that are well-formed.

#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/data.rs"]
mod data;

use std::fs;

use html5ever::tendril::TendrilSink as _;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use speclex::NodeKind;
use speclex::xml::{ExpandedName, Namespaces};

/// A tree in lines: a node each, and what ends an element.
#[derive(Debug, Default)]
struct Lines(Vec<String>);

impl Lines {
    fn start(&mut self, namespace: &str, local: &str, mut attributes: Vec<String>) {
        attributes.sort();
        self.0
            .push(format!("<{{{namespace}}}{local} {}", attributes.join(" ")));
    }

    fn end(&mut self) {
        self.0.push("</>".to_owned());
    }

    /// Adjacent texts are one.
    fn text(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(line) if line.starts_with('"') => line.push_str(text),
            _ => self.0.push(format!("\"{text}")),
        }
    }

    fn comment(&mut self, data: &str) {
        self.0.push(format!("<!--{data}"));
    }

    fn instruction(&mut self, target: &str, data: &str) {
        // An XML declaration is none, but xml5ever has it.
        if self.0.is_empty() && target == "xml" {
            return;
        }
        self.0.push(format!("<?{target} {}", data.trim_end()));
    }
}

/// The draft keeps newlines and tabs of values, which XML makes spaces.
fn attribute(namespace: &str, local: &str, value: &str) -> String {
    format!(
        "{{{namespace}}}{local}={:?}",
        value.replace(['\n', '\t'], " ")
    )
}

/// Attributes that declare namespaces: roxmltree has none.
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

fn ours(text: &str) -> Lines {
    let dom = speclex::xml::parse(text);
    assert_eq!(dom.tokenizer_errors(), [], "{text}");
    let names = Namespaces::of(&dom);
    let mut lines = Lines::default();
    for edge in dom.document().walk() {
        let node = match edge {
            speclex::Edge::Close(node) if node.is_element() => {
                lines.end();
                continue;
            }
            speclex::Edge::Open(node) => node,
            speclex::Edge::Close(_) => continue,
        };
        match node.kind() {
            NodeKind::Element => {
                let of = |name: ExpandedName<'_>| name.namespace.unwrap_or_default().to_owned();
                let attributes = names.attributes(node);
                let attributes = attributes.filter(|(name, _)| name.namespace != Some(XMLNS));
                let attributes =
                    attributes.map(|(name, it)| attribute(&of(name), name.local, it.value()));
                let name = names.name(node).expect("an element");
                lines.start(&of(name), name.local, attributes.collect());
            }
            NodeKind::Text(text) => lines.text(text),
            NodeKind::Comment(data) => lines.comment(data),
            NodeKind::ProcessingInstruction { target, data } => lines.instruction(target, data),
            NodeKind::EntityReference(name) => lines.0.push(format!("&{name}")),
            _ => {}
        }
    }
    lines
}

fn of_xml5ever(text: &str) -> Lines {
    fn walk(node: &Handle, lines: &mut Lines) {
        match &node.data {
            NodeData::Element { name, attrs, .. } => {
                let attributes = attrs.borrow();
                let attributes = attributes.iter().filter(|it| &*it.name.ns != XMLNS);
                let attributes =
                    attributes.map(|it| attribute(&it.name.ns, &it.name.local, &it.value));
                lines.start(&name.ns, &name.local, attributes.collect());
            }
            NodeData::Text { contents } => lines.text(&contents.borrow()),
            NodeData::Comment { contents } => lines.comment(contents),
            NodeData::ProcessingInstruction { target, contents } => {
                lines.instruction(target, contents)
            }
            _ => {}
        }
        node.children
            .borrow()
            .iter()
            .for_each(|child| walk(child, lines));
        if matches!(node.data, NodeData::Element { .. }) {
            lines.end();
        }
    }
    let dom = xml5ever::driver::parse_document(RcDom::default(), Default::default()).one(text);
    let mut lines = Lines::default();
    walk(&dom.document, &mut lines);
    lines
}

fn of_roxmltree(text: &str) -> Lines {
    fn walk(node: roxmltree::Node<'_, '_>, lines: &mut Lines) {
        let tag = node.tag_name();
        match node.node_type() {
            roxmltree::NodeType::Element => {
                let attributes = node.attributes();
                let attributes = attributes
                    .map(|it| attribute(it.namespace().unwrap_or_default(), it.name(), it.value()));
                lines.start(
                    tag.namespace().unwrap_or_default(),
                    tag.name(),
                    attributes.collect(),
                );
            }
            roxmltree::NodeType::Text => lines.text(node.text().unwrap_or_default()),
            roxmltree::NodeType::Comment => lines.comment(node.text().unwrap_or_default()),
            roxmltree::NodeType::PI => {
                let instruction = node.pi().expect("an instruction");
                lines.instruction(instruction.target, instruction.value.unwrap_or_default());
            }
            roxmltree::NodeType::Root => {}
        }
        node.children().for_each(|child| walk(child, lines));
        if node.is_element() {
            lines.end();
        }
    }
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    let document = roxmltree::Document::parse_with_options(text, options).expect("well-formed XML");
    let mut lines = Lines::default();
    walk(document.root(), &mut lines);
    lines
}

fn compare(text: &str) {
    let ours = ours(text);
    for (who, theirs) in [
        ("xml5ever", of_xml5ever(text)),
        ("roxmltree", of_roxmltree(text)),
    ] {
        let mut pairs = ours.0.iter().zip(&theirs.0);
        assert_eq!(
            pairs.find(|(ours, theirs)| ours != theirs),
            None,
            "{who}: {text}"
        );
        assert_eq!(ours.0.len(), theirs.0.len(), "{who}: {text}");
    }
}

/// Whether a DOCTYPE has declarations inside. The draft skips them, xml5ever makes comments of them, and roxmltree reads them.
fn has_declarations(text: &str) -> bool {
    let doctype = text.split_once("<!DOCTYPE").map(|(_, rest)| rest);
    doctype.is_some_and(|it| it.find('[') < it.find('>') && it.contains('['))
}

#[test]
fn well_formed_documents_have_the_same_trees() {
    for text in [
        "<a>x<![CDATA[<&]]>y&lt;&#x41;&amp;&apos;&quot;&gt;</a>",
        "<?xml version='1.0'?><!-- c --><?p d?><!DOCTYPE a><a b='&#65;&lt;' c=\"'\"/><!-- e --><?f?>\n",
        "<a xmlns='u' xmlns:p='v'><p:b p:c='1' c='2' xml:lang='de'/><b xmlns=''><c/></b><d xmlns:p='w'><p:e/></d><p:f/></a>",
        "<p:a xmlns:p='u'><p:b xmlns:p='v' p:c=''><p:b/></p:b><p:b xmlns='w'><b/></p:b><b/></p:a>",
    ] {
        compare(text);
    }
    let Some(folder) = data::shared("corpora/xml") else {
        return;
    };
    let mut compared = 0;
    for path in data::files(&folder, &["gpx", "page", "svg", "xml", "xsl"]) {
        let text = fs::read_to_string(&path).expect("a document in UTF-8");
        // roxmltree keeps CR in comments.
        let text = text.replace("\r\n", "\n");
        if !has_declarations(&text) {
            compare(&text);
            compared += 1;
        }
    }
    assert_eq!(compared, 1061);
}
