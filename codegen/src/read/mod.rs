//! YAML as a tree of nodes that keeps order and duplicates.
//!
//! Positions are not kept: a node knows its number among the scalars of its source, and [`Places`]
//! walks the text again to find where the scalar with that number stands.

mod node;
mod places;
mod walk;

pub(crate) use crate::source::At;
pub(crate) use node::{Node, Yaml};
pub(crate) use places::Places;
pub(crate) use walk::read;
