//! CSS selectors for the trees of `speclex`: [`Select`], [`Matches`], and [`Selector`] to use one many times.
//!
//! ```
//! use speclex_select::{Matches as _, Select as _, Selector, SelectorError};
//!
//! # fn main() -> Result<(), SelectorError> {
//! let dom = speclex::parse("<ul><li class=new>One<li>Two <b>bold</b></ul>");
//! let items = dom.select("ul > li:not(.new)")?;
//! assert_eq!(items[0].text(), "Two bold");
//! let bold = items[0].select("b")?[0];
//! assert!(bold.matches("li b")?);
//! assert_eq!(bold.closest("li:nth-child(2)")?, Some(items[0]));
//!
//! let new = Selector::parse(".new, :has(> b)")?;
//! assert_eq!(new.select(dom.root()).len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! # Selectors
//!
//! Those of [Selectors Level 4] that depend on nothing but the tree: names, `*`, `.class`, `#id`, attributes with all operators
//! and the flags `i` and `s`, lists, the four combinators, `:is`, `:where`, `:not`, `:has`, `:root`, `:scope`, `:empty`,
//! `:first-child`, `:nth-child(2n+1 of .new)` and their like. `svg|a` is a name with its namespace: `html`, `svg`, `math`. The
//! crate `selectors` reads them, as in Firefox; but a wrong selector in `:is` is an error, too.
//!
//! Names of HTML elements and their attributes match in any case, and so do classes and ids where the document is in quirks mode
//! ([`Dom::document_mode`]). What templates contain is a tree of its own, as for `querySelectorAll`: select in
//! [`Node::template_contents`].
//!
//! # Time
//!
//! Linear in the tree and in the selector, whatever both are, without recursion over the tree. `select` looks at the nodes in a
//! node and, with combinators, at those before its ancestors; `matches` and `closest` look at the ancestors and the siblings
//! before them. With `:has` or `:nth-last-child` all three look at the whole tree, but for `select` without combinators.
//!
//! [Selectors Level 4]: https://drafts.csswg.org/selectors-4/

mod css;
mod error;
mod forest;

use cssparser::Parser;
use selectors::parser::{ParseRelative, SelectorList};
use speclex::{Dom, Node};

use css::{AHEAD, Css, OUTWARDS, Reader};
use forest::Forest;

pub use error::SelectorError;

/// What nodes are selected in: a [`Dom`], or a [`Node`] of it.
pub trait Select<'d> {
    /// The elements in it that match a selector, in the order of the document. Of a node: those in it, without itself, but what a
    /// combinator leads to may be outside; `:scope` is the node.
    ///
    /// # Errors
    /// When the selector is wrong. Then the error says where, and what is.
    ///
    /// ```
    /// use speclex_select::Select as _;
    ///
    /// let dom = speclex::parse("<div class=card><a href=/1>One</a></div><a href=/2>Two</a>");
    /// for link in dom.select("div.card > a[href]").unwrap() {
    ///     assert_eq!(link.attribute("href"), Some("/1"));
    /// }
    /// let error = dom.select("div.card >> a").unwrap_err();
    /// assert_eq!(error.offset(), 9);
    /// ```
    fn select(self, selector: &str) -> Result<Vec<Node<'d>>, SelectorError>;
}

impl<'d> Select<'d> for &'d Dom<'_> {
    fn select(self, selector: &str) -> Result<Vec<Node<'d>>, SelectorError> {
        self.root().select(selector)
    }
}

impl<'d> Select<'d> for Node<'d> {
    fn select(self, selector: &str) -> Result<Vec<Node<'d>>, SelectorError> {
        Ok(Selector::parse(selector)?.select(self))
    }
}

/// Whether a node, or one that it is in, matches.
pub trait Matches<'d>: Sized {
    /// Whether it is an element that matches a selector.
    ///
    /// # Errors
    /// When the selector is wrong.
    ///
    /// ```
    /// use speclex_select::Matches as _;
    ///
    /// let dom = speclex::parse("<p lang=en-GB>Colour");
    /// let p = dom.elements("p").next().unwrap();
    /// assert!(p.matches("body > [lang|=en]").unwrap());
    /// ```
    fn matches(self, selector: &str) -> Result<bool, SelectorError>;

    /// The node itself or the nearest one that it is in which matches a selector.
    ///
    /// # Errors
    /// When the selector is wrong.
    ///
    /// ```
    /// use speclex_select::Matches as _;
    ///
    /// let dom = speclex::parse("<article><h2><a>One</a></h2></article>");
    /// let link = dom.elements("a").next().unwrap();
    /// assert_eq!(link.closest("body > *").unwrap(), dom.elements("article").next());
    /// ```
    fn closest(self, selector: &str) -> Result<Option<Self>, SelectorError>;
}

impl<'d> Matches<'d> for Node<'d> {
    fn matches(self, selector: &str) -> Result<bool, SelectorError> {
        Ok(Selector::parse(selector)?.matches(self))
    }

    fn closest(self, selector: &str) -> Result<Option<Self>, SelectorError> {
        Ok(Selector::parse(selector)?.closest(self))
    }
}

/// A selector, or a list of some.
///
/// ```
/// use speclex_select::Selector;
///
/// let selector = Selector::parse("h1, h2").unwrap();
/// for page in ["<h1>One", "<h2>Two"] {
///     assert_eq!(selector.select(speclex::parse(page).root()).len(), 1);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Selector {
    list: SelectorList<Css>,
    /// How far it looks.
    reach: u8,
}

impl Selector {
    /// Reads it.
    ///
    /// # Errors
    /// When it is wrong.
    ///
    /// ```
    /// let error = speclex_select::Selector::parse("a:frist-child").unwrap_err();
    /// assert_eq!(error.to_string().lines().next(), Some("no pseudo-class or element has this name, column 3"));
    /// ```
    pub fn parse(selector: &str) -> Result<Self, SelectorError> {
        let mut parser = Parser::new(selector);
        match SelectorList::parse(&Reader, &mut parser, ParseRelative::No) {
            Ok(list) => {
                let reach = css::reach(list.slice());
                Ok(Self { list, reach })
            }
            Err(error) => Err(SelectorError::new(selector, &error)),
        }
    }

    /// The elements in a node that match: [`Select::select`].
    ///
    /// ```
    /// # use speclex_select::Selector;
    /// let dom = speclex::parse("<p><b>One</b>");
    /// let p = dom.elements("p").next().unwrap();
    /// assert_eq!(Selector::parse("body b").unwrap().select(p).len(), 1);
    /// assert_eq!(Selector::parse(":scope > i").unwrap().select(p).len(), 0);
    /// ```
    pub fn select<'d>(&self, node: Node<'d>) -> Vec<Node<'d>> {
        let forest = match self.reach {
            0 => Forest::plain(node),
            reach if reach & OUTWARDS == 0 => Forest::of(node),
            reach if reach & AHEAD == 0 => Forest::around(node, true),
            _ => Forest::of(root(node)),
        };
        let set = forest.list(self.list.slice(), Some(node));
        let inside = forest.inside(node);
        let found = inside.filter(|&at| set[at]);
        found.map(|at| forest.nodes[at]).collect()
    }

    /// Whether a node is an element that matches: [`Matches::matches`].
    ///
    /// ```
    /// # use speclex_select::Selector;
    /// let dom = speclex::parse("<p>One");
    /// assert!(Selector::parse("p:last-child").unwrap().matches(dom.elements("p").next().unwrap()));
    /// ```
    pub fn matches(&self, node: Node<'_>) -> bool {
        self.closest_of(node, 1).is_some()
    }

    /// The node itself or the nearest one that it is in which matches: [`Matches::closest`].
    ///
    /// ```
    /// # use speclex_select::Selector;
    /// let dom = speclex::parse("<p><b>One");
    /// let b = dom.elements("b").next().unwrap();
    /// assert_eq!(Selector::parse("p").unwrap().closest(b), b.parent());
    /// ```
    pub fn closest<'d>(&self, node: Node<'d>) -> Option<Node<'d>> {
        let is_element = |it: &Node<'d>| it.is_element();
        let node = Some(node).filter(is_element).or_else(|| node.parent())?;
        self.closest_of(node, usize::MAX)
    }

    /// The nearest that matches among a node and those that it is in, of the first `most`.
    fn closest_of<'d>(&self, node: Node<'d>, most: usize) -> Option<Node<'d>> {
        let forest = match self.reach {
            // It depends on nothing but the element.
            0 if most == 1 => Forest::alone(node),
            reach if reach & AHEAD == 0 => Forest::around(node, false),
            _ => Forest::of(root(node)),
        };
        let set = forest.list(self.list.slice(), None);
        let path = std::iter::successors(forest.position(node), |&at| forest.parent(at));
        let found = path.take(most).find(|&at| set[at]);
        found.map(|at| forest.nodes[at])
    }
}

/// The root of the tree in which a node is.
fn root(node: Node<'_>) -> Node<'_> {
    node.ancestors().last().unwrap_or(node)
}
