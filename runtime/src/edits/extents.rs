//! The nodes of a tree in the order of the document, each with its place in the text.

use alloc::vec::Vec;

use crate::dom::{DocumentOrder, Dom, Edge, Node, NodeKind};
use crate::parts::TagParts;
use crate::span::Span;
use crate::tree::Space;

/// Where something starts and ends in the text.
pub(super) type Place = (u32, u32);

/// A node, with its place.
pub(super) struct Item<'d> {
    pub(super) node: Node<'d>,
    /// The node that it is in; for the contents of a template the template.
    pub(super) parent: usize,
    /// After the last node in it.
    pub(super) end: usize,
    pub(super) tag: Option<Place>,
    pub(super) end_tag: Option<Place>,
    /// From the first byte to the last of it and what is in it.
    pub(super) hull: Option<Place>,
    /// After what comes before it: where it would be if it has no place.
    pub(super) place: u32,
    /// Before what comes after it.
    pub(super) next: Option<u32>,
    /// Whether it is a `form` element or in one.
    pub(super) in_form: bool,
}

struct Token {
    start: u32,
    end: u32,
    of: u32,
}

/// All nodes of a tree.
pub(super) struct Extents<'d> {
    pub(super) items: Vec<Item<'d>>,
    /// The node whose children are the result.
    pub(super) root: usize,
    /// The `body`, `html` and `head` elements of a document.
    pub(super) outer: [Option<usize>; 3],
    text: &'d str,
    order: DocumentOrder,
    /// What the nodes stand for, by start: tags, pieces of texts, comments.
    tokens: Vec<Token>,
    /// The largest end of those before each.
    reach: Vec<u32>,
}

fn place(span: Option<Span>) -> Option<Place> {
    // A `Dom` has no more than 2 GiB of text.
    span.map(|span| (span.start as u32, span.end as u32))
}

fn union(one: Place, other: Place) -> Place {
    (one.0.min(other.0), one.1.max(other.1))
}

impl<'d> Extents<'d> {
    pub(super) fn new(dom: &'d Dom<'d>) -> Self {
        /// How many bytes usual documents have for a node.
        const USUAL: usize = 32;
        let mut items: Vec<Item<'d>> = Vec::with_capacity(dom.input().len() / USUAL);
        let mut open: Vec<usize> = Vec::new();
        let mut tokens = Vec::new();
        let mut add = |of: usize, place: Option<Place>| {
            let of = of as u32;
            tokens.extend(place.map(|(start, end)| Token { start, end, of }));
        };
        for edge in dom.document().walk().with_templates() {
            let Edge::Open(node) = edge else {
                let closed = open.pop().unwrap_or_default();
                items[closed].end = items.len();
                add(closed, items[closed].end_tag);
                continue;
            };
            let parent = open.last().copied().unwrap_or_default();
            let (at, kind, tag) = (items.len(), node.kind(), place(node.span()));
            let above = items.get(parent).is_some_and(|it| it.in_form);
            let in_form = match kind {
                NodeKind::TemplateContents => false,
                NodeKind::Element => above || node.namespace() == Space::Html && node.is("form"),
                _ => above,
            };
            match kind {
                NodeKind::Text(_) => node
                    .pieces()
                    .for_each(|(span, _)| add(at, place(Some(span)))),
                _ => add(at, tag),
            }
            open.push(at);
            items.push(Item {
                node,
                parent,
                end: 0,
                tag,
                end_tag: place(node.end_tag()),
                hull: None,
                place: 0,
                next: None,
                in_form,
            });
        }
        let order = dom.document_order();
        let root = order.position(dom.root()).unwrap_or_default();
        let mut extents = Self {
            items,
            root,
            outer: [None; 3],
            text: dom.input(),
            order,
            tokens,
            reach: Vec::new(),
        };
        extents.sort_tokens();
        extents.find_outer_end_tags(dom);
        extents.find_hulls();
        extents.find_places();
        extents
    }

    fn sort_tokens(&mut self) {
        // Nearly sorted: where the parser moves nothing they are in order.
        self.tokens
            .sort_by_key(|token| (token.start, token.end, token.of));
        self.reach.clear();
        let mut most = 0;
        for token in &self.tokens {
            self.reach.push(most);
            most = most.max(token.end);
        }
    }

    /// The builder pops neither `body` nor `html`: their end tags are among those that it ignores.
    fn find_outer_end_tags(&mut self, dom: &'d Dom<'d>) {
        if self.root != 0 {
            return;
        }
        let html = dom.document().children().find(|node| node.is_element());
        let outer = [dom.body(), html, dom.head()];
        self.outer = outer.map(|node| self.position(node?));
        for (at, name) in self.outer.into_iter().zip(["body", "html"]) {
            if let Some(at) = at
                && self.items[at].end_tag.is_none()
                && let Some((start, end)) = self.ignored_tags("</", name).pop()
            {
                self.items[at].end_tag = Some((start, end));
                let of = at as u32;
                self.tokens.push(Token { start, end, of });
            }
        }
        self.sort_tokens();
    }

    fn find_hulls(&mut self) {
        for at in (0..self.items.len()).rev() {
            let item = &self.items[at];
            let own = [item.tag, item.end_tag, item.hull];
            let hull = own.into_iter().flatten().reduce(union);
            let parent = item.parent;
            self.items[at].hull = hull;
            if let Some(hull) = hull
                && parent < at
            {
                let above = self.items[parent].hull.get_or_insert(hull);
                *above = union(*above, hull);
            }
        }
    }

    fn find_places(&mut self) {
        // Of each node the end of its last child so far, and then the start of the next one.
        let mut ends: Vec<u32> = alloc::vec![0; self.items.len()];
        for at in 0..self.items.len() {
            let parent = self.items[at].parent;
            let item = &mut self.items[at];
            item.place = ends[parent];
            ends[at] = item.tag.map_or(item.place, |tag| tag.1);
            if let Some(hull) = item.hull {
                ends[parent] = hull.1;
            }
        }
        let mut starts: Vec<Option<u32>> = alloc::vec![None; self.items.len()];
        for at in (1..self.items.len()).rev() {
            let item = &mut self.items[at];
            item.next = starts[item.parent];
            starts[item.parent] = item.hull.map(|hull| hull.0).or(item.next);
        }
        for at in 1..self.items.len() {
            let above = self.items[self.items[at].parent].next;
            let item = &mut self.items[at];
            item.next = item.next.or(above);
        }
    }

    /// Which item a node is.
    pub(super) fn position(&self, node: Node<'_>) -> Option<usize> {
        self.order.position(node)
    }

    pub(super) fn text(&self, (start, end): Place) -> &'d str {
        self.text
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }

    /// The text from a place on.
    pub(super) fn rest(&self, start: u32) -> &'d str {
        self.text.get(start as usize..).unwrap_or_default()
    }

    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.items[at].end;
        let next = move |at: usize| (at < end).then_some(at);
        core::iter::successors(next(at + 1), move |&child| next(self.items[child].end))
    }

    /// What holds the nodes that are written in an element: for a template its contents.
    pub(super) fn contents(&self, at: usize) -> usize {
        match self.items[at].node.template_contents() {
            Some(_) => at + 1,
            None => at,
        }
    }

    /// Whether it is the `body` or `html` element of a document.
    pub(super) fn is_outer(&self, at: usize) -> bool {
        self.outer[..2].contains(&Some(at))
    }

    /// The node of another tree of the same text that is at the same place as one of this tree.
    pub(super) fn counterpart(&self, at: usize, other: &Extents<'_>) -> Option<usize> {
        /// So far implied elements are above their first token.
        const MOST: usize = 32;
        if let Some(index) = self.outer.iter().position(|&outer| outer == Some(at)) {
            return other.outer[index];
        }
        let item = &self.items[at];
        if at <= self.root {
            return (self.root == other.root).then_some(at);
        }
        if item.node.kind() == NodeKind::TemplateContents {
            return Some(other.contents(self.counterpart(item.parent, other)?));
        }
        let (start, _) = item.tag.or(item.end_tag).or(item.hull)?;
        let is_it = |&at: &usize| {
            let (one, other) = (item.node, other.items[at].node);
            let is_alike = (one.name(), one.namespace()) == (other.name(), other.namespace());
            let [one, other] = [one, other].map(|node| core::mem::discriminant(&node.kind()));
            is_alike && one == other
        };
        let has_place = |&at: &usize| {
            let other = &other.items[at];
            other.tag == item.tag && (item.tag.is_some() || other.hull == item.hull)
        };
        let up = |&at: &usize| (at > other.root).then(|| other.items[at].parent);
        let mut above = core::iter::successors(other.at_place(start), up).take(MOST);
        above.find(|at| is_it(at) && has_place(at))
    }

    /// The text between the tags of an element.
    pub(super) fn inside(&self, at: usize) -> Option<Place> {
        let item = &self.items[at];
        Some((item.tag?.1, item.end_tag?.0))
    }

    /// The tokens of elements with this name, with where they start.
    pub(super) fn tokens_of(&self, name: &str) -> Vec<(u32, usize)> {
        let tokens = self.tokens.iter();
        let tokens = tokens.map(|token| (token.start, token.of as usize));
        tokens
            .filter(|&(_, at)| self.items[at].node.is(name))
            .collect()
    }

    /// The last of these elements that starts before a place, if the place is between its tags.
    pub(super) fn around(&self, elements: &[(u32, usize)], place: Place) -> Option<usize> {
        let before = elements.partition_point(|(start, _)| *start < place.0);
        let (_, found) = *elements[..before].last()?;
        let (start, end) = self.inside(found)?;
        (start <= place.0 && place.1 <= end).then_some(found)
    }

    /// The child before one.
    pub(super) fn before(&self, at: usize) -> Option<usize> {
        self.position(self.items[at].node.previous_sibling()?)
    }

    fn last_child(&self, at: usize) -> Option<usize> {
        self.position(self.items[at].node.last_child()?)
    }

    fn tokens_in(&self, (start, end): Place) -> &[Token] {
        let from = self.tokens.partition_point(|token| token.start < start);
        let to = self.tokens.partition_point(|token| token.start < end);
        &self.tokens[from..to]
    }

    /// Whether nothing of nodes outside a subtree is at a place.
    pub(super) fn is_clean(&self, place: Place, at: usize) -> bool {
        let from = self.tokens.partition_point(|token| token.start < place.0);
        let inside = at..self.items[at].end;
        let is_own = |token: &Token| inside.contains(&(token.of as usize)) && token.end <= place.1;
        self.reach.get(from).is_none_or(|&reach| reach <= place.0)
            && self.tokens_in(place).iter().all(is_own)
    }

    /// The node whose token starts at a place.
    pub(super) fn at_place(&self, start: u32) -> Option<usize> {
        let tokens = self.tokens_in((start, start + 1));
        tokens.first().map(|token| token.of as usize)
    }

    /// The places of a text.
    pub(super) fn pieces(&self, at: usize) -> Vec<Place> {
        let pieces = self.items[at].node.pieces();
        pieces.filter_map(|(span, _)| place(Some(span))).collect()
    }

    /// What is removed with a node.
    pub(super) fn removal(&self, at: usize) -> Vec<Place> {
        let Some(hull) = self.items[at].hull else {
            return Vec::new();
        };
        if self.is_clean(hull, at) {
            return alloc::vec![hull];
        }
        let mut all = Vec::new();
        for (index, item) in (at..).zip(&self.items[at..self.items[at].end]) {
            match is_text(item.node) {
                true => all.extend(self.pieces(index)),
                false => all.extend(item.tag.into_iter().chain(item.end_tag)),
            }
        }
        all.sort_unstable();
        all
    }

    pub(super) fn start(&self, at: usize) -> u32 {
        let item = &self.items[at];
        item.hull.map_or(item.place, |hull| hull.0)
    }

    /// After the start tag and the newline that `pre` loses.
    pub(super) fn inner_start(&self, at: usize) -> u32 {
        let item = &self.items[at];
        if let Some((_, end)) = item.tag {
            return end + self.lost_newline(at);
        }
        let mut hulls = self.children(at).filter_map(|child| self.items[child].hull);
        let end = item.end_tag.map(|tag| tag.0);
        hulls
            .next()
            .map(|hull| hull.0)
            .or(end)
            .unwrap_or(item.place)
    }

    /// The length of the newline that the parser drops at the start of an element.
    pub(super) fn lost_newline(&self, at: usize) -> u32 {
        let item = &self.items[at];
        let Some((_, end)) = item.tag.filter(|_| item.node.drops_first_newline()) else {
            return 0;
        };
        match self.rest(end).as_bytes() {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        }
    }

    /// The tags of an element with this name that the parser ignores or merges into another one, in order.
    pub(super) fn ignored_tags(&self, start: &str, name: &str) -> Vec<Place> {
        let mut found = Vec::new();
        let ends = self.tokens.iter().map(|token| token.start);
        let starts = self.reach.iter().copied();
        let last = self.tokens.iter().map(|token| token.end).max();
        let gaps = starts.zip(ends.clone());
        let gaps = gaps.chain([(last.unwrap_or_default(), self.text.len() as u32)]);
        for gap in gaps.filter(|gap| gap.0 < gap.1) {
            let text = self.text(gap);
            for (at, _) in text.match_indices(start) {
                let tag = &text[at..];
                let rest = &tag[start.len()..];
                let is_it = rest.get(..name.len());
                if !is_it.is_some_and(|it| it.eq_ignore_ascii_case(name)) {
                    continue;
                }
                let parts = TagParts::of(tag, 0);
                let last = parts.attributes.last().map_or(parts.name, |it| it.span());
                let after = (last.end as usize).min(tag.len());
                let is_whole = (parts.name.end - parts.name.start) as usize == name.len();
                if let Some(length) = tag[after..].find('>').filter(|_| is_whole) {
                    let start = gap.0 + at as u32;
                    found.push((start, start + (after + length + 1) as u32));
                }
            }
        }
        found
    }

    /// Whether an element has a start tag, and no end tag although it may have one.
    pub(super) fn is_open_ended(&self, at: usize) -> bool {
        let item = &self.items[at];
        let Some(tag) = item.tag.filter(|_| item.node.is_element()) else {
            return false;
        };
        let is_empty = match item.node.namespace() {
            Space::Html => item.node.is_void(),
            _ => self.text(tag).ends_with("/>"),
        };
        item.end_tag.is_none() && !is_empty
    }

    /// The end tags that are missing at the end of a node, of what is open in it.
    pub(super) fn missing_end_tags(&self, at: usize) -> alloc::string::String {
        /// Those of a chain are written for each edit on it.
        const MOST: usize = 16;
        let last = |at: usize| self.last_child(at).filter(|&at| self.is_open_ended(at));
        let open = core::iter::successors(last(at), |&at| last(at));
        let open = open.take(MOST);
        let names: Vec<_> = open.filter_map(|at| self.items[at].node.name()).collect();
        let tags = names.iter().rev().map(|name| alloc::format!("</{name}>"));
        tags.collect()
    }
}

pub(super) fn is_text(node: Node<'_>) -> bool {
    matches!(node.kind(), NodeKind::Text(_))
}
