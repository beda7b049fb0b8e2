//! Edits of texts beside the same operations on a tree: random ones, on pages, and hostile ones.

mod hostile;
mod mutable;
mod pages;
mod random;
mod readers;

use libtest_mimic::Failed;
use speclex::tree::{Options, Scripting};
use speclex::{Context, Dom, EditError, Edits, Node, NodeId};
use speclex_tests::cases::Cases;

/// An edit of a node.
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
}

impl Edit {
    fn ask(&self, edits: &mut Edits<'_>, node: Node<'_>) {
        match self {
            Self::Remove => edits.remove(node),
            Self::ReplaceWith(html) => edits.replace_with(node, html),
            Self::Before(html) => edits.before(node, html),
            Self::After(html) => edits.after(node, html),
            Self::Prepend(html) => edits.prepend(node, html),
            Self::Append(html) => edits.append(node, html),
            Self::SetText(text) => edits.set_text(node, text),
            Self::SetAttribute(name, value) => edits.set_attribute(node, name, value),
            Self::RemoveAttribute(name) => edits.remove_attribute(node, name),
            Self::Rename(name) => edits.rename(node, name),
        };
    }
}

fn is_element(node: Node<'_>) -> bool {
    node.is_element()
}

/// Parses a text as another one was.
fn again<'t>(text: &'t str, context: Option<&Context>, scripting: Scripting) -> Dom<'t> {
    let mut options = Options::default();
    options.scripting = scripting;
    match context {
        None => speclex::parse_with(text, &options),
        Some(context) => speclex::parse_fragment_with(text, context.clone(), &options)
            .unwrap_or_else(|error| panic!("{error}")),
    }
}

/// The text with edits.
fn apply(dom: &Dom<'_>, list: &[(NodeId, Edit)]) -> Result<String, EditError> {
    let mut edits = Edits::new(dom);
    for (id, edit) in list {
        edit.ask(&mut edits, dom.node(*id).unwrap_or(dom.root()));
    }
    edits.apply()
}

/// What was tried.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    tried: usize,
    taken: usize,
    /// Those that were compared with the tree.
    compared: usize,
}

impl Count {
    /// Tries edits; with `compares` what is taken is compared with the tree.
    fn one(
        &mut self,
        dom: &Dom<'_>,
        list: &[(NodeId, Edit)],
        context: Option<&Context>,
        compares: bool,
    ) -> Result<Option<EditError>, Failed> {
        self.tried += 1;
        let text = match apply(dom, list) {
            Ok(text) => text,
            Err(error) => return Ok(Some(error)),
        };
        self.taken += 1;
        let none = Scripting::Disabled;
        let is_meant =
            |dom, list: &[_], scripting| mutable::is_meant(dom, list, context, scripting, &text);
        let mut results = vec![];
        if compares {
            results.extend(is_meant(dom, list, none));
        }
        if compares && dom.input().to_ascii_lowercase().contains("<noscript") {
            // As it is read where scripts run, if all the nodes are there, too.
            let other = again(dom.input(), context, Scripting::Normal);
            let there = list.iter().map(|(id, edit)| {
                let node = dom.node(*id)?;
                let nodes = other.root().descendants_with_templates();
                let mut alike =
                    nodes.filter(|it| it.span() == node.span() && it.name() == node.name());
                let found = alike.find(|it| it.span().is_some() && it.is_element())?;
                Some((found.id(), edit.clone()))
            });
            if let Some(there) = there.collect::<Option<Vec<_>>>() {
                results.extend(is_meant(&other, &there, Scripting::Normal));
            }
        }
        self.compared += usize::from(!results.is_empty());
        for result in results {
            result.map_err(|trees| {
                let input = dom.input();
                format!("{input:?}\n{list:?}\n{text:?}\n{trees:.6000}")
            })?;
        }
        Ok(None)
    }

    fn share(&self) -> f64 {
        100.0 * self.taken as f64 / self.tried.max(1) as f64
    }
}

pub(crate) fn add(suite: &mut Cases) {
    random::add(suite);
    readers::add(suite);
    hostile::add(suite);
    pages::add(suite);
}
