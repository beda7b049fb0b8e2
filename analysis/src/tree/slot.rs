//! What the slots of a body and the variables of a table hold.

use std::ops::Range;
use std::sync::Arc;

use speclex_codegen::tree::machine::{ArmId, Mode, ModeId, Number, Space, Types};

use super::arena::{NodeId, Place, Tag};

/// What a slot or a variable holds.
#[derive(Clone, Debug, Default)]
pub(super) enum Slot {
    #[default]
    Null,
    Node(NodeId),
    Place(Place),
    /// The number of a position of the list.
    Position(usize),
    /// With the place of its tokens.
    Text(String, Option<Range<u64>>),
    Number(u32),
    Truth(bool),
    Token(Arc<Tag>),
    Namespace(Space),
    /// Without slots inside.
    Types(Arc<Types>),
    /// The number of a word.
    Word(usize),
}

/// How a body ends.
pub(super) enum End {
    Done(Slot),
    Act(ModeId, ArmId),
    Using(Mode),
}

/// The values of a body.
pub(super) type Frame = Vec<Slot>;

pub(super) fn node_in(slot: &Slot) -> Option<NodeId> {
    match slot {
        Slot::Node(node) => Some(*node),
        _ => None,
    }
}

pub(super) fn number_of(number: Number, frame: &Frame) -> u32 {
    match number {
        Number::Slot(slot) => match frame.get(slot) {
            Some(Slot::Number(number)) => *number,
            _ => 0,
        },
        Number::Literal(number) => number,
    }
}
