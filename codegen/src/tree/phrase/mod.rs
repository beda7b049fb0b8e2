//! The phrases of the tree language: rows of patterns by sort, what a table adds to them, and how a text is read.

mod chart;
mod declared;
mod guards;
mod pattern;
mod reading;
mod refusal;
mod sort;
mod steps;
mod values;

pub(super) use declared::{Declared, Local, holes};
pub(crate) use reading::{MOST_SUGGESTIONS, Phrases, looks_like_a_phrase, looks_like_a_row};
pub(super) use sort::{ArmWanted, Assigned, Says, Sort};

use crate::phrase::Template;

/// What the rows of the language say of themselves: steps, guards, and what stands in their holes.
pub(crate) fn rows() -> [Vec<&'static Template>; 3] {
    let templates = |rows: &[&'static [pattern::Pattern]]| {
        rows.iter()
            .copied()
            .flatten()
            .map(|row| &row.template)
            .collect()
    };
    let values: Vec<_> = [values::NODES, values::TYPES]
        .into_iter()
        .chain(values::OTHERS.iter().copied())
        .collect();
    [
        templates(&[steps::STEPS]),
        templates(&[guards::GUARDS]),
        templates(&values),
    ]
}

/// The patterns of all phrases.
pub(super) fn patterns_shown() -> Vec<&'static str> {
    rows()
        .into_iter()
        .flatten()
        .map(|template| template.pattern)
        .collect()
}
