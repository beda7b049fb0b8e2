//! The node tree.

/// The address of a scalar: the source and its number among that source's scalars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct At {
    pub(crate) source: u32,
    pub(crate) scalar: u32,
}

impl At {
    /// No scalar of a source: for faults that bring their own offset.
    pub(crate) fn nowhere(source: u32) -> Self {
        Self {
            source,
            scalar: u32::MAX,
        }
    }
}

/// One node.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The scalar itself; for a list or mapping its first scalar, or the scalar before it when it has
    /// none.
    pub(crate) at: At,
    pub(crate) value: Yaml,
}

/// What a node holds.
#[derive(Clone, Debug)]
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
