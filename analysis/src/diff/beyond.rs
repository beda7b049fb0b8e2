//! What a machine does that the search does not follow: a proof would not be one.
//!
//! A key tells how far a text has got in each word and in each name that it is compared with, letter by letter as they are read.
//! It knows nothing of a text that is copied, of what two comparisons of the same letters have to do with each other, of names
//! that need many letters, and of which names the earlier attributes of a tag have.

mod ahead;
pub(super) mod names;

use ahead::looks_into_names;
use names::{copies_into_names, is_read, lacks_names, looks_for_two};

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::analyse::{Event, Path};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, AttributePart, Guard, Machine, Target, Value as Source};

use super::flow::{Flow, Way};
use super::gap::Gap;
use super::liveness::{Live, Liveness};
use super::runner::changes_more_than_text;
use crate::paths::ArmInput;

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
            is_compared_twice || compares_last_letters(liveness) || looks_for_two(flow),
        ),
        (Gap::Names, lacks_names(flow)),
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
    if looks_into_names(flow, &names_attribute) {
        return true;
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
    let names = |way: &Way<'_>| way.path.actions().any(names_attribute);
    let remembers = |way: &Way<'_>| {
        let mut actions = way.path.actions();
        actions.any(|action| remembers_more(flow.machine, action))
    };
    let mut targets: Vec<Target> = Vec::new();
    for node in 0..flow.len() {
        // What else is written where letters are added.
        let mut others: Vec<Vec<&Action>> = Vec::new();
        for (way, to) in flow.ways(node) {
            let asked = way.path.questions().any(asks);
            if asked && goes_on(&way.path, to.is_some_and(|to| may_go_on[to])) {
                return true;
            }
            let mut again = flow.readers_again(way, to).into_iter();
            let may_name = names(way) || again.any(|reader| names_on(flow, reader, way.on));
            if may_name && remembers(way) {
                return true;
            }
            if names(way) {
                let writes = |it: &&Action| it.changes().is_some() && !names_attribute(it);
                let written = way.path.actions().filter(writes).collect();
                if !others.contains(&written) {
                    others.push(written);
                }
                if !targets.contains(&way.path.target) {
                    targets.push(way.path.target);
                }
            }
        }
        if others.len() > 1 {
            return true;
        }
    }
    targets.len() > 1 || names_differ(flow)
}

/// Whether a token's names may begin with, or have, other characters in one node than in another, so that a name that was met
/// before cannot stand for all in both.
fn names_differ(flow: &Flow<'_>) -> bool {
    let all = CharSet::all();
    let read = |way: &Way<'_>| way.on.set().unwrap_or(&all).clone();
    let does = |way: &Way<'_>, is_it: &dyn Fn(&Action) -> bool| way.path.actions().any(is_it);
    let names = |way: &Way<'_>| does(way, &names_attribute);
    let starts = |way: &Way<'_>| does(way, &|it| matches!(it, Action::StartAttribute(_)));
    let creates = |way: &Way<'_>| does(way, &|it| matches!(it, Action::Create(..)));
    let added: Vec<CharSet> = (0..flow.len())
        .map(|node| {
            let ways = flow.ways(node).filter(|(way, _)| names(way));
            ways.fold(CharSet::default(), |all, (way, _)| all.union(&read(way)))
        })
        .collect();
    let begun = |node: usize| {
        let ways = flow.ways(node).filter(|(way, _)| starts(way));
        ways.filter_map(|(way, to)| {
            let to = to?;
            let first = match (names(way), way.puts_back()) {
                (true, _) => read(way),
                (false, true) => read(way).intersection(&added[to]),
                (false, false) => added[to].clone(),
            };
            Some((to, first))
        })
    };
    let mut any = CharSet::default();
    // Where the token has an attribute already.
    let mut open: Vec<usize> = Vec::new();
    for (to, first) in (0..flow.len()).flat_map(begun) {
        any = any.union(&first);
        open.push(to);
    }
    let mut within = BTreeSet::new();
    while let Some(node) = open.pop() {
        if within.insert(node) {
            let ways = flow.ways(node).filter(|(way, _)| !creates(way));
            open.extend(ways.filter_map(|(_, to)| to));
        }
    }
    let mut again: BTreeMap<usize, CharSet> = BTreeMap::new();
    for (to, first) in within.into_iter().flat_map(begun) {
        let known = again.entry(to).or_default();
        *known = known.union(&first);
    }
    let mut others = again.keys().map(|&to| &added[to]);
    let one = others.next();
    again.values().any(|first| *first != any) || others.any(|it| Some(it) != one)
}

/// Whether a node adds a character that an arm has read to the name of an attribute.
fn names_on(flow: &Flow<'_>, node: usize, on: ArmInput<'_>) -> bool {
    let Some(read) = on.set() else {
        return false;
    };
    let mut ways = flow.ways(node);
    ways.any(|(way, _)| {
        let is_met = |set: &CharSet| !set.intersection(read).is_empty();
        way.path.actions().any(names_attribute) && way.on.set().is_some_and(is_met)
    })
}

/// Whether an action changes more than texts, or emits a token after which something does.
pub(super) fn remembers_more(machine: &Machine, action: &Action) -> bool {
    let on_emit = machine.on_emit.iter();
    let mut done = on_emit
        .filter(|it| *action == Action::Emit(it.token))
        .flat_map(|it| it.steps.iter().flat_map(|(_, actions)| actions));
    changes_more_than_text(action) || done.any(changes_more_than_text)
}

/// Whether the last characters consumed are compared with letters, which may be those of a name, or with what may be put back
/// together, or wait behind a character that is looked ahead for: of these it is not known in which order they are.
fn compares_last_letters(liveness: &Liveness<'_>) -> bool {
    let questions = liveness.flow.machine.all_questions();
    let texts = questions.filter_map(|guard| match guard {
        Guard::LastConsumed(text) => Some(text),
        _ => None,
    });
    let characters: CharSet = texts.flat_map(|text| text.chars()).collect();
    let may_be_put_back = || {
        let (put_back, _) = put_back(liveness);
        !characters.intersection(&put_back).is_empty()
    };
    let mut questions = liveness.flow.machine.all_questions();
    let waits = questions.any(|guard| match guard {
        Guard::NextAre { run, .. } => !run.intersection(&characters).is_empty(),
        _ => false,
    });
    characters.iter().any(char::is_alphanumeric)
        || !characters.is_empty() && (waits || may_be_put_back())
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
            compared_before(liveness, way, to.map_or(0, |to| live[to]), &mut false)
        });
        before.fold(0, |all, one| all | one)
    });
    let registers = (0..flow.machine.registers.len()).map(|register| liveness.register(register));
    let registers = registers.fold(0, |all, one| all | one);
    let is_twice = |live: &Live| live & registers != 0 && live & !registers != 0;
    // The last characters consumed may be those of an attribute's name.
    let asks_behind = |node: usize| {
        let mut ways = flow.ways(node);
        ways.any(|(way, _)| {
            let mut questions = way.path.questions();
            questions.any(|it| matches!(it, Guard::LastConsumed(_)))
        })
    };
    let mut nodes = live.iter().enumerate();
    let is_behind = nodes.any(|(node, live)| live & ATTRIBUTE != 0 && asks_behind(node));
    let mut is_copied = false;
    for (way, to) in (0..flow.len()).flat_map(|node| flow.ways(node)) {
        compared_before(liveness, way, to.map_or(0, |to| live[to]), &mut is_copied);
    }
    [is_copied, is_behind || live.iter().any(is_twice)]
}

/// What is compared from the beginning of a way on, and whether something is copied there into a text that is, or written before
/// the character that is read: which one would match is not known before that.
fn compared_before(
    liveness: &Liveness<'_>,
    way: &Way<'_>,
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
    let mut values = way.path.actions().filter_map(Action::value);
    let adds_read =
        way.puts_back() || values.any(|it| matches!(it, Source::Current | Source::LowerCurrent));
    let is_unknown = |source: &Source| match source {
        Source::Literal(text) => adds_read && !text.is_empty(),
        source => !is_read(source),
    };
    for event in way.path.events.iter().rev() {
        match event {
            Event::Asks(guard, _) => live |= compared(guard),
            Event::Does(Action::SetText(id, source)) => {
                let register = liveness.register(id.0 as usize);
                *is_copied |= live & register != 0 && is_unknown(source);
                live &= !register;
            }
            Event::Does(
                Action::AppendAttribute(_, AttributePart::Name, source)
                | Action::SetAttribute(_, AttributePart::Name, source),
            ) => *is_copied |= live & ATTRIBUTE != 0 && is_unknown(source),
            Event::Does(Action::AppendRegister(id, source)) => {
                *is_copied |= live & liveness.register(id.0 as usize) != 0 && is_unknown(source);
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

/// Which characters are put back, but for the last one, which may be any; and where they are read again.
fn put_back(liveness: &Liveness<'_>) -> (CharSet, Vec<usize>) {
    let flow = &liveness.flow;
    let may_rewind = |node: usize| liveness.of_node(node) & Liveness::MARK != 0;
    let mut put_back: BTreeSet<(u32, u32)> = BTreeSet::new();
    let (mut again, mut matches): (Vec<usize>, bool) = Default::default();
    for node in (0..flow.len()).filter(|node| may_rewind(*node)) {
        for (way, to) in flow.ways(node) {
            match way.on {
                _ if way.path.rewinds() => again.extend(to),
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
    (CharSet::from_ranges(put_back), again)
}

/// Whether characters that are put back may be read again as a literal or the name of a reference.
fn rereads_literals(liveness: &Liveness<'_>) -> bool {
    let flow = &liveness.flow;
    let (characters, mut open) = put_back(liveness);
    let is_there = |literal: &str| {
        let first = literal.chars().next();
        first.is_some_and(|c| {
            characters.contains(c.to_ascii_lowercase())
                || characters.contains(c.to_ascii_uppercase())
        })
    };
    let names = flow.machine.references.iter();
    // Of names that are treated alike only one is tried.
    let in_names: CharSet = names.clone().flat_map(|(name, _)| name.chars()).collect();
    let in_names = in_names.intersection(&characters);
    let splits_names = |set: &CharSet| {
        !set.intersection(&in_names).is_empty() && !in_names.difference(set).is_empty()
    };
    // What is done depends on which letters a name has, or on how many.
    let tells_names_apart = |node: usize, way: &Way<'_>, set: &CharSet, to: Option<usize>| {
        let mut asked = way.path.questions().flat_map(Guard::sets);
        let is_same = to.is_none_or(|to| flow.state(to) == flow.state(node));
        let moves = !set.intersection(&in_names).is_empty() && !is_same && !way.puts_back();
        moves || splits_names(set) || asked.any(splits_names)
    };
    let mut seen = BTreeSet::new();
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        for (way, to) in flow.ways(node) {
            match way.on {
                ArmInput::Literal(literal) if is_there(&literal.text) => return true,
                ArmInput::Matched if names.clone().any(|(name, _)| is_there(name)) => return true,
                ArmInput::Literal(_) | ArmInput::Eof => {}
                ArmInput::Set(set, _) if set.intersection(&characters).is_empty() => {}
                ArmInput::Set(set, _) if tells_names_apart(node, way, set, to) => return true,
                _ => open.extend(to),
            }
        }
    }
    false
}
