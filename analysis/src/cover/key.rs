//! What a configuration comes down to: two with the same key go on alike, as far as arms and branches
//! are concerned.

use std::collections::HashMap;

use speclex_codegen::machine::{RegisterId, StateId, TokenId};

use super::items::Items;
use super::liveness::{Fact, Facts, Liveness};
use super::questions::Questions;
use crate::interpreter::{Host, Interpreter, RegisterValue};

/// A configuration, abridged.
pub(super) type Key = Vec<u32>;

/// Marks what a string or a number came down to.
const OTHER: u32 = u32::MAX;

/// How much of what may be read again decides.
const LONG: usize = 2;

/// Makes keys.
#[derive(Debug)]
pub(super) struct Keys<'a, 'm> {
    questions: &'a Questions,
    pub(super) items: &'a Items<'m>,
    live: Liveness<'m>,
    states: Vec<Facts>,
    /// What matters in steps that wait, by the item of their body.
    waiting: HashMap<usize, Facts>,
}

impl<'a, 'm> Keys<'a, 'm> {
    pub(super) fn new(items: &'a Items<'m>, questions: &'a Questions) -> Self {
        let machine = items.machine();
        let live = Liveness::of(machine);
        let ids = (0..).take(machine.states.len());
        let states = ids.map(|id| live.of_state(StateId(id)));
        Self {
            questions,
            items,
            states: states.collect(),
            live,
            waiting: HashMap::new(),
        }
    }

    /// The key of a configuration; `None` where nothing follows, or nothing that shorter input would
    /// not lead to.
    pub(super) fn key<H: Host>(&mut self, at: &Interpreter<'m, H>, answer: bool) -> Option<Key> {
        let state = at.state()?;
        let mut key = vec![state.0];
        let waiting = at.waiting();
        if let Some((body, consumed)) = waiting {
            key.push(self.items.of_body(body)? as u32 + 1);
            key.extend(at.consumed(consumed).map(u32::from));
        }
        key.push(OTHER);
        let unread: Vec<char> = at.unread().collect();
        if !self.add_unread(&unread, &mut key) {
            return None;
        }
        key.push(OTHER);
        if let Some(since) = at.since_mark() {
            // Of what may be read again its start says enough.
            key.push(since.min(LONG) as u32);
            let skipped = since.saturating_sub(LONG);
            key.extend(at.consumed(since).skip(skipped).map(u32::from));
        }
        key.push(OTHER);
        key.extend(self.look_behind(at).map(|length| length as u32));
        let of_state;
        let facts = match waiting {
            None => self.states.get(state.0 as usize)?,
            Some((body, _)) => {
                let item = self.items.of_body(body)?;
                of_state = (self.waiting.entry(item)).or_insert_with(|| self.live.after(body));
                of_state
            }
        };
        for fact in facts {
            match fact {
                Fact::Register(register) => add_register(self.questions, at, *register, &mut key),
                Fact::Name(token) => add_name(at, *token, &mut key),
                Fact::Attributes(token) => add_attributes(at, *token, &mut key),
                Fact::CurrentAttribute(token) => add_current_attribute(at, *token, &mut key),
                Fact::Flag(field) => key.push(at.flag(*field).into()),
                Fact::Kind(token) => key.push(at.kind(*token)?),
                Fact::LastStartTag => key.push(at.last_start_tag().is_some().into()),
                Fact::Questions => key.push(answer.into()),
            }
        }
        Some(key)
    }

    /// Adds what input that is not consumed yet comes down to; `false` where it decides nothing that less
    /// of it does not. Literals and the references chosen, with a character after them, are worth waiting for;
    /// of anything else one character is.
    fn add_unread(&self, unread: &[char], key: &mut Key) -> bool {
        let text: String = unread.iter().collect();
        let reference = |name: &String| {
            name.starts_with(&text) || unread.len() == name.len() + 1 && text.starts_with(name)
        };
        let questions = self.questions;
        let is_worth_it = (questions.literals.iter()).any(|literal| literal.starts_with(&text))
            || questions.references.iter().any(reference);
        match unread.len() {
            _ if is_worth_it => key.extend(unread.iter().copied().map(u32::from)),
            0 | 1 => key.push(OTHER),
            _ => return false,
        }
        true
    }

    /// The character with which a literal goes on that the input has the start of.
    pub(super) fn next_of_literal<H: Host>(&self, at: &Interpreter<'m, H>) -> Option<char> {
        let unread: String = at.unread().collect();
        if unread.is_empty() {
            return None;
        }
        let mut rests = self
            .questions
            .literals
            .iter()
            .filter_map(|literal| literal.strip_prefix(&unread));
        rests.find_map(|rest| rest.chars().next())
    }

    /// For each string that guards compare the last characters with: how much of it there is.
    fn look_behind<H: Host>(&self, at: &Interpreter<'m, H>) -> impl Iterator<Item = usize> {
        let longest = self.questions.last_consumed.iter().map(String::len).max();
        let mut last: Vec<char> = at.consumed(longest.unwrap_or(0)).collect();
        last.reverse();
        let last: String = last.into_iter().collect();
        self.questions.last_consumed.iter().map(move |text| {
            let lengths = (1..=text.len())
                .rev()
                .filter(|&length| text.is_char_boundary(length));
            lengths
                .into_iter()
                .find(|&length| last.ends_with(&text[..length]))
                .unwrap_or(0)
        })
    }
}

fn add_register<H: Host>(
    questions: &Questions,
    at: &Interpreter<'_, H>,
    register: RegisterId,
    key: &mut Key,
) {
    match at.register(register) {
        Some(RegisterValue::Small(value)) => key.push(value),
        Some(RegisterValue::Number(number)) => {
            let worth = questions.numbers.get(&register);
            let is_worth_having = worth.is_some_and(|numbers| numbers.contains(&number));
            key.push(if is_worth_having { number } else { OTHER });
        }
        Some(RegisterValue::Text(text)) => {
            // As much as may still become one of the words.
            let words = questions.words.iter().filter(|(of, ..)| *of == register);
            let starts = words.filter(|(_, word, ignore_case)| {
                let start = word.get(..text.len());
                start.is_some_and(|start| match ignore_case {
                    true => start.eq_ignore_ascii_case(text),
                    false => start == text,
                })
            });
            let matching: Vec<_> = starts.map(|(_, _, ignore_case)| ignore_case).collect();
            let ignore_case = matching.iter().all(|&&ignore_case| ignore_case);
            match (matching.is_empty(), ignore_case) {
                (true, _) => key.push(OTHER),
                (_, true) => key.extend(text.chars().map(|c| u32::from(c.to_ascii_lowercase()))),
                (_, false) => key.extend(text.chars().map(u32::from)),
            }
            key.push(OTHER);
        }
        None => key.push(OTHER),
    }
}

/// A name matters as far as it may become the last start tag's.
fn add_name<H: Host>(at: &Interpreter<'_, H>, token: TokenId, key: &mut Key) {
    let name: Vec<char> = at.name(token).unwrap_or_default().chars().collect();
    let rest = at
        .last_start_tag()
        .and_then(|last| last.strip_prefix(name.as_slice()));
    key.push((!name.is_empty()).into());
    match rest {
        Some(rest) => key.extend(rest.iter().copied().map(u32::from)),
        None => key.push(OTHER),
    }
    key.push(OTHER);
}

/// The names of all attributes matter as far as a later one may be one of them. How long they are does not:
/// a shorter one does as well.
fn add_attributes<H: Host>(at: &Interpreter<'_, H>, token: TokenId, key: &mut Key) {
    let names = at.attribute_names(token);
    key.push(names.as_ref().is_some_and(|names| names.any).into());
    let mut all =
        (names.iter()).flat_map(|names| names.earlier.iter().copied().chain(names.current));
    key.push(all.any(|name| !name.is_empty()).into());
}

/// The name of the current attribute matters as far as it may become one of the earlier ones.
fn add_current_attribute<H: Host>(at: &Interpreter<'_, H>, token: TokenId, key: &mut Key) {
    let names = at.attribute_names(token);
    if let Some((current, earlier)) = names.and_then(|names| Some((names.current?, names.earlier)))
    {
        let rests = earlier.iter().filter_map(|name| name.strip_prefix(current));
        let shortest = rests.min_by_key(|rest| rest.len());
        key.push((!current.is_empty()).into());
        key.push(shortest.is_some().into());
        key.extend(shortest.into_iter().flat_map(str::chars).map(u32::from));
    }
    key.push(OTHER);
}
