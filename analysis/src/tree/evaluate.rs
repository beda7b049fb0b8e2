//! What steps and guards speak of: nodes, types, places, tokens, texts.

use std::ops::Range;
use std::sync::Arc;

use speclex_codegen::tree::machine::{
    Call, HostCall, Location, Namespace, Node as Named, Position, SetId, Space, Text, TokenOf,
    Truth, Types, Value,
};

use super::arena::{Element, Node, NodeId, Place, Tag};
use super::builder::Builder;
use super::log::HostEvent;
use super::outside::host_step;
use super::slot::{End, Frame, Slot, node_in, number_of};

impl Builder<'_> {
    pub(super) fn value(&mut self, value: &Value, frame: &Frame) -> Slot {
        match value {
            Value::Null => Slot::Null,
            Value::Node(node) => self.node(node, frame).map_or(Slot::Null, Slot::Node),
            Value::Location(location) => {
                self.place(location, frame).map_or(Slot::Null, Slot::Place)
            }
            Value::Position(position) => match self.position(position, frame) {
                Some(at) => Slot::Position(self.list.remember(at)),
                None => Slot::Null,
            },
            Value::Text(text) => {
                let (text, span) = self.text(text, frame);
                Slot::Text(text, span)
            }
            Value::Number(number) => Slot::Number(number_of(*number, frame)),
            Value::Truth(truth) => Slot::Truth(self.truth(truth, frame)),
            Value::Token(token) => Slot::Token(self.token_of(token, frame)),
            Value::Namespace(namespace) => Slot::Namespace(self.space(namespace, frame)),
            Value::Types(types) => Slot::Types(Arc::new(self.without_slots(types, frame))),
        }
    }

    /// Runs a procedure; what it returns.
    pub(super) fn call(&mut self, call: &Call, frame: &Frame) -> Slot {
        let arguments = call
            .arguments
            .iter()
            .map(|it| self.value(it, frame))
            .collect();
        match self.run(call.body, arguments) {
            End::Done(slot) => slot,
            End::Act(mode, arm) => {
                self.arm(mode, arm);
                Slot::Null
            }
            End::Using(mode) => {
                self.rules(self.mode_of(mode));
                Slot::Null
            }
        }
    }

    /// Runs a host step. Returns its answer.
    pub(super) fn host(&mut self, call: &HostCall, frame: &Frame) -> bool {
        let arguments = call
            .arguments
            .iter()
            .map(|it| node_in(&self.value(it, frame)));
        let arguments: Vec<_> = arguments.collect();
        let Some(host) = self.machine.hosts.get(call.host) else {
            return false;
        };
        if !host.is_known {
            let event = HostEvent {
                offset: self.token.span.start,
                step: host.name.clone(),
                arguments: arguments.iter().map(|node| self.argument(*node)).collect(),
            };
            self.host_events.push(event);
        }
        match arguments[..] {
            [] => self.host_calls.push((call.host, None)),
            _ => (self.host_calls).extend(arguments.iter().map(|node| (call.host, *node))),
        }
        host_step(self.machine, &mut self.tree, &host.name, &arguments)
            || self.has_shadow_roots && host.name == "attach a declarative shadow root"
    }

    /// A node or a marker; `None` for null.
    pub(super) fn node(&mut self, node: &Named, frame: &Frame) -> Option<NodeId> {
        match node {
            Named::Slot(slot) => node_in(frame.get(*slot)?),
            Named::State(state) => node_in(self.states.get(*state)?),
            Named::Document => Some(super::arena::DOCUMENT),
            Named::Current => self.stack.current(),
            Named::AdjustedCurrent => match self.context {
                Some(context) if self.stack.entries().len() == 1 => Some(context),
                _ => self.stack.current(),
            },
            Named::New => self.new,
            Named::Popped => self.popped,
            Named::Top => self.stack.entries().first().copied(),
            Named::Second => self.stack.entries().get(1).copied(),
            Named::Last(types) => self.last_on_stack(types, frame),
            Named::Above(node) => {
                let node = self.node(node, frame)?;
                self.stack.above(node)
            }
            Named::TopmostLower(types, node) => {
                let node = self.node(node, frame)?;
                let mut at = self.stack.order().position(node)? + 1;
                while let Some(&lower) = self.stack.entries().get(at) {
                    if self.is_of(lower, types, frame) {
                        return Some(lower);
                    }
                    at += 1;
                }
                None
            }
            Named::LastEntry => self.list.entries().last().copied(),
            Named::LastEntryOf(types) => {
                let entries = self.after_marker().to_vec();
                entries
                    .into_iter()
                    .rev()
                    .find(|&it| self.is_of(it, types, frame))
            }
            Named::EarliestLike(node) => {
                let node = self.node(node, frame)?;
                self.like(node).next()
            }
            Named::EntryBefore(node) => {
                let node = self.node(node, frame)?;
                self.list.beside(node, -1)
            }
            Named::EntryAfter(node) => {
                let node = self.node(node, frame)?;
                self.list.beside(node, 1)
            }
            Named::In(location) => Some(self.place(location, frame)?.parent),
            Named::Parent(node) => {
                let node = self.node(node, frame)?;
                self.tree.parent(node)
            }
            Named::Contents(node) => self.element(node, frame)?.contents,
            Named::Property(number, node) => {
                let node = self.node(node, frame)?;
                self.tree.property(node, *number)
            }
            Named::Create(name, namespace) => {
                let (name, _) = self.text(name, frame);
                let space = self.space(namespace, frame);
                self.new = Some(self.tree.create_element(space, &name));
                self.new
            }
            Named::Nearest(types, node) => {
                let mut node = self.node(node, frame)?;
                while !self.is_of(node, types, frame) {
                    node = self.tree.parent(node)?;
                }
                Some(node)
            }
            Named::Call(call) => node_in(&self.call(call, frame)),
        }
    }

    pub(super) fn element(&mut self, node: &Named, frame: &Frame) -> Option<&Element> {
        let node = self.node(node, frame)?;
        self.tree.element(node)
    }

    /// The entries of the list after its last marker.
    fn after_marker(&self) -> &[NodeId] {
        let entries = self.list.entries();
        let is_marker = |&node: &NodeId| matches!(self.tree.node(node), Node::Marker);
        let marker = entries.iter().rposition(is_marker);
        entries
            .get(marker.map_or(0, |marker| marker + 1)..)
            .unwrap_or_default()
    }

    /// The entries after the last marker with the name, namespace and attributes of an element.
    pub(super) fn like(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let element = self.tree.element(node);
        let alike = move |&entry: &NodeId| {
            let (Some(one), Some(other)) = (self.tree.element(entry), element) else {
                return false;
            };
            one.space == other.space
                && one.name_id == other.name_id
                && one.token.has_attributes_of(&other.token)
        };
        self.after_marker().iter().copied().filter(alike)
    }

    /// The first open element that a predicate accepts, from the current node upwards.
    pub(super) fn upwards(
        &mut self,
        mut is: impl FnMut(&mut Self, NodeId) -> bool,
    ) -> Option<NodeId> {
        let mut left = self.stack.entries().len();
        loop {
            left = left.checked_sub(1)?;
            let node = *self.stack.entries().get(left)?;
            if is(self, node) {
                return Some(node);
            }
        }
    }

    pub(super) fn last_on_stack(&mut self, types: &Types, frame: &Frame) -> Option<NodeId> {
        let may_be = self.may_be_on_stack(types, frame);
        let found = may_be.then(|| self.upwards(|this, node| this.is_of(node, types, frame)));
        found.flatten()
    }

    /// Whether the stack may have an element of these types; if not, nothing needs to be searched for.
    pub(super) fn may_be_on_stack(&mut self, types: &Types, frame: &Frame) -> bool {
        let has = |name: &str| {
            let known = self.tree.name(name);
            known.is_some_and(|(_, number)| self.stack.may_have(number))
        };
        match types {
            Types::Names(names) => names.iter().any(|it| has(&it.name)),
            Types::Set(set) => {
                let set = self.machine.sets.get(*set);
                set.is_some_and(|set| set.members.iter().any(|it| has(&it.element.name)))
            }
            Types::SameName => has(&self.token.tag.name),
            Types::Named(text) | Types::NamedAny(text) => {
                let (name, _) = self.text(text, frame);
                self.tree
                    .name(&name)
                    .is_some_and(|(_, number)| self.stack.may_have(number))
            }
            Types::Any(any) => any.iter().any(|types| self.may_be_on_stack(types, frame)),
            Types::ButNot(types, _) => self.may_be_on_stack(types, frame),
            Types::Slot(_) | Types::In(_) => true,
        }
    }

    /// Whether a node is an element of these types.
    pub(super) fn is_of(&mut self, node: NodeId, types: &Types, frame: &Frame) -> bool {
        let Some(element) = self.tree.element(node) else {
            return false;
        };
        match types {
            Types::Slot(slot) => match frame.get(*slot) {
                Some(Slot::Types(types)) => self.is_of(node, &Arc::clone(types), frame),
                _ => false,
            },
            Types::Names(names) => names.iter().any(|name| element.is_named(name)),
            Types::Set(set) => self.is_in_set(element, *set),
            Types::SameName => {
                element.space == Space::Html && *element.name == *self.token.tag.name
            }
            Types::Named(text) => {
                let (name, _) = self.text(text, frame);
                self.tree.is(node, Space::Html, &name)
            }
            Types::NamedAny(text) => {
                let (name, _) = self.text(text, frame);
                let element = self.tree.element(node);
                element.is_some_and(|element| *element.name == *name)
            }
            Types::In(namespace) => {
                let space = element.space;
                space == self.space(namespace, frame)
            }
            Types::Any(any) => any.iter().any(|types| self.is_of(node, types, frame)),
            Types::ButNot(types, not) => {
                self.is_of(node, types, frame) && !self.is_of(node, not, frame)
            }
        }
    }

    fn is_in_set(&self, element: &Element, set: SetId) -> bool {
        let Some(set) = self.machine.sets.get(set) else {
            return false;
        };
        set.members.iter().any(|member| {
            element.is_named(&member.element)
                && member.attribute.as_ref().is_none_or(|(name, value)| {
                    let mut attributes = element.token.attributes.iter();
                    attributes.any(|it| it.name == *name && it.value.eq_ignore_ascii_case(value))
                })
        })
    }

    /// The same types, with what the slots hold.
    fn without_slots(&mut self, types: &Types, frame: &Frame) -> Types {
        match types {
            Types::Slot(slot) => match frame.get(*slot) {
                Some(Slot::Types(types)) => Types::clone(types),
                _ => Types::Any(Vec::new()),
            },
            Types::Names(_) | Types::Set(_) | Types::SameName => types.clone(),
            Types::Named(text) => Types::Named(Box::new(Text::Literal(self.text(text, frame).0))),
            Types::NamedAny(text) => {
                Types::NamedAny(Box::new(Text::Literal(self.text(text, frame).0)))
            }
            Types::In(namespace) => {
                Types::In(Box::new(Namespace::Fixed(self.space(namespace, frame))))
            }
            Types::Any(any) => Types::Any(
                any.iter()
                    .map(|types| self.without_slots(types, frame))
                    .collect(),
            ),
            Types::ButNot(types, not) => {
                let [types, not] = [types, not].map(|it| Box::new(self.without_slots(it, frame)));
                Types::ButNot(types, not)
            }
        }
    }

    pub(super) fn place(&mut self, location: &Location, frame: &Frame) -> Option<Place> {
        let place_in = |slot: &Slot| match slot {
            Slot::Place(place) => Some(*place),
            _ => None,
        };
        match location {
            Location::Slot(slot) => place_in(frame.get(*slot)?),
            Location::LastChild(parent) => Some(Place {
                parent: self.node(parent, frame)?,
                before: None,
            }),
            Location::Before(parent, child) => Some(Place {
                parent: self.node(parent, frame)?,
                before: Some(self.node(child, frame)?),
            }),
            Location::Pair(parent, child) => Some(Place {
                parent: self.node(parent, frame)?,
                before: self.node(child, frame),
            }),
            Location::Call(call) => place_in(&self.call(call, frame)),
        }
    }

    /// The number of the entry that follows a position in the list.
    pub(super) fn position(&mut self, position: &Position, frame: &Frame) -> Option<usize> {
        match position {
            Position::Slot(slot) => match frame.get(*slot)? {
                Slot::Position(number) => self.list.remembered(*number),
                _ => None,
            },
            Position::Of(node) => {
                let node = self.node(node, frame)?;
                self.list.order().position(node)
            }
            Position::After(node) => {
                let node = self.node(node, frame)?;
                Some(self.list.order().position(node)? + 1)
            }
        }
    }

    pub(super) fn space(&mut self, namespace: &Namespace, frame: &Frame) -> Space {
        match namespace {
            Namespace::Slot(slot) => match frame.get(*slot) {
                Some(Slot::Namespace(space)) => *space,
                _ => Space::None,
            },
            Namespace::Fixed(space) => *space,
            Namespace::Of(node) => self
                .element(node, frame)
                .map_or(Space::None, |element| element.space),
        }
    }

    pub(super) fn token_of(&mut self, token: &TokenOf, frame: &Frame) -> Arc<Tag> {
        match token {
            TokenOf::Slot(slot) => match frame.get(*slot) {
                Some(Slot::Token(tag)) => Arc::clone(tag),
                _ => Arc::default(),
            },
            TokenOf::Current => Arc::clone(&self.token.tag),
            TokenOf::Made(name) => Arc::new(Tag {
                name: name.clone(),
                ..Tag::default()
            }),
            TokenOf::Created(node) => {
                let element = self.element(node, frame);
                element.map_or_else(Arc::default, |element| Arc::clone(&element.token))
            }
        }
    }

    /// A text, and where its tokens stand.
    pub(super) fn text(&mut self, text: &Text, frame: &Frame) -> (String, Option<Range<u64>>) {
        let here = Some(self.token.span.clone());
        match text {
            Text::Slot(slot) => match frame.get(*slot) {
                Some(Slot::Text(text, span)) => (text.clone(), span.clone()),
                _ => (String::new(), None),
            },
            Text::Literal(text) => (text.clone(), here),
            Text::Character => (self.token.character.iter().collect(), here),
            Text::Pending => {
                let first = self.pending.first().map(|(_, span)| span.start);
                let last = self.pending.last().map(|(_, span)| span.end);
                let text = self
                    .pending
                    .iter()
                    .map(|(character, _)| character)
                    .collect();
                (text, first.zip(last).map(|(first, last)| first..last))
            }
            Text::TagName(token) => (self.token_of(token, frame).name.clone(), here),
        }
    }

    pub(super) fn truth(&mut self, truth: &Truth, frame: &Frame) -> bool {
        match truth {
            Truth::Slot(slot) => matches!(frame.get(*slot), Some(Slot::Truth(true))),
            Truth::Literal(truth) => *truth,
            Truth::Host(call) => self.host(call, frame),
        }
    }
}
