//! A builder notes what it does with a token, and what changes by that.

use speclex_codegen::tree::machine::{BlockId, BodyId, Exit, Holds, ModeId, Space};

use super::arena::{Node, NodeId};
use super::builder::Builder;
use super::log::{Noted, SHOWN, TakenArm, TokenStep, UNKNOWN, cut};
use super::received::Received;
use super::slot::Slot;
use crate::trace::Reported;

/// How many entries of a stack or list are shown: the last ones.
const MOST_ENTRIES: usize = 8;

impl Builder<'_> {
    /// Notes what an arm does: with a number a step, or else the exit, and what a guard answers. Procedures are not noted.
    pub(super) fn note(
        &mut self,
        (body, block): (BodyId, BlockId),
        step: Option<usize>,
        answer: Option<bool>,
    ) {
        let machine = self.machine;
        let Some(log) = &mut self.log else { return };
        let (Some((mode, key)), Some(it)) = (log.arms.get(&body), machine.bodies.get(body)) else {
            return;
        };
        if log.running != Some(body) {
            log.running = Some(body);
            log.taken.push(TakenArm {
                mode: machine.modes[*mode].name.clone(),
                arm: key.clone(),
                steps: Vec::new(),
            });
        }
        let line = it.places.get(block).and_then(|(steps, exit)| match step {
            Some(step) => steps.get(step).copied(),
            None => Some(*exit),
        });
        // An end may be in no line.
        let is_done = answer.is_none() && step.is_none() && it.blocks[block].exit == Exit::Done;
        let ends = |line: &&String| matches!(line.trim_start(), "ignore the token" | "return");
        let line = line.and_then(|line| it.lines.get(line));
        let line = line.filter(|line| !is_done || ends(line));
        if let (Some(line), Some(arm)) = (line, log.taken.last_mut()) {
            let line = line.trim_start();
            arm.steps.push(match answer {
                Some(answer) => {
                    let answer = if answer { "yes" } else { "no" };
                    format!("{} {answer}", line.trim_end())
                }
                None => line.to_owned(),
            });
        }
    }

    /// Notes that a token has been dealt with, or was ignored as a newline is after some tags.
    pub(super) fn note_token(&mut self, errors: usize) {
        if self.log.is_none() {
            return;
        }
        let known = self.known();
        let placed = std::mem::take(&mut self.tree.placed).unwrap_or_default();
        self.tree.placed = Some(Vec::new());
        let mut places: Vec<String> = Vec::new();
        for node in placed {
            let place = self.place_of(node);
            places.extend(place.filter(|place| !places.contains(place)));
        }
        let token = &self.token;
        let errors = self.errors[errors..].iter().map(|error| Reported {
            code: error.code.unwrap_or("parse-error").to_owned(),
            offset: error.offset,
            at: UNKNOWN,
        });
        let step = TokenStep {
            offset: token.span.start,
            at: UNKNOWN,
            states: Vec::new(),
            token: self.shown_token(token),
            arms: Vec::new(),
            changed: Vec::new(),
            placed: places,
            hosts: Vec::new(),
            errors: errors.collect(),
        };
        let (end, character) = (token.span.end, token.character);
        let Some(log) = &mut self.log else { return };
        let is_new = |it: &&(String, String)| !log.known.contains(it);
        let changed = known.iter().filter(is_new).cloned().collect();
        log.known = known;
        log.running = None;
        let step = TokenStep {
            arms: std::mem::take(&mut log.taken),
            changed,
            hosts: std::mem::take(&mut self.host_events),
            ..step
        };
        let states = std::mem::take(&mut log.states);
        let is_run = |last: &&mut Noted| {
            !last.text.is_empty()
                && character.is_some()
                && last.step.arms == step.arms
                && last.step.placed == step.placed
                && last.step.errors.is_empty()
                && step.errors.is_empty()
                && step.changed.is_empty()
                && (last.step.hosts.is_empty() && step.hosts.is_empty())
        };
        if let Some(last) = log.noted.back_mut().filter(is_run) {
            last.end = end;
            if last.text.len() <= 4 * SHOWN {
                last.text.extend(character);
            }
            return;
        }
        log.noted.push_back(Noted {
            step,
            end,
            states,
            text: character.into_iter().collect(),
        });
    }

    fn shown_token(&self, token: &Received) -> String {
        let kind = self
            .machine
            .kinds
            .get(token.kind)
            .map_or("", |kind| &kind.name);
        let mut shown = kind.to_owned();
        if let Some(name) = token.name() {
            shown += &format!(" {}", cut(name));
        }
        let attributes = &token.tag.attributes;
        for attribute in attributes.iter().take(MOST_ENTRIES) {
            shown += &format!(" {}={}", cut(&attribute.name), cut(&attribute.value));
        }
        if attributes.len() > MOST_ENTRIES {
            shown += " …";
        }
        for text in [&token.target, &token.data] {
            if !text.is_empty() {
                shown += &format!(" {}", cut(text));
            }
        }
        shown
    }

    /// What later tokens depend on, by name.
    pub(super) fn known(&self) -> Vec<(String, String)> {
        let mode = |mode: ModeId| self.machine.modes[mode].name.clone();
        let called = &self.machine.called;
        let mut known = vec![
            (called.clone(), mode(self.mode)),
            (format!("original {called}"), mode(self.original)),
        ];
        let mut add = |name: &str, value: String| known.push((name.to_owned(), value));
        add(
            "stack of template insertion modes",
            last(&self.templates, |it| mode(*it)),
        );
        let nodes = |nodes: &[NodeId]| last(nodes, |it| self.name_of(*it));
        add("stack of open elements", nodes(self.stack.entries()));
        add(
            "list of active formatting elements",
            nodes(self.list.entries()),
        );
        let pending = self.pending.iter().map(|(it, _)| it);
        let pending: String = pending.take(SHOWN + 1).collect();
        add("pending table character tokens", cut(&pending));
        for (state, slot) in self.machine.states.iter().zip(&self.states) {
            let value = match (slot, &state.holds) {
                (Slot::Node(node), _) => self.name_of(*node),
                (Slot::Word(word), Holds::Words(words)) => {
                    words.get(*word).cloned().unwrap_or_default()
                }
                (Slot::Truth(truth), _) => truth.to_string(),
                _ => "null".to_owned(),
            };
            add(&state.name, value);
        }
        add(
            "tokenizer",
            self.content
                .clone()
                .unwrap_or_else(|| "as before".to_owned()),
        );
        known
    }

    /// Where a node is, if it is in anything.
    fn place_of(&self, node: NodeId) -> Option<String> {
        let mut parents = Vec::new();
        let mut above = self.tree.parent(node);
        while let Some(parent) = above {
            if parents.len() == MOST_ENTRIES {
                parents.push("…".to_owned());
                break;
            }
            parents.push(self.name_of(parent));
            above = self.tree.parent(parent);
        }
        if parents.is_empty() {
            return None;
        }
        parents.reverse();
        let before = self.tree.next_sibling(node);
        let before = before.map_or(String::new(), |next| {
            format!(", before {}", self.name_of(next))
        });
        Some(format!(
            "{} in {}{before}",
            self.name_of(node),
            parents.join(" > ")
        ))
    }

    /// What a host step is given: the name of an element alone.
    pub(super) fn argument(&self, node: Option<NodeId>) -> String {
        let name = node.map_or_else(|| "null".to_owned(), |node| self.name_of(node));
        let element = node.and_then(|node| self.tree.element(node));
        match element.and(name.get(1..name.len() - 1)) {
            Some(alone) => alone.to_owned(),
            None => name,
        }
    }

    fn name_of(&self, node: NodeId) -> String {
        match self.tree.node(node) {
            Node::Document => "Document".to_owned(),
            Node::Contents => "template contents".to_owned(),
            Node::Marker => "marker".to_owned(),
            Node::Doctype { name, .. } => format!("DOCTYPE {}", cut(name)),
            Node::Element(element) => {
                let space = match element.space {
                    Space::Svg => "svg ",
                    Space::MathMl => "math ",
                    _ => "",
                };
                let name: String = element.name.chars().take(SHOWN).collect();
                format!("<{space}{name}>")
            }
            Node::Text(_) => "a Text node".to_owned(),
            Node::EntityReference(name) => format!("&{name};"),
            Node::Comment(_) => "a comment".to_owned(),
            Node::ProcessingInstruction { target, .. } => format!("<?{target}>"),
        }
    }
}

/// The last entries.
fn last<T>(entries: &[T], shown: impl Fn(&T) -> String) -> String {
    let from = entries.len().saturating_sub(MOST_ENTRIES);
    let shown: Vec<_> = entries[from..].iter().map(shown).collect();
    let shown = shown.join(" > ");
    match (entries.len(), from) {
        (0, _) => "empty".to_owned(),
        (_, 0) => shown,
        (all, _) => format!("{all} entries, … > {shown}"),
    }
}
