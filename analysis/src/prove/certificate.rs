//! What a proof consists of.

use rustc_hash::FxHashMap as HashMap;

use super::relation::Relation;
use super::ways::Pair;

/// For each pair of points what holds there.
#[derive(Debug, Default)]
pub(super) struct Certificate(pub(super) HashMap<Pair, Relation>);
