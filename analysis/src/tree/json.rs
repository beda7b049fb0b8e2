//! A tree as JSON, for programs.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::arena::{Event, Node, Tree};

impl Tree {
    /// Writes the children of the Document as a list of objects. An element's attributes are pairs, and
    /// its `children` a list of its own.
    ///
    /// # Errors
    /// What `out` says.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        // Whether the list that is open has a member already.
        let mut has_member = false;
        for (event, _) in self.events() {
            match event {
                Event::Enter(id) => {
                    let node = self.node(id);
                    if !matches!(node, Node::Document) {
                        write!(out, "{}", if has_member { ", " } else { "" })?;
                        let text = Value::Object(fields(node)).to_string();
                        // Children follow inside the object.
                        let open = text.strip_suffix('}').unwrap_or(&text);
                        write!(out, "{open}")?;
                    }
                    match node {
                        Node::Document => write!(out, "[")?,
                        Node::Element { .. } => write!(out, ",\"children\":[")?,
                        _ => {}
                    }
                    has_member = false;
                }
                Event::Leave(id) => {
                    match self.node(id) {
                        Node::Document => write!(out, "]")?,
                        Node::Element { .. } => write!(out, "]}}")?,
                        _ => write!(out, "}}")?,
                    }
                    has_member = true;
                }
            }
        }
        Ok(())
    }
}

fn fields(node: &Node) -> Map<String, Value> {
    let value = match node {
        Node::Document => json!({}),
        Node::Doctype {
            name,
            public_identifier,
            system_identifier,
        } => json!({
            "doctype": name,
            "public": public_identifier,
            "system": system_identifier,
        }),
        Node::Element { name, attributes } => json!({"element": name, "attributes": attributes}),
        Node::Text(text) => json!({"text": text}),
        Node::EntityReference(name) => json!({"entity-reference": name}),
        Node::Comment(data) => json!({"comment": data}),
        Node::ProcessingInstruction { target, data } => {
            json!({"processing-instruction": target, "data": data})
        }
    };
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
