//! Trees as HTML: section 13.3 of the text.

use std::io::{self, Write};

use markup5ever::{LocalName, QualName, local_name, ns};

pub use markup5ever::serialize::{AttrRef, Serialize, Serializer, TraversalScope};

/// Writes a tree as HTML.
///
/// # Errors
///
/// Those of the writer.
pub fn serialize<Wr: Write, T: Serialize>(
    writer: Wr,
    node: &T,
    opts: SerializeOpts,
) -> io::Result<()> {
    let scope = opts.traversal_scope.clone();
    node.serialize(&mut HtmlSerializer::new(writer, opts), scope)
}

/// How a tree is written.
#[derive(Clone)]
pub struct SerializeOpts {
    /// Whether there is scripting: then `noscript` elements have text inside. Yes, if nothing else is said.
    pub scripting_enabled: bool,
    /// Whether the node itself is written, or only its children, which is so if nothing else is said.
    pub traversal_scope: TraversalScope,
    /// Does nothing: an end without a start is written as it comes, and is no panic.
    pub create_missing_parent: bool,
}

impl Default for SerializeOpts {
    fn default() -> Self {
        Self {
            scripting_enabled: true,
            traversal_scope: TraversalScope::ChildrenOnly(None),
            create_missing_parent: false,
        }
    }
}

/// An element that is not closed yet.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    /// Whether its text is written as it is.
    is_literal: bool,
    /// Whether it has neither content nor an end tag.
    is_void: bool,
}

/// Writes a tree as HTML.
pub struct HtmlSerializer<Wr: Write> {
    /// Where it is written.
    pub writer: Wr,
    scripting: bool,
    stack: Vec<Open>,
}

impl<Wr: Write> HtmlSerializer<Wr> {
    /// Writes with options.
    pub fn new(writer: Wr, opts: SerializeOpts) -> Self {
        let scripting = opts.scripting_enabled;
        let parent = match &opts.traversal_scope {
            TraversalScope::IncludeNode | TraversalScope::ChildrenOnly(None) => Open::default(),
            TraversalScope::ChildrenOnly(Some(name)) => Open {
                is_literal: is_literal(&name.local, scripting),
                is_void: false,
            },
        };
        Self {
            writer,
            scripting,
            stack: vec![parent],
        }
    }

    fn parent(&self) -> Open {
        self.stack.last().copied().unwrap_or_default()
    }

    fn write(&mut self, texts: &[&str]) -> io::Result<()> {
        let mut texts = texts.iter();
        texts.try_for_each(|text| self.writer.write_all(text.as_bytes()))
    }

    /// Escapes a string, as 13.3 says: quotes in attributes only.
    fn write_escaped(&mut self, mut text: &str, is_attribute: bool) -> io::Result<()> {
        let is_special =
            |c: char| matches!(c, '&' | '\u{A0}' | '<' | '>') || (is_attribute && c == '"');
        while let Some(at) = text.find(is_special) {
            let (before, rest) = text.split_at(at);
            let mut rest = rest.chars();
            let escaped = match rest.next() {
                Some('&') => "&amp;",
                Some('\u{A0}') => "&nbsp;",
                Some('<') => "&lt;",
                Some('>') => "&gt;",
                _ => "&quot;",
            };
            self.write(&[before, escaped])?;
            text = rest.as_str();
        }
        self.write(&[text])
    }
}

/// Whether the text in an element of HTML is written as it is.
fn is_literal(name: &LocalName, scripting: bool) -> bool {
    match *name {
        local_name!("style")
        | local_name!("script")
        | local_name!("xmp")
        | local_name!("iframe")
        | local_name!("noembed")
        | local_name!("noframes")
        | local_name!("plaintext") => true,
        local_name!("noscript") => scripting,
        _ => false,
    }
}

/// Whether an element of HTML has neither content nor an end tag.
fn is_void(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("area")
            | local_name!("base")
            | local_name!("basefont")
            | local_name!("bgsound")
            | local_name!("br")
            | local_name!("col")
            | local_name!("embed")
            | local_name!("frame")
            | local_name!("hr")
            | local_name!("img")
            | local_name!("input")
            | local_name!("keygen")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("param")
            | local_name!("source")
            | local_name!("track")
            | local_name!("wbr")
    )
}

impl<Wr: Write> Serializer for HtmlSerializer<Wr> {
    fn start_elem<'a, AttrIter>(&mut self, name: QualName, attrs: AttrIter) -> io::Result<()>
    where
        AttrIter: Iterator<Item = AttrRef<'a>>,
    {
        let is_html = name.ns == ns!(html);
        let mut open = Open {
            is_literal: is_html && is_literal(&name.local, self.scripting),
            is_void: is_html && is_void(&name.local),
        };
        if self.parent().is_void {
            open.is_void = true;
            self.stack.push(open);
            return Ok(());
        }
        self.write(&["<", &name.local])?;
        for (name, value) in attrs {
            let prefix = match name.ns {
                ns!() => "",
                ns!(xml) => "xml",
                ns!(xmlns) if name.local == local_name!("xmlns") => "",
                ns!(xmlns) => "xmlns",
                ns!(xlink) => "xlink",
                _ => name.prefix.as_deref().unwrap_or_default(),
            };
            let colon = if prefix.is_empty() { "" } else { ":" };
            self.write(&[" ", prefix, colon, &name.local, "=\""])?;
            self.write_escaped(value, true)?;
            self.write(&["\""])?;
        }
        self.stack.push(open);
        self.write(&[">"])
    }

    fn end_elem(&mut self, name: QualName) -> io::Result<()> {
        match self.stack.pop() {
            Some(Open { is_void: true, .. }) => Ok(()),
            _ => self.write(&["</", &name.local, ">"]),
        }
    }

    fn write_text(&mut self, text: &str) -> io::Result<()> {
        match self.parent().is_literal {
            true => self.write(&[text]),
            false => self.write_escaped(text, false),
        }
    }

    fn write_comment(&mut self, text: &str) -> io::Result<()> {
        self.write(&["<!--", text, "-->"])
    }

    fn write_doctype(&mut self, name: &str) -> io::Result<()> {
        self.write(&["<!DOCTYPE ", name, ">"])
    }

    fn write_processing_instruction(&mut self, target: &str, data: &str) -> io::Result<()> {
        self.write(&["<?", target, " ", data, ">"])
    }
}
