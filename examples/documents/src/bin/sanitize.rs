//! Writes a comment of a reader, for the content of a `div`, with a few elements and links only: `sanitize <comment.html`

use speclex::{Attribute, Keep, Node, NodeKind, SerializeOptions};
use std::{error::Error, io};

/// An element that is not on the list, or has an attribute that is not allowed, loses its tags but not its text.
fn keep(node: Node<'_>) -> Keep {
    let is_link = |it: Attribute<'_>| it.name() == "href" && it.value().starts_with("https://");
    let is_safe = node.attributes().all(is_link);
    match node.name() {
        None if matches!(node.kind(), NodeKind::Text(_)) => Keep::All,
        Some("a" | "b" | "br" | "code" | "em" | "i" | "li" | "p" | "ul") if is_safe => Keep::All,
        Some("script" | "style" | "noscript") | None => Keep::Nothing, // Comments, too.
        Some(_) => Keep::Contents,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = io::read_to_string(io::stdin())?;
    let mut options = SerializeOptions::default();
    options.filter = Some(&keep);
    let dom = speclex::parse_fragment(&text, "div")?;
    print!("{}", dom.serialize_with(&options)?);
    Ok(())
}
