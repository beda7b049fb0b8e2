//! What a machine does that the search does not follow: a proof would not be one.
//!
//! A key tells how far a text has got in each word and in each name that it is compared with, letter by letter as they are read.
//! It knows nothing of a text that is copied, of what two comparisons of the same letters have to do with each other, of names
//! that need many letters, and of which names the earlier attributes of a tag have.

use std::collections::BTreeSet;

use speclex_codegen::analyse::{Event, Path, bodies, paths};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{
    Action, AttributePart, FieldId, Guard, Machine, StateKind, Target, TokenId, Value as Source,
};

use super::flow::{Flow, Way};
use super::gap::Gap;
use super::liveness::{Live, Liveness};
use super::runner::changes_register;
use crate::paths::{ArmInput, arms};

/// How many letters of the last start tag's name are told apart, and names of how many are tried.
pub(super) const LETTERS: u32 = 2;

/// With more registers and tokens, some have no bit of their own.
const BITS: usize = 120;

/// All that a proof would have to follow.
pub(super) fn beyond(liveness: &Liveness<'_>) -> BTreeSet<Gap> {
    let flow = &liveness.flow;
    let machine = flow.machine;
    // Nothing is known of a machine with too many of either.
    if flow.len() == 0 || machine.registers.len() + machine.vocabulary.tokens.len() > BITS {
        return [Gap::Situations].into();
    }
    let [is_copied, is_compared_twice] = compared(liveness);
    let found = [
        (Gap::Copied, is_copied || copies_into_names(machine)),
        (
            Gap::Comparisons,
            is_compared_twice
                || compares_last_letters(machine, &liveness.may_rewind())
                || looks_for_two(flow),
        ),
        (
            Gap::Names,
            has_long_names(flow)
                || compares_other_letters(machine)
                || reads_long_names(flow)
                || remembers_letters(machine, flow),
        ),
        (Gap::Attributes, has_states_for_attributes(flow)),
        (Gap::Literals, rereads_literals(liveness)),
        (Gap::Chance, writes_counters(machine)),
    ];
    let found = found.into_iter().filter(|(_, is_there)| *is_there);
    found.map(|(gap, _)| gap).collect()
}

/// The questions that a machine asks: all get the same answer in a search.
pub(super) fn questions(machine: &Machine) -> BTreeSet<u32> {
    let questions = machine.all_questions().filter_map(|guard| match guard {
        Guard::Question(question) => Some(*question),
        _ => None,
    });
    questions.collect()
}

/// Whether a value is characters as they are read, or written in the table.
fn is_read(source: &Source) -> bool {
    matches!(
        source,
        Source::Current | Source::LowerCurrent | Source::Literal(_)
    )
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

/// Whether something is copied into a name that is compared with the last start tag's, or becomes it.
fn copies_into_names(machine: &Machine) -> bool {
    let copies = |action: &Action| match action {
        Action::Append(FieldId { token, .. }, source)
        | Action::Set(FieldId { token, .. }, source) => {
            !is_read(source) && (is_start_tag(machine, *token) || is_compared(machine, *token))
        }
        _ => false,
    };
    machine.all_questions().any(Guard::compares_start_tags) && machine.all_actions().any(copies)
}

/// Whether a state that compares a name with the last start tag's adds to it what is no letter or digit of ASCII: names of
/// others are not tried.
fn compares_other_letters(machine: &Machine) -> bool {
    let tried = alphanumeric();
    let compares = |guard: &Guard| matches!(guard, Guard::AppropriateEndTag(_));
    let adds = |action: &Action| matches!(action, Action::Append(..) | Action::Set(..));
    machine.states.iter().any(|state| match &state.kind {
        StateKind::Consume(consume) => {
            let mut questions = bodies(state).into_iter().flat_map(|it| it.all_questions());
            let mut arms = consume.arms.iter();
            questions.any(compares)
                && arms.any(|arm| {
                    arm.body.all_actions().any(adds) && !arm.set.difference(&tried).is_empty()
                })
        }
        _ => false,
    })
}

/// Whether an action writes the name of an attribute.
pub(super) fn names_attribute(action: &Action) -> bool {
    matches!(
        action,
        Action::AppendAttribute(_, AttributePart::Name, _)
            | Action::SetAttribute(_, AttributePart::Name, _)
    )
}

/// Whether what is done next depends on the letters that an attribute's name has had so far, or the name is looked for before it is
/// complete. What is known of the earlier names is only whether the one that is read is the beginning of one of them.
fn has_states_for_attributes(flow: &Flow<'_>) -> bool {
    let asks = |guard: &Guard| matches!(guard, Guard::DuplicateAttribute(_));
    if !flow.machine.all_questions().any(asks) {
        return false;
    }
    // Whether more may be added to the name before another attribute is started.
    let goes_on = |path: &Path<'_>, after: bool| {
        let mut actions = path.actions();
        let first =
            actions.find(|it| names_attribute(it) || matches!(it, Action::StartAttribute(_)));
        first.map_or(after, names_attribute)
    };
    let may_go_on = flow.solve(|node, known: &[bool]| {
        let mut ways = flow.ways(node);
        ways.any(|(way, to)| goes_on(&way.path, to.is_some_and(|to| known[to])))
    });
    let mut targets: Vec<Target> = Vec::new();
    for (way, to) in (0..flow.len()).flat_map(|node| flow.ways(node)) {
        let asked = way.path.questions().any(asks);
        if asked && goes_on(&way.path, to.is_some_and(|to| may_go_on[to])) {
            return true;
        }
        if way.path.actions().any(names_attribute) {
            if way.path.actions().any(changes_register) {
                return true;
            }
            if !targets.contains(&way.path.target) {
                targets.push(way.path.target);
            }
        }
    }
    targets.len() > 1
}

/// Whether something is remembered of the letters of a name that is compared with the last start tag's, or becomes it: in a
/// register, or because they lead to different states.
fn remembers_letters(machine: &Machine, flow: &Flow<'_>) -> bool {
    if !machine.all_questions().any(Guard::compares_start_tags) {
        return false;
    }
    let tokens = (0..machine.vocabulary.tokens.len() as u32).map(TokenId);
    let compared = tokens.filter(|&it| is_start_tag(machine, it) || is_compared(machine, it));
    let compared: Vec<TokenId> = compared.collect();
    let is_letter = |action: &Action| match action {
        Action::Append(FieldId { token, .. }, _) | Action::Set(FieldId { token, .. }, _) => {
            compared.contains(token)
        }
        _ => false,
    };
    let adds = |node: usize| {
        let mut ways = flow.ways(node);
        ways.any(|(way, _)| way.path.actions().any(is_letter))
    };
    let alpha = CharSet::from_ranges([(0x61, 0x7A)]);
    (0..flow.len()).any(|node| {
        // Where a letter leads that is added here, and where one leads that is added there.
        let (mut targets, mut readers): (Vec<Target>, BTreeSet<usize>) = Default::default();
        for (way, to, is_answered) in flow.edges(node) {
            let is_letter = way.path.actions().any(is_letter);
            if is_letter && way.path.actions().any(changes_register) {
                return true;
            }
            let is_read = |set: &CharSet| !set.intersection(&alpha).is_empty();
            if is_letter && !is_answered && !targets.contains(&way.path.target) {
                targets.push(way.path.target);
            } else if way.path.reconsume && way.on.set().is_some_and(is_read) {
                readers.extend(to.filter(|&to| adds(to)));
            }
        }
        targets.len() > 1 || readers.len() > 1
    })
}

/// What the names of start tags may begin with, and what they may have behind that, besides letters and digits of ASCII: names
/// with these are not tried.
fn others_in_names(machine: &Machine) -> [CharSet; 2] {
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
    [first, rest].map(|set| set.difference(&alphanumeric()))
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
    let [first, rest] = others_in_names(flow.machine);
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
                    ArmInput::Set(..) if way.path.actions().any(changes_register) => return true,
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

/// Whether the last characters consumed are compared with letters, which may be those of a name, or with what may be put back
/// together: of that it is not known in which order it is.
fn compares_last_letters(machine: &Machine, may_rewind: &[bool]) -> bool {
    let is_marked = |state: usize| may_rewind.get(state) == Some(&true);
    let mut put_back = CharSet::default();
    for (index, state) in machine.states.iter().enumerate() {
        for arm in arms(state).into_iter().filter(|_| is_marked(index)) {
            let goes_on = |path: &Path<'_>| match path.target {
                Target::State(state) => is_marked(state.0 as usize),
                Target::Register(_) | Target::End => true,
            };
            let ArmInput::Set(set, _) = arm.on else {
                continue;
            };
            let mut paths = paths(arm.body).into_iter();
            if paths.any(|it| !it.reconsume && !it.rewinds() && goes_on(&it)) {
                put_back = put_back.union(set);
            }
        }
    }
    let mut questions = machine.all_questions();
    questions.any(|guard| match guard {
        Guard::LastConsumed(text) => {
            text.contains(|c: char| c.is_alphanumeric() || put_back.contains(c))
        }
        _ => false,
    })
}

/// Whether a number that is counted is written as a character: which characters it may be is not known before.
fn writes_counters(machine: &Machine) -> bool {
    let written = machine
        .all_actions()
        .filter_map(|action| match action.value() {
            Some(Source::Code(register)) => Some(*register),
            _ => None,
        });
    let written: BTreeSet<_> = written.collect();
    let mut actions = machine.all_actions();
    actions.any(|action| match action {
        Action::Increase(register) | Action::Decrease(register) => written.contains(register),
        _ => false,
    })
}

/// Whether the last start tag's name and something else are looked ahead for at once.
fn looks_for_two(flow: &Flow<'_>) -> bool {
    let mut ways = (0..flow.len()).flat_map(|node| flow.ways(node));
    ways.any(|(way, _)| {
        let has = |is_one: fn(&Guard) -> bool| way.path.questions().any(is_one);
        has(|it| matches!(it, Guard::NextIsLastStartTag { .. }))
            && has(|it| matches!(it, Guard::NextAre { .. } | Guard::NextIn { .. }))
    })
}

/// The name of an attribute, compared with others.
const ATTRIBUTE: Live = Liveness::MATCHED;

/// Whether something is copied into a text that may yet be compared with words, and whether the same letters may yet be compared
/// with words and with another name.
fn compared(liveness: &Liveness<'_>) -> [bool; 2] {
    let flow = &liveness.flow;
    // Which registers may yet be compared with words, and which tokens' names with other names, before they are set anew.
    let live = flow.solve(|node, live: &[Live]| {
        let ways = flow.ways(node);
        let before = ways.map(|(way, to)| {
            compared_before(liveness, &way.path, to.map_or(0, |to| live[to]), &mut false)
        });
        before.fold(0, |all, one| all | one)
    });
    let registers = (0..flow.machine.registers.len()).map(|register| liveness.register(register));
    let registers = registers.fold(0, |all, one| all | one);
    let is_twice = |live: &Live| live & registers != 0 && live & !registers != 0;
    let mut is_copied = false;
    for (way, to) in (0..flow.len()).flat_map(|node| flow.ways(node)) {
        compared_before(
            liveness,
            &way.path,
            to.map_or(0, |to| live[to]),
            &mut is_copied,
        );
    }
    [is_copied, live.iter().any(is_twice)]
}

/// What is compared from the beginning of a path on, and whether something is copied there into a text that is.
fn compared_before(
    liveness: &Liveness<'_>,
    path: &Path<'_>,
    mut live: Live,
    is_copied: &mut bool,
) -> Live {
    let compares = |guard: &Guard| match guard {
        Guard::TextIs { register, .. } => liveness.register(register.0 as usize),
        Guard::AppropriateEndTag(token) => liveness.token(token.0 as usize),
        Guard::DuplicateAttribute(_) => ATTRIBUTE,
        _ => 0,
    };
    let compared = |guard: &Guard| {
        let parts = guard.parts().into_iter();
        parts.fold(0, |all, part| all | compares(part))
    };
    for event in path.events.iter().rev() {
        match event {
            Event::Asks(guard, _) => live |= compared(guard),
            Event::Does(Action::SetText(id, source)) => {
                let register = liveness.register(id.0 as usize);
                *is_copied |= live & register != 0 && !is_read(source);
                live &= !register;
            }
            Event::Does(
                Action::AppendAttribute(_, AttributePart::Name, source)
                | Action::SetAttribute(_, AttributePart::Name, source),
            ) => *is_copied |= live & ATTRIBUTE != 0 && !is_read(source),
            Event::Does(Action::AppendRegister(id, source)) => {
                *is_copied |= live & liveness.register(id.0 as usize) != 0 && !is_read(source);
            }
            Event::Does(Action::Create(token, _)) => live &= !liveness.token(token.0 as usize),
            Event::Does(Action::StartAttribute(_)) => live &= !ATTRIBUTE,
            Event::Does(Action::Emit(token)) => {
                let on_emit = liveness.flow.machine.on_emit.iter();
                let steps = on_emit.filter(|on| on.token == *token);
                let guards = steps.flat_map(|on| &on.steps);
                for guard in guards.filter_map(|(guard, _)| guard.as_ref()) {
                    live |= compared(guard);
                }
            }
            Event::Does(_) => {}
        }
    }
    live
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
                Action::Append(FieldId { token, .. }, _) | Action::Set(FieldId { token, .. }, _),
            ) => {
                // More than are compared are all the same.
                let count = &mut letters[token.0 as usize];
                *count = (*count + 1).min(LETTERS + 1);
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

/// Whether characters that are put back may be read again as a literal.
fn rereads_literals(liveness: &Liveness<'_>) -> bool {
    let flow = &liveness.flow;
    let may_rewind = |node: usize| liveness.of_node(node) & Liveness::MARK != 0;
    // Which characters are put back, but for the last one, which may be any; and where they are read again.
    let mut put_back: BTreeSet<(u32, u32)> = BTreeSet::new();
    let (mut open, mut matches): (Vec<usize>, bool) = Default::default();
    for node in (0..flow.len()).filter(|node| may_rewind(*node)) {
        for (way, to) in flow.ways(node) {
            match way.on {
                _ if way.path.rewinds() => open.extend(to),
                ArmInput::Set(set, _) if !way.path.reconsume && to.is_some_and(may_rewind) => {
                    put_back.extend(set.ranges());
                }
                _ => {}
            }
            matches |= matches!(way.on, ArmInput::Matched | ArmInput::Unmatched);
        }
    }
    if matches {
        let names = flow.machine.references.iter();
        let names = names.flat_map(|(name, _)| name.chars());
        put_back.extend(names.map(|c| (c as u32, c as u32)));
    }
    let characters = CharSet::from_ranges(put_back);
    let is_there = |literal: &str| {
        let first = literal.chars().next();
        first.is_some_and(|c| {
            characters.contains(c.to_ascii_lowercase())
                || characters.contains(c.to_ascii_uppercase())
        })
    };
    let mut seen = BTreeSet::new();
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        for (way, to) in flow.ways(node) {
            match way.on {
                ArmInput::Literal(literal) if is_there(&literal.text) => return true,
                ArmInput::Literal(_) | ArmInput::Eof => {}
                ArmInput::Set(set, _) if set.intersection(&characters).is_empty() => {}
                _ => open.extend(to),
            }
        }
    }
    false
}
