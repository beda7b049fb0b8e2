//! What a machine asks about: the words, characters and numbers that make a difference to it, and the
//! characters that inputs are made of: one for each class that it treats alike.

// A new action, guard or value must be named here.
#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::analyse::bodies;
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, Body, Guard, Machine, RegisterId, StateKind};

use crate::character_classes::classes;

/// The name of the last start tag where a test needs one.
pub(super) const LAST_START_TAG: &str = "a";

/// The words, characters and numbers that make a difference.
#[derive(Debug, Default)]
pub(super) struct Questions {
    /// What text registers are compared with, and whether in either case.
    pub(super) words: Vec<(RegisterId, String, bool)>,
    /// What the characters consumed last are compared with.
    pub(super) last_consumed: Vec<String>,
    /// The literals of arms.
    pub(super) literals: Vec<String>,
    /// Whether the last start tag matters.
    pub(super) last_start_tag: bool,
    /// The questions to the outside, by their indices.
    pub(super) outside: BTreeSet<u32>,
    /// All sets and literal characters.
    pub(super) sets: Vec<CharSet>,
    /// Names of references of every sort that makes a difference, the shortest of each.
    pub(super) references: Vec<String>,
    /// For each number register the numbers worth having, and those on the way to them.
    pub(super) numbers: BTreeMap<RegisterId, BTreeSet<u32>>,
}

impl Questions {
    /// Those of a machine.
    pub(super) fn of(machine: &Machine) -> Self {
        let mut found = Self::default();
        let mut last_matched = Vec::new();
        let mut ranges: BTreeMap<RegisterId, Vec<Sort>> = BTreeMap::new();
        for guard in machine.all_questions() {
            match guard {
                Guard::TextIs {
                    register,
                    any_of,
                    ignore_case,
                } => {
                    let words = any_of.iter().map(|w| (*register, w.clone(), *ignore_case));
                    found.words.extend(words);
                }
                Guard::LastConsumed(text) => found.last_consumed.push(text.clone()),
                Guard::Question(question) => {
                    found.outside.insert(*question);
                }
                Guard::AppropriateEndTag(_) | Guard::StartTagEmitted => found.last_start_tag = true,
                Guard::NextIsLastStartTag { followed_by, .. } => {
                    found.last_start_tag = true;
                    found.sets.push(followed_by.clone());
                }
                Guard::CurrentIn(set) | Guard::NextIn { set, .. } => found.sets.push(set.clone()),
                Guard::NextAre { run, then } => found.sets.extend([run.clone(), then.clone()]),
                Guard::LastMatchedIn(set) => {
                    found.sets.push(set.clone());
                    last_matched.push(set.clone());
                }
                Guard::NumberIn(register, sort) => {
                    let sorts = ranges.entry(*register).or_default();
                    sorts.push(Sort::Ranges(sort.clone()));
                }
                Guard::HasReplacement(register) => {
                    let numbers = machine.replacements.iter().map(|&(number, _)| number);
                    let sorts = ranges.entry(*register).or_default();
                    sorts.push(Sort::Numbers(numbers.collect()));
                }
                Guard::FiniteIs(..)
                | Guard::StateIs(..)
                | Guard::CurrentIsCharacter(_)
                | Guard::DuplicateAttribute(_)
                | Guard::HasAttributes(_)
                | Guard::FlagIs(_)
                | Guard::KindIs(..)
                | Guard::Not(_)
                | Guard::All(_)
                | Guard::Any(_) => {}
            }
        }
        found.add_arms(machine);
        found.references = references(machine, &last_matched);
        found.add_characters(machine);
        for (register, sorts) in ranges {
            let numbers = worth_having(machine, register, &sorts);
            found.add_digits(&numbers);
            found.numbers.insert(register, numbers);
        }
        found
    }

    fn add_arms(&mut self, machine: &Machine) {
        for state in &machine.states {
            if let StateKind::Consume(consume) = &state.kind {
                self.sets
                    .extend(consume.arms.iter().map(|arm| arm.set.clone()));
                for literal in &consume.literals {
                    self.add_text(&literal.text, literal.ignore_case);
                    self.literals.push(literal.text.clone());
                }
            }
            for action in bodies(state).into_iter().flat_map(Body::all_actions) {
                if let Action::SetCharacter(_, Some(c)) = action {
                    self.sets.push(CharSet::single(*c));
                }
            }
        }
    }

    /// The characters of all words.
    fn add_characters(&mut self, machine: &Machine) {
        let words = std::mem::take(&mut self.words);
        for (_, word, ignore_case) in &words {
            self.add_text(word, *ignore_case);
        }
        self.words = words;
        for text in self.last_consumed.clone() {
            self.add_text(&text, false);
        }
        for name in self.references.clone() {
            self.add_text(&name, false);
        }
        if self.last_start_tag {
            self.add_text(LAST_START_TAG, true);
        }
        // A character at the start of the input may be dropped as a byte order mark, and CR is seen as LF.
        if machine.preprocessing.drop_bom {
            self.sets.push(CharSet::single('\u{FEFF}'));
        }
        if machine.preprocessing.normalize_newlines {
            self.sets.push(CharSet::single('\r'));
        }
    }

    fn add_text(&mut self, text: &str, ignore_case: bool) {
        for c in text.chars() {
            self.sets.push(CharSet::single(c));
            if ignore_case {
                self.sets.push(CharSet::single(c.to_ascii_uppercase()));
                self.sets.push(CharSet::single(c.to_ascii_lowercase()));
            }
        }
    }

    fn add_digits(&mut self, numbers: &BTreeSet<u32>) {
        let last_digits = numbers.iter().flat_map(|number| [number % 10, number % 16]);
        let digits: BTreeSet<_> = last_digits
            .filter_map(|d| char::from_digit(d, 16))
            .collect();
        self.sets.extend(digits.into_iter().map(CharSet::single));
    }
}

/// A question about a number.
#[derive(Debug)]
enum Sort {
    Ranges(Vec<(u32, u32)>),
    Numbers(BTreeSet<u32>),
}

impl Sort {
    fn holds(&self, number: u32) -> bool {
        match self {
            Self::Ranges(ranges) => ranges.iter().any(|&(a, b)| (a..=b).contains(&number)),
            Self::Numbers(numbers) => numbers.contains(&number),
        }
    }
}

/// The smallest number for every way to answer all questions about a register, and all numbers on the
/// way to it: digit by digit, and one by one around where answers change if the machine counts.
fn worth_having(machine: &Machine, register: RegisterId, sorts: &[Sort]) -> BTreeSet<u32> {
    // Answers change only where a range starts or after it ends.
    let mut edges = BTreeSet::from([0, 1]);
    for sort in sorts {
        match sort {
            Sort::Ranges(ranges) => {
                edges.extend(ranges.iter().flat_map(|&(a, b)| [a, b.saturating_add(1)]));
            }
            Sort::Numbers(numbers) => {
                edges.extend(numbers.iter().flat_map(|&n| [n, n.saturating_add(1)]));
            }
        }
    }
    let mut answers = BTreeSet::new();
    let mut wanted: BTreeSet<u32> = (edges.iter().copied())
        .filter(|&number| {
            let answer: Vec<_> = sorts.iter().map(|sort| sort.holds(number)).collect();
            answers.insert(answer)
        })
        .collect();
    let (mut factors, mut counts) = (BTreeSet::new(), false);
    for action in machine.all_actions() {
        // The search finds by itself what digits and replacements lead to.
        if let Action::Multiply(r, factor) = action {
            factors.extend((*r == register).then_some(*factor));
        } else if !matches!(action, Action::AddDigit(_) | Action::Replace(_)) {
            counts |= action.registers().any(|it| it == (register, None));
        }
    }
    if counts {
        let near = |&edge: &u32| [edge.saturating_sub(1), edge, edge.saturating_add(1)];
        wanted.extend(edges.iter().flat_map(near));
    }
    let mut on_the_way = BTreeSet::new();
    for &number in &wanted {
        for &factor in factors.iter().filter(|&&factor| factor > 1) {
            let mut rest = number;
            while rest > 0 {
                on_the_way.insert(rest);
                rest /= factor;
            }
        }
    }
    wanted.extend(on_the_way);
    wanted
}

/// The shortest name for every combination of what guards ask about a match: the sets that hold its
/// last character, and whether a longer name starts with it.
fn references(machine: &Machine, last_matched: &[CharSet]) -> Vec<String> {
    let mut shortest: BTreeMap<(Vec<bool>, bool), &str> = BTreeMap::new();
    for (index, (name, _)) in machine.references.iter().enumerate() {
        let Some(last) = name.chars().next_back() else {
            continue;
        };
        let sets = last_matched.iter().map(|set| set.contains(last)).collect();
        let next = machine.references.get(index + 1);
        let goes_on = next.is_some_and(|(next, _)| next.starts_with(name.as_str()));
        let known = shortest.entry((sets, goes_on)).or_insert(name);
        if name.len() < known.len() {
            *known = name;
        }
    }
    let mut names: Vec<_> = shortest.into_values().map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

/// The characters that inputs are made of, the plainest first: characters are in the same class when
/// the same sets hold them.
pub(super) fn alphabet(machine: &Machine, questions: &Questions) -> Vec<char> {
    let classes = classes(&questions.sets).into_iter();
    let plainest = classes.filter_map(|class| class.iter().min_by_key(plainness));
    let preprocessing = &machine.preprocessing;
    let mut chars: Vec<char> = plainest
        // The states see them as another character, or not at all.
        .filter(|&c| !(preprocessing.drop_bom && c == '\u{FEFF}'))
        .filter(|&c| !(preprocessing.normalize_newlines && c == '\r'))
        .collect();
    chars.sort_by_key(plainness);
    chars
}

/// A character of each class that a machine treats alike.
pub(crate) fn characters(machine: &Machine) -> Vec<char> {
    alphabet(machine, &Questions::of(machine))
}

/// What makes a difference to a machine, in pieces of text: a character of each class, words, literals and references.
pub(crate) fn pieces(machine: &Machine) -> Vec<String> {
    let questions = Questions::of(machine);
    let chars = alphabet(machine, &questions).into_iter().map(String::from);
    // What preprocessing changes, and characters of two, three and four bytes.
    let others = ["\r", "\r\n", "\u{FEFF}", "é", "\u{FFFD}", "\u{1D4B3}"].map(str::to_owned);
    let words = questions.words.iter().map(|(_, word, _)| word.clone());
    let references = questions.references.iter().map(|name| format!("&{name}"));
    chars
        .chain(others)
        .chain(words)
        .chain(questions.last_consumed.iter().cloned())
        .chain(questions.literals.iter().cloned())
        .chain(references)
        .collect()
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
