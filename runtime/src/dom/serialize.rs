//! A tree as HTML: 13.3, serializing HTML fragments.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use core::fmt::{self, Write};

use crate::tree::{Scripting, Space};

use super::edges::Edge;
use super::links::{NONE, What};
use super::{Dom, Node};

/// How a tree is written: [`Dom::serialize_with`], [`Node::serialize_with`].
///
/// ```
/// # #[cfg(feature = "parse")] {
/// use speclex::{Keep, SerializeOptions};
///
/// let dom = speclex::parse_fragment("<p>One<br><b>two</b><script>x</script><pre>\n\n3</pre>", "body").unwrap();
/// let filter = |node: speclex::Node<'_>| match node.name() {
///     Some("script") => Keep::Nothing,
///     Some("b") => Keep::Contents,
///     _ => Keep::All,
/// };
/// let mut options = SerializeOptions::default();
/// options.filter = Some(&filter);
/// options.xml_syntax = true;
/// options.keeps_first_newline = true;
/// assert_eq!(dom.serialize_with(&options).unwrap(), "<p>One<br/>two</p><pre>\n\n3</pre>");
/// options.most_bytes = Some(10);
/// assert!(dom.serialize_with(&options).is_err());
/// # }
/// ```
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct SerializeOptions<'f> {
    /// What of a node is written; `None` stands for all. It is asked for each node, and may be asked for some elements more than once.
    pub filter: Option<&'f dyn Fn(Node<'_>) -> Keep>,
    /// Whether a newline is written before text in `pre`, `textarea` and `listing` that starts with one, as the parser drops the first one.
    /// The standard does not, so that such an element loses a newline whenever it is serialized and parsed.
    pub keeps_first_newline: bool,
    /// Whether elements without end tag are written as `<br/>`, and empty ones of SVG and MathML as `<path/>`. To a parser of HTML that is the
    /// same; `<p/>` is not, so an empty `p` stays `<p></p>`, as it may in XML, too.
    pub xml_syntax: bool,
    /// How many bytes are written at most.
    pub most_bytes: Option<usize>,
}

/// What of a node is written: the answer of [`SerializeOptions::filter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The node with what is in it, as far as that is kept.
    All,
    /// Of an element what is in it, without its tags; of other nodes nothing. Text is escaped as the element around it wants, as far as that
    /// is written: what was in a `script` is no markup.
    Contents,
    /// Nothing.
    Nothing,
}

/// The output has more than [`SerializeOptions::most_bytes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputTooLong;

impl fmt::Display for OutputTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the serialized tree is longer than wanted")
    }
}

#[cfg(feature = "std")]
impl std::error::Error for OutputTooLong {}

/// A string that does not get longer than wanted.
struct Bounded {
    out: String,
    most: usize,
}

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.len() > self.most - self.out.len() {
            return Err(fmt::Error);
        }
        self.out.push_str(text);
        Ok(())
    }
}

impl Dom<'_> {
    /// The tree as HTML (13.3, serializing HTML fragments), without the identifiers of its DOCTYPE. Parsed again, most
    /// documents give the same tree, but not all: the standard has examples. The result can be quadratic in the length of the
    /// document, as the tree can be: each `p` of `<p><font size=1><p><font size=2>` has copies of all `font` elements before it.
    ///
    /// A fragment is written as what is in its context element, as `innerHTML` has it: text in `style` as it is, nothing in `br`.
    ///
    /// Comments are written as they are, also those in `noscript`. Where scripts run, that holds text, and what was in the comment may be
    /// live markup: a sanitizer must leave `noscript` out, or parse with [`Options::scripting`](crate::tree::Options::scripting).
    pub fn serialize(&self) -> String {
        self.to_string()
    }

    /// The tree as HTML, with what is wanted of it: [`SerializeOptions`].
    ///
    /// # Errors
    /// When it would have more than [`SerializeOptions::most_bytes`]. What serializes can be quadratic in the length of a page: limit it
    /// where anyone may send those.
    ///
    /// ```
    /// # #[cfg(feature = "parse")] {
    /// use speclex::SerializeOptions;
    ///
    /// // Each `p` has copies of all links before it.
    /// let page = ["<p><a href=x>", &"<p>a".repeat(10)].concat();
    /// let mut options = SerializeOptions::default();
    /// options.most_bytes = Some(4 * page.len());
    /// assert!(speclex::parse(&page).serialize_with(&options).is_err());
    /// # }
    /// ```
    pub fn serialize_with(&self, options: &SerializeOptions<'_>) -> Result<String, OutputTooLong> {
        self.bounded(self.root, false, options)
    }

    fn bounded(
        &self,
        id: u32,
        with_itself: bool,
        options: &SerializeOptions<'_>,
    ) -> Result<String, OutputTooLong> {
        let most = options.most_bytes.unwrap_or(usize::MAX);
        let mut out = Bounded {
            out: String::new(),
            most,
        };
        match self.write_html(&mut out, id, with_itself, options) {
            Ok(()) => Ok(out.out),
            Err(fmt::Error) => Err(OutputTooLong),
        }
    }

    /// Writes what is in a node, or the node with it.
    fn write_html(
        &self,
        out: &mut dyn Write,
        id: u32,
        with_itself: bool,
        options: &SerializeOptions<'_>,
    ) -> fmt::Result {
        let keep = |node| {
            options
                .filter
                .map_or(Keep::All, |filter| filter(self.at(node)))
        };
        // What is in the root of a fragment is what is in its context element.
        let holder = |node| match node == self.root && self.context != NONE {
            true if node != id || !with_itself => self.context,
            _ => node,
        };
        if !with_itself && self.html_name(holder(id)).is_some_and(is_void) {
            return Ok(());
        }
        let is_raw = |node: u32| match self.links.node(node).parent {
            NONE => false,
            parent => {
                (self.links.what(node) == What::TEXT && self.is_raw(holder(parent)))
                    && (parent == id && !with_itself || keep(parent) == Keep::All)
            }
        };
        let mut edges = self.links.edges(id);
        while let Some(edge) = edges.next() {
            match edge {
                Edge::Open(node) if node != id || with_itself => match keep(node) {
                    Keep::All if is_raw(node) => out.write_str(self.string(node))?,
                    Keep::All => self.open(out, node, options)?,
                    Keep::Contents => {}
                    Keep::Nothing => edges.close(node),
                },
                Edge::Open(_) => {}
                // What is parsed inside a template is in its contents.
                Edge::Close(node) if self.links.what(node) == What::CONTENTS && node != id => {
                    edges.close(node - 1)
                }
                Edge::Close(node) if (node != id || with_itself) && keep(node) == Keep::All => {
                    self.close(out, node, options)?;
                }
                Edge::Close(_) => {}
            }
            if let Edge::Open(node) = edge
                && self.html_name(node).is_some_and(is_void)
            {
                edges.close(node);
            }
        }
        Ok(())
    }

    /// The name of an HTML element.
    fn html_name(&self, id: u32) -> Option<&str> {
        let what = self.links.what(id);
        (what.is_element() && what.space() == Space::Html).then(|| self.names.text(what.name()))
    }

    fn open(&self, out: &mut dyn Write, id: u32, options: &SerializeOptions<'_>) -> fmt::Result {
        let node = self.links.node(id);
        match node.what {
            What::DOCUMENT | What::CONTENTS => Ok(()),
            What::TEXT => escape(out, self.string(id), false),
            What::COMMENT => write_all(out, &["<!--", self.string(id), "-->"]),
            What::REFERENCE => write_all(out, &["&", self.string(id), ";"]),
            What::DOCTYPE => write_all(out, &["<!DOCTYPE ", self.doctype(id).name, ">"]),
            What::INSTRUCTION => {
                let (target, data) = self.instruction(id);
                write_all(out, &["<?", target, " ", data, "?>"])
            }
            element => {
                write_all(out, &["<", self.names.text(element.name())])?;
                for attribute in self.raw_attributes(id) {
                    let name = self.attribute_names.get(attribute.name);
                    let prefix = match name.space {
                        Space::Xml => "xml:",
                        Space::Xmlns if name.local != "xmlns" => "xmlns:",
                        Space::XLink => "xlink:",
                        Space::Html | Space::Svg | Space::MathMl | Space::Xmlns | Space::None => "",
                    };
                    write_all(out, &[" ", prefix, name.local, "=\""])?;
                    escape(out, self.strings.get(attribute.value), true)?;
                    out.write_str("\"")?;
                }
                out.write_str(match options.xml_syntax && self.has_no_end_tag(id) {
                    true => "/>",
                    false => ">",
                })?;
                match options.keeps_first_newline && self.loses_newline(id) {
                    true => out.write_str("\n"),
                    false => Ok(()),
                }
            }
        }
    }

    /// Whether an element has no end tag where [`SerializeOptions::xml_syntax`] is wanted.
    fn has_no_end_tag(&self, id: u32) -> bool {
        let is_empty = || self.links.first_child(id).is_none();
        self.html_name(id).map_or_else(is_empty, is_void)
    }

    /// Whether the parser drops the newline with which the text in an element starts.
    fn loses_newline(&self, id: u32) -> bool {
        let child = self.links.first_child(id);
        let text = child.filter(|&child| self.links.what(child) == What::TEXT);
        self.at(id).drops_first_newline()
            && text.is_some_and(|text| self.string(text).starts_with('\n'))
    }

    fn close(&self, out: &mut dyn Write, id: u32, options: &SerializeOptions<'_>) -> fmt::Result {
        let what = self.links.what(id);
        if !what.is_element() || self.html_name(id).is_some_and(is_void) {
            return Ok(());
        }
        if options.xml_syntax && self.has_no_end_tag(id) {
            return Ok(());
        }
        write_all(out, &["</", self.names.text(what.name()), ">"])
    }

    /// Whether text in an element is written as it is.
    fn is_raw(&self, id: u32) -> bool {
        match self.html_name(id) {
            Some("style" | "script" | "xmp" | "iframe" | "noembed" | "noframes" | "plaintext") => {
                true
            }
            Some("noscript") => self.options.scripting != Scripting::Disabled,
            _ => false,
        }
    }
}

/// Whether an HTML element has no end tag, nor anything inside.
fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

fn write_all(out: &mut dyn Write, strings: &[&str]) -> fmt::Result {
    strings.iter().try_for_each(|string| out.write_str(string))
}

/// Writes a string with references. `<` and `>` are escaped in attributes, too: so it is since 2025.
fn escape(out: &mut dyn Write, string: &str, is_attribute: bool) -> fmt::Result {
    let mut rest = string;
    let is_special = |c| matches!(c, '&' | '\u{A0}' | '<' | '>') || c == '"' && is_attribute;
    while let Some(at) = rest.find(is_special) {
        let (reference, length) = match rest.as_bytes()[at] {
            b'&' => ("&amp;", 1),
            b'<' => ("&lt;", 1),
            b'>' => ("&gt;", 1),
            b'"' => ("&quot;", 1),
            _ => ("&nbsp;", '\u{A0}'.len_utf8()),
        };
        write_all(out, &[&rest[..at], reference])?;
        rest = &rest[at + length..];
    }
    out.write_str(rest)
}

/// Text as it stands in HTML: `&`, no-break spaces, `<` and `>` are references ([13.3], escaping a string). Borrowed where nothing changes.
///
/// It is for text in most elements; in `script` and `style` references mean nothing.
///
/// ```
/// assert_eq!(speclex::escape_text("a < b & \"c\""), "a &lt; b &amp; \"c\"");
/// ```
///
/// [13.3]: https://html.spec.whatwg.org/multipage/parsing.html#escapingString
pub fn escape_text(text: &str) -> Cow<'_, str> {
    escaped(text, false)
}

/// A value as it stands in an attribute with double quotes: as [`escape_text`] has it, and `"` is a reference.
///
/// ```
/// let title = "\"<b>\" & co";
/// let tag = format!("<p title=\"{}\">", speclex::escape_attribute(title));
/// assert_eq!(tag, "<p title=\"&quot;&lt;b&gt;&quot; &amp; co\">");
/// ```
pub fn escape_attribute(value: &str) -> Cow<'_, str> {
    escaped(value, true)
}

fn escaped(text: &str, is_attribute: bool) -> Cow<'_, str> {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = escape(&mut out, text, is_attribute);
    match out.len() == text.len() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(out),
    }
}

impl Node<'_> {
    /// Whether it is an HTML element that has no end tag, nor anything inside.
    #[cfg(feature = "parse")]
    pub(crate) fn is_void(self) -> bool {
        self.dom.html_name(self.id.0).is_some_and(is_void)
    }

    /// Whether text in it is written as it is.
    #[cfg(feature = "parse")]
    pub(crate) fn is_raw(self) -> bool {
        self.dom.is_raw(self.id.0)
    }

    /// Whether the parser drops a newline right after its start tag.
    pub(crate) fn drops_first_newline(self) -> bool {
        let name = self.dom.html_name(self.id.0);
        matches!(name, Some("pre" | "textarea" | "listing"))
    }

    /// What is in it as HTML (13.3, serializing HTML fragments). `<` and `>` are escaped in attributes, too, as the standard has
    /// it since 2025. Of `noscript` elements it depends on whether scripts run in the document.
    pub fn inner_html(self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let options = SerializeOptions::default();
        let _ = self.dom.write_html(&mut out, self.id.0, false, &options);
        out
    }

    /// The node and what is in it as HTML, with what is wanted of it: [`SerializeOptions`].
    ///
    /// # Errors
    /// When it would have more than [`SerializeOptions::most_bytes`].
    ///
    /// ```
    /// # #[cfg(feature = "parse")] {
    /// let dom = speclex::parse("<svg><path d=x></path></svg>");
    /// let mut options = speclex::SerializeOptions::default();
    /// options.xml_syntax = true;
    /// let svg = dom.body().unwrap().first_child().unwrap();
    /// assert_eq!(svg.serialize_with(&options).unwrap(), "<svg><path d=\"x\"/></svg>");
    /// # }
    /// ```
    pub fn serialize_with(self, options: &SerializeOptions<'_>) -> Result<String, OutputTooLong> {
        self.dom.bounded(self.id.0, true, options)
    }

    /// The node and what is in it as HTML.
    pub fn outer_html(self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Dom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_html(f, self.root, false, &SerializeOptions::default())
    }
}

impl fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = SerializeOptions::default();
        self.dom.write_html(f, self.id.0, true, &options)
    }
}
