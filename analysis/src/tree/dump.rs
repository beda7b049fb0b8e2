//! The form of html5lib-tests' tree construction tests, as xml5lib-tests use it.

use std::borrow::Cow;
use std::io::{self, Write};

use speclex_codegen::tree::machine::Space;

use super::arena::{Attribute, Event, Node, Tree};

impl Tree {
    /// Writes a line for each node and attribute: `| `, two spaces for each parent, and what it is.
    /// Attributes are sorted by name. Text is as it is, with newlines and quotes.
    ///
    /// The size grows with the depth of each node; [`Tree::write_json`]'s does not.
    ///
    /// # Errors
    /// What `out` says.
    pub fn write_dump(&self, out: &mut dyn Write) -> io::Result<()> {
        for (event, depth) in self.events() {
            let Event::Enter(id) = event else { continue };
            // The Document is not shown.
            let Some(depth) = depth.checked_sub(1) else {
                continue;
            };
            indent(out, depth)?;
            match self.node(id) {
                Node::Document | Node::Marker => {}
                Node::Doctype {
                    name,
                    public_identifier,
                    system_identifier,
                } => {
                    write!(out, "<!DOCTYPE {name}")?;
                    if !public_identifier.is_empty() || !system_identifier.is_empty() {
                        write!(out, " \"{public_identifier}\" \"{system_identifier}\"")?;
                    }
                    write!(out, ">")?;
                }
                Node::Contents => write!(out, "content")?,
                Node::Element(element) => {
                    write!(out, "<{}{}>", prefix(element.space), element.name)?;
                    let attributes = element.attributes.iter();
                    let mut attributes: Vec<_> = attributes.map(|it| (shown(it), it)).collect();
                    attributes.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
                    for (name, attribute) in attributes {
                        writeln!(out)?;
                        indent(out, depth + 1)?;
                        write!(out, "{name}=\"{}\"", attribute.value)?;
                    }
                }
                Node::Text(text) => write!(out, "\"{text}\"")?,
                Node::EntityReference(name) => write!(out, "&{name};")?,
                Node::Comment(data) => write!(out, "<!-- {data} -->")?,
                // The tests of XML write `?>`, where the page that describes them has `>`.
                Node::ProcessingInstruction { target, data } => {
                    let end = if self.is_html { ">" } else { "?>" };
                    write!(out, "<?{target} {data}{end}")?;
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// The same as a string.
    pub fn dump(&self) -> String {
        let mut out = Vec::new();
        // Writing to a list cannot fail.
        let _ = self.write_dump(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// What stands before the name of an element.
fn prefix(space: Space) -> &'static str {
    match space {
        Space::Svg => "svg ",
        Space::MathMl => "math ",
        Space::Html | Space::XLink | Space::Xml | Space::Xmlns | Space::None => "",
    }
}

/// The name of an attribute: `xlink href` for one in a namespace, also if its name has no prefix (`xmlns xmlns`).
fn shown(attribute: &Attribute) -> Cow<'_, str> {
    let designator = match attribute.space {
        Space::XLink => "xlink",
        Space::Xml => "xml",
        Space::Xmlns => "xmlns",
        Space::Html | Space::Svg | Space::MathMl | Space::None => {
            return attribute.name.as_str().into();
        }
    };
    format!("{designator} {}", attribute.name).into()
}

/// The start of a line. (The width of a format is limited; depth is not.)
fn indent(out: &mut dyn Write, depth: usize) -> io::Result<()> {
    const SPACES: &str = "                                ";
    write!(out, "| ")?;
    let mut left = depth * 2;
    while left > 0 {
        let some = left.min(SPACES.len());
        out.write_all(&SPACES.as_bytes()[..some])?;
        left -= some;
    }
    Ok(())
}
