//! What the search does not follow of names that are compared with the last start tag's: of these it tries names of one and of two
//! letters.

use std::collections::BTreeSet;

use speclex_codegen::analyse::{Event, Path, paths};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, FieldId, Guard, Machine, Target, TokenId, Value as Source};

use crate::diff::beyond::ahead::looks_into_names;
use crate::diff::beyond::remembers_more;
use crate::diff::flow::{Flow, Way};
use crate::paths::{ArmInput, arms};

/// How many letters of the last start tag's name are told apart, and names of how many are tried.
pub(in crate::diff) const LETTERS: u32 = 2;

/// Whether a value is characters as they are read, or written in the table.
pub(super) fn is_read(source: &Source) -> bool {
    matches!(
        source,
        Source::Current | Source::LowerCurrent | Source::Literal(_)
    )
}

/// Whether more would have to be tried of the names of start tags.
pub(super) fn lacks_names(flow: &Flow<'_>) -> bool {
    let machine = flow.machine;
    let tags = named_tags(machine);
    let compares = machine.all_questions().any(Guard::compares_start_tags);
    let writes_letters = |action: &Action| match action.value() {
        Some(Source::Literal(text)) => text.contains(|c: char| c.is_ascii_alphanumeric()),
        _ => false,
    };
    let mut named = machine.all_actions().filter(|it| names_tag(&tags, it));
    let is_compared = compares
        && (named.any(writes_letters)
            || keeps_case(flow, &tags)
            || looks_into_names(flow, &|it| names_tag(&tags, it)));
    is_compared
        || has_long_names(flow)
        || compares_other_letters(flow)
        || reads_long_names(flow)
        || remembers_letters(machine, flow)
}

/// Whether names that are compared with the last start tag's may have capital letters: these are not tried.
fn keeps_case(flow: &Flow<'_>, tags: &[TokenId]) -> bool {
    let capitals = CharSet::from_ranges([(0x41, 0x5A)]);
    let mut ways = (0..flow.len()).flat_map(|node| flow.ways(node));
    ways.any(|(way, _)| {
        let mut named = way.path.actions().filter(|it| names_tag(tags, it));
        let set = way.on.set();
        named.any(|it| it.value() == Some(&Source::Current))
            && set.is_some_and(|set| !set.intersection(&capitals).is_empty())
    })
}

/// Whether a token may be a start tag.
fn is_start_tag(machine: &Machine, token: TokenId) -> bool {
    let token = machine.vocabulary.tokens.get(token.0 as usize);
    let mut kinds = token.into_iter().flat_map(|token| &token.kinds);
    kinds.any(|kind| kind.is_start_tag)
}

/// Whether the name of a token is compared with the last start tag's.
fn is_compared(machine: &Machine, token: TokenId) -> bool {
    let mut all = machine.all_questions();
    all.any(|guard| matches!(guard, Guard::AppropriateEndTag(it) if *it == token))
}

/// The tokens whose names are compared with the last start tag's, or may become it.
pub(in crate::diff) fn named_tags(machine: &Machine) -> Vec<TokenId> {
    let tokens = (0..machine.vocabulary.tokens.len() as u32).map(TokenId);
    let named = tokens.filter(|&it| is_start_tag(machine, it) || is_compared(machine, it));
    named.collect()
}

/// Whether an action writes the name of one of these tokens.
pub(in crate::diff) fn names_tag(tags: &[TokenId], action: &Action) -> bool {
    match action {
        Action::Append(FieldId { token, .. }, _) | Action::Set(FieldId { token, .. }, _) => {
            tags.contains(token)
        }
        _ => false,
    }
}

/// Whether something is copied into a name that is compared with the last start tag's, or becomes it.
pub(super) fn copies_into_names(machine: &Machine) -> bool {
    let tags = named_tags(machine);
    let copies = |action: &Action| {
        let copied = action.value().is_some_and(|source| !is_read(source));
        copied && names_tag(&tags, action)
    };
    machine.all_questions().any(Guard::compares_start_tags) && machine.all_actions().any(copies)
}

/// Whether a state that compares a name with the last start tag's, or puts a character back for one that does, adds to it what is
/// no letter or digit of ASCII: names of others are not tried.
fn compares_other_letters(flow: &Flow<'_>) -> bool {
    let tried = alphanumeric();
    let asks = |node: usize| {
        let mut ways = flow.ways(node);
        ways.any(|(way, _)| {
            let mut questions = way.path.questions();
            questions.any(|it| matches!(it, Guard::AppropriateEndTag(_)))
        })
    };
    let adds = |action: &Action| matches!(action, Action::Append(..) | Action::Set(..));
    let adds_others = |way: &Way<'_>| {
        let is_other = |set: &CharSet| !set.difference(&tried).is_empty();
        way.path.actions().any(adds) && way.on.set().is_some_and(is_other)
    };
    (0..flow.len()).any(|node| {
        let mut again = flow
            .ways(node)
            .flat_map(|(way, to)| flow.readers_again(way, to));
        flow.ways(node).any(|(way, _)| adds_others(way)) && (asks(node) || again.any(asks))
    })
}

/// Whether something is remembered of the letters of a name that is compared with the last start tag's, or becomes it: in a
/// register, or because they lead to different states.
fn remembers_letters(machine: &Machine, flow: &Flow<'_>) -> bool {
    if !machine.all_questions().any(Guard::compares_start_tags) {
        return false;
    }
    let tags = named_tags(machine);
    let is_letter = |action: &Action| names_tag(&tags, action);
    let adds = |node: usize, on: &CharSet| {
        let mut ways = flow.ways(node);
        ways.any(|(way, _)| {
            let is_met = |set: &CharSet| !set.intersection(on).is_empty();
            way.path.actions().any(is_letter) && way.on.set().is_some_and(is_met)
        })
    };
    // Texts to which each letter is added, or that are set to it, tell no more than the name does.
    let is_added = |action: &Action| match action {
        Action::AppendRegister(_, source) | Action::SetText(_, source) => {
            matches!(source, Source::Current | Source::LowerCurrent)
        }
        _ => false,
    };
    let remembers = |action: &Action| {
        let writes = matches!(action, Action::AppendRegister(..) | Action::SetText(..));
        writes && !is_added(action) || remembers_more(machine, action)
    };
    let alpha = CharSet::from_ranges([(0x61, 0x7A)]);
    (0..flow.len()).any(|node| {
        // Where a letter leads that is added here, and where one leads that is added there.
        let (mut targets, mut readers): (Vec<Target>, BTreeSet<usize>) = Default::default();
        let mut others: Vec<Vec<&Action>> = Vec::new();
        for (way, to, is_answered) in flow.edges(node) {
            let names = way.path.actions().any(is_letter);
            if names && way.path.actions().any(remembers) {
                return true;
            }
            let is_met = |set: &CharSet| !set.intersection(&alpha).is_empty();
            if names && way.on.set().is_none_or(is_met) {
                let writes =
                    |it: &&Action| it.changes().is_some() && !is_letter(it) && !is_added(it);
                let written = way.path.actions().filter(writes).collect();
                if !others.contains(&written) {
                    others.push(written);
                }
            }
            if names && !is_answered && !targets.contains(&way.path.target) {
                targets.push(way.path.target);
                continue;
            }
            let mut again = flow.readers_again(way, to);
            if let Some(set) = way.on.set().filter(|_| !again.is_empty()) {
                let read = set.intersection(&alpha);
                again.retain(|&reader| adds(reader, &read));
                let mut actions = way.path.actions();
                if !again.is_empty() && actions.any(|it| remembers_more(machine, it)) {
                    return true;
                }
                readers.extend(again);
            }
        }
        targets.len() > 1 || readers.len() > 1 || others.len() > 1
    })
}

/// What the names of start tags may begin with, and what they may have behind that.
pub(in crate::diff) fn letters_of_names(machine: &Machine) -> [CharSet; 2] {
    let [mut first, mut rest] = [CharSet::default(), CharSet::default()];
    let mut starts_empty = false;
    for arm in machine.states.iter().flat_map(arms) {
        for path in paths(arm.body) {
            let mut actions = path.actions();
            let creates = actions
                .any(|it| matches!(it, Action::Create(token, _) if is_start_tag(machine, *token)));
            let added = path.actions().filter_map(|action| match action {
                Action::Append(field, value) | Action::Set(field, value) => {
                    Some(value).filter(|_| is_start_tag(machine, field.token))
                }
                _ => None,
            });
            let added: Vec<&Source> = added.collect();
            starts_empty |= creates && added.is_empty();
            for value in &added {
                let set = match (value, arm.on) {
                    (Source::Literal(text), _) => text.chars().collect(),
                    (_, ArmInput::Set(set, _)) => set.clone(),
                    _ => CharSet::default(),
                };
                if creates {
                    first = first.union(&set);
                }
                if !creates || added.len() > 1 {
                    rest = rest.union(&set);
                }
            }
        }
    }
    if starts_empty {
        first = first.union(&rest);
    }
    [first, rest]
}

/// Whether a name that was looked ahead for is then read by states that only many letters lead to, that remember something of
/// its letters, or that do not treat all characters of names like letters.
fn reads_long_names(flow: &Flow<'_>) -> bool {
    // Whether the name may be there if a question has this answer.
    fn finds(guard: &Guard, answer: bool) -> bool {
        match guard {
            Guard::NextIsLastStartTag { .. } => answer,
            Guard::Not(guard) => finds(guard, !answer),
            Guard::All(guards) | Guard::Any(guards) => guards.iter().any(|it| finds(it, answer)),
            _ => false,
        }
    }
    let looks = |way: &Way<'_>| {
        way.path
            .guards()
            .any(|(guard, answer)| finds(guard, answer))
    };
    let ways = (0..flow.len()).flat_map(|node| flow.ways(node));
    let mut found: BTreeSet<usize> = ways
        .filter_map(|(way, to)| to.filter(|_| looks(way)))
        .collect();
    let letters = CharSet::from_ranges([(0x41, 0x5A), (0x61, 0x7A)]);
    let lower = CharSet::from_ranges([(0x61, 0x7A)]);
    // All letters in the names that are tried are of one kind. Their case does not matter.
    let splits_letters = |way: &Way<'_>, set: &CharSet| {
        let asked = way.path.questions().flat_map(Guard::sets);
        let mut sets = [set].into_iter().chain(asked);
        sets.any(|set| {
            let has = |c: char| set.contains(c) || set.contains(c.to_ascii_uppercase());
            ('b'..='z').any(|c| has(c) != has('a'))
        })
    };
    // Names with other characters are not tried.
    let [first, rest] = letters_of_names(flow.machine).map(|set| set.difference(&alphanumeric()));
    let mut known: BTreeSet<usize> = BTreeSet::new();
    for place in 0..=LETTERS {
        let others = if place == 0 { &first } else { &rest };
        let is_other = |set: &CharSet| {
            !set.intersection(others).is_empty() && !lower.difference(set).is_empty()
        };
        known.extend(&found);
        let (mut open, mut next) = (Vec::from_iter(found), BTreeSet::new());
        let mut seen = BTreeSet::new();
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            for (way, to) in flow.ways(node) {
                match way.on {
                    ArmInput::Literal(it) if is_other(&it.text.chars().take(1).collect()) => {
                        return true;
                    }
                    ArmInput::Literal(_) | ArmInput::Eof => {}
                    ArmInput::Set(set, _) if is_other(set) => return true,
                    ArmInput::Set(set, _) if set.intersection(&letters).is_empty() => {}
                    ArmInput::Set(set, _) if splits_letters(way, set) => return true,
                    ArmInput::Set(..)
                        if way
                            .path
                            .actions()
                            .any(|it| remembers_more(flow.machine, it)) =>
                    {
                        return true;
                    }
                    ArmInput::Set(..) if !way.path.reconsume => next.extend(to),
                    _ => open.extend(to),
                }
            }
        }
        found = next;
    }
    !found.is_subset(&known)
}

/// The letters and digits of ASCII.
fn alphanumeric() -> CharSet {
    CharSet::from_ranges([(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)])
}

/// Whether the last start tag's name and something else are looked ahead for at once.
pub(super) fn looks_for_two(flow: &Flow<'_>) -> bool {
    let mut ways = (0..flow.len()).flat_map(|node| flow.ways(node));
    ways.any(|(way, _)| {
        let has = |is_one: fn(&Guard) -> bool| way.path.questions().any(is_one);
        has(|it| matches!(it, Guard::NextIsLastStartTag { .. }))
            && has(|it| matches!(it, Guard::NextAre { .. } | Guard::NextIn { .. }))
    })
}

/// Whether a name that is compared with the last start tag's, or becomes it, has more letters than are tried.
fn has_long_names(flow: &Flow<'_>) -> bool {
    let machine = flow.machine;
    if !machine.all_questions().any(Guard::compares_start_tags) {
        return false;
    }
    // The least number of letters that the name of each token may have in each node; `None` where nothing leads yet.
    let none = vec![0; machine.vocabulary.tokens.len()];
    let nodes = 0..flow.len();
    let starts = nodes
        .clone()
        .map(|node| flow.is_entry(node).then(|| none.clone()));
    let mut least: Vec<Option<Vec<u32>>> = starts.collect();
    loop {
        let (mut changed, mut is_long) = (false, false);
        for node in nodes.clone() {
            let Some(before) = least[node].clone() else {
                continue;
            };
            for (way, to) in flow.ways(node) {
                let mut letters = before.clone();
                is_long |= adds_many(machine, &way.path, &mut letters);
                let Some(to) = to else { continue };
                let known = least[to].get_or_insert_with(|| vec![u32::MAX; letters.len()]);
                for (known, letters) in known.iter_mut().zip(letters) {
                    changed |= letters < *known;
                    *known = letters.min(*known);
                }
            }
        }
        if !changed {
            return is_long;
        }
    }
}

/// Adds to the numbers of letters; whether a name with more than are tried is used on it.
fn adds_many(machine: &Machine, path: &Path<'_>, letters: &mut [u32]) -> bool {
    let mut is_long = false;
    for event in &path.events {
        match event {
            Event::Does(Action::Create(token, _)) => letters[token.0 as usize] = 0,
            Event::Does(
                Action::Append(FieldId { token, .. }, value)
                | Action::Set(FieldId { token, .. }, value),
            ) => {
                let added = match value {
                    Source::Literal(text) => text.chars().count() as u32,
                    _ => 1,
                };
                // More than are compared are all the same.
                let count = &mut letters[token.0 as usize];
                *count = (*count + added).min(LETTERS + 1);
            }
            Event::Does(Action::Emit(token)) => {
                is_long |= is_start_tag(machine, *token) && letters[token.0 as usize] > LETTERS;
            }
            Event::Does(_) => {}
            Event::Asks(guard, _) => {
                is_long |= guard.parts().into_iter().any(|guard| match guard {
                    Guard::AppropriateEndTag(token) => letters[token.0 as usize] > LETTERS,
                    _ => false,
                });
            }
        }
    }
    is_long
}
