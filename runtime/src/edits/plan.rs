//! The edits of each node.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::dom::NodeKind;

use super::error::{EditErrorKind, Refused};
use super::extents::Extents;

/// A change of a node.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    Remove,
    ReplaceWith(String),
    Before(String),
    After(String),
    Prepend(String),
    Append(String),
    SetText(String),
    SetAttribute(String, String),
    RemoveAttribute(String),
    Rename(String),
    /// Only for a `noscript` element whose text has edits inside where others read elements.
    SetHtml(String),
}

/// An edit of a node: its number, and which node.
#[derive(Clone, Copy)]
pub(super) struct Task<'e> {
    pub(super) number: usize,
    pub(super) at: usize,
    pub(super) edit: &'e Edit,
}

/// HTML or text of the edit with a number.
pub(super) type Given<'e> = (usize, &'e str);

/// A new attribute or value; none: it is removed.
#[derive(Clone, Copy)]
pub(super) struct NewAttribute<'e> {
    pub(super) number: usize,
    pub(super) name: &'e str,
    pub(super) value: Option<&'e str>,
}

/// New attributes by their lowercase names.
pub(super) type NewAttributes<'e> = BTreeMap<String, NewAttribute<'e>>;

/// All edits of one node. Each has its number.
#[derive(Default)]
pub(super) struct NodeEdits<'e> {
    /// In order.
    pub(super) numbers: Vec<usize>,
    pub(super) gone: Option<usize>,
    pub(super) replaced: Option<Given<'e>>,
    pub(super) before: Vec<Given<'e>>,
    /// The last comes first.
    pub(super) after: Vec<Given<'e>>,
    /// The last comes first.
    pub(super) prepend: Vec<Given<'e>>,
    pub(super) append: Vec<Given<'e>>,
    pub(super) text: Option<Given<'e>>,
    pub(super) html: Option<Given<'e>>,
    pub(super) attributes: NewAttributes<'e>,
    pub(super) rename: Option<Given<'e>>,
}

impl NodeEdits<'_> {
    /// Whether what is in the node changes.
    pub(super) fn changes_inside(&self) -> bool {
        let is_new = self.text.is_some() || self.html.is_some();
        is_new || !self.prepend.is_empty() || !self.append.is_empty()
    }
}

/// The edits of all nodes that have some, in the order of the document.
pub(super) struct Plan<'e>(Vec<(usize, NodeEdits<'e>)>);

impl<'e> Plan<'e> {
    pub(super) fn get(&self, at: usize) -> Option<&NodeEdits<'e>> {
        let found = self.0.binary_search_by_key(&at, |node| node.0).ok()?;
        Some(&self.0[found].1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &NodeEdits<'e>)> + Clone {
        self.0.iter().map(|(at, edits)| (*at, edits))
    }
}

/// Sorts edits by the node that each changes.
pub(super) fn plan<'e>(tree: &Extents<'_>, tasks: &[Task<'e>]) -> Result<Plan<'e>, Refused> {
    let mut sorted = Vec::with_capacity(tasks.len());
    for &Task { number, at, edit } in tasks {
        let refused = |kind| Refused { number, kind };
        let at = holder(tree, at, edit).ok_or(refused(EditErrorKind::Node))?;
        if let Edit::Rename(name) = edit
            && !is_tag_name(name)
        {
            return Err(refused(EditErrorKind::Name));
        }
        if let Edit::SetAttribute(name, _) = edit
            && !is_attribute_name(name)
            && tree.node(at).attribute(name).is_none()
        {
            return Err(refused(EditErrorKind::Name));
        }
        sorted.push(Task { number, at, edit });
    }
    sorted.sort_by_key(|task| task.at);
    let mut plan: Vec<(usize, NodeEdits<'_>)> = Vec::with_capacity(sorted.len());
    for Task { number, at, edit } in sorted {
        if plan.last().is_none_or(|last| last.0 != at) {
            plan.push((at, NodeEdits::default()));
        }
        let Some((_, asked)) = plan.last_mut() else {
            continue;
        };
        asked.numbers.push(number);
        let mut attribute = |name: &'e str, value| {
            let new = NewAttribute {
                number,
                name,
                value,
            };
            asked.attributes.insert(name.to_ascii_lowercase(), new);
        };
        match edit {
            Edit::Remove => asked.gone = Some(number),
            Edit::ReplaceWith(html) => {
                (asked.gone, asked.replaced) = (Some(number), Some((number, html.as_str())));
            }
            Edit::Before(html) => asked.before.push((number, html)),
            Edit::After(html) => asked.after.push((number, html)),
            Edit::Prepend(html) => asked.prepend.push((number, html)),
            Edit::Append(html) => asked.append.push((number, html)),
            Edit::SetText(text) => asked.text = Some((number, text)),
            Edit::SetHtml(html) => asked.html = Some((number, html)),
            Edit::Rename(name) => asked.rename = Some((number, name)),
            Edit::SetAttribute(name, value) => attribute(name, Some(value)),
            Edit::RemoveAttribute(name) => attribute(name, None),
        }
    }
    Ok(Plan(plan))
}

/// The node whose contents or attributes an edit changes; `None` if nodes of this kind cannot be edited so.
fn holder(tree: &Extents<'_>, at: usize, edit: &Edit) -> Option<usize> {
    let (node, kind) = (tree.node(at), tree.node(at).kind());
    let is_above = at <= tree.root;
    let is_possible = match edit {
        Edit::Prepend(_) | Edit::Append(_) if kind == NodeKind::TemplateContents => {
            return Some(tree.parent(at));
        }
        Edit::Prepend(_) | Edit::Append(_) => at == tree.root || node.is_element() && !is_above,
        Edit::Remove | Edit::ReplaceWith(_) | Edit::Before(_) | Edit::After(_) => {
            kind != NodeKind::TemplateContents && !is_above
        }
        Edit::SetText(_) => {
            let is_plain = node.is_element() && node.template_contents().is_none();
            (is_plain || node.is_text() || matches!(kind, NodeKind::Comment(_))) && !is_above
        }
        Edit::Rename(_) | Edit::SetHtml(_) => node.is_element() && !is_above,
        // Attributes belong to a tag, and so to all elements that it makes.
        Edit::SetAttribute(..) | Edit::RemoveAttribute(_) => {
            if let Some(origin) = node.origin() {
                return tree.position(origin).filter(|_| node.is_element());
            }
            node.is_element() && !is_above
        }
    };
    is_possible.then_some(at)
}

fn is_tag_name(name: &str) -> bool {
    let ends = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>' | '\0');
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(ends)
}

fn is_attribute_name(name: &str) -> bool {
    let ends =
        |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>' | '=' | '\0' | '"' | '\'' | '<');
    !name.is_empty() && !name.contains(ends)
}
