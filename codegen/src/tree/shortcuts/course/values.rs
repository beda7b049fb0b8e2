//! What values are, as far as that is known.

use super::super::super::machine::{
    ElementName, Location, Namespace, Node, Number, Space, Text, TokenOf, Truth, Types, Value,
};
use super::{Course, Effect, Frame, Known, Stop};

impl Course<'_> {
    pub(super) fn value(&mut self, value: &Value, frame: &Frame) -> Known<Value> {
        Ok(match value {
            Value::Null => Value::Null,
            Value::Node(node) => self.node(node, frame)?.map_or(Value::Null, Value::Node),
            Value::Location(at) => Value::Location(self.location(at, frame)?),
            Value::Text(text) => Value::Text(self.text(text, frame)?),
            Value::Number(number) => Value::Number(Number::Literal(self.number(*number, frame)?)),
            Value::Truth(Truth::Literal(_)) => value.clone(),
            Value::Token(token) => Value::Token(self.token(token, frame)?),
            Value::Namespace(space) => {
                Value::Namespace(Namespace::Fixed(self.namespace(space, frame)?))
            }
            Value::Types(types) => Value::Types(self.types(types, frame)?),
            Value::Truth(_) | Value::Position(_) => return Err(Stop::More),
        })
    }

    /// A node; what is `Node::Current` here was the current node before the token.
    pub(super) fn node(&mut self, node: &Node, frame: &Frame) -> Known<Option<Node>> {
        Ok(match node {
            Node::Slot(slot) => match &frame[*slot] {
                Some(Value::Node(node)) => Some(node.clone()),
                Some(Value::Null) | None => None,
                Some(_) => return Err(Stop::More),
            },
            Node::Current | Node::AdjustedCurrent if !self.has_changed() => Some(node.clone()),
            Node::New
                if self
                    .effects
                    .iter()
                    .any(|it| matches!(it, Effect::Creates(_))) =>
            {
                Some(Node::New)
            }
            Node::LastEntry if self.is_last_entry() => Some(Node::Current),
            Node::LastEntryOf(types) if self.is_last_entry() => {
                match self.current_is(&self.types(types, frame)?) {
                    Some(true) => Some(Node::Current),
                    _ => return Err(Stop::More),
                }
            }
            Node::LastEntryOf(types) if self.is_alone() => {
                let (types, name) = (self.types(types, frame)?, self.situation.name);
                let is_it =
                    |it: &ElementName| it.space == Space::Html && Some(it.name.as_str()) == name;
                match types {
                    Types::Names(names) if names.iter().all(is_it) => None,
                    _ => return Err(Stop::More),
                }
            }
            Node::LastEntry | Node::State(_) => Some(node.clone()),
            // Nothing is lower.
            Node::TopmostLower(_, of) if !self.has_changed() => match self.node(of, frame)? {
                Some(Node::Current) => None,
                _ => return Err(Stop::More),
            },
            Node::In(at) => match self.location(at, frame)? {
                Location::LastChild(node) => Some(node),
                _ => return Err(Stop::More),
            },
            Node::Create(name, space) => {
                let name = self.text(name, frame)?;
                let space = self.namespace(space, frame)?;
                if name != Text::TagName(TokenOf::Current) {
                    return Err(Stop::More);
                }
                self.effects.push(Effect::Creates(space));
                Some(Node::New)
            }
            Node::Call(call) => match self.call(call, frame)? {
                Value::Node(node) => Some(node),
                Value::Null => None,
                _ => return Err(Stop::More),
            },
            _ => return Err(Stop::More),
        })
    }

    pub(super) fn location(&mut self, at: &Location, frame: &Frame) -> Known<Location> {
        let parent = match at {
            Location::Slot(slot) => match &frame[*slot] {
                Some(Value::Location(at)) => return Ok(at.clone()),
                _ => return Err(Stop::More),
            },
            Location::Call(call) => match self.call(call, frame)? {
                Value::Location(at) => return Ok(at),
                _ => return Err(Stop::More),
            },
            Location::LastChild(parent) => parent,
            Location::Pair(parent, child) => match self.node(child, frame)? {
                None => parent,
                Some(_) => return Err(Stop::More),
            },
            Location::Before(..) => return Err(Stop::More),
        };
        let parent = self.node(parent, frame)?.ok_or(Stop::More)?;
        Ok(Location::LastChild(parent))
    }

    pub(super) fn types(&self, types: &Types, frame: &Frame) -> Known<Types> {
        let named = |any| {
            let spaces = [Space::Html, Space::MathMl, Space::Svg];
            let spaces = spaces.into_iter().filter(|it| any || *it == Space::Html);
            let name = self.situation.name.ok_or(Stop::More)?.to_owned();
            let of = |space| ElementName {
                space,
                name: name.clone(),
            };
            Ok(Types::Names(spaces.map(of).collect()))
        };
        let is_of_token = |text: &Text| match self.text(text, frame)? {
            Text::TagName(TokenOf::Current) => Ok(()),
            _ => Err(Stop::More),
        };
        Ok(match types {
            Types::Slot(slot) => match &frame[*slot] {
                Some(Value::Types(types)) => types.clone(),
                _ => return Err(Stop::More),
            },
            Types::Names(_) | Types::Set(_) => types.clone(),
            Types::SameName => named(false)?,
            Types::Named(text) => is_of_token(text).and_then(|()| named(false))?,
            Types::NamedAny(text) => is_of_token(text).and_then(|()| named(true))?,
            Types::In(space) => {
                Types::In(Box::new(Namespace::Fixed(self.namespace(space, frame)?)))
            }
            Types::Any(all) => {
                let all: Known<_> = all.iter().map(|it| self.types(it, frame)).collect();
                Types::Any(all?)
            }
            Types::ButNot(one, not) => {
                let [one, not] = [one, not].map(|it| self.types(it, frame).map(Box::new));
                Types::ButNot(one?, not?)
            }
        })
    }

    pub(super) fn text(&self, text: &Text, frame: &Frame) -> Known<Text> {
        Ok(match text {
            Text::Slot(slot) => match &frame[*slot] {
                Some(Value::Text(text)) => text.clone(),
                _ => return Err(Stop::More),
            },
            Text::TagName(token) => Text::TagName(self.token(token, frame)?),
            text => text.clone(),
        })
    }

    pub(super) fn token(&self, token: &TokenOf, frame: &Frame) -> Known<TokenOf> {
        match token {
            TokenOf::Slot(slot) => match &frame[*slot] {
                Some(Value::Token(token)) => Ok(token.clone()),
                _ => Err(Stop::More),
            },
            TokenOf::Current => Ok(TokenOf::Current),
            TokenOf::Made(_) | TokenOf::Created(_) => Err(Stop::More),
        }
    }

    pub(super) fn namespace(&self, namespace: &Namespace, frame: &Frame) -> Known<Space> {
        match namespace {
            Namespace::Fixed(space) => Ok(*space),
            Namespace::Slot(slot) => match &frame[*slot] {
                Some(Value::Namespace(Namespace::Fixed(space))) => Ok(*space),
                _ => Err(Stop::More),
            },
            // It is of no use where namespaces are only compared, and that has its answer.
            Namespace::Of(_) => Err(Stop::More),
        }
    }

    pub(super) fn number(&self, number: Number, frame: &Frame) -> Known<u32> {
        match number {
            Number::Literal(number) => Ok(number),
            Number::Slot(slot) => match &frame[slot] {
                Some(Value::Number(Number::Literal(number))) => Ok(*number),
                _ => Err(Stop::More),
            },
        }
    }
}
