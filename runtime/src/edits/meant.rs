//! The tree that edits mean, in one walk over the tree that is edited.

use alloc::vec::Vec;

use crate::dom::{Edge, NodeKind};

use super::compare::{Event, Take, Taken, events, has_inside, opened};
use super::extents::Extents;
use super::plan::{Given, NewAttributes, NodeEdits, Plan};
use super::splice::Splits;
use super::view::View;

/// Walks over the tree that is meant.
pub(super) struct Meant<'m> {
    pub(super) view: &'m View<'m>,
    pub(super) plan: &'m Plan<'m>,
    /// Where what is appended comes before other children.
    pub(super) splits: &'m Splits,
    /// The edit that was applied last.
    pub(super) last: usize,
}

impl<'m> Meant<'m> {
    const fn tree(&self) -> &'m Extents<'m> {
        &self.view.tree
    }

    pub(super) fn walk(&mut self, to: &mut impl Take) -> Taken {
        let (tree, plan) = (self.tree(), self.plan);
        if let Some(edits) = plan.get(tree.root) {
            self.insert(edits.prepend.iter().rev(), tree.root, to)?;
        }
        let has_copies = plan.iter().any(|(_, edits)| !edits.attributes.is_empty());
        let mut walk = tree.node(tree.root).walk().with_templates();
        walk.next();
        let edited = self.edited();
        let mut edited = edited.iter().skip_while(|&&at| at <= tree.root).peekable();
        // Those of them that are open, each with whether it is in the tree that is meant.
        let mut open = alloc::vec![(tree.root, true)];
        // The node that was opened last.
        let mut at = tree.root;
        while let Some(&(inside, is_there)) = open.last() {
            let most = edited.peek().map_or(usize::MAX, |&next| next - at - 1);
            at += to.take_some(&mut walk, most, tree.node(inside).id(), has_copies);
            match walk.next()? {
                Edge::Close(node) if node != tree.node(inside) => {
                    to.take(Event::Close(node.name()))?;
                }
                Edge::Close(_) => {
                    open.pop();
                    self.close(inside, is_there, to)?;
                }
                Edge::Open(_) => {
                    at += 1;
                    if edited.next_if_eq(&&at).is_none() {
                        if !self.plain(at, to)? {
                            // It is closed at once.
                            walk.next();
                        }
                        continue;
                    }
                    self.split(at, true, to)?;
                    let is_open = match plan.get(at) {
                        Some(edits) => self.open(at, edits, to)?,
                        None => self.plain(at, to)?,
                    };
                    open.push((at, is_open));
                    if !is_open {
                        walk.skip_subtree();
                        at = tree.end(at) - 1;
                        while edited.next_if(|&&next| next <= at).is_some() {}
                    }
                }
            }
        }
        Some(())
    }

    /// Where the tree that is meant is not as it was, but for copies.
    fn edited(&self) -> Vec<usize> {
        let nodes = self.plan.iter().map(|(at, _)| at);
        let contents = nodes.clone().map(|at| self.tree().contents(at));
        let splits = self.splits.children.keys().copied();
        let mut all: Vec<_> = nodes.chain(contents).chain(splits).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What the edits insert.
    fn insert<'g>(
        &mut self,
        given: impl Iterator<Item = &'g Given<'m>>,
        parent: usize,
        to: &mut impl Take,
    ) -> Taken
    where
        'm: 'g,
    {
        for &(number, html) in given {
            self.last = number;
            let fragment = self.view.fragment(html, parent, self.plan);
            events(fragment.root(), to)?;
        }
        Some(())
    }

    /// What is appended to a node that this one is in, if it comes before or after this one.
    fn split(&mut self, at: usize, is_before: bool, to: &mut impl Take) -> Taken {
        let Some(&(holder, length)) = self.splits.children.get(&at) else {
            return Some(());
        };
        match self.plan.get(holder) {
            Some(asked) if (length == 0) == is_before => {
                self.insert(asked.append.iter(), self.tree().contents(holder), to)
            }
            _ => Some(()),
        }
    }

    /// A node of which nothing is asked. `true`: it is open.
    fn plain(&mut self, at: usize, to: &mut impl Take) -> Option<bool> {
        let tree = self.tree();
        let node = tree.node(at);
        match node.kind() {
            NodeKind::Element => {
                let attributes = match tree.tag(at) {
                    Some(_) => None,
                    None => self.attributes(at),
                };
                to.take(Event::Open(node, None, attributes))?;
            }
            NodeKind::TemplateContents => {
                to.take(Event::Contents)?;
                if let Some(asked) = self.plan.get(tree.parent(at)) {
                    self.insert(asked.prepend.iter().rev(), at, to)?;
                }
            }
            NodeKind::Text(text) => {
                let split = self.splits.children.get(&at).map(|split| split.1);
                let (start, end) = text.split_at_checked(split.unwrap_or(0))?;
                to.take(Event::Text(start))?;
                if !start.is_empty() {
                    self.split(at, false, to)?;
                }
                to.take(Event::Text(end))?;
            }
            _ => to.take(opened(node))?,
        }
        Some(has_inside(node))
    }

    /// The new attributes of an element, or of what it is a copy of.
    fn attributes(&mut self, at: usize) -> Option<&'m NewAttributes<'m>> {
        let tree = self.tree();
        let of = match tree.tag(at) {
            None => tree.node(at).origin().and_then(|it| tree.position(it)),
            Some(_) => None,
        };
        let asked = self.plan.get(of.unwrap_or(at))?;
        let new = asked.attributes.values().next()?;
        self.last = new.number;
        Some(&asked.attributes)
    }

    /// A node of which something is asked. `true`: it is open; else what is in it is done.
    fn open(&mut self, at: usize, asked: &'m NodeEdits<'m>, to: &mut impl Take) -> Option<bool> {
        let tree = self.tree();
        let (node, parent) = (tree.node(at), tree.parent(at));
        self.insert(asked.before.iter(), parent, to)?;
        self.last = *asked.numbers.last()?;
        if let Some(number) = asked.gone {
            self.last = number;
            self.insert(asked.replaced.iter(), parent, to)?;
            self.split(at, false, to)?;
            return Some(false);
        }
        if !node.is_element() {
            let Some((number, text)) = asked.text else {
                return self.plain(at, to);
            };
            self.last = number;
            to.take(match node.kind() {
                NodeKind::Comment(_) => Event::Leaf(NodeKind::Comment(text)),
                _ => Event::Text(text),
            })?;
            self.split(at, false, to)?;
            return Some(false);
        }
        let rename = asked.rename.map(|(number, name)| {
            self.last = number;
            name
        });
        to.take(Event::Open(node, rename, self.attributes(at)))?;
        let inside = asked.text.or(asked.html);
        if node.template_contents().is_none() && asked.html.is_none() {
            self.insert(asked.prepend.iter().rev(), at, to)?;
        }
        let Some((number, given)) = inside else {
            return Some(true);
        };
        self.last = number;
        match asked.html {
            Some(html) => self.insert([html].iter(), at, to)?,
            None => {
                to.take(Event::Text(given))?;
                self.insert(asked.append.iter(), at, to)?;
            }
        }
        to.take(Event::Close(rename.or(node.name())))?;
        Some(false)
    }

    fn close(&mut self, at: usize, is_there: bool, to: &mut impl Take) -> Taken {
        let tree = self.tree();
        let (node, parent) = (tree.node(at), tree.parent(at));
        let is_contents = node.kind() == NodeKind::TemplateContents;
        let holder = if is_contents { parent } else { at };
        if is_there {
            if let Some(edits) = self.plan.get(holder)
                && node.template_contents().is_none()
                && !self.splits.holders.contains(&holder)
            {
                self.insert(edits.append.iter(), at, to)?;
            }
            if at == tree.root {
                return Some(());
            }
            let rename = self.plan.get(at).and_then(|edits| edits.rename);
            to.take(Event::Close(rename.map(|it| it.1).or(node.name())))?;
        }
        match self.plan.get(at) {
            Some(edits) => self.insert(edits.after.iter().rev(), parent, to),
            None => Some(()),
        }
    }
}
