//! Edits of the text of a tree, checked by parsing the result.

#[cfg(feature = "encoding")]
mod bytes;
mod check;
mod compare;
mod error;
mod extents;
mod meant;
mod noscript;
mod plan;
mod session;
mod splice;
mod tag;
mod view;
mod write;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::dom::{Dom, Node, NodeId};

use plan::Edit;
use session::{Others, Session};
use splice::spliced;

pub use error::{EditError, EditErrorKind, EditReader};
pub use splice::Splice;

/// Edits of a document or fragment: changes of its nodes, which are written into its text. All else stays as it was written, byte for byte.
///
/// The result is parsed. It is exactly the tree that the same operations make of the old tree with the methods of the DOM, or there is an
/// [`EditError`] that names the edit and shows both trees where they differ. That is so for browsers with and without scripting, if the
/// text has a `noscript` element. A splice may write tags that were omitted; nothing else is added.
///
/// ```
/// use speclex::Edits;
///
/// # fn main() -> Result<(), speclex::EditError> {
/// let dom = speclex::parse("<title>Cats</TITLE>\n<a href='/cats'>All\n<script src=x.js></script>");
/// let mut edits = Edits::new(&dom);
/// for script in dom.elements("script") {
///     edits.remove(script);
/// }
/// for link in dom.elements("a") {
///     edits.set_attribute(link, "href", "https://example.org/cats?a&b").append(link, " <b>cats</b>");
/// }
/// assert_eq!(
///     edits.apply()?,
///     "<title>Cats</TITLE>\n<a href='https://example.org/cats?a&amp;b'>All\n <b>cats</b>",
/// );
///
/// // What is cut out would leave a script.
/// let dom = speclex::parse("<<script></script>script>alert(1)</script>");
/// let mut edits = Edits::new(&dom);
/// edits.remove(dom.elements("script").next().unwrap());
/// assert!(edits.apply().is_err());
/// # Ok(())
/// # }
/// ```
///
/// # What edits mean
/// They say what nodes of the old tree become, in any order. What is in a removed or replaced node, or in one that gets a new text, has
/// no effect. The last call counts for the same attribute, text or name of a node. At one place, what is given to `before` and `append` comes
/// in the order of the calls, to `after` and `prepend` the last first, as with the DOM.
///
/// Copies of a removed element stay: its tag is written before what is in the first of them.
///
/// HTML is parsed in the element that it comes into, as `insertAdjacentHTML` does; what that drops is dropped: a `tr` in a `div`. Where the DOM
/// and text differ:
///
/// - What is appended to an element with an end tag comes before that: text and scripts after `</body>`, which are in `body`, stay after it.
/// - Attributes belong to a start tag: an edit counts for the element and all its [copies](Node::origin).
/// - The mode of the document is that of its DOCTYPE, also after edits.
///
/// # Cost
/// [`apply`](Self::apply) walks over the tree and parses the result once, which takes as long as two or three parses; if omitted tags must be written out,
/// it does that some times. Where the text has `noscript` elements with more than links and images in them, it parses that as well as the result with and without
/// scripting. An error takes log2 of the number of edits as long. All is linear in the text and the edits.
#[derive(Clone)]
pub struct Edits<'d> {
    dom: &'d Dom<'d>,
    /// The node, and whether it is of this tree.
    list: Vec<(NodeId, bool, Edit)>,
    also: Vec<view::Parser>,
}

impl<'d> Edits<'d> {
    /// No edits yet. The result is parsed as [`parse_with`](crate::parse_with) does, and for a fragment `parse_fragment_with`, with the options and the context with which
    /// the tree was made. If it was made of other text than [`Dom::input`], as with `document.write`, edits are mostly refused.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let row = speclex::parse_fragment("<td>One", "tr").unwrap();
    /// let mut edits = speclex::Edits::new(&row);
    /// edits.after(row.elements("td").next().unwrap(), "<td>Two");
    /// assert_eq!(edits.apply()?, "<td>One<td>Two");
    /// # Ok(())
    /// # }
    /// ```
    pub const fn new(dom: &'d Dom<'d>) -> Self {
        Self {
            dom,
            list: Vec::new(),
            also: Vec::new(),
        }
    }

    /// The result must be what is meant for this parser, too: one of another revision of the standard, for example. It is checked with the tree that
    /// the parser makes of the old text.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let dom = speclex::parse("<p>One");
    /// let mut edits = speclex::Edits::new(&dom);
    /// // Or `speclex_tokenizers::html_tree_2026_06::parse`.
    /// edits.also(speclex::parse).set_attribute(dom.elements("p").next().unwrap(), "id", "one");
    /// assert_eq!(edits.apply()?, "<p id=\"one\">One");
    /// # Ok(())
    /// # }
    /// ```
    pub fn also(&mut self, parser: for<'t> fn(&'t str) -> Dom<'t>) -> &mut Self {
        self.also.push(parser);
        self
    }

    fn add(&mut self, node: Node<'_>, edit: Edit) -> &mut Self {
        let is_here = core::ptr::eq(
            core::ptr::from_ref(node.dom()).cast::<u8>(),
            core::ptr::from_ref(self.dom).cast(),
        );
        self.list.push((node.id(), is_here, edit));
        self
    }

    /// Removes a node with what is in it.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let dom = speclex::parse("<table>stray<tr><td>One</table>");
    /// let mut edits = speclex::Edits::new(&dom);
    /// edits.remove(dom.elements("table").next().unwrap());
    /// // The text is before the table in the tree.
    /// assert_eq!(edits.apply()?, "stray");
    /// # Ok(())
    /// # }
    /// ```
    pub fn remove(&mut self, node: Node<'_>) -> &mut Self {
        self.add(node, Edit::Remove)
    }

    /// Replaces a node by HTML.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let dom = speclex::parse("<p>One <b>two</b>");
    /// let mut edits = speclex::Edits::new(&dom);
    /// edits.replace_with(dom.elements("b").next().unwrap(), "<i>three</i>");
    /// assert_eq!(edits.apply()?, "<p>One <i>three</i>");
    /// # Ok(())
    /// # }
    /// ```
    pub fn replace_with(&mut self, node: Node<'_>, html: &str) -> &mut Self {
        self.add(node, Edit::ReplaceWith(html.into()))
    }

    /// Puts HTML before a node.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let dom = speclex::parse("<ul><li>Two</ul>");
    /// let mut edits = speclex::Edits::new(&dom);
    /// edits.before(dom.elements("li").next().unwrap(), "<li>One");
    /// assert_eq!(edits.apply()?, "<ul><li>One<li>Two</ul>");
    /// # Ok(())
    /// # }
    /// ```
    pub fn before(&mut self, node: Node<'_>, html: &str) -> &mut Self {
        self.add(node, Edit::Before(html.into()))
    }

    /// Puts HTML after a node. End tags that were omitted are written out where that is needed.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let dom = speclex::parse("<p>One<hr>");
    /// let mut edits = speclex::Edits::new(&dom);
    /// edits.after(dom.elements("p").next().unwrap(), "two");
    /// assert_eq!(edits.apply()?, "<p>One</p>two<hr>");
    /// # Ok(())
    /// # }
    /// ```
    pub fn after(&mut self, node: Node<'_>, html: &str) -> &mut Self {
        self.add(node, Edit::After(html.into()))
    }

    /// Puts HTML into an element or a fragment, before all that is in it.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let dom = speclex::parse("<head><title>One</title></head>");
    /// let mut edits = speclex::Edits::new(&dom);
    /// edits.prepend(dom.head().unwrap(), "<meta charset=utf-8>");
    /// assert_eq!(edits.apply()?, "<head><meta charset=utf-8><title>One</title></head>");
    /// # Ok(())
    /// # }
    /// ```
    pub fn prepend(&mut self, node: Node<'_>, html: &str) -> &mut Self {
        self.add(node, Edit::Prepend(html.into()))
    }

    /// Puts HTML into an element or a fragment, before its end tag, or without one after all that is in it.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let dom = speclex::parse("<body>One\n</body>\n</html>\n");
    /// let mut edits = speclex::Edits::new(&dom);
    /// edits.append(dom.body().unwrap(), "<script src=x.js></script>");
    /// assert_eq!(edits.apply()?, "<body>One\n<script src=x.js></script></body>\n</html>\n");
    /// # Ok(())
    /// # }
    /// ```
    pub fn append(&mut self, node: Node<'_>, html: &str) -> &mut Self {
        self.add(node, Edit::Append(html.into()))
    }

    /// Replaces all that is in an element by a text, or the text of a Text node or a comment.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let dom = speclex::parse("<title>Cats</title><script>1</script>");
    /// let mut edits = speclex::Edits::new(&dom);
    /// edits.set_text(dom.elements("title").next().unwrap(), "Cats & <dogs>");
    /// edits.set_text(dom.elements("script").next().unwrap(), "if (a < b && c) d()");
    /// assert_eq!(
    ///     edits.apply()?,
    ///     "<title>Cats &amp; &lt;dogs&gt;</title><script>if (a < b && c) d()</script>",
    /// );
    /// // No text in a script is this one.
    /// edits.set_text(dom.elements("script").next().unwrap(), "'</script>'");
    /// assert_eq!(edits.apply().unwrap_err().edit(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_text(&mut self, node: Node<'_>, text: &str) -> &mut Self {
        self.add(node, Edit::SetText(text.into()))
    }

    /// Gives an element an attribute, or an attribute another value: that of the name, in any case. Quotes stay, where there are some.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let dom = speclex::parse("<IMG SRC=a.png Alt='x'/><p>");
    /// let mut edits = speclex::Edits::new(&dom);
    /// let image = dom.elements("img").next().unwrap();
    /// edits.set_attribute(image, "alt", "\"it's\"").set_attribute(image, "loading", "lazy");
    /// assert_eq!(edits.apply()?, "<IMG SRC=a.png Alt='\"it&#39;s\"' loading=\"lazy\"/><p>");
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_attribute(&mut self, node: Node<'_>, name: &str, value: &str) -> &mut Self {
        self.add(node, Edit::SetAttribute(name.into(), value.into()))
    }

    /// Removes the attribute of this name, in any case, from an element that has it.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let dom = speclex::parse("<p class=a\n onclick='x()' id=b>");
    /// let mut edits = speclex::Edits::new(&dom);
    /// edits.remove_attribute(dom.elements("p").next().unwrap(), "onclick");
    /// assert_eq!(edits.apply()?, "<p class=a id=b>");
    /// # Ok(())
    /// # }
    /// ```
    pub fn remove_attribute(&mut self, node: Node<'_>, name: &str) -> &mut Self {
        self.add(node, Edit::RemoveAttribute(name.into()))
    }

    /// Gives an element another name in both tags.
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let dom = speclex::parse("<B class=a>One</B> two");
    /// let mut edits = speclex::Edits::new(&dom);
    /// edits.rename(dom.elements("b").next().unwrap(), "strong");
    /// assert_eq!(edits.apply()?, "<strong class=a>One</strong> two");
    /// # Ok(())
    /// # }
    /// ```
    pub fn rename(&mut self, node: Node<'_>, name: &str) -> &mut Self {
        self.add(node, Edit::Rename(name.into()))
    }

    /// The text with all edits.
    ///
    /// # Errors
    /// If the text would mean something else than the edits do: the first edit with which those up to it are not possible.
    ///
    /// ```
    /// let dom = speclex::parse("<p>One<p>Two");
    /// let mut edits = speclex::Edits::new(&dom);
    /// let mut paragraphs = dom.elements("p");
    /// edits.set_text(paragraphs.next().unwrap(), "1").prepend(paragraphs.next().unwrap(), "<ul></ul>");
    /// let error = edits.apply().unwrap_err();
    /// assert_eq!(error.edit(), 1);
    /// assert_eq!(
    ///     error.to_string(),
    ///     "edit 1 of the node at 6..9 is not possible: the text would be another tree
    ///  meant: <p> \"1\" </p> <p> <ul> </ul> \"Two\" </p>
    ///  found: <p> \"1\" </p> <p> </p> <ul> </ul>",
    /// );
    /// ```
    pub fn apply(&self) -> Result<String, EditError> {
        Ok(spliced(self.dom.input(), &self.splices()?))
    }

    /// The text with the edits that are possible, and why the others are not. Edits are taken in order: one that is possible only without an earlier
    /// one is refused. After many refusals those that are left are [not tried](EditErrorKind::NotTried), so that it takes linear time.
    ///
    /// ```
    /// let dom = speclex::parse("<p>One<p>Two");
    /// let mut edits = speclex::Edits::new(&dom);
    /// for paragraph in dom.elements("p") {
    ///     edits.append(paragraph, "<hr>").set_attribute(paragraph, "class", "a");
    /// }
    /// let (text, refused) = edits.apply_possible();
    /// assert_eq!(text, "<p class=\"a\">One<p class=\"a\">Two");
    /// assert_eq!(refused.iter().map(|error| error.edit()).collect::<Vec<_>>(), [0, 2]);
    /// ```
    pub fn apply_possible(&self) -> (String, Vec<EditError>) {
        let others = Others::new(&self.also);
        let session = Session::new(self.dom, &self.list, &others, None);
        let (splices, refused) = session.possible();
        (spliced(self.dom.input(), &splices), refused)
    }

    /// What is written where, for an editor or a diff: in order, and not overlapping.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    ///
    /// ```
    /// # fn main() -> Result<(), speclex::EditError> {
    /// let dom = speclex::parse("<p>One<p>Two");
    /// let mut edits = speclex::Edits::new(&dom);
    /// edits.set_attribute(dom.elements("p").last().unwrap(), "id", "two");
    /// let splices = edits.splices()?;
    /// assert_eq!((splices[0].span.range(), splices[0].text.as_str()), (8..8, " id=\"two\""));
    /// # Ok(())
    /// # }
    /// ```
    pub fn splices(&self) -> Result<Vec<Splice>, EditError> {
        let others = Others::new(&self.also);
        Session::new(self.dom, &self.list, &others, None).all()
    }
}

impl fmt::Debug for Edits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edits = self.list.iter().map(|(node, _, edit)| (node, edit));
        f.debug_list().entries(edits).finish()
    }
}
