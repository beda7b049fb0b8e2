//! Which texts are worth trying next: a character of each kind that two states tell apart, and the letters that continue words
//! and names that are compared.

use std::collections::BTreeSet;

use speclex_codegen::machine::{RegisterId, RegisterType, StateKind};
use speclex_codegen::uses::Variable;

use super::facts::other_case;
use super::model::{Model, Running, Tried};
use crate::interpreter::RegisterValue;

impl Model {
    /// What is tried behind an input of this length, where these machines are: the most legible first.
    pub(super) fn choices(&self, all: &[&Running<'_>], length: usize) -> Vec<String> {
        let mut chosen = BTreeSet::new();
        let mut classes: BTreeSet<usize> = BTreeSet::new();
        for at in all {
            let Some(state) = at.state() else { continue };
            let Some(tried) = self.tried.get(state.0 as usize) else {
                continue;
            };
            classes.extend(&tried.classes);
            self.add_wanted(at, tried, &mut chosen);
            let mut numbers = tried.digits.iter();
            let begins = |id: &RegisterId| at.register(*id) == Some(RegisterValue::Number(0));
            if numbers.any(begins) {
                chosen.extend(self.spelled.iter().cloned());
            }
        }
        let samples = classes.into_iter();
        let samples = samples.filter_map(|class| self.alphabet.sample(class, length));
        chosen.extend(samples.map(String::from));
        // How newlines and byte order marks are treated is a matter of preprocessing.
        let preprocessing = &self.machine.preprocessing;
        chosen.retain(|text| {
            let newline = preprocessing.normalize_newlines && text == "\r";
            let mark = preprocessing.drop_bom && length == 0 && text == "\u{FEFF}";
            !newline && !mark
        });
        let mut chosen: Vec<String> = chosen.into_iter().collect();
        chosen.sort_by_key(|text| text.chars().map(legibility).max());
        chosen
    }

    /// Adds characters that take a comparison under way one step further.
    fn add_wanted(&self, at: &Running<'_>, tried: &Tried, chosen: &mut BTreeSet<String>) {
        let mut add = |c: Option<char>, any_case: bool| {
            let cases = [c, c.map(other_case).filter(|_| any_case)];
            chosen.extend(cases.into_iter().flatten().map(String::from));
        };
        tried.letters.iter().for_each(|c| add(Some(*c), false));
        let unread: String = at.unread().collect();
        let state = at.state().map_or(0, |state| state.0 as usize);
        let state = self.machine.states.get(state).map(|state| &state.kind);
        if let Some(StateKind::Consume(consume)) = state {
            for literal in &consume.literals {
                add(
                    next(&literal.text, &unread, literal.ignore_case),
                    literal.ignore_case,
                );
            }
        }
        if tried.matches {
            self.names
                .iter()
                .for_each(|name| add(next(name, &unread, false), false));
        }
        // A state may let in one case of a letter only, and lower it: as `e` of "ENCODING".
        for words in &self.facts.words {
            let id = RegisterId(words.register);
            if self.is_live(at, Variable::Register(id))
                && let Some(RegisterValue::Text(text)) = at.register(id)
            {
                let words = words.words.iter();
                words.for_each(|word| add(next(word, text, true), true));
            }
        }
        for (id, register) in (0..).map(RegisterId).zip(&self.machine.registers) {
            if register.ty == RegisterType::Character
                && self.is_live(at, Variable::Register(id))
                && let Some(RegisterValue::Small(c)) = at.register(id)
            {
                // As its code plus one.
                add(c.checked_sub(1).and_then(char::from_u32), false);
            }
        }
        let last = at.last_start_tag();
        let last = last.filter(|_| self.is_live(at, Variable::LastStartTag));
        let last: Option<String> = last.map(|name| name.iter().collect());
        if let Some(last) = &last {
            add(next(last, &unread, true), true);
        }
        for token in self
            .tokens()
            .filter(|it| self.is_live(at, Variable::Token(*it)))
        {
            if let (Some(last), Some(name)) = (&last, at.name(token)) {
                add(next(last, name, false), true);
            }
            let names = at.attribute_names(token);
            let current = names.as_ref().and_then(|names| names.current);
            for name in names.iter().flat_map(|names| &names.earlier) {
                add(name.chars().next(), false);
                add(next(name, current.unwrap_or_default(), false), false);
            }
        }
    }
}

/// A `&` looks as if it began a reference, a `!` as if it began a comment.
fn legibility(c: char) -> u8 {
    match c {
        'a'..='z' => 0,
        'A'..='Z' | '0'..='9' => 1,
        '&' | '!' => 3,
        '!'..='~' => 2,
        ' ' => 4,
        _ if c.is_alphabetic() => 5,
        _ => 6,
    }
}

/// The next character of a word that begins with `start`.
fn next(word: &str, start: &str, ignore_case: bool) -> Option<char> {
    let begins = word.get(..start.len()).filter(|it| match ignore_case {
        true => it.eq_ignore_ascii_case(start),
        false => *it == start,
    });
    word.get(begins?.len()..)?.chars().next()
}
