//! What is done.

use std::collections::HashSet;
use std::sync::Arc;

use speclex_codegen::tree::machine::{
    Identifier, Names, Node as Named, Space, Step, Types, Variable,
};

use super::arena::{Node, NodeId, Place};
use super::builder::Builder;
use super::received::Received;
use super::slot::{Frame, Slot, node_in, number_of};

impl Builder<'_> {
    /// Does one thing. Where a node is needed and there is none, nothing.
    pub(super) fn step(&mut self, step: &Step, frame: &mut Frame) {
        // What is missing makes a step do nothing.
        let _ = self.try_step(step, frame);
    }

    fn try_step(&mut self, step: &Step, frame: &mut Frame) -> Option<()> {
        match step {
            Step::ParseError => self.error(None),
            Step::Set(slot, value) => *frame.get_mut(*slot)? = self.value(value, frame),
            Step::SetNode(state, value) => {
                let value = self.value(value, frame);
                *self.states.get_mut(*state)? = value;
            }
            Step::SetWord(state, word) => *self.states.get_mut(*state)? = Slot::Word(*word),
            Step::SetProperty(number, node, value) => {
                let node = self.node(node, frame)?;
                let value = node_in(&self.value(value, frame));
                self.tree.set_property(node, *number, value);
            }
            Step::Increment(slot, by) => {
                let by = number_of(*by, frame);
                if let Slot::Number(number) = frame.get_mut(*slot)? {
                    *number = number.saturating_add(by);
                }
            }
            Step::SetPrevious(slot) => {
                let node = node_in(frame.get(*slot)?)?;
                *frame.get_mut(*slot)? = self.stack.above(node).map_or(Slot::Null, Slot::Node);
            }
            Step::FosterParenting(enabled) => self.foster_parenting = *enabled,
            Step::SwitchTo(mode) => self.mode = self.mode_of(*mode),
            Step::SetOriginalMode => self.original = self.mode,
            Step::PushMode(mode) => self.templates.push(self.mode_of(*mode)),
            Step::PopMode => {
                self.templates.pop();
            }
            Step::SwitchTokenizer(content) => self.content = Some(content.clone()),
            Step::Acknowledge => self.token.must_be_acknowledged = false,
            Step::IgnoreNext(character) => self.ignored_next = Some(*character),
            Step::UseRules(mode) => self.rules(self.mode_of(*mode)),
            Step::RunArm(mode, arm) => self.arm(*mode, *arm),
            Step::RunArmForPending(mode, arm) => {
                let token = self.token.clone();
                for (character, span) in self.pending.clone() {
                    self.token = Received::character(character, span);
                    self.arm(*mode, *arm);
                }
                self.token = token;
            }
            Step::Run(call) => {
                self.call(call, frame);
            }
            Step::Host(call) => {
                self.host(call, frame);
            }

            Step::Pop => {
                self.pop();
            }
            Step::PopUntil(types) => self.pop_until(types, frame),
            Step::PopThrough(node) => {
                let node = self.node(node, frame);
                while let Some(popped) = self.pop() {
                    if Some(popped) == node {
                        break;
                    }
                }
            }
            Step::PopBelow(node) => {
                let node = self.node(node, frame);
                while self.stack.current().is_some() && self.stack.current() != node {
                    self.pop()?;
                }
            }
            Step::Push(node) => {
                let node = self.node(node, frame)?;
                self.stack.push(&self.tree, node);
            }
            Step::Remove(variable, node) => {
                let node = self.node(node, frame)?;
                self.replace(*variable, node, None);
            }
            Step::Replace(variable, node, with) => {
                let node = self.node(node, frame)?;
                let with = self.node(with, frame)?;
                self.replace(*variable, node, Some(with));
            }
            Step::InsertBelow(node, above) => {
                let node = self.node(node, frame)?;
                let above = self.node(above, frame)?;
                let at = self.stack.order().position(above)?;
                self.stack.insert(&self.tree, at + 1, node);
            }
            Step::Add(node) => {
                let node = self.node(node, frame)?;
                self.list.push(node);
            }
            Step::AddMarker => {
                let marker = self.tree.create(Node::Marker, None);
                self.list.push(marker);
            }
            Step::InsertAtPosition(node, position) => {
                let node = self.node(node, frame)?;
                let at = self.position(position, frame)?;
                self.list.insert(at, node);
            }

            Step::Insert(node, location) => {
                let node = self.node(node, frame)?;
                let place = self.place(location, frame)?;
                self.tree.insert(node, place);
            }
            Step::Append(node, parent) => {
                let node = self.node(node, frame)?;
                let parent = self.node(parent, frame)?;
                self.tree.insert(
                    node,
                    Place {
                        parent,
                        before: None,
                    },
                );
            }
            Step::MoveChildren(from, to) => {
                let from = self.node(from, frame)?;
                let to = self.node(to, frame)?;
                self.tree.move_children(from, to);
            }
            Step::Detach(node) => {
                let node = self.node(node, frame)?;
                self.tree.detach(node);
            }
            Step::AppendAttributes(token, node) => {
                let token = self.token_of(token, frame);
                let node = self.node(node, frame)?;
                let is_of_token = Arc::ptr_eq(&token, &self.token.tag) && !self.token.is_end_tag;
                let span = is_of_token.then(|| self.token.span.clone());
                self.tree.set_token(node, token, span);
            }
            Step::AddMissingAttributes(node) => self.add_missing_attributes(node, frame)?,
            Step::DropAttributes => self.token.attributes_mut().clear(),
            Step::Rename(name) => {
                let (name, _) = self.text(name, frame);
                Arc::make_mut(&mut self.token.tag).name = name;
            }
            Step::RenameBy(names) => {
                let names: &Names = self.machine.names.get(*names)?;
                let tag = Arc::make_mut(&mut self.token.tag);
                let (_, renamed) = names.entries.iter().find(|(name, _)| *name == tag.name)?;
                tag.name.clone_from(&renamed.local);
            }
            Step::AdjustAttributes(names) => {
                let names: &Names = self.machine.names.get(*names)?;
                for attribute in self.token.attributes_mut() {
                    let mut entries = names.entries.iter();
                    if attribute.space == Space::None
                        && let Some((_, renamed)) = entries.find(|(it, _)| *it == attribute.name)
                    {
                        attribute.prefix.clone_from(&renamed.prefix);
                        attribute.name.clone_from(&renamed.local);
                        attribute.space = renamed.namespace.unwrap_or(Space::None);
                    }
                }
            }
            Step::AppendText(text, location) => {
                let (text, span) = self.text(text, frame);
                let place = self.place(location, frame)?;
                let node = self.tree.text_before(place)?;
                self.tree.append_to_text(node, &text, span.as_ref());
            }
            Step::InsertText(text, location) => {
                let (text, span) = self.text(text, frame);
                let place = self.place(location, frame)?;
                if !text.is_empty() {
                    let node = self.tree.create(Node::Text(text), span);
                    self.tree.insert(node, place);
                }
            }
            Step::InsertComment(location) => {
                let place = self.place(location, frame)?;
                self.insert(Node::Comment(self.token.data.clone()), place);
            }
            Step::InsertProcessingInstruction(location) => {
                let place = self.place(location, frame)?;
                let (target, data) = (self.token.target.clone(), self.token.data.clone());
                self.insert(Node::ProcessingInstruction { target, data }, place);
            }
            Step::InsertEntityReference(location) => {
                let place = self.place(location, frame)?;
                self.insert(Node::EntityReference(self.token.tag.name.clone()), place);
            }
            Step::InsertDoctype(location) => {
                let place = self.place(location, frame)?;
                let identifier =
                    |which| self.token.identifier(which).unwrap_or_default().to_owned();
                let doctype = Node::Doctype {
                    name: self.token.tag.name.clone(),
                    public_identifier: identifier(Identifier::Public),
                    system_identifier: identifier(Identifier::System),
                };
                self.insert(doctype, place);
            }
            Step::EmptyPending => self.pending.clear(),
            Step::AppendPending => {
                let character = self.token.character?;
                self.pending.push((character, self.token.span.clone()));
            }
        }
        Some(())
    }

    fn pop_until(&mut self, types: &Types, frame: &Frame) {
        while let Some(popped) = self.pop() {
            if self.is_of(popped, types, frame) {
                break;
            }
        }
    }

    /// Takes a node out of a list or stack, if it is there, and puts another one in its place, if there is one.
    fn replace(&mut self, variable: Variable, node: NodeId, with: Option<NodeId>) {
        let order = match variable {
            Variable::OpenElements => self.stack.order(),
            Variable::ActiveFormattingElements => self.list.order(),
            _ => return,
        };
        let Some(at) = order.position(node) else {
            return;
        };
        match (variable, with) {
            (Variable::ActiveFormattingElements, Some(with)) => self.list.replace(at, with),
            (Variable::ActiveFormattingElements, None) => self.list.remove(at),
            (_, Some(with)) => {
                self.stack.remove(&self.tree, at);
                self.stack.insert(&self.tree, at, with);
            }
            (_, None) => {
                self.stack.remove(&self.tree, at);
                self.leaves_the_stack(node);
            }
        }
    }

    /// Inserts a node that is made for the token.
    fn insert(&mut self, node: Node, place: Place) {
        let node = self.tree.create(node, Some(self.token.span.clone()));
        self.tree.insert(node, place);
    }

    fn add_missing_attributes(&mut self, node: &Named, frame: &Frame) -> Option<()> {
        let node = self.node(node, frame)?;
        let tag = Arc::clone(&self.token.tag);
        let element = self.tree.element_mut(node)?;
        let present: HashSet<_> = (element.attributes.iter())
            .map(|it| (it.space, it.name.clone()))
            .collect();
        let missing = tag.attributes.iter();
        let missing = missing.filter(|it| !present.contains(&(it.space, it.name.clone())));
        Arc::make_mut(&mut element.attributes).extend(missing.cloned());
        Some(())
    }
}
