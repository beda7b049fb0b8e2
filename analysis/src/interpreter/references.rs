//! The named character references table, searched name by name.

use super::input::{Input, Next};

/// The result of looking for a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Index of the longest name that the input continues with, and its length in characters.
    Name(usize, usize),
    /// There is none.
    None,
    /// More input is needed to know.
    Unknown,
}

/// Finds the longest name in `references`, which are sorted by name, that the input at `place`
/// continues with.
pub(crate) fn find(references: &[(String, String)], input: &Input, place: usize) -> Found {
    let mut spelled = String::new();
    let mut found = Found::None;
    let mut candidates = 0..references.len();
    for length in 1.. {
        let c = match input.at(place + length - 1) {
            Next::Char(c) => c,
            Next::End => break,
            Next::Unknown => return Found::Unknown,
        };
        spelled.push(c);
        // Names that continue what is spelled follow each other in the sorted list.
        let rest = &references[candidates.clone()];
        let first = rest.partition_point(|(name, _)| *name < spelled);
        let count = rest[first..].partition_point(|(name, _)| name.starts_with(&spelled));
        candidates = candidates.start + first..candidates.start + first + count;
        match references[candidates.clone()].first() {
            None => break,
            Some((name, _)) if *name == spelled => {
                found = Found::Name(candidates.start, length);
                if count == 1 {
                    break;
                }
            }
            Some(_) => {}
        }
    }
    found
}
