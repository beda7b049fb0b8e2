//! The nodes of a tree in the order of the document, each with its place in the text.

use alloc::vec::Vec;
use core::cell::OnceCell;

use crate::dom::{DocumentOrder, Dom, Edge, Node, NodeKind};
use crate::parts::TagParts;
use crate::span::Span;
use crate::tree::Space;

/// Where something starts and ends in the text.
pub(super) type Place = (u32, u32);

/// No place: the union with another one is the other one.
const NOWHERE: Place = (u32::MAX, 0);

struct Token {
    start: u32,
    end: u32,
    of: u32,
}

/// What the nodes stand for in the text.
struct Tokens {
    /// Tags, pieces of texts, comments, by start.
    all: Vec<Token>,
    /// The largest end of those before each.
    reach: Vec<u32>,
    /// The end tags of `body` and `html`.
    outer: [Option<Place>; 2],
}

/// All nodes of a tree, by their numbers in the order of the document. What only some edits need is made when it is asked for.
pub(super) struct Extents<'d> {
    dom: &'d Dom<'d>,
    order: DocumentOrder,
    nodes: Vec<Node<'d>>,
    /// After the last node in each.
    ends: Vec<u32>,
    /// The node whose children are the result.
    pub(super) root: usize,
    /// The `body`, `html` and `head` elements of a document.
    pub(super) outer: [Option<usize>; 3],
    tokens: OnceCell<Tokens>,
    hulls: OnceCell<Vec<Place>>,
    /// What comes before and after each.
    gaps: OnceCell<Vec<(u32, Option<u32>)>>,
    in_form: OnceCell<Vec<bool>>,
    /// What is a copy of what, by the written nodes.
    copies: OnceCell<Vec<(usize, usize)>>,
}

fn place(span: Option<Span>) -> Option<Place> {
    // A `Dom` has no more than 2 GiB of text.
    span.map(|span| (span.start as u32, span.end as u32))
}

fn union(one: Place, other: Option<Place>) -> Place {
    let other = other.unwrap_or(NOWHERE);
    (one.0.min(other.0), one.1.max(other.1))
}

impl<'d> Extents<'d> {
    pub(super) fn new(dom: &'d Dom<'d>) -> Self {
        let (order, nodes, ends) = dom.order_and_ends();
        let root = order.position(dom.root()).unwrap_or_default();
        let html = dom.document().children().find(|node| node.is_element());
        let outer = [dom.body(), html, dom.head()].map(|node| node.filter(|_| root == 0));
        Self {
            outer: outer.map(|node| order.position(node?)),
            dom,
            order,
            nodes,
            ends,
            root,
            tokens: OnceCell::new(),
            hulls: OnceCell::new(),
            gaps: OnceCell::new(),
            in_form: OnceCell::new(),
            copies: OnceCell::new(),
        }
    }

    pub(super) const fn dom(&self) -> &'d Dom<'d> {
        self.dom
    }

    pub(super) fn node(&self, at: usize) -> Node<'d> {
        self.nodes[at]
    }

    /// The node that it is in; for the contents of a template the template.
    pub(super) fn parent(&self, at: usize) -> usize {
        let node = self.nodes[at];
        match node.parent() {
            Some(parent) => self.position(parent).unwrap_or_default(),
            // The contents of a template come after it.
            None => at.saturating_sub(1),
        }
    }

    /// After the last node in it.
    pub(super) fn end(&self, at: usize) -> usize {
        self.ends[at] as usize
    }

    pub(super) fn tag(&self, at: usize) -> Option<Place> {
        place(self.nodes[at].span())
    }

    /// The builder pops neither `body` nor `html`: their end tags are among those that it ignores.
    pub(super) fn end_tag(&self, at: usize) -> Option<Place> {
        let outer = || {
            let index = self.outer[..2]
                .iter()
                .position(|&outer| outer == Some(at))?;
            self.tokens().outer[index]
        };
        place(self.nodes[at].end_tag()).or_else(outer)
    }

    /// From the first byte to the last of it and what is in it.
    pub(super) fn hull(&self, at: usize) -> Option<Place> {
        let mut hull = self.hulls.get_or_init(|| self.find_hulls())[at];
        if at == 0 || self.is_outer(at) {
            let inside = self.outer[..2]
                .iter()
                .flatten()
                .filter(|&&outer| outer >= at);
            hull = inside.fold(hull, |hull, &outer| union(hull, self.end_tag(outer)));
        }
        (hull != NOWHERE).then_some(hull)
    }

    fn find_hulls(&self) -> Vec<Place> {
        let mut hulls = alloc::vec![NOWHERE; self.nodes.len()];
        for at in (0..self.nodes.len()).rev() {
            let node = self.nodes[at];
            let hull = union(union(hulls[at], place(node.span())), place(node.end_tag()));
            hulls[at] = hull;
            if at > 0 {
                let above = &mut hulls[self.parent(at)];
                *above = union(*above, Some(hull));
            }
        }
        hulls
    }

    /// After what comes before it, where it would be if it has no place, and before what comes after it.
    pub(super) fn gap(&self, at: usize) -> (u32, Option<u32>) {
        self.gaps.get_or_init(|| self.find_gaps())[at]
    }

    fn find_gaps(&self) -> Vec<(u32, Option<u32>)> {
        let count = self.nodes.len();
        let mut around = alloc::vec![(0, None); count];
        // Of each node the end of its last child so far, and then the start of the next one.
        let mut ends = alloc::vec![0; count];
        for at in 0..count {
            let parent = self.parent(at);
            around[at].0 = ends[parent];
            ends[at] = self.tag(at).map_or(ends[parent], |tag| tag.1);
            if let Some(hull) = self.hull(at) {
                ends[parent] = hull.1;
            }
        }
        let mut starts: Vec<Option<u32>> = alloc::vec![None; count];
        for at in (1..count).rev() {
            let parent = self.parent(at);
            around[at].1 = starts[parent];
            starts[parent] = self.hull(at).map(|hull| hull.0).or(starts[parent]);
        }
        for at in 1..count {
            around[at].1 = around[at].1.or(around[self.parent(at)].1);
        }
        around
    }

    /// Whether it is a `form` element or in one.
    pub(super) fn in_form(&self, at: usize) -> bool {
        let find = || {
            let mut all = alloc::vec![false; self.nodes.len()];
            for (at, &node) in self.nodes.iter().enumerate() {
                all[at] = match node.is_element() {
                    true if node.namespace() == Space::Html && node.is("form") => true,
                    _ if node.kind() == NodeKind::TemplateContents => false,
                    _ => all[self.parent(at)],
                };
            }
            all
        };
        self.in_form.get_or_init(find)[at]
    }

    fn tokens(&self) -> &Tokens {
        self.tokens.get_or_init(|| {
            let mut tokens = Tokens {
                all: Vec::with_capacity(2 * self.nodes.len()),
                reach: Vec::new(),
                outer: [None; 2],
            };
            let (mut at, mut open) = (0, Vec::new());
            for edge in self.dom.document().walk().with_templates() {
                match edge {
                    Edge::Open(node) if node.has_gaps() => {
                        let pieces = node.pieces();
                        pieces.for_each(|(span, _)| tokens.add(at, place(Some(span))));
                    }
                    Edge::Open(node) => tokens.add(at, place(node.span())),
                    Edge::Close(node) => {
                        tokens.add(open.pop().unwrap_or_default(), place(node.end_tag()));
                        continue;
                    }
                }
                open.push(at);
                at += 1;
            }
            tokens.sort();
            for (index, name) in ["body", "html"].into_iter().enumerate() {
                if let Some(at) = self.outer[index]
                    && self.nodes[at].end_tag().is_none()
                    && let Some(tag) = tokens.ignored(self.dom.input(), "</", name).pop()
                {
                    tokens.outer[index] = Some(tag);
                    tokens.add(at, Some(tag));
                }
            }
            tokens.sort();
            tokens
        })
    }

    /// Which item a node is.
    pub(super) fn position(&self, node: Node<'_>) -> Option<usize> {
        self.order.position(node)
    }

    pub(super) fn text(&self, (start, end): Place) -> &'d str {
        let text = self.dom.input();
        text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The text from a place on.
    pub(super) fn rest(&self, start: u32) -> &'d str {
        self.dom.input().get(start as usize..).unwrap_or_default()
    }

    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.end(at);
        let next = move |at: usize| (at < end).then_some(at);
        core::iter::successors(next(at + 1), move |&child| next(self.end(child)))
    }

    /// What holds the nodes that are written in an element: for a template its contents.
    pub(super) fn contents(&self, at: usize) -> usize {
        match self.nodes[at].template_contents() {
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
        let (node, tag) = (self.node(at), self.tag(at));
        if at <= self.root {
            return (self.root == other.root).then_some(at);
        }
        if node.kind() == NodeKind::TemplateContents {
            return Some(other.contents(self.counterpart(self.parent(at), other)?));
        }
        let place = tag.or_else(|| self.end_tag(at)).or_else(|| self.hull(at));
        let (start, _) = place?;
        let is_it = |&at: &usize| {
            let (one, other) = (node, other.node(at));
            let is_alike = (one.name(), one.namespace()) == (other.name(), other.namespace());
            let [one, other] = [one, other].map(|node| core::mem::discriminant(&node.kind()));
            is_alike && one == other
        };
        let has_place = |&found: &usize| {
            other.tag(found) == tag && (tag.is_some() || other.hull(found) == self.hull(at))
        };
        let up = |&at: &usize| (at > other.root).then(|| other.parent(at));
        let mut above = core::iter::successors(other.at_place(start), up).take(MOST);
        above.find(|at| is_it(at) && has_place(at))
    }

    /// The text between the tags of an element.
    pub(super) fn inside(&self, at: usize) -> Option<Place> {
        Some((self.tag(at)?.1, self.end_tag(at)?.0))
    }

    /// The tokens of elements with this name, with where they start.
    pub(super) fn tokens_of(&self, name: &str) -> Vec<(u32, usize)> {
        let tokens = self.tokens().all.iter();
        let tokens = tokens.map(|token| (token.start, token.of as usize));
        tokens.filter(|&(_, at)| self.nodes[at].is(name)).collect()
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
        self.position(self.nodes[at].previous_sibling()?)
    }

    fn last_child(&self, at: usize) -> Option<usize> {
        self.position(self.nodes[at].last_child()?)
    }

    fn tokens_in(&self, (start, end): Place) -> &[Token] {
        let from = self
            .tokens()
            .all
            .partition_point(|token| token.start < start);
        let to = self.tokens().all.partition_point(|token| token.start < end);
        &self.tokens().all[from..to]
    }

    /// Whether nothing of nodes outside a subtree is at a place.
    pub(super) fn is_clean(&self, place: Place, at: usize) -> bool {
        let from = self
            .tokens()
            .all
            .partition_point(|token| token.start < place.0);
        let inside = at..self.end(at);
        let is_own = |token: &Token| inside.contains(&(token.of as usize)) && token.end <= place.1;
        self.tokens()
            .reach
            .get(from)
            .is_none_or(|&reach| reach <= place.0)
            && self.tokens_in(place).iter().all(is_own)
    }

    /// The node whose token starts at a place.
    pub(super) fn at_place(&self, start: u32) -> Option<usize> {
        let tokens = self.tokens_in((start, start + 1));
        tokens.first().map(|token| token.of as usize)
    }

    /// The places of a text.
    pub(super) fn pieces(&self, at: usize) -> Vec<Place> {
        let pieces = self.nodes[at].pieces();
        pieces.filter_map(|(span, _)| place(Some(span))).collect()
    }

    /// What is removed with a node.
    pub(super) fn removal(&self, at: usize) -> Vec<Place> {
        let Some(hull) = self.hull(at) else {
            return Vec::new();
        };
        if self.is_clean(hull, at) {
            return alloc::vec![hull];
        }
        let mut all = Vec::new();
        for at in at..self.end(at) {
            match self.node(at).is_text() {
                true => all.extend(self.pieces(at)),
                false => all.extend(self.tag(at).into_iter().chain(self.end_tag(at))),
            }
        }
        all.sort_unstable();
        all
    }

    /// The first copy outside of a subtree of each element in it that has one, with that element.
    pub(super) fn copies(&self, at: usize) -> impl Iterator<Item = (usize, usize)> {
        let all = self.copies.get_or_init(|| {
            let nodes = self.nodes.iter().enumerate();
            let copies =
                nodes.filter_map(|(copy, node)| Some((self.position(node.origin()?)?, copy)));
            let mut all: Vec<_> = copies.collect();
            all.sort_unstable();
            all
        });
        let end = self.end(at);
        let inside = &all[all.partition_point(|it| it.0 < at)..];
        let inside = &inside[..inside.partition_point(|it| it.0 < end)];
        let mut last = None;
        let outside = inside.iter().filter(move |it| it.1 >= end);
        outside
            .filter(move |it| last.replace(it.0) != Some(it.0))
            .copied()
    }

    pub(super) fn start(&self, at: usize) -> u32 {
        let hull = self.hull(at);
        hull.map_or_else(|| self.gap(at).0, |hull| hull.0)
    }

    /// After the start tag and the newline that `pre` loses.
    pub(super) fn inner_start(&self, at: usize) -> u32 {
        if let Some((_, end)) = self.tag(at) {
            return end + self.lost_newline(at);
        }
        let mut hulls = self.children(at).filter_map(|child| self.hull(child));
        let first = hulls.next().or_else(|| self.end_tag(at));
        first.map_or_else(|| self.gap(at).0, |place| place.0)
    }

    /// The length of the newline that the parser drops at the start of an element.
    pub(super) fn lost_newline(&self, at: usize) -> u32 {
        let drops = self.node(at).drops_first_newline();
        let Some((_, end)) = self.tag(at).filter(|_| drops) else {
            return 0;
        };
        match self.rest(end).as_bytes() {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        }
    }

    /// The tags of an element with this name that the parser ignores or merges into another one, in order.
    pub(super) fn ignored_tags(&self, name: &str) -> Vec<Place> {
        self.tokens().ignored(self.dom.input(), "<", name)
    }

    /// Whether an element has a start tag, and no end tag although it may have one.
    pub(super) fn is_open_ended(&self, at: usize) -> bool {
        let node = self.node(at);
        let Some(tag) = self.tag(at).filter(|_| node.is_element()) else {
            return false;
        };
        let is_empty = match node.namespace() {
            Space::Html => node.is_void(),
            _ => self.text(tag).ends_with("/>"),
        };
        self.end_tag(at).is_none() && !is_empty
    }

    /// The end tags that are missing at the end of a node, of what is open in it.
    pub(super) fn missing_end_tags(&self, at: usize) -> alloc::string::String {
        /// Those of a chain are written for each edit on it.
        const MOST: usize = 16;
        let last = |at: usize| self.last_child(at).filter(|&at| self.is_open_ended(at));
        let open = core::iter::successors(last(at), |&at| last(at));
        let open = open.take(MOST);
        let names: Vec<_> = open.filter_map(|at| self.nodes[at].name()).collect();
        let tags = names.iter().rev().map(|name| alloc::format!("</{name}>"));
        tags.collect()
    }
}

impl Tokens {
    fn add(&mut self, of: usize, place: Option<Place>) {
        let of = of as u32;
        self.all
            .extend(place.map(|(start, end)| Token { start, end, of }));
    }

    fn sort(&mut self) {
        // Nearly sorted: where the parser moves nothing they are in order.
        self.all
            .sort_by_key(|token| (token.start, token.end, token.of));
        let ends = self.all.iter().map(|token| token.end);
        let most = ends.scan(0, |most, end| {
            Some(core::mem::replace(most, end.max(*most)))
        });
        self.reach = most.collect();
    }

    /// The tags of an element with this name that the parser ignores or merges into another one, in order.
    fn ignored(&self, text: &str, start: &str, name: &str) -> Vec<Place> {
        let mut found = Vec::new();
        let ends = self.all.iter().map(|token| token.start);
        let last = self.all.iter().map(|token| token.end).max();
        let gaps = self.reach.iter().copied().zip(ends);
        let gaps = gaps.chain([(last.unwrap_or_default(), text.len() as u32)]);
        let shortest = (start.len() + name.len()) as u32;
        for gap in gaps.filter(|gap| gap.0 + shortest < gap.1) {
            let inside = gap.0 as usize..gap.1 as usize;
            let text = text.get(inside).unwrap_or_default();
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
}
