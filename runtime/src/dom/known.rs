//! What a sink knows of the nodes that it watches: options of select elements, what shows them, and markers.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

use super::order::Ordered;

/// What a node and those above it mean for watched nodes inside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    /// The highest of these nodes, which has no parent.
    pub(super) root: u32,
    /// The select element in whose list of options an option is, unless several of its options can be selected.
    pub(super) select: Option<u32>,
    /// Below it, whether an option is in an optgroup, and whether that is disabled.
    pub(super) group: Option<bool>,
    /// The nearest select element.
    pub(super) nearest: Option<u32>,
    /// Whether a `selectedcontent` element is disabled.
    pub(super) disables: bool,
}

/// The watched nodes that have a place in a list, by the root of their tree, and what is around watched nodes.
#[derive(Debug, Default)]
pub(super) struct Watched {
    /// Has all nodes above watched ones: what is not here has none inside.
    pub(super) around: BTreeMap<u32, Around>,
    /// All `selectedcontent` elements.
    pub(super) contents: BTreeMap<u32, Ordered>,
    /// Those of them with something inside.
    pub(super) filled: BTreeMap<u32, Ordered>,
    /// The markers of a name where content that is patched starts.
    pub(super) markers: BTreeMap<(u32, String), Ordered>,
}

/// Which options are selected.
#[derive(Debug, Default)]
pub(super) struct Selected {
    /// The options whose selectedness is set, wherever they are.
    pub(super) options: BTreeSet<u32>,
    /// Those of them that are in the list of options of a select element: more than one only until one is chosen.
    pub(super) of_select: BTreeMap<u32, Vec<u32>>,
    /// The `selectedcontent` elements whose children are being replaced.
    pub(super) replaced: Vec<u32>,
    /// What was copied last, as long as neither it nor the copies changed.
    pub(super) shown: Option<Shown>,
}

/// An option, and the `selectedcontent` element that shows what is in it.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) option: u32,
    pub(super) content: u32,
    /// The numbers of the option and what is in it, and maybe some others.
    pub(super) sources: RangeInclusive<u32>,
    pub(super) copies: Range<u32>,
}
