//! What two machines compare their input, their strings and their numbers with, before anything runs: the
//! characters they tell apart with samples of each kind, and one reference for each outcome.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use speclex_codegen::analyse::{paths, states_in_registers};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{
    Action, AttributePart, FieldId, Guard, Machine, RegisterId, RegisterType, State, StateId,
    StateKind, TOO_LARGE, Target, TokenId, Value as Source,
};
use speclex_codegen::uses::Variable;

use crate::character_classes::{SetIndex, classes};
use crate::paths::{arms, is_read_again};

/// Words that a text register is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) register: u32,
    pub(super) words: Vec<String>,
    pub(super) ignore_case: bool,
}

/// A string that is copied out of, or into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copied {
    Register(RegisterId),
    Field(FieldId),
    /// Of the current attribute.
    Attribute(TokenId, AttributePart),
}

/// What a machine puts into a variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Put {
    /// The characters that the table says.
    pub(super) characters: BTreeSet<char>,
    /// The variables that are copied.
    pub(super) copied: BTreeSet<Variable>,
}

/// All that a machine compares with.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Sets of characters.
    pub(super) sets: Vec<CharSet>,
    /// Characters in literals, written or compared.
    pub(super) literals: BTreeSet<char>,
    /// Words of text registers.
    pub(super) words: Vec<Words>,
    /// Strings that the last characters consumed are compared with.
    pub(super) behind: Vec<String>,
    /// For each register of numbers the first numbers of the intervals within which all numbers are alike.
    pub(super) cuts: BTreeMap<u32, BTreeSet<u32>>,
    /// Whether attributes' names are compared with each other.
    pub(super) duplicates: bool,
    /// Whether anything depends on the last start tag.
    pub(super) start_tags: bool,
    /// Sets that the last character of a matched reference is looked for in.
    last_matched: Vec<CharSet>,
    /// The characters that registers are set to.
    pub(super) characters: BTreeSet<char>,
    /// What is put into each variable.
    pub(super) put: BTreeMap<Variable, Put>,
    /// The strings that are copied out of, or into.
    pub(super) copied: Vec<Copied>,
    /// The strings of tokens that are written anew.
    pub(super) set_anew: Vec<Copied>,
    /// Registers that digits are added to.
    pub(super) digits: BTreeSet<u32>,
    /// Registers whose number is written as a character.
    written: BTreeSet<u32>,
    /// Registers whose number the table of numbers may replace.
    replaced: BTreeSet<u32>,
}

impl Facts {
    pub(super) fn of(machine: &Machine) -> Self {
        let mut facts = Self::default();
        for (set, _) in &machine.preprocessing.errors {
            facts.set(set);
        }
        for &(from, to) in &machine.preprocessing.replace {
            facts.literals.extend([from, to]);
        }
        for state in &machine.states {
            if let StateKind::Consume(consume) = &state.kind {
                for literal in &consume.literals {
                    facts.literals.extend(literal.text.chars());
                    if literal.ignore_case {
                        let other = literal.text.chars().map(other_case);
                        facts.literals.extend(other);
                    }
                }
                consume.arms.iter().for_each(|arm| facts.set(&arm.set));
            }
        }
        machine.all_actions().for_each(|it| facts.action(it));
        machine.all_questions().for_each(|it| facts.guard(it));
        facts.complete_cuts(machine);
        facts
    }

    fn set(&mut self, set: &CharSet) {
        if !self.sets.contains(set) {
            self.sets.push(set.clone());
        }
    }

    /// Adds a string that is copied out of, or into.
    fn copied(&mut self, copied: Copied) {
        if !self.copied.contains(&copied) {
            self.copied.push(copied);
        }
    }

    /// Tells the numbers of these ranges apart from others in a register.
    fn numbers(&mut self, register: RegisterId, ranges: &[(u32, u32)]) {
        let cuts = self.cuts.entry(register.0).or_default();
        cuts.extend(
            ranges
                .iter()
                .flat_map(|&(first, last)| [first, last.saturating_add(1)]),
        );
    }

    /// Adds the numbers that are distinguished in any number register, in those that are spelled or written, and in those that
    /// are replaced.
    fn complete_cuts(&mut self, machine: &Machine) {
        for (index, register) in (0..).zip(&machine.registers) {
            if register.ty != RegisterType::Number {
                continue;
            }
            let cuts = self.cuts.entry(index).or_default();
            cuts.extend([0, 1, 2]);
            if self.digits.contains(&index) || self.written.contains(&index) {
                cuts.extend([0xD800, 0xE000, TOO_LARGE]);
            }
            if self.replaced.contains(&index) {
                let numbers = machine.replacements.iter();
                cuts.extend(
                    numbers
                        .clone()
                        .flat_map(|&(number, code)| [number, number + 1, code, code + 1]),
                );
                let put = self.put.entry(Variable::Register(RegisterId(index)));
                let codes = numbers.filter_map(|(_, code)| char::from_u32(*code));
                put.or_default().characters.extend(codes);
            }
            cuts.retain(|&cut| cut <= TOO_LARGE);
        }
    }

    fn action(&mut self, action: &Action) {
        if let Some(variable) = action.changes() {
            let put = self.put.entry(variable).or_default();
            match (action, action.value()) {
                (Action::SetNumber(_, number), _) => {
                    put.characters.extend(char::from_u32(*number));
                }
                (_, Some(Source::Literal(text))) => put.characters.extend(text.chars()),
                (_, value) => put.copied.extend(value.and_then(Source::reads)),
            }
        }
        match action.value() {
            Some(Source::Literal(text)) => self.literals.extend(text.chars()),
            Some(Source::LowerCurrent) => {
                self.set(&CharSet::from_ranges([('A' as u32, 'Z' as u32)]));
            }
            Some(Source::Code(register)) => {
                self.written.insert(register.0);
            }
            Some(Source::Register(register)) => self.copied(Copied::Register(*register)),
            Some(Source::Field(field)) => self.copied(Copied::Field(*field)),
            _ => {}
        }
        if let Some(Source::Register(_) | Source::Field(_)) = action.value() {
            match action {
                Action::Append(field, _) | Action::Set(field, _) => {
                    self.copied(Copied::Field(*field));
                }
                Action::AppendRegister(register, _) | Action::SetText(register, _) => {
                    self.copied(Copied::Register(*register));
                }
                Action::AppendAttribute(token, part, _) | Action::SetAttribute(token, part, _) => {
                    self.copied(Copied::Attribute(*token, *part));
                }
                _ => {}
            }
        }
        match action {
            Action::Set(field, _) => self.set_anew.push(Copied::Field(*field)),
            Action::SetAttribute(token, part, _) => {
                self.set_anew.push(Copied::Attribute(*token, *part));
            }
            Action::SetNumber(register, number) => self.numbers(*register, &[(*number, *number)]),
            Action::Replace(register) => {
                self.replaced.insert(register.0);
            }
            Action::SetCharacter(_, Some(c)) => {
                self.literals.insert(*c);
                self.characters.insert(*c);
            }
            Action::AddDigit(register) => {
                self.digits.insert(register.0);
            }
            _ => {}
        }
    }

    fn guard(&mut self, guard: &Guard) {
        guard.sets().into_iter().for_each(|set| self.set(set));
        self.start_tags |= guard.reads().contains(&Variable::LastStartTag);
        match guard {
            Guard::TextIs {
                register,
                any_of,
                ignore_case,
            } => {
                let words = Words {
                    register: register.0,
                    words: any_of.clone(),
                    ignore_case: *ignore_case,
                };
                if !self.words.contains(&words) {
                    self.words.push(words);
                }
            }
            Guard::NumberIn(register, ranges) => self.numbers(*register, ranges),
            Guard::HasReplacement(register) => {
                self.replaced.insert(register.0);
            }
            Guard::LastMatchedIn(set) => {
                self.set(set);
                if !self.last_matched.contains(set) {
                    self.last_matched.push(set.clone());
                }
            }
            Guard::LastConsumed(text) => {
                self.literals.extend(text.chars());
                if !self.behind.contains(text) {
                    self.behind.push(text.clone());
                }
            }
            Guard::DuplicateAttribute(_) => self.duplicates = true,
            _ => {}
        }
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

/// Whether a character is neither a letter nor a digit, as those that begin markup.
pub(super) fn is_sign(c: char) -> bool {
    c.is_ascii_punctuation()
}

/// Where a machine is, and what it may yet read of the input so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ahead {
    pub(super) state: Option<u32>,
    /// The characters from where it is, or from the place marked.
    pub(super) known: String,
    /// Where it is among them, and the place marked.
    pub(super) place: usize,
    pub(super) mark: Option<usize>,
}

/// Both machines.
pub(super) type Situation = [Ahead; 2];

/// The kinds of characters that two states tell apart.
#[derive(Debug)]
pub(super) struct Kinds {
    /// What tells them from other kinds.
    pub(super) number: u32,
    /// Whether something is remembered of characters that are read again.
    pub(super) remembers: bool,
    /// Letters that may begin a word or the name of a reference.
    pub(super) word_letters: BTreeSet<char>,
    /// Whether a digit may be added to a number.
    pub(super) adds_digits: bool,
    /// For each class its kind.
    pub(super) of_class: Vec<u16>,
    /// For each kind a class to try.
    pub(super) samples: Vec<u16>,
    /// For each kind the least and the greatest hexadecimal digit that is of it.
    pub(super) digits: Vec<Option<(u32, u32)>>,
}

impl Kinds {
    pub(super) fn of(&self, class: u16) -> u16 {
        self.of_class.get(usize::from(class)).copied().unwrap_or(0)
    }

    /// The least and the greatest hexadecimal digit of a class's kind.
    pub(super) fn digits(&self, class: u16) -> Option<(u32, u32)> {
        *self.digits.get(usize::from(self.of(class)))?
    }
}

/// The kinds of each situation that a search has met.
pub(super) type KindsOfSituations = RefCell<FxHashMap<Situation, Rc<Kinds>>>;

/// Those that some states tell apart; whether several characters may be read at once, and whether something is remembered of them.
pub(super) type KindsOfStates = RefCell<BTreeMap<(BTreeSet<u32>, bool, bool), Rc<Kinds>>>;

/// The kinds of characters that comparisons with the last start tag's name tell apart.
#[derive(Debug, Default)]
pub(super) struct NameKinds {
    /// For each class its kind.
    pub(super) of_class: Vec<u16>,
    /// A letter or digit of each kind that has one.
    pub(super) letters: Vec<char>,
}

/// What a machine makes of an input that is a name of either table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Outcome {
    /// Whether the whole name is matched; else how it ends that is.
    whole: bool,
    matches: bool,
    /// For each set that its last character is looked for in, whether it is there.
    last: Vec<bool>,
    /// Whether a shorter name is there to fall back on.
    falls_back: bool,
    /// Whether a longer name begins with it.
    goes_on: bool,
}

fn outcome(
    references: &[(String, String)],
    name: &str,
    sets: &[CharSet],
) -> (Outcome, Option<(usize, String)>) {
    let find = |wanted: &str| {
        let index = references.binary_search_by(|(name, _)| name.as_str().cmp(wanted));
        index.ok().and_then(|index| references.get(index))
    };
    let ends = name.char_indices().map(|(at, c)| at + c.len_utf8());
    let prefixes: Vec<_> = ends.filter_map(|end| find(name.get(..end)?)).collect();
    let longest = prefixes.last();
    let whole = longest.is_some_and(|(found, _)| found == name);
    let after = references.partition_point(|(other, _)| other.as_str() <= name);
    let goes_on = references
        .get(after)
        .is_some_and(|(other, _)| other.starts_with(name));
    let ends_in = |set: &CharSet| {
        let set = set.clone();
        move |(found, _): &&(String, String)| found.ends_with(|c| set.contains(c))
    };
    let outcome = Outcome {
        whole,
        matches: longest.is_some(),
        last: sets
            .iter()
            .map(|set| longest.is_some_and(ends_in(set)))
            .collect(),
        falls_back: prefixes.len() > usize::from(whole),
        goes_on,
    };
    let found = longest.map(|(name, value)| (name.chars().count(), value.clone()));
    (outcome, found)
}

/// How many of the last characters are a beginning of a text.
pub(super) fn overlap(text: &str, consumed: &[char]) -> u32 {
    let text: Vec<char> = text.chars().collect();
    let longest = (0..=text.len().min(consumed.len())).rev();
    let found = longest
        .into_iter()
        .find(|&n| consumed.ends_with(&text[..n]));
    found.unwrap_or(0) as u32
}

/// The states that lead to some states in one step, or in any number of steps that consume nothing.
pub(super) fn states_before(machine: &Machine, is_one: &dyn Fn(u32) -> bool) -> BTreeSet<u32> {
    let in_registers = states_in_registers(machine);
    let leads = |state: &State, consumes: bool, is_one: &dyn Fn(u32) -> bool| {
        arms(state).iter().any(|arm| {
            paths(arm.body).iter().any(|path| {
                let leads_there = match path.target {
                    Target::State(StateId(id)) => is_one(id),
                    Target::Register(id) => {
                        let states = in_registers.get(&id);
                        states.is_some_and(|states| states.iter().any(|state| is_one(state.0)))
                    }
                    Target::End => false,
                };
                leads_there && (consumes || is_read_again(arm.on, arm.is_peeked, path))
            })
        })
    };
    let states = || (0..).zip(&machine.states);
    let mut before: BTreeSet<u32> = BTreeSet::new();
    loop {
        let is_next = |id| is_one(id) || before.contains(&id);
        let more =
            states().filter(|(id, state)| !before.contains(id) && leads(state, false, &is_next));
        let more: Vec<u32> = more.map(|(id, _)| id).collect();
        if more.is_empty() {
            break;
        }
        before.extend(more);
    }
    let at_once = states().filter(|(_, state)| leads(state, true, is_one));
    before.extend(at_once.map(|(id, _)| id));
    before
}

/// The sets of the states before those that match references: a name is matched only if its first character gets there.
fn sets_before_matching<'m>(machine: &'m Machine, matching: &BTreeSet<u32>) -> Vec<&'m CharSet> {
    let before = states_before(machine, &|id| matching.contains(&id));
    let states = before
        .iter()
        .filter_map(|&id| machine.states.get(id as usize));
    let arms = states.flat_map(arms);
    let sets = arms.flat_map(|arm| {
        let asked = arm.body.all_questions().flat_map(Guard::sets);
        arm.on.set().into_iter().chain(asked)
    });
    let mut all: Vec<&CharSet> = sets.collect();
    all.sort_by_key(|set| set.ranges());
    all.dedup();
    all
}

/// For each outcome in the two tables the shortest name that has it, of those that the machine that does what either table does
/// does not tell apart before or after. `strings` are what is left of strings where a reference may be read instead, in lower case.
pub(super) fn representatives(
    machine: &Machine,
    matching: &BTreeSet<u32>,
    strings: &BTreeSet<String>,
    tables: [&Machine; 2],
    facts: &Facts,
) -> Vec<String> {
    let [one, other] = tables.map(|table| table.references.as_slice());
    let sets = &facts.last_matched;
    let before = sets_before_matching(machine, matching);
    let mut groups: BTreeMap<_, String> = BTreeMap::new();
    for (name, _) in one.iter().chain(other) {
        let (left, left_found) = outcome(one, name, sets);
        let (right, right_found) = outcome(other, name, sets);
        let length = |found: &Option<(usize, String)>| {
            let value = found.as_ref().map(|(_, value)| value);
            value.map(|value| value.chars().count().min(2))
        };
        let characters: Vec<char> = name.chars().collect();
        let first = characters.first();
        let is_in = before
            .iter()
            .map(|set| first.is_some_and(|c| set.contains(*c)));
        let behind = facts.behind.iter().map(|text| overlap(text, &characters));
        let lower = name.to_ascii_lowercase();
        let beside = strings
            .iter()
            .filter(|rest| lower.starts_with(*rest) || rest.starts_with(&lower))
            .map(|rest| (rest, name.get(..rest.len())));
        let is_inside = facts.behind.iter().any(|text| text.contains(name.as_str()));
        let group = (
            left,
            right,
            left_found == right_found,
            [&left_found, &right_found].map(length),
            is_in.collect::<Vec<bool>>(),
            (behind.collect::<Vec<u32>>(), beside.collect::<Vec<_>>()),
            // One that stands inside of such a text depends on what is before it.
            is_inside.then(|| name.clone()),
            characters.len().min(2),
        );
        let chosen = groups.entry(group).or_insert_with(|| name.clone());
        if (name.len(), name) < (chosen.len(), chosen) {
            chosen.clone_from(name);
        }
    }
    groups.into_values().collect()
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
        let mut sets: Vec<CharSet> = Vec::new();
        for set in &facts.sets {
            // A letter may be compared with the other case of another.
            for set in [set.clone(), in_other_case(set)] {
                if !sets.contains(&set) {
                    sets.push(set);
                }
            }
        }
        sets.extend(facts.literals.iter().map(|&c| CharSet::single(c)));
        let mut avoided: BTreeSet<char> = facts.literals.clone();
        for word in &facts.words {
            avoided.extend(word.words.iter().flat_map(|word| word.chars()));
        }
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

    /// The least and the greatest hexadecimal digit of a class.
    pub(super) fn digits(&self, class: u16) -> Option<(u32, u32)> {
        let set = &self.classes.get(usize::from(class))?.set;
        let digits = set.iter().take_while(char::is_ascii);
        let digits = digits.filter_map(|c| c.to_digit(16));
        let digits: Vec<u32> = digits.collect();
        Some((*digits.iter().min()?, *digits.iter().max()?))
    }

    /// The class of a character.
    pub(super) fn class(&self, c: char) -> u16 {
        self.index.find(c).map_or(0, |class| class as u16)
    }

    /// Whether a character is the only one of its class.
    pub(super) fn is_single(&self, c: char) -> bool {
        let class = self.classes.get(usize::from(self.class(c)));
        class.is_some_and(|class| class.set.len() == 1)
    }

    /// A character of a class; another one at another place where it can be.
    pub(super) fn sample(&self, class: u16, place: usize) -> Option<&char> {
        let samples = &self.classes.get(usize::from(class))?.samples;
        samples.get(place % samples.len().max(1))
    }
}

/// The same set with the ASCII letters in the other case.
fn in_other_case(set: &CharSet) -> CharSet {
    let letters = || ('A'..='Z').chain('a'..='z');
    let swapped = letters().filter(|&c| set.contains(other_case(c)));
    set.difference(&letters().collect())
        .union(&swapped.collect())
}

/// Some characters of a set: printable ones first, and none with a meaning of its own if there is another.
fn samples(set: &CharSet, avoided: &BTreeSet<char>) -> Vec<char> {
    // One may be a newline wherever it stands, the other is no character of the input at the start.
    let newline = set.difference(&CharSet::single('\r'));
    let others = newline.difference(&CharSet::single('\u{FEFF}'));
    let all = [&others, &newline].into_iter().find(|it| !it.is_empty());
    let set = all.unwrap_or(set);
    let some = |samples: Vec<char>| Some(samples).filter(|samples| !samples.is_empty());
    let ascii = || set.iter().take_while(char::is_ascii);
    let graphic = || ascii().filter(char::is_ascii_graphic);
    let space = || ascii().filter(|c| *c == ' ').chain(ascii());
    let plain = graphic().filter(|c| !avoided.contains(c));
    some(plain.take(SAMPLES).collect())
        .or_else(|| some(graphic().take(1).collect()))
        .or_else(|| some(space().take(1).collect()))
        .or_else(|| {
            some(
                set.iter()
                    .filter(|c| c.is_alphabetic())
                    .take(SAMPLES)
                    .collect(),
            )
        })
        .unwrap_or_else(|| set.iter().take(SAMPLES).collect())
}
