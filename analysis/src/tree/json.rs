//! A tree as JSON, for programs.

use std::io::{self, Write};
use std::ops::Range;

use serde_json::{Map, Value, json};
use speclex_codegen::tree::machine::Space;

use super::arena::{Attribute, Element, Event, Node, NodeId, Tree};

impl Tree {
    /// Writes the children of the Document, or those of a fragment, as a list of objects. An element's attributes are pairs,
    /// followed by a prefix if they have a namespace, and its `children` are a list; `content` is what a template
    /// element holds. HTML's nodes have places, in bytes of the input: `span` is that of the start tag or of another token, `end`
    /// that of the end tag.
    ///
    /// # Errors
    /// What `out` says.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        // Whether the list that is open has a member already.
        let mut has_member = false;
        for (event, _) in self.events() {
            let (Event::Enter(id) | Event::Leave(id)) = event;
            let is_root = id == self.root;
            match (event, self.node(id)) {
                (Event::Enter(_), _) if is_root => write!(out, "[")?,
                (Event::Leave(_), _) if is_root => write!(out, "]")?,
                (Event::Enter(_), Node::Contents) => write!(out, ",\"content\":[")?,
                (Event::Leave(_), Node::Contents) => write!(out, "],\"children\":[")?,
                (Event::Enter(_), node) => {
                    write!(out, "{}", if has_member { ", " } else { "" })?;
                    let text = Value::Object(self.fields(id)).to_string();
                    // Children follow inside the object.
                    let open = text.strip_suffix('}').unwrap_or(&text);
                    write!(out, "{open}")?;
                    if matches!(node, Node::Element(Element { contents: None, .. })) {
                        write!(out, ",\"children\":[")?;
                    }
                }
                (Event::Leave(_), Node::Element(_)) => write!(out, "]}}")?,
                (Event::Leave(_), _) => write!(out, "}}")?,
            }
            let opens = matches!(event, Event::Enter(_)) || matches!(self.node(id), Node::Contents);
            has_member = !opens;
        }
        Ok(())
    }

    fn fields(&self, id: NodeId) -> Map<String, Value> {
        let value = match self.node(id) {
            Node::Document | Node::Contents | Node::Marker => json!({}),
            Node::Doctype {
                name,
                public_identifier,
                system_identifier,
            } => json!({
                "doctype": name,
                "public": public_identifier,
                "system": system_identifier,
            }),
            Node::Element(element) => {
                let attributes: Vec<_> = element.attributes.iter().map(attribute).collect();
                json!({"element": *element.name, "attributes": attributes})
            }
            Node::Text(text) => json!({"text": text}),
            Node::EntityReference(name) => json!({"entity-reference": name}),
            Node::Comment(data) => json!({"comment": data}),
            Node::ProcessingInstruction { target, data } => {
                json!({"processing-instruction": target, "data": data})
            }
        };
        let mut fields = match value {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        if self.is_html {
            let mut add = |key: &str, span: Option<Range<u64>>| {
                if let Some(span) = span {
                    fields.insert(key.to_owned(), json!([span.start, span.end]));
                }
            };
            add("span", self.span(id));
            if let Some(element) = self.element(id) {
                add("end", element.end_tag.clone());
                if element.space != Space::Html {
                    fields.insert("namespace".to_owned(), element.space.url().into());
                }
            }
        }
        fields
    }
}

/// Its name and value; after them its prefix, if it has a namespace.
fn attribute(attribute: &Attribute) -> Value {
    match (attribute.space, &attribute.prefix) {
        (Space::None, _) => json!([attribute.name, attribute.value]),
        (_, prefix) => json!([attribute.name, attribute.value, prefix]),
    }
}
