//! One character for each class of characters that a machine treats alike.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::charset::{CharSet, MAX};
use speclex_codegen::machine::Machine;

use super::questions::Questions;

/// The characters that inputs are made of, the plainest first: characters are in the same class when
/// the same sets hold them.
pub(super) fn alphabet(machine: &Machine, questions: &Questions) -> Vec<char> {
    let sets: BTreeSet<&CharSet> = questions.sets.iter().collect();
    let mut starts = BTreeSet::from([0]);
    for &(first, last) in sets.iter().flat_map(|set| set.ranges()) {
        starts.insert(first);
        starts.insert(last + 1);
    }
    let mut classes: BTreeMap<Vec<bool>, char> = BTreeMap::new();
    let starts: Vec<u32> = starts.into_iter().filter(|&start| start <= MAX).collect();
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(MAX, |next| next - 1);
        let Some(c) = (start..=end)
            .filter_map(char::from_u32)
            .min_by_key(plainness)
        else {
            continue;
        };
        let class = sets.iter().map(|set| set.contains(c)).collect();
        let known = classes.entry(class).or_insert(c);
        if plainness(&c) < plainness(known) {
            *known = c;
        }
    }
    let preprocessing = &machine.preprocessing;
    let mut chars: Vec<char> = (classes.into_values())
        // The states see them as another character, or not at all.
        .filter(|&c| !(preprocessing.drop_bom && c == '\u{FEFF}'))
        .filter(|&c| !(preprocessing.normalize_newlines && c == '\r'))
        .collect();
    chars.sort_by_key(plainness);
    chars
}

/// Small for what is easy to read in a test.
fn plainness(c: &char) -> (u32, u32) {
    let rank = match c {
        'a'..='z' => 0,
        'A'..='Z' => 1,
        '0'..='9' => 2,
        '!'..='~' => 3,
        ' ' => 4,
        '\t' | '\n' | '\x0C' => 5,
        '\u{A1}'..='\u{D7FF}' => 6,
        _ => 7,
    };
    (rank, *c as u32)
}
