//! The characters that two machines tell apart, and one of each kind to try.

use std::collections::{BTreeSet, HashMap};

use speclex_codegen::charset::{CharSet, MAX};

use super::facts::Facts;

/// Characters that both machines treat alike wherever they are.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// All of them.
    pub(super) set: CharSet,
    /// A few to try.
    samples: Vec<char>,
}

/// All classes.
#[derive(Debug)]
pub(super) struct Alphabet {
    pub(super) classes: Vec<Class>,
    ascii: [u16; 128],
    others: Vec<(u32, u32, u16)>,
}

/// How many characters of a class are tried in turn.
const SAMPLES: usize = 12;

impl Alphabet {
    /// The classes of two machines.
    pub(super) fn new(facts: [&Facts; 2]) -> Self {
        let mut sets: Vec<CharSet> = Vec::new();
        for set in facts.iter().flat_map(|facts| &facts.sets) {
            // A letter may be compared with the other case of another.
            for set in [set.clone(), in_other_case(set)] {
                if !sets.contains(&set) {
                    sets.push(set);
                }
            }
        }
        let literals: BTreeSet<char> = (facts.iter())
            .flat_map(|facts| facts.literals.iter().copied())
            .collect();
        sets.extend(literals.iter().map(|&c| CharSet::single(c)));
        let mut avoided: BTreeSet<char> = literals;
        for word in facts.iter().flat_map(|facts| &facts.words) {
            avoided.extend(word.words.iter().flat_map(|word| word.chars()));
        }

        let mut cuts: BTreeSet<u32> = [0, 0xD800, 0xE000].into();
        for &(first, last) in sets.iter().flat_map(CharSet::ranges) {
            cuts.extend([first, last + 1]);
        }
        let cuts: Vec<u32> = cuts.into_iter().filter(|&cut| cut <= MAX).collect();
        let mut by_membership: HashMap<Vec<bool>, usize> = HashMap::new();
        let mut classes: Vec<Vec<(u32, u32)>> = Vec::new();
        for (index, &first) in cuts.iter().enumerate() {
            let last = cuts.get(index + 1).map_or(MAX, |next| next - 1);
            let Some(c) = char::from_u32(first) else {
                continue;
            };
            let membership: Vec<bool> = sets.iter().map(|set| set.contains(c)).collect();
            let class = *by_membership.entry(membership).or_insert_with(|| {
                classes.push(Vec::new());
                classes.len() - 1
            });
            classes[class].push((first, last));
        }
        let classes = classes.into_iter().map(|ranges| {
            let set = CharSet::from_ranges(ranges);
            let samples = samples(&set, &avoided);
            Class { set, samples }
        });
        Self::index(classes.collect())
    }

    fn index(classes: Vec<Class>) -> Self {
        let mut ascii = [0; 128];
        let mut others = Vec::new();
        for (index, class) in (0..).zip(&classes) {
            for &(first, last) in class.set.ranges() {
                for c in first..=last.min(127) {
                    ascii[c as usize] = index;
                }
                if last > 127 {
                    others.push((first.max(128), last, index));
                }
            }
        }
        others.sort_unstable();
        Self {
            classes,
            ascii,
            others,
        }
    }

    /// The class of a character.
    pub(super) fn class(&self, c: char) -> u16 {
        if let Some(&class) = self.ascii.get(c as usize) {
            return class;
        }
        let after = self
            .others
            .partition_point(|&(first, _, _)| first <= c as u32);
        let found = after
            .checked_sub(1)
            .and_then(|index| self.others.get(index));
        found.map_or(0, |&(_, _, class)| class)
    }

    /// Whether a character is the only one of its class.
    pub(super) fn is_single(&self, c: char) -> bool {
        let class = self.classes.get(usize::from(self.class(c)));
        class.is_some_and(|class| class.set.len() == 1)
    }

    /// A character of a class; another one at another place where it can be.
    pub(super) fn sample(&self, class: u16, place: usize) -> Option<char> {
        let samples = &self.classes.get(usize::from(class))?.samples;
        samples.get(place % samples.len().max(1)).copied()
    }
}

/// The same set with the ASCII letters in the other case.
fn in_other_case(set: &CharSet) -> CharSet {
    let letters = |first: char| CharSet::from_ranges([(first as u32, first as u32 + 25)]);
    let (upper, lower) = (letters('A'), letters('a'));
    let swapped = set.ranges().iter().flat_map(|&range| {
        let part = CharSet::from_ranges([range]);
        let shifted = |letters: &CharSet, by: i64| -> Vec<(u32, u32)> {
            let part = part.intersection(letters);
            let shift = |code: u32| (i64::from(code) + by) as u32;
            part.ranges()
                .iter()
                .map(|&(first, last)| (shift(first), shift(last)))
                .collect()
        };
        [shifted(&upper, 32), shifted(&lower, -32)].concat()
    });
    let rest = set.difference(&upper).difference(&lower);
    rest.union(&CharSet::from_ranges(swapped))
}

/// Some characters of a set: printable ones first, and none with a meaning of its own if there is another.
fn samples(set: &CharSet, avoided: &BTreeSet<char>) -> Vec<char> {
    let ascii = || set.iter().take_while(char::is_ascii);
    let mut samples: Vec<char> = ascii()
        .filter(|c| c.is_ascii_graphic() && !avoided.contains(c))
        .take(SAMPLES)
        .collect();
    if samples.is_empty() {
        samples = ascii().filter(|c| c.is_ascii_graphic()).take(1).collect();
    }
    if samples.is_empty() {
        let space = ascii().find(|&c| c == ' ');
        samples = space.or_else(|| ascii().next()).into_iter().collect();
    }
    if samples.is_empty() {
        let fit = set.iter().filter(|c| c.is_alphabetic());
        samples = fit.take(SAMPLES).collect();
    }
    if samples.is_empty() {
        samples = set.iter().take(SAMPLES).collect();
    }
    samples
}
