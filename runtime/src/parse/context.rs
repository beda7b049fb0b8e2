//! The element in which a fragment is parsed.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;
use core::str::FromStr;

use crate::attributes::AttributeList;
use crate::dom::{Attribute, DomSink, Node};
use crate::generated::parsed::{Builder, NAMES};
use crate::input::Input;
use crate::span::Span;
use crate::tree::{self, DocumentMode, ElementName, Name, Options, Space, TagAttributes, TreeSink};

/// The element in which a fragment is parsed: it decides what the fragment is. Cells need a `tr`, and in `title` all is text.
///
/// Names are those of the tree: `td`, `svg foreignObject`, `math mi`. A name that HTML does not know is a context like `div`. If
/// you do not know the context, take `template`: it takes all, cells too.
///
/// ```
/// use speclex::{Context, parse_fragment};
///
/// # fn main() -> Result<(), speclex::ContextError> {
/// let row = parse_fragment("<td>One<td>Two", "tr")?;
/// assert_eq!(row.root().children().count(), 2);
///
/// // What is in this element of MathML is HTML, because of its attribute.
/// let context = Context::new("math annotation-xml")?.with_attribute("encoding", "text/html");
/// assert_eq!(parse_fragment("<math>x", context)?.root().inner_html(), "<math>x</math>");
///
/// let error = Context::new("svg foreignobject").unwrap_err();
/// assert_eq!(error.to_string(), "no element has the name `svg foreignobject`: write `svg foreignObject`");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    space: Space,
    local: String,
    attributes: Vec<(String, String)>,
    mode: DocumentMode,
    is_in_form: bool,
}

/// The name of a [`Context`] is spelled as no element's name is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextError {
    name: String,
    meant: Option<String>,
}

impl ContextError {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What may be meant.
    ///
    /// ```
    /// let error = speclex::Context::new("TR").unwrap_err();
    /// assert_eq!((error.name(), error.meant()), ("TR", Some("tr")));
    /// ```
    pub fn meant(&self) -> Option<&str> {
        self.meant.as_deref()
    }
}

impl fmt::Display for ContextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.escape_debug();
        write!(f, "no element has the name `{name}`")?;
        match &self.meant {
            Some(meant) => write!(f, ": write `{meant}`"),
            None => f.write_str(": names are such as `td`, `svg path` and `math mi`"),
        }
    }
}

#[cfg(feature = "std")]
impl std::error::Error for ContextError {}

impl From<Infallible> for ContextError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl Context {
    /// An element with this name, in a document without quirks. Names of SVG and MathML have `svg` or `math` in front.
    ///
    /// # Errors
    /// When the name is spelled as no element's name is: `TR`, `svg foreignobject`, `SVG path`, `td>`.
    ///
    /// ```
    /// assert!(speclex::Context::new("svg path").is_ok());
    /// ```
    pub fn new(name: &str) -> Result<Self, ContextError> {
        let (prefix, local) = name.split_once(' ').unwrap_or(("", name));
        let space = match prefix {
            "" => Space::Html,
            "svg" => Space::Svg,
            "math" => Space::MathMl,
            _ => Space::None,
        };
        match (space, spelling(prefix, local)) {
            (Space::None, meant) => Err(meant),
            (_, Some(meant)) if meant == name => Ok(()),
            (_, meant) => Err(meant),
        }
        .map_err(|meant| ContextError {
            name: name.to_owned(),
            meant,
        })?;
        let html = Self::html(local, DocumentMode::NoQuirks, false);
        Ok(Self { space, ..html })
    }

    /// The same with an attribute. Only that of `annotation-xml` counts for what is parsed: `encoding`.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::ContextError> {
    /// let html = speclex::Context::new("math annotation-xml")?.with_attribute("encoding", "text/html");
    /// assert!(speclex::parse_fragment("<p>", html)?.elements("p").next().is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_attribute(mut self, name: &str, value: &str) -> Self {
        self.attributes.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same in a document of this mode. In quirks mode a `table` does not close a `p`.
    ///
    /// ```
    /// use speclex::tree::DocumentMode;
    ///
    /// # fn main() -> Result<(), speclex::ContextError> {
    /// let quirks = speclex::Context::new("div")?.in_mode(DocumentMode::Quirks);
    /// let dom = speclex::parse_fragment("<p><table>", quirks)?;
    /// assert_eq!(dom.root().inner_html(), "<p><table></table></p>");
    /// # Ok(())
    /// # }
    /// ```
    pub const fn in_mode(mut self, mode: DocumentMode) -> Self {
        self.mode = mode;
        self
    }

    /// The same inside a `form`, in which there is no other.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::ContextError> {
    /// let context = speclex::Context::new("div")?.in_form();
    /// assert_eq!(speclex::parse_fragment("<form>x", context)?.root().inner_html(), "x");
    /// # Ok(())
    /// # }
    /// ```
    pub const fn in_form(mut self) -> Self {
        self.is_in_form = true;
        self
    }

    /// An element of a tree, in a document of this mode, with a name that it maybe gets.
    pub(crate) fn of(
        node: Node<'_>,
        name: Option<&str>,
        mode: DocumentMode,
        is_in_form: bool,
    ) -> Self {
        let attributes = node.attributes();
        let attributes = attributes.filter(|attribute| attribute.prefix().is_none());
        let owned = |it: Attribute<'_>| (it.name().to_owned(), it.value().to_owned());
        Self {
            space: node.namespace(),
            local: name.or(node.name()).unwrap_or_default().to_owned(),
            attributes: attributes.map(owned).collect(),
            mode,
            is_in_form,
        }
    }

    /// An HTML element without attributes.
    pub(crate) fn html(name: &str, mode: DocumentMode, is_in_form: bool) -> Self {
        Self {
            space: Space::Html,
            local: name.to_owned(),
            attributes: Vec::new(),
            mode,
            is_in_form,
        }
    }

    /// A builder of a fragment in it.
    pub(super) fn builder<'t>(
        &self,
        mut sink: DomSink<'t>,
        options: &Options,
    ) -> Builder<DomSink<'t>> {
        let mut options = options.clone();
        options.context_mode = self.mode;
        let mut text = String::new();
        let mut list = AttributeList::default();
        let mut add = |string: &str| {
            text.push_str(string);
            (text.len() - string.len(), text.len())
        };
        let ranges: Vec<_> = (self.attributes.iter())
            .map(|(name, value)| (add(name), add(value)))
            .collect();
        let input = Input::new(&text);
        for (name, value) in ranges {
            list.add(input, name, value);
        }
        let attributes = list.view(input);
        let form = self.is_in_form.then(|| {
            let name = ElementName {
                space: Space::Html,
                local: "form",
                // Not a number of the table: it is looked up.
                number: Name(u32::MAX),
            };
            let node = sink.create_element(name, &TagAttributes::NONE, None);
            (Space::Html, "form", node)
        });
        let context = tree::Context {
            node: None,
            space: self.space,
            local: &self.local,
            attributes: TagAttributes::new(&attributes, Span { start: 0, end: 0 }),
            ancestors: form.as_slice(),
        };
        Builder::for_fragment(sink, &options, context)
    }
}

/// How a name is spelled, if it can be one.
fn spelling(prefix: &str, local: &str) -> Option<String> {
    let is_name = |c: char| !c.is_whitespace() && !matches!(c, '\0' | '/' | '<' | '>');
    if !local.starts_with(|c: char| c.is_ascii_alphabetic()) || !local.chars().all(is_name) {
        return None;
    }
    let lower = local.to_ascii_lowercase();
    // The table has those of SVG that are not lowercase.
    let mut known = NAMES.names().iter();
    let camel = known.find(|it| it.eq_ignore_ascii_case(local) && **it != lower);
    match (prefix.to_ascii_lowercase().as_str(), camel) {
        ("svg", camel) => Some(format!("svg {}", camel.map_or(&*lower, |it| it))),
        ("math" | "mathml", _) => Some(format!("math {lower}")),
        ("", Some(camel)) if *camel == local => Some(format!("svg {camel}")),
        ("" | "html", _) => Some(lower),
        _ => None,
    }
}

impl FromStr for Context {
    type Err = ContextError;

    fn from_str(name: &str) -> Result<Self, ContextError> {
        Self::new(name)
    }
}

impl TryFrom<&str> for Context {
    type Error = ContextError;

    fn try_from(name: &str) -> Result<Self, ContextError> {
        Self::new(name)
    }
}
