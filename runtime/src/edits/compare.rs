//! A tree that is meant beside the tree of a text, in one walk over both.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::dom::{Attribute, Dom, Edge, Node, NodeId, NodeKind, Walk};
use crate::tree::Space;

use super::plan::NewAttributes;

/// A part of a tree. Texts that adjoin are one.
#[derive(Clone, Copy)]
pub(super) enum Event<'a> {
    /// An element, maybe with another name and other attributes.
    Open(Node<'a>, Option<&'a str>, Option<&'a NewAttributes<'a>>),
    /// The contents of a template.
    Contents,
    /// The end of an element with this name, or of the contents of a template.
    Close(Option<&'a str>),
    Text(&'a str),
    /// A node of another kind.
    Leaf(NodeKind<'a>),
}

/// `None`: no more events are wanted.
pub(super) type Taken = Option<()>;

/// Takes the events of a tree.
pub(super) trait Take {
    fn take(&mut self, event: Event<'_>) -> Taken;

    /// Takes nodes of a walk at once, as far as that is possible: [`Walk::skip_alike`].
    fn take_some(&mut self, _: &mut Walk<'_>, _most: usize, _end: NodeId, _copies: bool) -> usize {
        0
    }
}

/// A tree in events, without its root.
pub(super) fn events(root: Node<'_>, to: &mut impl Take) -> Taken {
    let edges = root.walk().with_templates().skip(1);
    for edge in edges {
        match edge {
            Edge::Open(node) => to.take(opened(node))?,
            Edge::Close(node) if node != root && has_inside(node) => {
                to.take(Event::Close(node.name()))?
            }
            Edge::Close(_) => {}
        }
    }
    Some(())
}

pub(super) fn opened(node: Node<'_>) -> Event<'_> {
    match node.kind() {
        NodeKind::Element => Event::Open(node, None, None),
        NodeKind::Text(text) => Event::Text(text),
        NodeKind::TemplateContents => Event::Contents,
        leaf => Event::Leaf(leaf),
    }
}

pub(super) fn has_inside(node: Node<'_>) -> bool {
    node.is_element() || node.kind() == NodeKind::TemplateContents
}

/// Takes events as long as they are those of a tree.
pub(super) struct Check<'n> {
    root: Node<'n>,
    walk: Walk<'n>,
    /// What is left of a text.
    text: &'n str,
    /// How many events were taken, without texts.
    pub(super) taken: usize,
}

impl<'n> Check<'n> {
    pub(super) fn new(dom: &'n Dom<'n>) -> Self {
        let root = dom.root();
        let mut walk = root.walk().with_templates();
        walk.next();
        Self {
            root,
            walk,
            text: "",
            taken: 0,
        }
    }

    fn is_next(&mut self, event: Event<'_>) -> bool {
        match (event, self.walk.next()) {
            (Event::Open(node, name, attributes), Some(Edge::Open(found))) => {
                found.is_element() && is_alike(node, name, attributes, found)
            }
            (Event::Contents, Some(Edge::Open(found))) => {
                found.kind() == NodeKind::TemplateContents
            }
            (Event::Close(_), Some(Edge::Close(found))) => found != self.root,
            (Event::Leaf(kind), Some(Edge::Open(found))) => {
                let is_it = found.kind() == kind;
                self.walk.next();
                is_it
            }
            _ => false,
        }
    }

    /// Whether that was all of it.
    pub(super) fn ends(&mut self) -> Taken {
        let is_end = self.text.is_empty() && self.walk.next() == Some(Edge::Close(self.root));
        is_end.then_some(())
    }
}

impl Take for Check<'_> {
    fn take(&mut self, event: Event<'_>) -> Taken {
        let Event::Text(mut text) = event else {
            let is_it = self.text.is_empty() && self.is_next(event);
            self.taken += usize::from(is_it);
            return is_it.then_some(());
        };
        while !text.is_empty() {
            if self.text.is_empty() {
                let Some(Edge::Open(node)) = self.walk.next() else {
                    return None;
                };
                let NodeKind::Text(next) = node.kind() else {
                    return None;
                };
                self.text = next;
                // It is closed at once.
                self.walk.next();
            }
            let length = text.len().min(self.text.len());
            let (one, other) = (&text.as_bytes()[..length], &self.text.as_bytes()[..length]);
            if one != other {
                return None;
            }
            // Both are the same up to there.
            (text, self.text) = (text.get(length..)?, self.text.get(length..)?);
        }
        Some(())
    }

    fn take_some(
        &mut self,
        walk: &mut Walk<'_>,
        most: usize,
        end: NodeId,
        stops_at_copies: bool,
    ) -> usize {
        if !self.text.is_empty() {
            return 0;
        }
        let (opened, edges) = walk.skip_alike(&mut self.walk, most, end, stops_at_copies);
        self.taken += edges;
        opened
    }
}

fn is_alike(
    node: Node<'_>,
    name: Option<&str>,
    attributes: Option<&NewAttributes<'_>>,
    found: Node<'_>,
) -> bool {
    let has_name = match (name, found.name()) {
        // The parser lowercases it, or not in SVG.
        (Some(name), Some(found)) => name.eq_ignore_ascii_case(found),
        _ => node.name() == found.name(),
    };
    let same = |(one, other): (Attribute<'_>, Attribute<'_>)| {
        (one.name(), one.prefix(), one.namespace(), one.value())
            == (
                other.name(),
                other.prefix(),
                other.namespace(),
                other.value(),
            )
    };
    let are_alike = || {
        let (mut one, mut other) = (node.attributes(), found.attributes());
        attributes.is_none()
            && one.len() == other.len()
            && one.by_ref().zip(other.by_ref()).all(same)
    };
    has_name
        && node.namespace() == found.namespace()
        && (are_alike() || listed(node, attributes) == listed(found, None))
}

/// An attribute as it is compared. The parser chooses case and namespace of one that is new.
struct Compared<'a> {
    lower: String,
    name: Option<(Cow<'a, str>, Space)>,
    value: &'a str,
}

impl PartialEq for Compared<'_> {
    fn eq(&self, other: &Self) -> bool {
        let names = self.name.as_ref().zip(other.name.as_ref());
        self.lower == other.lower
            && self.value == other.value
            && names.is_none_or(|(one, other)| one == other)
    }
}

/// The name of an attribute as it is written.
pub(super) fn full_name<'a>(attribute: &Attribute<'a>) -> Cow<'a, str> {
    match attribute.prefix() {
        Some(prefix) => format!("{prefix}:{}", attribute.name()).into(),
        None => attribute.name().into(),
    }
}

/// The attributes of an element, sorted by name.
fn listed<'a>(node: Node<'a>, new: Option<&NewAttributes<'a>>) -> Vec<Compared<'a>> {
    let mut left: NewAttributes<'_> = new.cloned().unwrap_or_default();
    let mut all = Vec::new();
    for attribute in node.attributes() {
        let name = full_name(&attribute);
        let lower = name.to_ascii_lowercase();
        let new = left.remove(&lower).map(|new| new.value);
        if let Some(value) = new.unwrap_or(Some(attribute.value())) {
            let name = Some((name, attribute.namespace()));
            all.push(Compared { lower, name, value });
        }
    }
    all.extend(left.into_iter().filter_map(|(lower, new)| {
        let (name, value) = (None, new.value?);
        Some(Compared { lower, name, value })
    }));
    all.sort_by(|one, other| one.lower.cmp(&other.lower));
    all
}

/// Shows the events of a tree around one of them.
#[derive(Default)]
pub(super) struct Show {
    around: usize,
    taken: usize,
    text: String,
    shown: Vec<String>,
}

impl Show {
    pub(super) fn new(around: usize) -> Self {
        Self {
            around,
            ..Self::default()
        }
    }

    const fn is_near(&self) -> bool {
        self.taken + 3 >= self.around
    }

    fn show_text(&mut self) {
        if !self.text.is_empty() {
            self.shown.push(quoted(&self.text));
        }
        self.text.clear();
    }

    pub(super) fn shown(mut self) -> String {
        self.show_text();
        self.shown.join(" ")
    }
}

impl Take for Show {
    fn take(&mut self, event: Event<'_>) -> Taken {
        if let Event::Text(text) = event {
            if self.is_near() {
                self.text.push_str(text);
            }
            return Some(());
        }
        self.show_text();
        if self.is_near() {
            self.shown.push(word(event));
        }
        self.taken += 1;
        (self.taken < self.around + 3).then_some(())
    }
}

fn word(event: Event<'_>) -> String {
    match event {
        Event::Open(node, name, attributes) => {
            let name = name.or(node.name()).unwrap_or_default();
            let attributes = listed(node, attributes);
            let attributes = attributes.iter().map(|it| {
                let name = it.name.as_ref().map_or(&*it.lower, |name| &name.0);
                format!(" {name}={}", quoted(it.value))
            });
            format!("<{name}{}>", attributes.collect::<String>())
        }
        Event::Contents => "contents".into(),
        Event::Close(None) => "end of contents".into(),
        Event::Close(Some(name)) => format!("</{name}>"),
        Event::Text(text) => quoted(text),
        Event::Leaf(NodeKind::Comment(text)) => format!("<!--{}-->", cut(text)),
        Event::Leaf(kind) => format!("{kind:?}"),
    }
}

fn cut(text: &str) -> String {
    /// Enough to recognize it.
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

fn quoted(text: &str) -> String {
    format!("{:?}", cut(text))
}
