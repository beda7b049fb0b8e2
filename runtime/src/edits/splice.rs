//! Splices of a text.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::span::Span;

use super::extents::Place;

/// A piece of the input, and what comes in its place.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) at: Place,
    pub(super) text: String,
    /// Of which node.
    pub(super) node: usize,
    /// In the order of the tree: twice a node, or what ends before one.
    pub(super) rank: usize,
}

impl Part {
    /// At one place what is further in comes first.
    pub(super) const fn key(&self) -> (u32, usize, Reverse<usize>) {
        (self.at.0, self.rank, Reverse(self.node))
    }
}

/// Where appended nodes come before children that are after the end tag.
#[derive(Default)]
pub(super) struct Splits {
    /// The nodes to which they are appended.
    pub(super) holders: BTreeSet<usize>,
    /// By the first such child: the node, and how much of the child, a text, comes before.
    pub(super) children: BTreeMap<usize, (usize, usize)>,
}

/// A piece of the input and what comes in its place: [`Edits::splices`](crate::Edits::splices).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The piece; empty where text is inserted.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// Sorted parts as splices that neither overlap nor adjoin.
pub(super) fn splices(parts: &[Part]) -> Vec<Splice> {
    let mut all: Vec<Splice> = Vec::new();
    for part in parts {
        let (start, end) = (u64::from(part.at.0), u64::from(part.at.1));
        match all.last_mut().filter(|last| start <= last.span.end) {
            Some(last) => {
                last.span.end = last.span.end.max(end);
                last.text.push_str(&part.text);
            }
            None if start == end && part.text.is_empty() => {}
            None => all.push(Splice {
                span: Span { start, end },
                text: part.text.clone(),
            }),
        }
    }
    all
}

/// A text with splices.
pub(super) fn spliced(text: &str, splices: &[Splice]) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut from = 0;
    for Splice { span, text: new } in splices {
        let range = span.range();
        out.push_str(text.get(from..range.start).unwrap_or_default());
        out.push_str(new);
        from = range.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}
