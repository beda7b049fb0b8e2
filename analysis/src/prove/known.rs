//! What one way through both moves takes for granted. Each question that is open is answered both ways, one way after
//! another, and has that answer for both sides from then on.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use speclex_codegen::charset::CharSet;

use super::set::{self, ANY_INPUT, ANY_NUMBER, Set};
use super::term::{self, Function, Term, arithmetic, push};
use super::values::Values;

/// What is asked of terms. Both sides get one answer only where they ask the same of equal terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// Whether a text is a word, in any case or not.
    IsWord(String, bool),
    /// Whether two texts are equal.
    AreEqual,
    /// Whether a list of attributes has one of this name.
    HasName,
    /// Whether a list of attributes has any.
    HasAny,
    /// Whether a character register holds an item of the input.
    HoldsItem,
    /// Whether one or more of the first set come, then one of the second.
    AreNext(CharSet, CharSet),
    /// Whether the last start tag's name comes, then one of the set, or the end.
    IsNameNext(CharSet, bool),
    /// Whether a string stands right before a place.
    StandsBefore(String),
    /// The sink's answers, by the number of tokens and the text that came out before.
    Sink(String),
    /// Whether a reference begins at a place.
    BeginsReference,
}

/// What is known of what is held at the start of a move, by class.
#[derive(Debug, Default)]
pub(super) struct Assumed {
    /// The numbers that it may be.
    pub(super) sets: HashMap<u32, Set>,
    /// What a text may be that is compared with words.
    pub(super) texts: HashMap<u32, Values>,
}

/// What one way takes for granted.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// What is known at the start of each way; what a way finds out goes before it.
    assumed: Assumed,
    /// The numbers, or the characters of the input, that a term may be.
    pub(super) sets: HashMap<Term, Set>,
    facts: HashMap<(Question, Vec<Term>), bool>,
    /// Items of the input that were looked at as characters.
    pub(super) characters: HashSet<i32>,
    /// Items of the input that are names of references.
    pub(super) names: HashSet<i32>,
    /// Characters that a side has left behind as such, so that they are no first letters of names.
    pub(super) passed: HashSet<i32>,
    /// What a text may be that is compared with words, by class.
    texts: HashMap<u32, Values>,
    choices: Vec<bool>,
    cursor: usize,
}

impl Known {
    /// What is known where all ways start.
    pub(super) fn of(assumed: Assumed) -> Self {
        Self {
            assumed,
            ..Self::default()
        }
    }

    /// The numbers, or the characters of the input, that a term may be, if that is known.
    pub(super) fn set(&self, term: &Term) -> Option<&Set> {
        let assumed = || match term {
            Term::Held(class) => self.assumed.sets.get(class),
            _ => None,
        };
        self.sets.get(term).or_else(assumed)
    }

    /// What the text of a class may be, if that is known.
    pub(super) fn text(&self, class: u32) -> Option<&Values> {
        let assumed = || self.assumed.texts.get(&class);
        self.texts.get(&class).or_else(assumed)
    }

    fn choose(&mut self) -> bool {
        if self.cursor == self.choices.len() {
            self.choices.push(true);
        }
        self.cursor += 1;
        self.choices[self.cursor - 1]
    }

    /// Begins the next way. `false`: there is none left.
    pub(super) fn begin_next(&mut self) -> bool {
        while self.choices.last() == Some(&false) {
            self.choices.pop();
        }
        self.cursor = 0;
        self.sets.clear();
        self.facts.clear();
        self.characters.clear();
        self.names.clear();
        self.passed.clear();
        self.texts.clear();
        match self.choices.last_mut() {
            Some(last) => {
                *last = false;
                true
            }
            None => false,
        }
    }

    /// Whether a number, or a character of the input, is in a set.
    pub(super) fn is_in(&mut self, term: &Term, set: &[(u32, u32)]) -> bool {
        if let Term::Number(number) = term {
            return set::contains(set, *number);
        }
        let all = match term {
            Term::Character(_) => ANY_INPUT,
            _ => ANY_NUMBER,
        };
        let now = self.set(term).map_or(all, Vec::as_slice);
        let (with, without) = (set::intersection(now, set), set::difference(now, set));
        let answer = match (with.is_empty(), without.is_empty()) {
            (true, _) => false,
            (_, true) => true,
            _ => self.choose(),
        };
        self.sets
            .insert(term.clone(), if answer { with } else { without });
        answer
    }

    /// The answer to a question of which nothing is known but the answers given before.
    pub(super) fn holds(&mut self, question: Question, of: Vec<Term>) -> bool {
        let fact = (question, of);
        if let Some(known) = self.facts.get(&fact) {
            return *known;
        }
        let answer = self.choose();
        self.facts.insert(fact, answer);
        answer
    }

    /// Decides which of the values that it may have a text begins with.
    pub(super) fn resolve(&mut self, term: &Term) {
        let Term::Text(pieces) = term else { return };
        let Some(Term::Held(class)) = pieces.first() else {
            return;
        };
        let Some(values) = self.text(*class).cloned() else {
            return;
        };
        let mut rest = values.clone();
        for word in &values.words {
            if rest.words.len() == 1 && !rest.other {
                break;
            }
            if self.choose() {
                rest = Values {
                    words: [word.clone()].into(),
                    other: false,
                };
                break;
            }
            rest.words.remove(word);
        }
        self.texts.insert(*class, rest);
    }

    /// The only number, or character of the input, that a term can be.
    pub(super) fn only(&self, term: &Term) -> Option<u32> {
        set::only(self.set(term)?)
    }

    /// Whether a term cannot be in a set.
    pub(super) fn is_never(&self, term: &Term, set: &[(u32, u32)]) -> bool {
        let now = self.set(term);
        now.is_some_and(|now| set::are_disjoint(now, set))
    }

    /// The normal form, with all that is known at the end of a way.
    pub(super) fn normal(&self, term: &Term) -> Term {
        match term {
            Term::Character(at) => match self.only(term).and_then(char::from_u32) {
                Some(c) => Term::Literal(c.to_string()),
                None => Term::Character(*at),
            },
            Term::Lowercase(at) => self.normal_lowercase(*at),
            Term::Text(pieces) => {
                let is_plain = |piece: &Term| match piece {
                    Term::Literal(_) => true,
                    Term::Held(_) => self.word(piece).is_none(),
                    _ => false,
                };
                if pieces.iter().all(is_plain) {
                    return term.clone();
                }
                let mut all = Vec::new();
                for piece in pieces.iter() {
                    match self.word(piece) {
                        Some(word) if word.is_empty() => {}
                        Some(word) => push(&mut all, Term::Literal(word.clone())),
                        None => push(&mut all, self.normal_piece(piece)),
                    }
                }
                Term::pieces(all)
            }
            other => match self.only(other) {
                Some(number) => Term::Number(number),
                None => self.normal_piece(other),
            },
        }
    }

    /// The word that the text of a class is known to be.
    fn word(&self, piece: &Term) -> Option<&String> {
        let Term::Held(class) = piece else {
            return None;
        };
        let values = self.text(*class).filter(|values| !values.other)?;
        let mut words = values.words.iter();
        words.next().filter(|_| words.next().is_none())
    }

    fn normal_lowercase(&self, at: i32) -> Term {
        let c = Term::Character(at);
        let few = self.set(&c).filter(|set| set::len(set) <= 2);
        let lower = few.into_iter().flatten().flat_map(|(a, b)| *a..=*b);
        let lower = lower.map(|it| char::from_u32(it).map(|c| c.to_ascii_lowercase()));
        let lower: HashSet<Option<char>> = lower.collect();
        match lower.iter().next() {
            Some(Some(c)) if lower.len() == 1 => Term::Literal(c.to_string()),
            _ if self.is_never(&c, &[('A' as u32, 'Z' as u32)]) => c,
            _ => Term::Lowercase(at),
        }
    }

    fn normal_piece(&self, term: &Term) -> Term {
        /// All that is a character, but for U+FFFD.
        const CHARACTERS: &[(u32, u32)] = &[(0, 0xD7FF), (0xE000, 0xFFFC), (0xFFFE, 0x10_FFFF)];
        let Term::Of(function, of) = term else {
            return match term {
                Term::Character(_) | Term::Lowercase(_) => self.normal(term),
                other => other.clone(),
            };
        };
        let parts: Vec<Term> = of.iter().map(|it| self.normal(it)).collect();
        match (function, parts.as_slice(), of.first()) {
            (Function::Latest, [first, rest @ ..], _) => {
                let first = first.clone();
                rest.iter().fold(first, |all, it| term::later(&all, it))
            }
            (Function::Character, [Term::Number(number)], _) => {
                let c = char::from_u32(*number).unwrap_or(char::REPLACEMENT_CHARACTER);
                Term::Literal(c.to_string())
            }
            (Function::Character, _, Some(of)) if self.is_never(of, CHARACTERS) => {
                Term::Literal(char::REPLACEMENT_CHARACTER.to_string())
            }
            (Function::AddDigit, [Term::Number(number), Term::Literal(c)], _) => {
                let digit = c.chars().next().map_or(0, term::digit);
                let sum = number.saturating_add(digit);
                Term::Number(sum.min(speclex_codegen::machine::TOO_LARGE))
            }
            (function, [Term::Number(number)], _) => match arithmetic(function, *number) {
                Some(number) => Term::Number(number),
                None => Term::of(function.clone(), parts),
            },
            _ => Term::of(function.clone(), parts),
        }
    }

    /// What is known of the characters of the input, for reports of what is not proven.
    pub(super) fn described(&self) -> String {
        let mut items: Vec<(i32, &Set)> = Vec::new();
        for (term, set) in &self.sets {
            if let Term::Character(at) = term {
                items.push((*at, set));
            }
        }
        items.sort_unstable();
        let sets = items.iter().map(|(_, set)| described_set(set));
        let names = self.names.iter().map(|_| "a reference's name".to_owned());
        sets.chain(names).collect::<Vec<_>>().join(", then ")
    }
}

/// A set of characters in a few words.
fn described_set(set: &Set) -> String {
    /// How many ranges a message names.
    const RANGES: usize = 3;
    let one = |c: u32| match char::from_u32(c) {
        Some(c) => speclex_codegen::charset::display_char(c),
        None => "the end".to_owned(),
    };
    let ranges = set.iter().take(RANGES).map(|(from, to)| match from == to {
        true => one(*from),
        false => format!("{} to {}", one(*from), one(*to)),
    });
    let mut text = ranges.collect::<Vec<_>>().join(" or ");
    if set.len() > RANGES {
        text += " or others";
    }
    text
}
