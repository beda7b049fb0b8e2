//! Prints where each element of a page comes from: line and column of its start tag, its attributes and its end tag.
//!
//! `cargo run -p speclex-html5ever --example elements -- page.html`

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;

use markup5ever_rcdom::{Handle, NodeData, RcDom};
use speclex_html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use speclex_html5ever::tendril::{StrTendril, TendrilSink};
use speclex_html5ever::tokenizer::TagKind;
use speclex_html5ever::{
    Attribute, LineIndex, Origin, ParseOpts, QualName, Span, Spans, TagParts, parse_document,
};

/// What is known of an element.
pub struct Element {
    /// Its node.
    pub node: Handle,
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// The parts of its own start tag.
    pub parts: Option<TagParts>,
    /// Its end tag.
    pub end_tag: Option<Span>,
}

/// What is noted of a page.
#[derive(Default)]
pub struct Notes {
    /// Elements, in the order of their creation.
    pub elements: Vec<Element>,
    /// Text with the span of its token.
    pub texts: Vec<(String, Span)>,
}

/// A DOM that notes where its elements come from.
struct Noting {
    dom: RcDom,
    spans: Spans,
    notes: RefCell<Notes>,
}

impl Noting {
    /// Notes the end tag that closes an element.
    fn note_end(&self, node: &Handle) {
        let NodeData::Element { name, .. } = &node.data else {
            return;
        };
        if self.spans.is_tag(TagKind::EndTag, &name.local) {
            let elements = &mut self.notes.borrow_mut().elements;
            let is_this = |element: &&mut Element| Rc::ptr_eq(&element.node, node);
            if let Some(element) = elements.iter_mut().rev().find(is_this) {
                element.end_tag.get_or_insert(self.spans.token());
            }
        }
    }
}

impl Noting {
    fn note_text(&self, child: &NodeOrText<Handle>) {
        if let NodeOrText::AppendText(text) = child {
            let texts = &mut self.notes.borrow_mut().texts;
            texts.push((text.to_string(), self.spans.token()));
        }
    }
}

impl TreeSink for Noting {
    type Handle = Handle;
    type Output = Notes;
    type ElemName<'a> = <RcDom as TreeSink>::ElemName<'a>;

    fn finish(self) -> Notes {
        self.notes.into_inner()
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let origin = self.spans.origin().unwrap_or(Origin::Implied);
        let is_own = matches!(origin, Origin::Own(_));
        let local = name.local.to_string();
        let node = self.dom.create_element(name, attrs, flags);
        self.notes.borrow_mut().elements.push(Element {
            node: node.clone(),
            name: local,
            origin,
            parts: is_own.then(|| Some(self.spans.tag()?.clone())).flatten(),
            end_tag: None,
        });
        node
    }

    fn parse_error(&self, msg: Cow<'static, str>) {
        self.dom.parse_error(msg);
    }

    fn get_document(&self) -> Handle {
        self.dom.get_document()
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> Self::ElemName<'a> {
        self.dom.elem_name(target)
    }

    fn pop(&self, node: &Handle) {
        self.note_end(node);
        self.dom.pop(node);
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.dom.create_comment(text)
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.dom.create_pi(target, data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.note_text(&child);
        self.dom.append(parent, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        prev_element: &Handle,
        child: NodeOrText<Handle>,
    ) {
        self.note_text(&child);
        self.dom
            .append_based_on_parent_node(element, prev_element, child);
    }

    fn append_doctype_to_document(
        &self,
        name: StrTendril,
        public_id: StrTendril,
        system_id: StrTendril,
    ) {
        self.dom
            .append_doctype_to_document(name, public_id, system_id);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        self.dom.get_template_contents(target)
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        self.dom.same_node(x, y)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.dom.set_quirks_mode(mode);
    }

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        self.note_text(&new_node);
        self.dom.append_before_sibling(sibling, new_node);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        self.dom.add_attrs_if_missing(target, attrs);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.dom.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.dom.reparent_children(node, new_parent);
    }

    fn mark_script_already_started(&self, node: &Handle) {
        self.dom.mark_script_already_started(node);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        self.dom.is_mathml_annotation_xml_integration_point(handle)
    }
}

/// Parses a page.
pub fn parse(page: &str) -> Notes {
    parse_pieces([page])
}

/// Parses a page that comes in pieces.
pub fn parse_pieces<'t>(pieces: impl IntoIterator<Item = &'t str>) -> Notes {
    let spans = Spans::new();
    let sink = Noting {
        dom: RcDom::default(),
        spans: spans.clone(),
        notes: RefCell::default(),
    };
    let mut parser = parse_document(sink, ParseOpts::default());
    parser.tokenizer.show_spans(&spans);
    parser.from_iter(pieces.into_iter().map(StrTendril::from))
}

/// The elements of a page as a compiler would note them.
pub fn report(page: &str, name: &str) -> String {
    let mut lines = LineIndex::new();
    lines.push(page);
    let place = |span: Span| {
        let at = lines.locate(span.start);
        format!("{name}:{}:{}", at.line, at.column)
    };
    let text = |span: Span| page.get(span.range());
    let mut out = String::new();
    for element in parse(page).elements {
        // Writing to a string cannot fail.
        let _ = match element.origin {
            Origin::Own(span) => writeln!(out, "{}: <{}>", place(span), element.name),
            Origin::Implied => writeln!(out, "{name}: <{}> is implied", element.name),
            Origin::CopyOf(span) => {
                writeln!(out, "{}: <{}> is copied", place(span), element.name)
            }
        };
        for attribute in element.parts.iter().flat_map(|parts| &parts.attributes) {
            let value = attribute.value().and_then(text).unwrap_or_default();
            let name = text(attribute.name).unwrap_or_default();
            let _ = writeln!(out, "  {}: {name} is {value:?}", place(attribute.name));
        }
        if let Some(span) = element.end_tag {
            let _ = writeln!(out, "  {}: ends here", place(span));
        }
    }
    out
}

#[allow(dead_code)]
fn main() -> std::io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    if name.is_empty() {
        return Err(std::io::Error::other("usage: elements PAGE"));
    }
    print!("{}", report(&std::fs::read_to_string(&name)?, &name));
    Ok(())
}
