//! YAML as a tree of nodes that keeps order and duplicates.
//!
//! Positions are not kept: a node knows its number among the scalars of its source, and [`Positions`]
//! walks the text again to find where the scalar with that number stands.

mod events;
pub(crate) mod nesting;
mod node;
mod positions;
pub(crate) mod quoting;
mod repair;

pub(crate) use crate::source::At;
pub(crate) use node::{Node, Yaml};
pub(crate) use positions::{Positions, stop_at};
#[cfg(feature = "files")]
pub(crate) use repair::read_as_it_is;
pub(crate) use repair::{RefusalKind, column_as_typed, read};
