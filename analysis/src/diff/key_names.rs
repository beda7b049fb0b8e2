//! What strings are compared with, in a key: names with the last start tag's, others with words.

use super::key::Rest;
use super::key_parts::{Key, mark};
use super::liveness::Liveness;
use super::pair::{Pair, Product};
use super::runner::field_text;
use super::side::{Building, Side, Symbol, Value, characters};

/// How many letters of the last start tag's name are told apart.
const LETTERS: usize = 2;

impl Product<'_> {
    /// What is not text in a token under construction.
    pub(super) fn shape(&self, key: &mut Key, building: &Building, side: usize) {
        key.parts.push(building.kind);
        for value in &building.fields {
            key.parts.push(match value {
                Value::Text(_) => 0,
                Value::Missing => mark::MISSING,
                Value::Flag(set) => u32::from(*set),
                Value::Attributes(all) => all.len().min(2) as u32,
            });
        }
        if !self.facts[side].duplicates {
            return;
        }
        key.parts.push(u32::from(building.has_current));
        if let Some(((name, _), earlier)) = building.attributes().split_last()
            && building.has_current
        {
            let fits = |other: &[Symbol]| {
                other.len() >= name.len()
                    && characters(other).zip(characters(name)).all(|(a, b)| a == b)
            };
            let fitting = earlier.iter().filter(|(other, _)| fits(other));
            let fitting = fitting.map(|(other, _)| if other.len() == name.len() { 2 } else { 1 });
            key.parts.push(fitting.fold(0, |all, one| all | one));
        }
    }

    /// Names against the last start tag's.
    pub(super) fn start_tags(&self, key: &mut Key, pair: &Pair, live: [u128; 2]) {
        key.parts.push(mark::SECTION);
        let used = live.map(|live| live & Liveness::START_TAG != 0);
        let names = [0, 1].map(|side| pair.sides[side].last_start_tag.as_deref());
        for side in 0..2 {
            if !used[side] {
                continue;
            }
            let held = &pair.sides[side];
            key.parts.push(u32::from(names[side].is_some()));
            // What letters it has matters where letters are told apart.
            let letters = names[side]
                .into_iter()
                .flat_map(|name| characters(name))
                .take(LETTERS);
            let kind = |c| {
                self.name_kinds
                    .of_class
                    .get(usize::from(self.alphabet.class(c)))
            };
            key.parts
                .extend(letters.map(|c| kind(c).map_or(0, |kind| u32::from(*kind))));
            for (token, building) in held.tokens.iter().enumerate() {
                let field = self.runners[side].name_fields.get(token).copied().flatten();
                if live[side] & self.liveness[side].token(token) != 0
                    && let Some(name) = field.and_then(|field| building.fields.get(field))
                {
                    let name: String = characters(field_text(name)).collect();
                    key.parts.push(against(&name, held, false));
                }
            }
        }
        if used == [true, true] {
            match names {
                [Some(one), Some(other)] => match self.rest(one, other) {
                    Rest::Nothing => {}
                    _ => {
                        key.apart = true;
                        key.parts.push(mark::DIFFER);
                    }
                },
                [one, other] => key.apart |= one.is_some() != other.is_some(),
            }
        }
    }
}

/// How a name stands to the last start tag's: none, other, the same, or how much is missing.
pub(super) fn against(name: &str, side: &Side, ignore_case: bool) -> u32 {
    let Some(last) = &side.last_start_tag else {
        return 0;
    };
    let mut last = characters(last);
    let fits = |a: char, b: char| a == b || ignore_case && a.eq_ignore_ascii_case(&b);
    for c in name.chars() {
        match last.next() {
            Some(expected) if fits(c, expected) => {}
            Some(_) => return 1,
            // Longer: for a waiting text that is one thing, for a name another.
            None => return if ignore_case { 5 } else { 1 },
        }
    }
    match last.count() {
        0 => 2,
        1 => 3,
        _ => 4,
    }
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

/// How far a string has got in the words it is compared with.
pub(super) fn progress(text: &[Symbol], words: &super::facts::Words) -> u32 {
    let mut code = 0;
    for (index, word) in (1..).zip(&words.words) {
        let fits = |(a, b): (char, char)| a == b || words.ignore_case && a.eq_ignore_ascii_case(&b);
        if text.len() <= word.chars().count() && characters(text).zip(word.chars()).all(fits) {
            code = index << 8 | text.len() as u32;
            // A longer word may go on where a shorter one ends.
            if text.len() < word.chars().count() {
                break;
            }
        }
    }
    code
}
