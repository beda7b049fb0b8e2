//! Whether a reader with scripting makes the same tree, as far as the tree of a reader without scripting proves it.

use alloc::vec::Vec;

use crate::dom::{Dom, Edge, Node, NodeKind};
use crate::tree::{Scripting, Space};

use super::extents::Extents;
use super::plan::{NodeEdits, Plan};

/// Elements inside which, and after whose end tag, a tree builder is as it was before, if nothing is left open in them.
const ORDINARY: [&str; 10] = [
    "a", "br", "div", "iframe", "img", "link", "meta", "p", "span", "style",
];

const NAME: &str = "noscript";

/// Whether a tree builder with scripting makes the same tree from the text of `dom`, except that each `noscript` holds its content as text.
///
/// That is so for a document where each `noscript` leaves the tree builder as it was ([13.2.6.4]): it ends at the first end tag that
/// also ends it as text; its parent is not reopened for it; each byte in it is of a node in it, so that no tag in it was ignored or did something
/// else; and all nodes in it are texts, comments and ordinary elements with both tags. They set the frameset-ok flag, which the `body` tag
/// before them has set already. For all other documents the answer is no, which means "not proven".
///
/// [13.2.6.4]: https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhtml
pub(super) fn is_read_alike(dom: &Dom<'_>) -> bool {
    let is_context = dom.context().is_some_and(|(node, _)| node.is(NAME));
    if dom.made(NAME).next().is_none() && !is_context {
        return true;
    }
    let body = dom.body().and_then(Node::span).map(|tag| tag.start);
    let is_neutral = |node: Node<'_>| {
        let is_after_body =
            body.is_some_and(|body| node.span().is_some_and(|tag| body < tag.start));
        let parent = node.parent();
        (is_after_body || parent.is_some() && parent == dom.head())
            && parent.is_some_and(|parent| parent.origin().is_none())
            && is_closed(node) == Some(true)
    };
    dom.root() == dom.document()
        && dom.options().scripting == Scripting::Disabled
        && dom.made(NAME).all(is_neutral)
}

/// Whether a `noscript` ends where it ends as text, and is full of ordinary nodes.
fn is_closed(noscript: Node<'_>) -> Option<bool> {
    let (tag, end_tag) = (noscript.span()?, noscript.end_tag()?);
    let text = noscript
        .dom()
        .input()
        .get(tag.end as usize..end_tag.start as usize)?;
    if has(text, "</") {
        return Some(false);
    }
    let mut at = tag.end;
    for edge in noscript.walk().skip(1) {
        let span = match edge {
            Edge::Close(node) if node == noscript => return Some(at == end_tag.start),
            Edge::Close(node) if node.is_element() && !node.is_void() => node.end_tag()?,
            Edge::Close(_) => continue,
            Edge::Open(node) => {
                let is_ordinary = match node.kind() {
                    NodeKind::Element => {
                        let is_it = |name: &&str| node.is(name);
                        node.namespace() == Space::Html && ORDINARY.iter().any(is_it)
                    }
                    NodeKind::Text(_) => !node.has_gaps(),
                    kind => matches!(kind, NodeKind::Comment(_)),
                };
                node.span().filter(|_| is_ordinary)?
            }
        };
        if span.start != at {
            return Some(false);
        }
        at = span.end;
    }
    None
}

/// Whether there is the name after a prefix.
fn has(text: &str, prefix: &str) -> bool {
    text.match_indices(prefix).any(|(at, _)| {
        let name = text.as_bytes()[at + prefix.len()..].get(..NAME.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(NAME.as_bytes()))
    })
}

/// Whether edits change what is in a `noscript`, make one, or make something else of one.
pub(super) fn change_some(tree: &Extents<'_>, plan: &Plan<'_>) -> bool {
    let all = tree.dom().made(NAME).filter_map(|node| tree.position(node));
    let mut all: Vec<usize> = all.collect();
    all.sort_unstable();
    let changes = |(at, edits): (usize, &NodeEdits<'_>)| {
        let around = all[..all.partition_point(|&noscript| noscript <= at)].last();
        let is_inside = around.is_some_and(|&noscript| noscript < at && at < tree.end(noscript));
        let is_one = around == Some(&at);
        let html = [&edits.before, &edits.after, &edits.prepend, &edits.append];
        let html = html
            .into_iter()
            .flatten()
            .chain(&edits.replaced)
            .chain(&edits.rename);
        is_inside
            || is_one && (edits.changes_inside() || edits.rename.is_some())
            || html.map(|given| given.1).any(|html| has(html, ""))
    };
    plan.iter().any(changes)
}
