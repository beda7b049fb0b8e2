//! YAML as a tree of nodes that keeps order and duplicates.
//!
//! Positions are not kept: a node knows its number among the scalars of its source, and [`Positions`]
//! walks the text again to find where the scalar with that number stands.

mod events;
mod nesting;
mod node;
mod positions;

pub(crate) use crate::source::At;
pub(crate) use events::read;
#[cfg(feature = "files")]
pub(crate) use nesting::too_deep;
pub(crate) use node::{Node, Yaml};
pub(crate) use positions::Positions;
