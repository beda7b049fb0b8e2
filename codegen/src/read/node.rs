//! The node tree.

use crate::source::At;

/// One node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// The scalar itself; for a list or mapping its first scalar, or the scalar before it when it has
    /// none.
    pub(crate) at: At,
    pub(crate) value: Yaml,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Yaml {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(String),
    /// `!name …`: what follows is not kept.
    Tag(String),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Yaml::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Yaml {
    /// The type, for messages.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "true or false",
            Self::Int(_) | Self::Float(_) => "a number",
            Self::Text(_) => "text",
            Self::Tag(_) => "a tag",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }
}
