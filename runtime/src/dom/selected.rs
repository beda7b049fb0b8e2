//! Which option of a select element is selected, and what its `selectedcontent` element shows: copies of what is in that option
//! (4.10.7, 4.10.10).

use alloc::vec::Vec;

use super::edges::Edge;
use super::known::Shown;
use super::links::{DOCUMENT, NONE, Raw, What};
use super::strings::Part;
use super::{DomSink, EXTENDED, NOWHERE, Place, Tags, copied, place_of_copy};

impl<const ERRORS: bool> DomSink<'_, ERRORS> {
    /// An option was created.
    #[inline(never)]
    pub(super) fn note_option(&mut self, option: u32) {
        if self.has_attribute(option, "selected") {
            self.selected.options.insert(option);
        }
    }

    /// Those options among some nodes that are in the list of options of a select element.
    pub(super) fn options_of(&mut self, select: Option<u32>, nodes: &[u32]) -> Vec<u32> {
        let mut options = Vec::new();
        for &it in nodes {
            if select.is_some()
                && self.dom.links.what(it) == self.option
                && self.above(it).select == select
            {
                options.push(it);
            }
        }
        options
    }

    /// Options in a node were inserted.
    pub(super) fn select_inserted(&mut self, id: u32, watched: &[u32]) {
        let Some(select) = self.above(id).select else {
            return;
        };
        let options = self.options_of(Some(select), watched);
        let selected = options
            .iter()
            .filter(|it| self.selected.options.contains(it));
        let selected: Vec<u32> = selected.copied().collect();
        if !selected.is_empty() {
            let list = self.selected.of_select.entry(select).or_default();
            list.extend(selected);
        }
        for option in options {
            self.set_selectedness(select, Some(option));
        }
    }

    /// Options of a select element were removed from it.
    pub(super) fn deselect_removed(&mut self, select: u32, options: &[u32]) {
        if let Some(list) = self.selected.of_select.get_mut(&select) {
            list.retain(|it| !options.contains(it));
        }
        if !options.is_empty() {
            self.set_selectedness(select, None);
        }
    }

    /// The selectedness setting algorithm. If no option is selected, all that can be were inserted with or after the given one.
    fn set_selectedness(&mut self, select: u32, inserted: Option<u32>) {
        let list = self.selected.of_select.get(&select);
        match *list.map_or(&[][..], Vec::as_slice) {
            [] if self.has_size_one(select) => {
                let first = match inserted {
                    // It may have left again: it was in what an earlier one replaced.
                    Some(option) if self.above(option).select != Some(select) => None,
                    Some(option) => (!self.is_disabled(option)).then_some(option),
                    None => self.first_enabled(select),
                };
                if let Some(option) = first {
                    self.selected.options.insert(option);
                    self.selected.of_select.insert(select, Vec::from([option]));
                }
            }
            [] | [_] => return,
            [first, ref others @ ..] => {
                let links = &self.dom.links;
                let later = |one, &other: &u32| match links.is_before(one, other) {
                    true => other,
                    false => one,
                };
                let last = others.iter().fold(first, later);
                let list = self.selected.of_select.insert(select, Vec::from([last]));
                for option in list.unwrap_or_default() {
                    if option != last {
                        self.selected.options.remove(&option);
                    }
                }
            }
        }
        self.update_content(select);
    }

    /// Whether the display size is 1. It is by itself, as options of elements with `multiple` are in no list here.
    fn has_size_one(&self, select: u32) -> bool {
        let name = self.dom.attribute_names.find("size");
        let mut attributes = self.dom.raw_attributes(select).iter();
        let size = attributes.find(|it| name.is_some() && Some(it.name) == name);
        size.is_none_or(|it| is_one_or_no_number(self.dom.strings.get(it.value)))
    }

    fn is_disabled(&mut self, option: u32) -> bool {
        self.has_attribute(option, "disabled") || self.above(option).group == Some(true)
    }

    fn first_enabled(&mut self, select: u32) -> Option<u32> {
        let mut at = Some(select);
        loop {
            at = self.dom.links.following(at?, select);
            let option = at?;
            if self.dom.links.what(option) == self.option
                && self.above(option).select == Some(select)
                && !self.is_disabled(option)
            {
                return Some(option);
            }
        }
    }

    /// The enabled `selectedcontent` element of a select element.
    fn enabled_content(&mut self, select: u32) -> Option<u32> {
        if self.watched.contents.is_empty() || self.has_attribute(select, "multiple") {
            return None;
        }
        let content = self.first_content(select)?;
        (!self.above(content).disables).then_some(content)
    }

    fn first_content(&mut self, select: u32) -> Option<u32> {
        let root = self.around(select).root;
        let list = self.watched.contents.get(&root)?;
        list.first_inside(&self.dom.links, select)
    }

    /// Updates the `selectedcontent` element of a select element.
    pub(super) fn update_content(&mut self, select: u32) {
        let Some(content) = self.enabled_content(select) else {
            return;
        };
        let selected = self.selected.of_select.get(&select);
        let links = &self.dom.links;
        let earlier = |one, other| match links.is_before(one, other) {
            true => one,
            false => other,
        };
        let option = selected.and_then(|list| list.iter().copied().reduce(earlier));
        self.replace_children(content, option);
    }

    /// Runs the host step "maybe clone an option into selectedcontent".
    #[inline(never)]
    pub(super) fn clone_option(&mut self, option: u32) {
        if !self.watched.contents.is_empty()
            && self.selected.options.contains(&option)
            && let Some(select) = self.above(option).select
            && let Some(content) = self.enabled_content(select)
        {
            self.replace_children(content, Some(option));
        }
    }

    /// Runs the post-connection steps of a `selectedcontent` element that was inserted.
    ///
    /// Whether it is disabled depends on the elements above it, also where it is not connected: so whatwg/html#12263 has it. If it
    /// depended on earlier steps, nested select elements in a template could double what is copied.
    pub(super) fn connect_content(&mut self, content: u32) {
        let around = self.above(content);
        if around.root != DOCUMENT || self.dom.root != DOCUMENT || around.disables {
            return;
        }
        let Some(select) = around.nearest else {
            return;
        };
        if self.has_attribute(select, "multiple") {
            return;
        }
        self.update_content(select);
        // The others are cleared.
        let first = self.first_content(select);
        let root = self.around(select).root;
        let Some(filled) = self.watched.filled.get(&root) else {
            return;
        };
        let filled: Vec<u32> = filled.inside(&self.dom.links, select).collect();
        for other in filled {
            if Some(other) != first {
                self.replace_children(other, None);
            }
        }
    }

    /// Whether the removing steps of one of some nodes update what this select element, the nearest one above all, shows.
    pub(super) fn shows_in(&mut self, select: Option<u32>, nodes: &[u32]) -> bool {
        let mut nodes = nodes.iter();
        select.is_some()
            && nodes.any(|&it| {
                let above = self.above(it);
                self.dom.links.what(it) == self.selectedcontent
                    && above.nearest == select
                    && !above.disables
            })
    }

    /// Replaces the children of a `selectedcontent` element with copies of those of an option, contents of templates included.
    /// While this runs, nothing else replaces them: the standard does not say what happens if its steps replace what they replace.
    fn replace_children(&mut self, content: u32, option: Option<u32>) {
        let is_shown = |it: &Shown| it.content == content && Some(it.option) == option;
        if self.selected.replaced.contains(&content)
            || self.selected.shown.as_ref().is_some_and(is_shown)
        {
            return;
        }
        self.selected.replaced.push(content);
        // Copies first: the element may be in the option.
        let first = self.dom.links.nodes.len() as u32;
        let copies = option.map_or_else(Vec::new, |option| self.copies(option));
        let end = self.dom.links.nodes.len() as u32;
        while let Some(child) = self.dom.links.first_child(content) {
            self.remove(child);
        }
        for copy in copies {
            self.attach(copy, content, NONE);
        }
        self.selected.replaced.pop();
        self.selected.shown = option.map(|option| {
            let links = &self.dom.links;
            let entered = links.edges(option).map(|edge| match edge {
                Edge::Open(id) | Edge::Close(id) => id,
            });
            let (least, most) = entered.fold((option, option), |(least, most), id| {
                (least.min(id), most.max(id))
            });
            Shown {
                option,
                content,
                sources: least..=most,
                copies: first..end,
            }
        });
    }

    /// What is in a node changes.
    #[inline(always)]
    pub(super) fn note_change(&mut self, id: u32) {
        if let Some(shown) = &self.selected.shown
            && (id == shown.content || shown.sources.contains(&id) || shown.copies.contains(&id))
        {
            self.selected.shown = None;
        }
    }

    /// The selected options of a select element, in tree order.
    #[cfg(test)]
    pub(super) fn selected_of(&self, select: u32) -> Vec<u32> {
        let list = self.selected.of_select.get(&select);
        list.cloned().unwrap_or_default()
    }

    #[cfg(test)]
    pub(super) fn is_selected(&self, option: u32) -> bool {
        self.selected.options.contains(&option)
    }

    /// The option and the element into which it was copied last, if neither has changed.
    #[cfg(test)]
    pub(super) fn shown(&self) -> Option<(u32, u32)> {
        let shown = self.selected.shown.as_ref()?;
        Some((shown.option, shown.content))
    }

    /// Copies of the children of a node.
    fn copies(&mut self, of: u32) -> Vec<u32> {
        let mut copies = Vec::new();
        let edges: Vec<Edge<u32>> = self.dom.links.edges(of).collect();
        let mut open: Vec<u32> = Vec::new();
        let inner = edges.len().saturating_sub(1);
        for edge in edges.into_iter().take(inner).skip(1) {
            let Edge::Open(id) = edge else {
                open.pop();
                continue;
            };
            let parent = open.last().copied();
            let copy = match parent {
                Some(parent) if self.dom.links.what(id) == What::CONTENTS => {
                    self.dom.links.contents(parent).unwrap_or(DOCUMENT)
                }
                _ => self.copy(id),
            };
            match parent {
                // There are too many nodes.
                _ if copy == DOCUMENT => break,
                Some(parent) => self.attach(copy, parent, NONE),
                None => copies.push(copy),
            }
            open.push(copy);
        }
        copies
    }

    /// Copies a node without what is in it. The Document: there are too many.
    fn copy(&mut self, id: u32) -> u32 {
        let node = *self.dom.links.node(id);
        let of = place_of_copy(copied(self.dom.place(id)).unwrap_or(id));
        match node.what {
            what if what.is_element() => self.copy_element(node, of),
            What::TEXT | What::COMMENT | What::REFERENCE => {
                let Raw { start, length, .. } = node;
                let part = self.dom.strings.share(Part { start, length });
                self.create(Raw::new(node.what, part.start, part.length, of))
            }
            what => self.create(Raw::new(what, node.start, node.length, of)),
        }
    }

    fn copy_element(&mut self, node: Raw, start: Place) -> u32 {
        let mut attributes = self.dom.tags[node.start as usize].attributes;
        if node.length == EXTENDED {
            // A list grows for one element only.
            let list = self.dom.extended[attributes as usize].clone();
            self.extended
                .push(self.extended[attributes as usize].clone());
            attributes = self.dom.extended.len() as u32;
            self.dom.extended.push(list);
        }
        let tags = Tags {
            attributes,
            start,
            end: NOWHERE,
        };
        self.add_element(node.what, tags, node.length)
    }
}

/// Whether a string, by the rules for parsing non-negative integers, is 1 or none.
fn is_one_or_no_number(text: &str) -> bool {
    let text = text.trim_ascii_start();
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = text.find(|c: char| !c.is_ascii_digit());
    let digits = &text[..end.unwrap_or(text.len())];
    match digits.trim_start_matches('0') {
        "" => digits.is_empty(),
        "1" => true,
        _ => is_negative,
    }
}
