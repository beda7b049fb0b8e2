//! Writes edits as splices of the text.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::dom::NodeKind;

use super::error::{EditErrorKind, Refused};
use super::extents::{Extents, Place};
use super::plan::{Given, NodeEdits, Plan};
use super::splice::{Part, Splits};
use super::tag::{attributes, escaped, written};
use super::view::View;

/// Writes edits.
pub(super) struct Writer<'w> {
    view: &'w View<'w>,
    plan: &'w Plan<'w>,
    /// Whether omitted tags are written out for an edit.
    is_explicit: &'w dyn Fn(usize) -> bool,
    pub(super) parts: Vec<Part>,
    pub(super) splits: Splits,
}

/// All splices that a plan needs, in order.
pub(super) fn write<'w>(
    view: &'w View<'w>,
    plan: &'w Plan<'w>,
    is_explicit: &'w dyn Fn(usize) -> bool,
) -> Result<Writer<'w>, Refused> {
    let mut writer = Writer {
        view,
        plan,
        is_explicit,
        parts: Vec::new(),
        splits: Splits::default(),
    };
    let mut done = 0;
    for (at, asked) in plan.iter() {
        if at >= done {
            done = writer.node(at, asked)?;
        }
    }
    writer.parts.sort_by_key(Part::key);
    Ok(writer)
}

impl<'w> Writer<'w> {
    const fn tree(&self) -> &'w Extents<'w> {
        &self.view.tree
    }

    fn put(&mut self, node: usize, at: Place, rank: usize, text: String) {
        let part = Part {
            at,
            text,
            node,
            rank,
        };
        self.parts.push(part);
    }

    /// HTML to insert; with `closes` with the end tags that it omits.
    fn fragment(&self, html: &str, parent: usize, closes: bool) -> String {
        let mut text = String::from(html);
        if !closes {
            return text;
        }
        let dom = self.view.fragment(html, parent, self.plan);
        let mut open = Vec::new();
        let mut last = dom.root().last_child();
        while let Some(node) = last {
            if node.span().is_some() && node.end_tag().is_none() && !node.is_void() {
                open.extend(node.name());
            }
            let contents = node.template_contents();
            last = contents.unwrap_or(node).last_child();
        }
        text.extend(open.iter().rev().map(|name| format!("</{name}>")));
        text
    }

    /// Writes the edits of a node, and returns the number of the next node that may have some.
    fn node(&mut self, at: usize, asked: &'w NodeEdits<'w>) -> Result<usize, Refused> {
        let tree = self.tree();
        let (node, parent) = (tree.node(at), tree.parent(at));
        let (early, late) = (2 * at, 2 * tree.end(at) - 1);
        let closes = asked
            .numbers
            .iter()
            .any(|&number| (self.is_explicit)(number));
        if closes {
            self.lead(at, asked, early);
        }
        for &(_, html) in asked.before.iter().chain(&asked.replaced) {
            let start = (tree.start(at), tree.start(at));
            let text = self.fragment(html, parent, closes);
            self.put(at, start, early, text);
        }
        let mut done = at + 1;
        if asked.gone.is_some() {
            for place in tree.removal(at) {
                let text = self.kept_newline(at, place);
                self.put(at, place, early, text);
            }
            if closes {
                // What goes on after it is opened there.
                for (written, copy) in tree.copies(at) {
                    let tag = tree.tag(written).map_or("", |tag| tree.text(tag));
                    let start = tree.start(copy);
                    self.put(copy, (start, start), 2 * copy, tag.into());
                }
            }
            done = tree.end(at);
        } else {
            self.tag(at, asked, early)?;
            self.end_tag(at, asked, late, closes)?;
            self.prepend(at, asked, early + 1, closes);
            if let Some(given) = asked.text {
                self.text(at, given, closes)?;
                done = if node.is_element() {
                    tree.end(at)
                } else {
                    done
                };
            }
            self.append(at, asked, late, closes);
        }
        if asked.after.is_empty() {
            return Ok(done);
        }
        let end = match tree.end_tag(at).filter(|_| tree.is_outer(at)) {
            Some((_, end)) => end,
            None => tree.hull(at).map_or_else(|| tree.gap(at).0, |hull| hull.1),
        };
        let is_plain = asked.gone.is_none() && asked.rename.is_none();
        for (index, &(_, html)) in asked.after.iter().rev().enumerate() {
            let mut text = self.fragment(html, parent, closes);
            if closes && index == 0 && is_plain && tree.is_open_ended(at) {
                let name = node.name().unwrap_or_default();
                text = format!("{}</{name}>{text}", tree.missing_end_tags(at));
            }
            self.put(at, (end, end), late, text);
        }
        Ok(done)
    }

    /// What the node has closed is closed by a tag, and what it has implied gets one.
    fn lead(&mut self, at: usize, asked: &NodeEdits<'_>, rank: usize) {
        let tree = self.tree();
        let parent = tree.parent(at);
        let is_new = asked.gone.is_some() || !asked.before.is_empty() || asked.rename.is_some();
        let Some((start, _)) = tree.hull(at).filter(|_| is_new) else {
            return;
        };
        let is_changed = |at: usize| {
            let asked = self.plan.get(at);
            asked.is_some_and(|it| it.gone.is_some() || it.rename.is_some() || !it.after.is_empty())
        };
        let before = tree.before(at);
        let open = before.filter(|&at| tree.is_open_ended(at) && !is_changed(at));
        let is_implied = tree.node(parent).is_element()
            && tree.tag(parent).is_none()
            && tree.end_tag(parent).is_none_or(|tag| tag.0 >= start)
            && tree.hull(parent).is_some_and(|hull| hull.0 == start);
        let text = if let Some(before) = open {
            let name = tree.node(before).name().unwrap_or_default();
            format!("{}</{name}>", tree.missing_end_tags(before))
        } else if is_implied && asked.gone.is_some() {
            format!("<{}>", tree.node(parent).name().unwrap_or_default())
        } else {
            return;
        };
        self.put(at, (start, start), rank, text);
    }

    /// A newline that comes first in a `pre` when something is removed.
    fn kept_newline(&self, at: usize, place: Place) -> String {
        let tree = self.tree();
        let parent = tree.parent(at);
        let is_first = tree.tag(parent).is_some_and(|tag| tag.1 == place.0);
        let is_newline = tree.rest(place.1).starts_with(['\n', '\r']);
        match is_first && is_newline && tree.node(parent).drops_first_newline() {
            true => "\n".into(),
            false => String::new(),
        }
    }

    /// The start tag.
    fn tag(&mut self, at: usize, asked: &'w NodeEdits<'w>, rank: usize) -> Result<(), Refused> {
        let tree = self.tree();
        let Some(tag) = tree.tag(at) else {
            return self.implied_tag(at, asked, rank);
        };
        let text = tree.text(tag);
        if let Some((_, name)) = asked.rename {
            let length = text[1..].find(ends_name).unwrap_or_default() as u32;
            self.put(at, (tag.0 + 1, tag.0 + 1 + length), rank, name.into());
        }
        if asked.attributes.is_empty() {
            return Ok(());
        }
        for (place, text, _) in attributes(text, tag.0, &asked.attributes) {
            self.put(at, place, rank, text);
        }
        self.merged_tags(at, asked, rank);
        Ok(())
    }

    /// Later `<html>` and `<body>` tags add attributes, which go from there, too.
    fn merged_tags(&mut self, at: usize, asked: &'w NodeEdits<'w>, rank: usize) {
        let node = self.tree().node(at);
        if !self.tree().is_outer(at) {
            return;
        }
        let name = node.name().unwrap_or_default();
        let mut removed = asked.attributes.clone();
        removed.retain(|_, new| new.value.is_none());
        for tag in self.tree().ignored_tags(name) {
            let text = self.tree().text(tag);
            for (place, text, _) in attributes(text, tag.0, &removed) {
                self.put(at, place, rank, text);
            }
        }
    }

    /// An element that has no start tag gets one for its attributes.
    fn implied_tag(
        &mut self,
        at: usize,
        asked: &'w NodeEdits<'w>,
        rank: usize,
    ) -> Result<(), Refused> {
        if let Some((number, _)) = asked.rename {
            let kind = EditErrorKind::NoPlace;
            return Err(Refused { number, kind });
        }
        let new = asked.attributes.values();
        let all = new.filter_map(|new| Some(written(new.name, new.value?)));
        let all: String = all.collect();
        if !all.is_empty() {
            let start = self.tree().start(at);
            let name = self.tree().node(at).name().unwrap_or_default();
            self.put(at, (start, start), rank, format!("<{name}{all}>"));
        }
        self.merged_tags(at, asked, rank);
        Ok(())
    }

    /// The end tag of a renamed element.
    fn end_tag(
        &mut self,
        at: usize,
        asked: &NodeEdits<'_>,
        rank: usize,
        closes: bool,
    ) -> Result<(), Refused> {
        let tree = self.tree();
        let (Some((_, name)), Some(tag)) = (asked.rename, tree.tag(at)) else {
            return Ok(());
        };
        if let Some(end) = tree.end_tag(at) {
            let text = &tree.text(end)[2..];
            let length = text.find(ends_name).unwrap_or_default() as u32;
            self.put(at, (end.0 + 2, end.0 + 2 + length), rank, name.into());
        } else if closes {
            let end = tree.hull(at).unwrap_or(tag).1;
            let text = format!("{}</{name}>", tree.missing_end_tags(at));
            self.put(at, (end, end), rank, text);
        }
        Ok(())
    }

    fn prepend(&mut self, at: usize, asked: &NodeEdits<'_>, rank: usize, closes: bool) {
        let tree = self.tree();
        if asked.prepend.is_empty() {
            return;
        }
        let holder = tree.contents(at);
        let has_none = closes && tree.hull(at).is_none();
        let next = if has_none { tree.gap(at).1 } else { None };
        let mut start = next.unwrap_or_else(|| tree.inner_start(at));
        let tag = tree.tag(at);
        if asked.text.is_some()
            && let Some((_, end)) = tag
        {
            start = end;
        }
        let keeps = tree.node(at).drops_first_newline() && tree.lost_newline(at) == 0;
        for (index, &(_, html)) in asked.prepend.iter().rev().enumerate() {
            let mut text = self.fragment(html, holder, closes);
            if index == 0 && keeps && tag.is_some() && text.starts_with(['\n', '\r']) {
                text.insert(0, '\n');
            }
            self.put(at, (start, start), rank, text);
        }
    }

    fn append(&mut self, at: usize, asked: &NodeEdits<'_>, rank: usize, closes: bool) {
        if asked.append.is_empty() {
            return;
        }
        let tree = self.tree();
        let holder = tree.contents(at);
        let (place, split) = self.append_place(at, holder, closes);
        if let Some((child, length)) = split.filter(|_| asked.text.is_none()) {
            self.splits.holders.insert(at);
            self.splits.children.insert(child, (at, length));
        }
        let mut end_tags = match closes && asked.text.is_none() {
            true => tree.missing_end_tags(holder),
            false => String::new(),
        };
        for &(_, html) in &asked.append {
            end_tags.push_str(&self.fragment(html, holder, closes));
            self.put(at, (place, place), rank, core::mem::take(&mut end_tags));
        }
    }

    /// Before the end tag, and the first child that is after it, with the length of its text before.
    fn append_place(
        &self,
        at: usize,
        holder: usize,
        closes: bool,
    ) -> (u32, Option<(usize, usize)>) {
        let tree = self.tree();
        let Some((start, end)) = tree.end_tag(at) else {
            let empty = || {
                let (before, after) = tree.gap(at);
                after.filter(|_| closes).unwrap_or(before)
            };
            return (tree.hull(at).map_or_else(empty, |hull| hull.1), None);
        };
        if closes && let Some(hull) = tree.hull(at).filter(|hull| hull.1 > end) {
            return (hull.1, None);
        }
        let mut children = tree.children(holder);
        let split = children.find_map(|child| {
            let hull = tree.hull(child).filter(|hull| hull.1 > start)?;
            if hull.0 >= start {
                return Some((child, 0));
            }
            let before = tree.node(child).pieces();
            let before = before.take_while(|(span, _)| span.end <= u64::from(start));
            let length = before.map(|(_, text)| text.len()).sum();
            (length != 0).then_some((child, length))
        });
        (start, split)
    }

    /// A new text for an element, a text or a comment.
    fn text(&mut self, at: usize, (number, text): Given<'_>, closes: bool) -> Result<(), Refused> {
        let tree = self.tree();
        let node = tree.node(at);
        let kind = EditErrorKind::NoPlace;
        let refused = Refused { number, kind };
        let is_element = node.is_element();
        let above = if is_element { at } else { tree.parent(at) };
        let holder = tree.node(above);
        let mut new = match holder.is_raw() {
            true => String::from(text),
            false => escaped(text).into_owned(),
        };
        if let NodeKind::Comment(_) = node.kind() {
            let place = tree.tag(at).ok_or(refused)?;
            self.put(at, place, 2 * at, format!("<!--{text}-->"));
            return Ok(());
        }
        let pieces = tree.pieces(at);
        let start = match is_element {
            true => tree
                .tag(at)
                .map_or_else(|| tree.inner_start(at), |tag| tag.1),
            false => pieces.first().ok_or(refused)?.0,
        };
        let is_first = is_element || tree.tag(above).is_some_and(|tag| tag.1 == start);
        if is_first && holder.drops_first_newline() && new.starts_with('\n') {
            new.insert(0, '\n');
        }
        if !is_element {
            let [first, rest @ ..] = &pieces[..] else {
                return Ok(());
            };
            self.put(at, *first, 2 * at, new);
            for &place in rest {
                self.put(at, place, 2 * at, String::new());
            }
            return Ok(());
        }
        if closes && tree.tag(at).is_none() {
            new.insert_str(0, &format!("<{}>", node.name().unwrap_or_default()));
        }
        let rank = 2 * at + 1;
        self.put(at, (start, start), rank, new);
        let tags = tree.tag(at).zip(tree.end_tag(at));
        let inside = tags.map(|(tag, end)| ((tag.1, end.0), (tag.0, end.1)));
        match inside.filter(|&(inside, whole)| {
            inside.0 <= inside.1 && tree.hull(at) == Some(whole) && tree.is_clean(inside, at)
        }) {
            Some((inside, _)) => self.put(at, inside, rank, String::new()),
            None => {
                for child in tree.children(at) {
                    for place in tree.removal(child) {
                        self.put(at, place, 2 * child, String::new());
                    }
                }
            }
        }
        Ok(())
    }
}

fn ends_name(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, '/' | '>')
}
