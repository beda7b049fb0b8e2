//! Which elements match, for all elements at once.
//!
//! For each part of a selector there is a set of the elements that match it. A combinator makes of the set of what is at its left that of
//! all that may be at its right, in one pass: elements come in the order of the document, so that those above and before come first. So
//! the time is linear whatever the tree is, as it would not be if each element were asked for itself.

use std::collections::HashMap;
use std::iter;
use std::ops::{BitAnd, BitOr, Range};

use selectors::attr::{AttrSelectorOperator, CaseSensitivity, NamespaceConstraint};
use selectors::attr::{ParsedAttrSelectorOperation, ParsedCaseSensitivity};
use selectors::parser::{Combinator, Component, NthSelectorData, Selector};
use speclex::tree::{DocumentMode, Space};
use speclex::{Node, NodeKind};

use crate::css::{Css, Word};

/// No element.
const NONE: u32 = u32::MAX;

/// For each element whether it is in.
type Set = Vec<bool>;

/// Elements in the order of the document, each with the one that it is in and the one before it. The first stands for what is above them all.
pub(crate) struct Forest<'d> {
    pub(crate) nodes: Vec<Node<'d>>,
    links: Vec<(u32, u32)>,
}

impl<'d> Forest<'d> {
    fn new(above: Node<'d>) -> Self {
        Self {
            nodes: vec![above],
            links: vec![(NONE, NONE)],
        }
    }

    fn push(&mut self, node: Node<'d>, parent: u32, previous: u32) -> u32 {
        self.nodes.push(node);
        self.links.push((parent, previous));
        self.nodes.len() as u32 - 1
    }

    /// An element and nothing else.
    pub(crate) fn alone(node: Node<'d>) -> Self {
        let mut forest = Self::new(node);
        if node.is_element() {
            forest.push(node, 0, NONE);
        }
        forest
    }

    /// A node and the elements in it.
    pub(crate) fn of(node: Node<'d>) -> Self {
        let mut forest = Self::new(node);
        forest.push_all(node, 0, NONE);
        forest
    }

    /// Adds a node and the elements in it.
    fn push_all(&mut self, node: Node<'d>, parent: u32, previous: u32) {
        let (mut parent, mut previous, mut at) = (parent, previous, node);
        loop {
            let is_element = at.is_element();
            if is_element {
                previous = self.push(at, parent, previous);
            }
            if let Some(child) = at.first_child() {
                // Only the node itself is no element and has children.
                (parent, previous) = (if is_element { previous } else { parent }, NONE);
                at = child;
                continue;
            }
            at = loop {
                if at == node {
                    return;
                }
                match (at.next_sibling(), at.parent()) {
                    (Some(next), _) => break next,
                    (None, Some(above)) => {
                        (previous, at) = (parent, above);
                        parent = self.links[parent as usize].0;
                    }
                    (None, None) => return,
                }
            };
        }
    }

    /// A node and the elements in it, without links.
    pub(crate) fn plain(node: Node<'d>) -> Self {
        let mut forest = Self::new(node);
        let inside = node.descendants().filter(|it| it.is_element());
        forest.nodes.extend(inside);
        forest
    }

    /// The elements that a node is in, with their siblings before them, and the node, maybe with what is in it.
    pub(crate) fn around(node: Node<'d>, with_content: bool) -> Self {
        let mut path: Vec<_> = iter::once(node).chain(node.ancestors()).collect();
        let mut forest = Self::new(path[path.len() - 1]);
        let mut parent = 0;
        while let Some(on_path) = path.pop() {
            let mut previous = NONE;
            let before = on_path.parent().into_iter().flat_map(Node::children);
            for sibling in before.take_while(|it| *it != on_path) {
                if sibling.is_element() {
                    previous = forest.push(sibling, parent, previous);
                }
            }
            if path.is_empty() && with_content {
                forest.push_all(on_path, parent, previous);
            } else if on_path.is_element() {
                parent = forest.push(on_path, parent, previous);
            }
        }
        forest
    }

    /// Where an element is.
    pub(crate) fn position(&self, node: Node<'_>) -> Option<usize> {
        (1..self.nodes.len())
            .rev()
            .find(|&at| self.nodes[at] == node)
    }

    /// The element that one is in.
    pub(crate) fn parent(&self, at: usize) -> Option<usize> {
        let parent = self.links[at].0 as usize;
        (parent != 0).then_some(parent)
    }

    /// The elements in a node, all of which are here.
    pub(crate) fn inside(&self, node: Node<'_>) -> Range<usize> {
        if self.nodes[0] == node && !node.is_element() || self.links.len() == 1 {
            return 1..self.nodes.len();
        }
        // Without elements around it, it is the first.
        let start = match self.nodes.get(1) == Some(&node) {
            true => 1,
            false => self.position(node).unwrap_or(0),
        };
        let is_inside = |at: &usize| self.links[*at].0 as usize >= start;
        let end = (start + 1..self.nodes.len()).find(|at| !is_inside(at));
        start + 1..end.unwrap_or(self.nodes.len())
    }

    /// Those that match one of some selectors.
    pub(crate) fn list(&self, selectors: &[Selector<Css>], scope: Option<Node<'_>>) -> Set {
        let mut any = vec![false; self.nodes.len()];
        for selector in selectors {
            let mut set = self.all();
            for component in selector.iter_raw_parse_order_from(0) {
                match component {
                    Component::Combinator(combinator) => set = self.after(*combinator, &set),
                    component => self.keep(component, &mut set, scope),
                }
            }
            join(&mut any, set, bool::bitor);
        }
        any
    }

    fn all(&self) -> Set {
        let mut all = vec![true; self.nodes.len()];
        all[0] = false;
        all
    }

    /// Those to which a combinator leads from one of a set.
    fn after(&self, combinator: Combinator, from: &Set) -> Set {
        let mut to = vec![false; from.len()];
        for at in 1..to.len() {
            let (origin, is_far) = self.origin(combinator, at);
            let is_in = from.get(origin).is_some_and(|it| *it);
            to[at] = is_in || is_far && to.get(origin).is_some_and(|it| *it);
        }
        to
    }

    /// Those from which a combinator leads to one of a set.
    fn before(&self, combinator: Combinator, to: &Set) -> Set {
        let mut from = vec![false; to.len()];
        for at in (1..to.len()).rev() {
            let (origin, is_far) = self.origin(combinator, at);
            let is_in = to[at] || is_far && from[at];
            if let Some(origin) = from.get_mut(origin) {
                *origin |= is_in;
            }
        }
        from
    }

    /// From where a combinator leads to an element, and whether also from where it leads there.
    fn origin(&self, combinator: Combinator, at: usize) -> (usize, bool) {
        let (parent, previous) = self.links[at];
        match combinator {
            Combinator::Child => (parent as usize, false),
            Combinator::Descendant => (parent as usize, true),
            Combinator::NextSibling => (previous as usize, false),
            Combinator::LaterSibling => (previous as usize, true),
            // Of pseudo-elements, of which there are none.
            _ => (NONE as usize, false),
        }
    }

    /// Keeps of a set those that match a part without combinators.
    fn keep(&self, component: &Component<Css>, set: &mut Set, scope: Option<Node<'_>>) {
        let case = match self.nodes[0].dom().document_mode() {
            DocumentMode::Quirks => CaseSensitivity::AsciiCaseInsensitive,
            _ => CaseSensitivity::CaseSensitive,
        };
        let is = |found: &str, wanted: &Word| case.eq(found.as_bytes(), wanted.0.as_bytes());
        match component {
            Component::LocalName(it) => self.filter(set, |node| {
                node.name() == Some(&by_case(node, &it.name, &it.lower_name).0)
            }),
            Component::ID(id) => {
                self.filter(set, |node| {
                    node.attribute("id").is_some_and(|it| is(it, id))
                });
            }
            Component::Class(class) => self.filter(set, |node| {
                let classes = node.attribute("class").unwrap_or_default();
                classes.split_ascii_whitespace().any(|it| is(it, class))
            }),
            Component::AttributeInNoNamespaceExists {
                local_name,
                local_name_lower,
            } => self.keep_with(set, NO_SPACE, [local_name, local_name_lower], None),
            Component::AttributeInNoNamespace {
                local_name: name,
                operator,
                value,
                case_sensitivity: case,
            } => self.keep_with(set, NO_SPACE, [name; 2], Some((*operator, value, *case))),
            Component::AttributeOther(it) => {
                let space = match it.namespace() {
                    Some(NamespaceConstraint::Any) => None,
                    Some(NamespaceConstraint::Specific(url)) => Some(space(url)),
                    None => NO_SPACE,
                };
                let value = match &it.operation {
                    ParsedAttrSelectorOperation::Exists => None,
                    ParsedAttrSelectorOperation::WithValue {
                        operator,
                        case_sensitivity,
                        value,
                    } => Some((*operator, value, *case_sensitivity)),
                };
                self.keep_with(set, space, [&it.local_name, &it.local_name_lower], value);
            }
            Component::ExplicitUniversalType | Component::ExplicitAnyNamespace => {}
            Component::DefaultNamespace(url) | Component::Namespace(_, url) => {
                self.filter(set, |node| node.namespace() == space(url));
            }
            Component::Negation(list) => {
                join(set, self.list(list.slice(), scope), |it, other| {
                    it && !other
                });
            }
            Component::Is(list) | Component::Where(list) => {
                join(set, self.list(list.slice(), scope), bool::bitand);
            }
            Component::Has(list) => {
                let mut any = vec![false; set.len()];
                for relative in list {
                    let mut with = self.all();
                    for component in relative.selector.iter_raw_match_order() {
                        match component {
                            Component::Combinator(it) => with = self.before(*it, &with),
                            Component::RelativeSelectorAnchor => {}
                            component => self.keep(component, &mut with, scope),
                        }
                    }
                    join(&mut any, with, bool::bitor);
                }
                join(set, any, bool::bitand);
            }
            Component::Nth(nth) => self.keep_nth(nth, None, set),
            Component::NthOf(nth) => {
                let of = self.list(nth.selectors(), scope);
                self.keep_nth(nth.nth_data(), Some(&of), set);
            }
            Component::Root => self.filter(set, is_root),
            Component::Scope => match scope.filter(|it| it.is_element()) {
                Some(scope) => self.filter(set, |node| node == scope),
                None => self.filter(set, is_root),
            },
            Component::Empty => self.filter(set, |node| {
                let is_text = |it: Node<'_>| matches!(it.kind(), NodeKind::Text(_));
                !node.children().any(|it| it.is_element() || is_text(it))
            }),
            // Others are not read, or match nothing.
            _ => set.fill(false),
        }
    }

    fn filter(&self, set: &mut Set, is_wanted: impl Fn(Node<'d>) -> bool) {
        for (is_in, node) in set.iter_mut().zip(&self.nodes) {
            *is_in = *is_in && is_wanted(*node);
        }
    }

    /// Keeps those with an attribute; `None` stands for any namespace, and for any value.
    fn keep_with(
        &self,
        set: &mut Set,
        space: Option<Space>,
        [name, lower]: [&Word; 2],
        value: Option<(AttrSelectorOperator, &Word, ParsedCaseSensitivity)>,
    ) {
        self.filter(set, |node| {
            let name = by_case(node, name, lower);
            node.attributes().any(|it| {
                it.name() == &*name.0
                    && space.is_none_or(|space| space == it.namespace())
                    && value.is_none_or(|(operator, value, case)| {
                        operator.eval_str(it.value(), &value.0, sensitivity(node, case))
                    })
            })
        });
    }

    /// Keeps those whose number among their siblings is right, or among those siblings that are in another set.
    fn keep_nth(&self, nth: &NthSelectorData, of: Option<&Set>, set: &mut Set) {
        let is_wanted = |number: i32| match nth.ty.is_only() {
            true => number == 1,
            false => number > 0 && nth.an_plus_b.matches_index(number),
        };
        let ends = [(false, !nth.ty.is_from_end()), (true, nth.ty.is_from_end())];
        for (from_end, counts) in ends {
            if counts || nth.ty.is_only() {
                let numbers = self.numbers(from_end, nth.ty.is_of_type(), of);
                join(set, numbers.into_iter().map(is_wanted), bool::bitand);
            }
        }
    }

    /// The number of each element among its siblings, from 1; 0 if it does not count.
    fn numbers(&self, from_end: bool, of_type: bool, of: Option<&Set>) -> Vec<i32> {
        let (mut numbers, mut types) = (vec![0; self.nodes.len()], HashMap::new());
        let mut counts = vec![0; self.nodes.len()];
        for at in 1..self.nodes.len() {
            let at = if from_end { self.nodes.len() - at } else { at };
            if of.is_none_or(|of| of[at]) {
                let (node, parent) = (self.nodes[at], self.links[at].0);
                let key = (parent, node.namespace(), node.name());
                let count = match of_type {
                    true => types.entry(key).or_default(),
                    false => &mut counts[parent as usize],
                };
                *count += 1;
                numbers[at] = *count;
            }
        }
        numbers
    }
}

/// The namespace of most attributes.
const NO_SPACE: Option<Space> = Some(Space::None);

fn join(set: &mut Set, other: impl IntoIterator<Item = bool>, by: fn(bool, bool) -> bool) {
    for (it, other) in set.iter_mut().zip(other) {
        *it = by(*it, other);
    }
}

/// The spelling of a name that counts for an element.
fn by_case<'w>(node: Node<'_>, name: &'w Word, lower: &'w Word) -> &'w Word {
    match node.namespace() {
        Space::Html => lower,
        _ => name,
    }
}

/// The namespace that a prefix stands for.
fn space(prefix: &Word) -> Space {
    match &*prefix.0 {
        "html" => Space::Html,
        "svg" => Space::Svg,
        "math" => Space::MathMl,
        "xlink" => Space::XLink,
        _ => Space::None,
    }
}

fn is_root(node: Node<'_>) -> bool {
    (node.parent()).is_some_and(|it| matches!(it.kind(), NodeKind::Document))
}

fn sensitivity(node: Node<'_>, parsed: ParsedCaseSensitivity) -> CaseSensitivity {
    use ParsedCaseSensitivity::{
        AsciiCaseInsensitive as Insensitive,
        AsciiCaseInsensitiveIfInHtmlElementInHtmlDocument as InsensitiveInHtml,
    };
    match parsed {
        Insensitive => CaseSensitivity::AsciiCaseInsensitive,
        InsensitiveInHtml if node.namespace() == Space::Html => {
            CaseSensitivity::AsciiCaseInsensitive
        }
        _ => CaseSensitivity::CaseSensitive,
    }
}
