//! Walks over nodes, and their order.

use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;

use super::edges::{Edge, Edges};
use super::links::{DOCUMENT, NONE};
use super::{Dom, Node};

impl<'d> Node<'d> {
    /// Walks it and all that is in it, in the order of the document: each node is [opened](Edge::Open), then come the nodes in it, then it is
    /// [closed](Edge::Close). It takes constant memory, however deep the tree is, and time for the nodes that are walked.
    ///
    /// The contents of templates are walked only [on demand](Walk::with_templates).
    ///
    /// ```
    /// # #[cfg(feature = "parse")] {
    /// use speclex::Edge;
    ///
    /// // The headings of a page with their depth, but not those in an `aside`.
    /// let dom = speclex::parse("<h1>A</h1><aside><h2>Ad</h2></aside><section><h2>B</h2></section>");
    /// let (mut found, mut depth) = (Vec::new(), 0);
    /// let mut walk = dom.root().walk();
    /// while let Some(edge) = walk.next() {
    ///     match edge {
    ///         Edge::Open(node) if node.is("aside") => walk.skip_subtree(),
    ///         Edge::Open(node) if node.is("section") => depth += 1,
    ///         Edge::Close(node) if node.is("section") => depth -= 1,
    ///         Edge::Open(node) if node.is("h1") || node.is("h2") => found.push((depth, node.text())),
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(found, [(0, "A".into()), (1, "B".into())]);
    /// # }
    /// ```
    pub fn walk(self) -> Walk<'d> {
        let mut edges = self.dom.links.edges(self.id.0);
        edges.has_contents = false;
        Walk {
            dom: self.dom,
            edges,
            opened: NONE,
        }
    }

    /// The nodes in it, with the contents of templates and the nodes in those, in the order of the document.
    ///
    /// ```
    /// # #[cfg(feature = "parse")] {
    /// let dom = speclex::parse("<template><img></template>");
    /// let images = dom.root().descendants_with_templates().filter(|node| node.is("img"));
    /// assert_eq!(images.count(), 1);
    /// assert_eq!(dom.elements("img").count(), 0);
    /// # }
    /// ```
    pub fn descendants_with_templates(self) -> impl Iterator<Item = Self> + Clone + use<'d> {
        let opened = self.walk().with_templates().filter_map(Edge::opened);
        opened.skip(1)
    }
}

/// A walk over a node and all that is in it: [`Node::walk`].
#[derive(Clone)]
pub struct Walk<'d> {
    pub(super) dom: &'d Dom<'d>,
    pub(super) edges: Edges<'d>,
    /// The node that the last step opened.
    pub(super) opened: u32,
}

impl Walk<'_> {
    /// Walks the contents of templates, too: a node of the kind [`TemplateContents`](crate::NodeKind::TemplateContents), which comes before
    /// the children of its `template` element.
    ///
    /// ```
    /// # #[cfg(feature = "parse")] {
    /// let dom = speclex::parse("<template>x</template>");
    /// let template = dom.elements("template").next().unwrap();
    /// assert_eq!(template.walk().count(), 2);
    /// assert_eq!(template.walk().with_templates().count(), 6);
    /// # }
    /// ```
    pub const fn with_templates(mut self) -> Self {
        self.edges.has_contents = true;
        self
    }

    /// Leaves out what is in the node that the last step opened: the next step closes it. After a step that closes a node, it does nothing.
    pub fn skip_subtree(&mut self) {
        if self.opened != NONE {
            self.edges.close(self.opened);
        }
    }
}

impl<'d> Iterator for Walk<'d> {
    type Item = Edge<Node<'d>>;

    fn next(&mut self) -> Option<Self::Item> {
        let edge = self.edges.next()?;
        self.opened = edge.opened().unwrap_or(NONE);
        Some(edge.map(|id| self.dom.at(id)))
    }
}

impl FusedIterator for Walk<'_> {}

impl fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk").finish_non_exhaustive()
    }
}

impl Dom<'_> {
    /// The place of each node in the order of the document. It takes four bytes and a step for each node; then each
    /// [`position`](DocumentOrder::position) takes constant time. (Nodes are numbered as they are created: the parser moves some.)
    ///
    /// ```
    /// # #[cfg(feature = "parse")] {
    /// let dom = speclex::parse("<table><td>cell</td>text");
    /// let mut texts: Vec<_> = dom.root().descendants().filter(|node| node.text() == *node.outer_html()).collect();
    /// texts.sort_by_key(|text| text.id());
    /// assert_eq!(texts[0].text(), "cell");
    /// let order = dom.document_order();
    /// texts.sort_by_key(|text| order.position(*text));
    /// assert_eq!(texts[0].text(), "text"); // The parser puts it before the table.
    /// # }
    /// ```
    pub fn document_order(&self) -> DocumentOrder {
        self.order_and_ends().0
    }

    /// The same, the nodes in this order, and for each how many come before what is after it.
    pub(crate) fn order_and_ends(&self) -> (DocumentOrder, Vec<Node<'_>>, Vec<u32>) {
        let count = self.links.nodes.len();
        let mut positions = alloc::vec![NONE; count];
        let (mut nodes, mut ends) = (Vec::with_capacity(count), alloc::vec![0; count]);
        for edge in self.links.edges(DOCUMENT) {
            match edge {
                Edge::Open(id) => {
                    positions[id as usize] = nodes.len() as u32;
                    nodes.push(self.at(id));
                }
                Edge::Close(id) => ends[positions[id as usize] as usize] = nodes.len() as u32,
            }
        }
        (DocumentOrder(positions), nodes, ends)
    }
}

/// The order in which the nodes of a document come: [`Dom::document_order`].
#[derive(Clone, Debug)]
pub struct DocumentOrder(Vec<u32>);

impl DocumentOrder {
    /// How many nodes come before a node, the Document and the contents of templates among them. A node comes before what is in
    /// it, and the contents of a template before its children. `None`: the node is not in the document, as the context of a
    /// fragment, or what the parser has removed.
    pub fn position(&self, node: Node<'_>) -> Option<usize> {
        let position = *self.0.get(node.id.0 as usize)?;
        (position != NONE).then_some(position as usize)
    }
}
