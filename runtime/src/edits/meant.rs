//! The tree that edits mean, in one walk over the tree that is edited.

use alloc::vec::Vec;

use crate::dom::NodeKind;

use super::compare::{Event, Taken, events};
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

    pub(super) fn walk(&mut self, take: &mut impl FnMut(Event<'_>) -> Taken) -> Taken {
        let (tree, plan) = (self.tree(), self.plan);
        let end = tree.items[tree.root].end;
        // Each with whether it is edited.
        let mut open: Vec<(usize, bool)> = Vec::new();
        let mut at = tree.root + 1;
        let mut all_asked = plan.range(at..).peekable();
        if let Some(asked) = plan.get(&tree.root) {
            self.insert(asked.prepend.iter().rev(), tree.root, take)?;
        }
        loop {
            while let Some(&(last, is_asked)) = open.last()
                && tree.items[last].end <= at
            {
                open.pop();
                match is_asked {
                    true => self.close(last, take)?,
                    false => take(Event::Close)?,
                }
            }
            if at >= end {
                break;
            }
            self.split(at, true, take)?;
            while all_asked.next_if(|asked| *asked.0 < at).is_some() {}
            let asked = all_asked.next_if(|asked| *asked.0 == at);
            match asked.map(|asked| asked.1) {
                Some(asked) => {
                    if self.open(at, asked, take)? {
                        open.push((at, true));
                    } else {
                        let parent = tree.items[at].parent;
                        self.insert(asked.after.iter().rev(), parent, take)?;
                        at = tree.items[at].end;
                        continue;
                    }
                }
                None if self.plain(at, take)? => {
                    let is_contents = tree.items[at].node.kind() == NodeKind::TemplateContents;
                    open.push((at, is_contents));
                }
                None => {}
            }
            at += 1;
        }
        match plan.get(&tree.root) {
            Some(asked) if !self.is_split(tree.root) => {
                self.insert(asked.append.iter(), tree.root, take)
            }
            _ => Some(()),
        }
    }

    /// What the edits insert.
    fn insert<'g>(
        &mut self,
        given: impl Iterator<Item = &'g Given<'m>>,
        parent: usize,
        take: &mut impl FnMut(Event<'_>) -> Taken,
    ) -> Taken
    where
        'm: 'g,
    {
        for &(number, html) in given {
            self.last = number;
            let fragment = self.view.fragment(html, parent, self.plan);
            events(fragment.root(), take)?;
        }
        Some(())
    }

    fn is_split(&self, holder: usize) -> bool {
        self.splits.holders.contains(&holder)
    }

    /// What is appended to a node that this one is in, if it comes before or after this one.
    fn split(
        &mut self,
        at: usize,
        is_before: bool,
        take: &mut impl FnMut(Event<'_>) -> Taken,
    ) -> Taken {
        let Some(&(holder, length)) = self.splits.children.get(&at) else {
            return Some(());
        };
        match self.plan.get(&holder) {
            Some(asked) if (length == 0) == is_before => {
                self.insert(asked.append.iter(), self.tree().contents(holder), take)
            }
            _ => Some(()),
        }
    }

    /// A node of which nothing is asked. `true`: it is open.
    fn plain(&mut self, at: usize, take: &mut impl FnMut(Event<'_>) -> Taken) -> Option<bool> {
        let tree = self.tree();
        let node = tree.items[at].node;
        match node.kind() {
            NodeKind::Element => {
                let attributes = match tree.items[at].tag {
                    Some(_) => None,
                    None => self.attributes(at),
                };
                take(Event::Open(node, None, attributes))?;
            }
            NodeKind::TemplateContents => {
                take(Event::Contents)?;
                if let Some(asked) = self.plan.get(&tree.items[at].parent) {
                    self.insert(asked.prepend.iter().rev(), at, take)?;
                }
            }
            NodeKind::Text(text) => {
                let split = self.splits.children.get(&at).map(|split| split.1);
                let (start, end) = text.split_at_checked(split.unwrap_or(0))?;
                take(Event::Text(start))?;
                if !start.is_empty() {
                    self.split(at, false, take)?;
                }
                take(Event::Text(end))?;
                return Some(false);
            }
            leaf => {
                take(Event::Leaf(leaf))?;
                return Some(false);
            }
        }
        Some(true)
    }

    /// The new attributes of an element, or of what it is a copy of.
    fn attributes(&mut self, at: usize) -> Option<&'m NewAttributes<'m>> {
        let tree = self.tree();
        let of = match tree.items[at].tag {
            None => tree.items[at]
                .node
                .origin()
                .and_then(|it| tree.position(it)),
            Some(_) => None,
        };
        let asked = self.plan.get(&of.unwrap_or(at))?;
        let new = asked.attributes.values().next()?;
        self.last = new.number;
        Some(&asked.attributes)
    }

    /// A node of which something is asked. `true`: it is open; else what is in it is done.
    fn open(
        &mut self,
        at: usize,
        asked: &'m NodeEdits<'m>,
        take: &mut impl FnMut(Event<'_>) -> Taken,
    ) -> Option<bool> {
        let tree = self.tree();
        let (node, parent) = (tree.items[at].node, tree.items[at].parent);
        self.insert(asked.before.iter(), parent, take)?;
        self.last = *asked.numbers.last()?;
        if let Some(number) = asked.gone {
            self.last = number;
            self.insert(asked.replaced.iter(), parent, take)?;
            self.split(at, false, take)?;
            return Some(false);
        }
        if !node.is_element() {
            let Some((number, text)) = asked.text else {
                return self.plain(at, take);
            };
            self.last = number;
            take(match node.kind() {
                NodeKind::Comment(_) => Event::Leaf(NodeKind::Comment(text)),
                _ => Event::Text(text),
            })?;
            self.split(at, false, take)?;
            return Some(false);
        }
        let rename = asked.rename.map(|(number, name)| {
            self.last = number;
            name
        });
        take(Event::Open(node, rename, self.attributes(at)))?;
        let inside = asked.text.or(asked.html);
        if node.template_contents().is_none() && asked.html.is_none() {
            self.insert(asked.prepend.iter().rev(), at, take)?;
        }
        let Some((number, given)) = inside else {
            return Some(true);
        };
        self.last = number;
        match asked.html {
            Some(html) => self.insert([html].iter(), at, take)?,
            None => {
                take(Event::Text(given))?;
                self.insert(asked.append.iter(), at, take)?;
            }
        }
        take(Event::Close)?;
        Some(false)
    }

    fn close(&mut self, at: usize, take: &mut impl FnMut(Event<'_>) -> Taken) -> Taken {
        let tree = self.tree();
        let item = &tree.items[at];
        let is_contents = item.node.kind() == NodeKind::TemplateContents;
        let holder = if is_contents { item.parent } else { at };
        let is_holder = item.node.template_contents().is_none();
        if let Some(asked) = self.plan.get(&holder)
            && is_holder
            && !self.is_split(holder)
        {
            self.insert(asked.append.iter(), at, take)?;
        }
        take(Event::Close)?;
        match self.plan.get(&at) {
            Some(asked) => self.insert(asked.after.iter().rev(), item.parent, take),
            None => Some(()),
        }
    }
}
