//! What two machines compare their input, their strings and their numbers with, before anything runs.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{
    Action, Guard, Machine, RegisterType, StateKind, TOO_LARGE, Value as Source,
};
use speclex_codegen::uses::Variable;

use crate::character_classes::{SetIndex, classes};
use crate::paths::{ArmInput, arms};

/// Words that a text register is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) register: u32,
    pub(super) words: Vec<String>,
    pub(super) ignore_case: bool,
}

/// All that a machine compares with.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Sets of characters.
    sets: Vec<CharSet>,
    /// Characters in literals, written or compared.
    literals: BTreeSet<char>,
    pub(super) words: Vec<Words>,
    /// Strings that the last characters consumed are compared with.
    pub(super) behind: Vec<String>,
    /// For each register of numbers the first numbers of the intervals within which all numbers are alike.
    pub(super) cuts: BTreeMap<u32, BTreeSet<u32>>,
    /// Registers of numbers that count.
    pub(super) counted: BTreeSet<u32>,
    /// Whether anything depends on the last start tag.
    pub(super) start_tags: bool,
    /// Whether the table asks the host a question where no character is read.
    pub(super) asks_at_end: bool,
    /// Sets that the last character of a matched reference is looked for in.
    last_matched: Vec<CharSet>,
}

impl Facts {
    pub(super) fn of(machine: &Machine) -> Self {
        let mut facts = Self::default();
        let preprocessing = &machine.preprocessing;
        let errors = preprocessing.errors.iter();
        facts.sets.extend(errors.map(|(set, _)| set.clone()));
        for &(from, to) in &preprocessing.replace {
            facts.literals.extend([from, to]);
        }
        for state in &machine.states {
            if let StateKind::Consume(consume) = &state.kind {
                for literal in &consume.literals {
                    let text = literal.text.chars();
                    facts.literals.extend(text.flat_map(|c| [c, other_case(c)]));
                }
                let sets = consume.arms.iter().map(|arm| arm.set.clone());
                facts.sets.extend(sets);
            }
        }
        for (index, register) in (0..).zip(&machine.registers) {
            if register.ty == RegisterType::Number {
                let rows = machine.replacements.iter();
                let rows = rows.flat_map(|&(number, code)| [number, number + 1, code, code + 1]);
                let known = [0, 1, 2, 0xD800, 0xE000, TOO_LARGE];
                facts.cuts.insert(index, rows.chain(known).collect());
            }
        }
        let at_end = machine.states.iter().flat_map(arms);
        let mut at_end = at_end.filter(|arm| {
            matches!(
                arm.on,
                ArmInput::Eof | ArmInput::Entering | ArmInput::Unmatched
            )
        });
        facts.asks_at_end = at_end.any(|arm| {
            let mut asked = arm.body.all_questions().flat_map(Guard::parts);
            asked.any(|guard| matches!(guard, Guard::Question(_)))
        });
        machine.all_actions().for_each(|it| facts.action(it));
        machine.all_questions().for_each(|it| facts.guard(it));
        for cuts in facts.cuts.values_mut() {
            cuts.retain(|&cut| cut <= TOO_LARGE);
        }
        facts
    }

    /// Tells the numbers of these ranges apart from others in a register.
    fn numbers(&mut self, register: u32, ranges: &[(u32, u32)]) {
        let ends = ranges.iter();
        let ends = ends.flat_map(|&(first, last)| [first, last.saturating_add(1)]);
        self.cuts.entry(register).or_default().extend(ends);
    }

    fn action(&mut self, action: &Action) {
        match action.value() {
            Some(Source::Literal(text)) => self.literals.extend(text.chars()),
            Some(Source::LowerCurrent) => self.sets.push(('A'..='Z').collect()),
            _ => {}
        }
        if let Action::SetCharacter(_, Some(c)) = action {
            self.literals.insert(*c);
        }
        let computes = matches!(
            action,
            Action::Multiply(..) | Action::AddDigit(_) | Action::Replace(_)
        );
        for (register, number) in action.registers() {
            match number {
                _ if !self.cuts.contains_key(&register.0) => {}
                Some(number) => self.numbers(register.0, &[(number, number)]),
                None if computes => {}
                None => drop(self.counted.insert(register.0)),
            }
        }
    }

    fn guard(&mut self, guard: &Guard) {
        self.sets.extend(guard.sets().into_iter().cloned());
        self.start_tags |= guard.reads().contains(&Variable::LastStartTag);
        if let Guard::TextIs {
            register,
            any_of,
            ignore_case,
        } = guard
        {
            let words = Words {
                register: register.0,
                words: any_of.clone(),
                ignore_case: *ignore_case,
            };
            if !self.words.contains(&words) {
                self.words.push(words);
            }
        }
        if let Guard::NumberIn(register, ranges) = guard {
            self.numbers(register.0, ranges);
        }
        if let Guard::LastMatchedIn(set) = guard {
            self.sets.push(set.clone());
            self.last_matched.push(set.clone());
        }
        if let Guard::LastConsumed(text) = guard {
            self.literals.extend(text.chars());
            self.behind.push(text.clone());
        }
    }

    /// Names of references, one for each outcome in the two tables: the shortest.
    pub(super) fn names(&self, tables: [&Machine; 2]) -> Vec<String> {
        let tables = tables.map(|table| table.references.as_slice());
        let mut shortest: BTreeMap<_, &str> = BTreeMap::new();
        for (name, _) in tables.into_iter().flatten() {
            let of_table = tables.map(|all| {
                let at = all.partition_point(|(it, _)| it < name);
                let own = all.get(at).filter(|(it, _)| it == name);
                let mut longer = all.iter().skip(at + usize::from(own.is_some()));
                let goes_on = longer.next().is_some_and(|(it, _)| it.starts_with(name));
                let is_one = |it: &str| all.binary_search_by(|row| row.0.as_str().cmp(it)).is_ok();
                let ends = name.char_indices().map(|(end, _)| end);
                let falls_back = ends.filter_map(|end| name.get(..end)).any(is_one);
                let length = own.map(|(_, value)| value.chars().count().min(2));
                (length, goes_on, falls_back)
            });
            let sets = self.last_matched.iter();
            let sets = sets.map(|set| name.ends_with(|c| set.contains(c)));
            let is_behind = self.behind.iter().any(|text| text.contains(name.as_str()));
            let outcome = (of_table, sets.collect::<Vec<_>>(), is_behind);
            let known = shortest.entry(outcome).or_insert(name);
            if (name.len(), name.as_str()) < (known.len(), *known) {
                *known = name;
            }
        }
        let names: BTreeSet<&str> = shortest.into_values().collect();
        names.into_iter().map(str::to_owned).collect()
    }
}

/// The other case of an ASCII letter.
pub(super) fn other_case(c: char) -> char {
    if c.is_ascii_lowercase() {
        c.to_ascii_uppercase()
    } else {
        c.to_ascii_lowercase()
    }
}

/// How many of the last characters are a beginning of a text.
pub(super) fn overlap(text: &str, consumed: &[char]) -> u32 {
    let text: Vec<char> = text.chars().collect();
    let mut lengths = (0..=text.len().min(consumed.len())).rev();
    let found = lengths.find(|&n| consumed.ends_with(&text[..n]));
    found.unwrap_or(0) as u32
}

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
    index: SetIndex,
}

/// How many characters of a class are tried in turn.
const SAMPLES: usize = 12;

impl Alphabet {
    /// The classes of what a machine tells apart.
    pub(super) fn new(facts: &Facts) -> Self {
        let mut sets = facts.sets.clone();
        sets.sort_by(|one, other| one.ranges().cmp(other.ranges()));
        sets.dedup();
        sets.extend(facts.literals.iter().map(|&c| CharSet::single(c)));
        let words = facts.words.iter().flat_map(|words| &words.words);
        let mut avoided: BTreeSet<char> = words.flat_map(|word| word.chars()).collect();
        avoided.extend(&facts.literals);
        let classes = classes(&sets).into_iter().map(|set| {
            let samples = samples(&set, &avoided);
            Class { set, samples }
        });
        let classes: Vec<Class> = classes.collect();
        Self {
            index: SetIndex::new(classes.iter().map(|class| &class.set)),
            classes,
        }
    }

    /// The class of a character.
    pub(super) fn class(&self, c: char) -> u32 {
        self.index.find(c).map_or(0, |class| class as u32)
    }

    /// A character of a class; another one at another place where it can be.
    pub(super) fn sample(&self, class: usize, place: usize) -> Option<char> {
        let samples = &self.classes.get(class)?.samples;
        samples.get(place % samples.len().max(1)).copied()
    }
}

/// How many characters of a set are looked at.
const LOOKED_AT: usize = 1 << 11;

/// Some characters of a set: printable ones first, and none with a meaning of its own if there is another.
fn samples(set: &CharSet, avoided: &BTreeSet<char>) -> Vec<char> {
    let rank = |c: &char| match c {
        // A table may turn the first into a newline, and drop the second at the start of the input.
        '\r' | '\u{FEFF}' => 7,
        c if c.is_ascii_graphic() => u8::from(avoided.contains(c)),
        ' ' => 2,
        '\n' => 3,
        c if c.is_ascii() => 4,
        c if c.is_alphabetic() => 5,
        _ => 6,
    };
    let some = || set.iter().take(LOOKED_AT);
    let best = some().map(|c| rank(&c)).min();
    // Those in between are alike for no reader.
    let most = [1, SAMPLES][usize::from(matches!(best, Some(0 | 5 | 6)))];
    some()
        .filter(|c| Some(rank(c)) == best)
        .take(most)
        .collect()
}
