//! Which option of a select element is selected, and its copy in the selectedcontent element: the steps on insertion and removal of
//! 4.10.7, 4.10.10 and the section on selectedcontent, as far as a parser reaches them.
//!
//! A disabled selectedcontent element updates nothing and clears nothing when it is connected or removed, as whatwg/html#11878 says.
//! whatwg/html#12263, which fills all selectedcontent elements of a select, is not part of the standard. But as there, an element is
//! disabled wherever it is, connected or not: else nested selects in a template or fragment would double what is copied.

use std::collections::HashMap;

use speclex_codegen::tree::machine::Space;

use super::arena::{DOCUMENT, NodeId, Select, Surroundings, Tree};

/// What a move of a node concerns, in tree order.
#[derive(Debug, Default)]
pub(super) struct Concerned {
    /// The select outside of the node that its options belong to.
    select: Option<NodeId>,
    options: Vec<NodeId>,
    contents: Vec<NodeId>,
    /// Those of them that are not disabled.
    enabled: Vec<NodeId>,
}

impl Tree {
    /// "Maybe clone an option into selectedcontent".
    pub(super) fn maybe_clone(&mut self, option: NodeId) {
        if self.is_selected(option)
            && let Some(select) = self.nearest_select(option)
            && let Some(content) = self.enabled_content(select)
        {
            self.fill(content, Some(option));
        }
    }

    /// What is concerned if a node leaves its parent.
    pub(super) fn concerned(&mut self, node: NodeId) -> Option<Concerned> {
        let inside = self.known_inside(node);
        let parent = self.parent(node).filter(|_| !inside.is_empty())?;
        let select = self.surroundings(parent).select;
        let mut concerned = Concerned {
            select,
            ..Concerned::default()
        };
        for id in inside {
            if self.is_content(id) {
                concerned.contents.push(id);
                if !self.is_disabled_content(id) {
                    concerned.enabled.push(id);
                }
            } else if self.is_option(id) && select.is_some() && self.nearest_select(id) == select {
                concerned.options.push(id);
            }
        }
        Some(concerned)
    }

    /// The removing steps, after a node has left its parent.
    pub(super) fn removed(&mut self, node: NodeId, concerned: &Concerned) {
        self.forget_surroundings(node);
        let Some(select) = concerned.select else {
            return;
        };
        for outer in self.with_outer_selects(select) {
            let first = self.select(outer).content;
            if first.is_some_and(|it| concerned.contents.contains(&it)) {
                let first = self.contents_in(outer).next();
                self.select(outer).content = first;
            }
        }
        let selected = self.select(select).selected;
        if selected.is_some_and(|it| concerned.options.contains(&it)) {
            self.select(select).selected = None;
            let mut options: Vec<_> = self.descendants(select).collect();
            options.retain(|&it| self.is_option(it) && self.nearest_select(it) == Some(select));
            self.set_selectedness(select, &options);
        } else if !concerned.options.is_empty() {
            self.set_selectedness(select, &[]);
        }
        for &content in &concerned.enabled {
            let parent = self.parent(content);
            let inner = parent.and_then(|parent| self.surroundings(parent).select);
            if inner.is_none() {
                self.update(select);
            }
        }
    }

    /// The insertion steps and the post-connection steps, after a node has got a parent.
    pub(super) fn inserted(&mut self, node: NodeId) {
        if self.is_option(node) || self.is_content(node) {
            self.selection.inside.entry(node).or_default();
        }
        if !self.selection.inside.contains_key(&node) {
            return;
        }
        let mut holder = self.parent(node);
        while let Some(id) = holder.filter(|id| !self.selection.inside.contains_key(id)) {
            self.selection.inside.insert(id, None);
            holder = self.parent(id);
        }
        self.forget_surroundings(node);
        let Some(concerned) = self.concerned(node) else {
            return;
        };
        if let (Some(select), Some(&content)) = (concerned.select, concerned.contents.first()) {
            for outer in self.with_outer_selects(select) {
                let first = self.select(outer).content;
                if first.is_none_or(|first| self.precedes(content, first)) {
                    self.select(outer).content = Some(content);
                }
            }
        }
        if let (Some(select), false) = (concerned.select, concerned.options.is_empty()) {
            self.set_selectedness(select, &concerned.options);
        }
        for content in concerned.contents {
            self.connected(content);
        }
    }

    /// The post-connection steps of a selectedcontent element.
    fn connected(&mut self, content: NodeId) {
        let parent = self.parent(content);
        let around = parent.map(|parent| self.surroundings(parent));
        let Some(around) = around.filter(|around| around.is_connected) else {
            return;
        };
        let Some(select) = around.select else {
            return;
        };
        if !around.is_disabled && !self.has(select, "multiple") {
            self.update(select);
            for other in self.contents_in(select).skip(1).collect::<Vec<_>>() {
                self.fill(other, None);
            }
        }
    }

    /// The selectedness setting algorithm. It is given the options that may change something: those that are new to the list, or all if the
    /// selected one has left it. If there was no selected one, all others are disabled.
    fn set_selectedness(&mut self, select: NodeId, options: &[NodeId]) {
        if self.has(select, "multiple") {
            return;
        }
        let before = self.select(select).selected;
        let selected = options.iter().copied().filter(|&it| self.is_selected(it));
        let mut selected: Vec<_> = selected.collect();
        selected.extend(before);
        let kept = match *selected {
            [] if self.has_display_size_1(select) => {
                let enabled = options.iter().copied().find(|&it| !self.is_disabled(it));
                if let Some(enabled) = enabled {
                    self.selection.selectedness.insert(enabled, true);
                }
                enabled
            }
            [] => return,
            [one] => {
                self.select(select).selected = Some(one);
                return;
            }
            _ => {
                let last = selected.iter().copied();
                let last = last.reduce(|last, it| if self.precedes(last, it) { it } else { last });
                for &other in selected.iter().filter(|&&it| Some(it) != last) {
                    self.selection.selectedness.insert(other, false);
                }
                last
            }
        };
        self.select(select).selected = kept;
        self.update(select);
    }

    /// "Update a select's selectedcontent".
    fn update(&mut self, select: NodeId) {
        if let Some(content) = self.enabled_content(select) {
            let option = self.select(select).selected;
            self.fill(content, option);
        }
    }

    /// Replaces the children of a selectedcontent element with copies of those of an option, or with nothing.
    fn fill(&mut self, content: NodeId, option: Option<NodeId>) {
        if self.selection.busy.insert(content) {
            self.replace_children(content, option);
            self.selection.busy.remove(&content);
        }
    }

    /// "Get a select's enabled selectedcontent".
    fn enabled_content(&mut self, select: NodeId) -> Option<NodeId> {
        let content = self.select(select).content?;
        let is_enabled = !self.is_disabled_content(content);
        (is_enabled && !self.has(select, "multiple")).then_some(content)
    }

    fn is_disabled_content(&mut self, content: NodeId) -> bool {
        let parent = self.parent(content);
        parent.is_some_and(|parent| self.surroundings(parent).is_disabled)
    }

    fn select(&mut self, select: NodeId) -> &mut Select {
        self.selection.selects.entry(select).or_default()
    }

    /// "Option element nearest ancestor select".
    fn nearest_select(&mut self, option: NodeId) -> Option<NodeId> {
        let around = self.parent(option).map(|it| self.surroundings(it))?;
        around.select.filter(|_| !around.is_barred)
    }

    /// A select and those that it is in.
    fn with_outer_selects(&mut self, select: NodeId) -> Vec<NodeId> {
        let mut selects = vec![select];
        let mut parent = self.parent(select);
        while let Some(outer) = parent.and_then(|it| self.surroundings(it).select) {
            selects.push(outer);
            parent = self.parent(outer);
        }
        selects
    }

    fn is_option(&self, id: NodeId) -> bool {
        self.is(id, Space::Html, "option")
    }

    fn is_content(&self, id: NodeId) -> bool {
        self.is(id, Space::Html, "selectedcontent")
    }

    fn contents_in(&self, select: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.descendants(select).filter(|&it| self.is_content(it))
    }

    fn is_selected(&self, option: NodeId) -> bool {
        let selectedness = self.selection.selectedness.get(&option).copied();
        selectedness.unwrap_or_else(|| self.has(option, "selected"))
    }

    /// Whether an option is disabled, by itself or by its optgroup.
    fn is_disabled(&mut self, option: NodeId) -> bool {
        let parent = self.parent(option);
        let group = parent.and_then(|parent| self.surroundings(parent).group);
        self.has(option, "disabled") || group.is_some_and(|group| self.has(group, "disabled"))
    }

    /// Whether the display size of a select without `multiple` is 1: its `size` by the rules for parsing non-negative integers, if
    /// they give one (2.3.4.2).
    fn has_display_size_1(&self, select: NodeId) -> bool {
        let size = self.attribute(select, "size").unwrap_or_default();
        let size = size.trim_start_matches([' ', '\t', '\n', '\u{c}', '\r']);
        let (is_negative, size) = match size.strip_prefix('-') {
            Some(size) => (true, size),
            None => (false, size.strip_prefix('+').unwrap_or(size)),
        };
        let digits = size.find(|it: char| !it.is_ascii_digit());
        let (digits, _) = size.split_at(digits.unwrap_or(size.len()));
        match (digits, digits.trim_start_matches('0')) {
            ("", _) => true,
            (_, "") => false,
            (_, number) => is_negative || number == "1",
        }
    }

    fn has(&self, id: NodeId, attribute: &str) -> bool {
        self.attribute(id, attribute).is_some()
    }

    /// A node and what is known inside it, in tree order.
    fn known_inside(&self, node: NodeId) -> Vec<NodeId> {
        let is_known = |id: &NodeId| self.selection.inside.contains_key(id);
        let nodes = std::iter::successors(Some(node), |&id| {
            let child = self.first_child(id).filter(|_| is_known(&id));
            child.or_else(|| self.after(id, node))
        });
        nodes.filter(is_known).collect()
    }

    fn forget_surroundings(&mut self, node: NodeId) {
        for id in self.known_inside(node) {
            self.selection.inside.insert(id, None);
        }
    }

    /// What a child of a node is in.
    fn surroundings(&mut self, node: NodeId) -> Surroundings {
        let mut path = Vec::new();
        let mut next = Some(node);
        let mut around = Surroundings::default();
        while let Some(id) = next {
            if let Some(&Some(known)) = self.selection.inside.get(&id) {
                around = known;
                break;
            }
            path.push(id);
            next = self.parent(id);
        }
        for id in path.into_iter().rev() {
            self.enter(id, &mut around);
            if let Some(known) = self.selection.inside.get_mut(&id) {
                *known = Some(around);
            }
        }
        around
    }

    fn enter(&self, id: NodeId, around: &mut Surroundings) {
        around.is_connected |= id == DOCUMENT && !self.selection.is_fragment;
        let element = self.element(id).filter(|it| it.space == Space::Html);
        match element.map_or("", |it| &*it.name) {
            "select" => {
                around.is_disabled |= around.select.is_some();
                (around.select, around.group, around.is_barred) = (Some(id), None, false);
            }
            "optgroup" => around.is_barred |= around.group.replace(id).is_some(),
            "datalist" | "hr" => around.is_barred = true,
            "option" => (around.is_barred, around.is_disabled) = (true, true),
            "selectedcontent" => around.is_disabled = true,
            _ => {}
        }
    }

    /// Whether a node comes before another one of the same tree, in tree order. The time depends on how far they are apart only.
    fn precedes(&self, one: NodeId, other: NodeId) -> bool {
        // For each, the nodes on the way up, with the child from which they were reached.
        let mut reached = [one, other].map(|id| HashMap::from([(id, id)]));
        let mut tops = [Some(one), Some(other)];
        while tops != [None, None] {
            for side in [0, 1] {
                let Some(top) = tops[side] else { continue };
                if let Some(&child) = reached[1 - side].get(&top) {
                    let children = [reached[side][&top], child];
                    let [one, other] = [children[side], children[1 - side]];
                    return one == top || other != top && self.is_earlier_sibling(one, other);
                }
                tops[side] = self.parent(top);
                if let Some(parent) = tops[side] {
                    reached[side].insert(parent, top);
                }
            }
        }
        false
    }

    fn is_earlier_sibling(&self, one: NodeId, other: NodeId) -> bool {
        let (mut after_one, mut after_other) = (Some(one), Some(other));
        while after_one.is_some() || after_other.is_some() {
            after_one = after_one.and_then(|it| self.next_sibling(it));
            after_other = after_other.and_then(|it| self.next_sibling(it));
            if after_one == Some(other) || after_other == Some(one) {
                return after_one == Some(other);
            }
        }
        false
    }
}
