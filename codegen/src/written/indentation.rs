//! What is not indented below its key. YAML reads `consume:` and the arms below it, at the same indentation, as keys
//! of one mapping, the first of them without a value.

use super::Table;
use super::arms::is_branch;
use super::keys::{KeyOf, names};
use super::reader::{Reader, twice};
use super::state::{BODIES, STATE};
use super::table::{TOP, VOCABULARY};
use crate::diagnostic::{Code, Faults};
use crate::read::quoting::outside_brackets;
use crate::read::{At, Node, Yaml};
use crate::set_notation::ANYTHING_ELSE;
use crate::suggest::closest;

/// Reads a table from its nodes.
pub(crate) fn table(reader: &mut Reader<'_, '_>, node: &Node) -> Table {
    let mut table = Table::default();
    if !reader.is_of_a_tokenizer(node) {
        return table;
    }
    let node = indented(node.clone(), reader.faults);
    // What is no mapping lacks more than keys.
    table.at = matches!(node.value, Yaml::Map(_)).then_some(node.at);
    let known = reader.known(&node, node.at, "a table", TOP);
    table.keys = known.iter().map(|(key, _)| key.clone()).collect();
    reader.fill(known, TOP, &mut table);
    table
}

/// The table as it is meant, with a fault for each key that has nothing and is followed by what belongs to it.
fn indented(mut node: Node, faults: &mut Faults) -> Node {
    below_vocabulary(&mut node, faults);
    let is_state_at_margin = |key: &str, value: &Node| is_other(TOP)(key, value) && is_state(value);
    nest(&mut node, "states", &is_state_at_margin, faults);
    below(&mut node, "states", &mut |_, node| states(node, faults));
    below(&mut node, "procedures", &mut |_, procedures| {
        for (_, procedure) in entries(procedures) {
            states_alone(procedure, faults);
            below(procedure, "states", &mut |_, node| states(node, faults));
        }
    });
    adopt(&mut node, &is_other(TOP), faults);
    below(&mut node, "vocabulary", &mut |key, vocabulary| {
        adopt(vocabulary, &is_other(VOCABULARY), faults);
        nest(vocabulary, "tokens", &is_token, faults);
        let is_field = |_: &str, ty: &Node| ty.text().is_some();
        below(vocabulary, "tokens", &mut |_, node| {
            adopt(node, &is_field, faults)
        });
        tokens_alone(key, vocabulary, faults);
    });
    node
}

fn states(node: &mut Node, faults: &mut Faults) {
    let is_of_state = |name: &str, state: &Node| {
        let is_key = names(STATE).any(|key| key == name) || is_branch(name);
        let is_arm = matches!(state.value, Yaml::List(_));
        is_key || is_arm || state.text().is_some_and(|text| text != "removed")
    };
    adopt(node, &is_of_state, faults);
    raise(node, faults);
    for (_, state) in entries(node) {
        join(state, faults);
        adopt(state, &is_other(STATE), faults);
        arms_alone(state, faults);
    }
}

/// A key with its value.
type Entry = (Node, Node);

/// Whether an entry belongs elsewhere, by its key and value.
type Is<'a> = &'a dyn Fn(&str, &Node) -> bool;

fn is(entry: &Entry, of: Is<'_>) -> bool {
    entry.0.text().is_some_and(|key| of(key, &entry.1))
}

/// Whether a key is none of these, nor meant for one.
fn is_other<T>(keys: &'static [KeyOf<T>]) -> impl Fn(&str, &Node) -> bool {
    let names = names(keys);
    move |key: &str, _: &Node| {
        !is_branch(key) && names.clone().all(|n| n != key) && closest(key, names.clone()).is_none()
    }
}

fn is_token(key: &str, value: &Node) -> bool {
    is_other(VOCABULARY)(key, value) && matches!(value.value, Yaml::Map(_))
}

/// Whether it is a state, as its keys tell.
fn is_state(node: &Node) -> bool {
    has_body(entries_of(node))
}

fn has_body(entries: &[Entry]) -> bool {
    let mut keys = entries.iter().filter_map(|(key, _)| key.text());
    keys.any(|key| BODIES.contains(&key))
}

fn entries_of(node: &Node) -> &[Entry] {
    match &node.value {
        Yaml::Map(entries) => entries,
        _ => &[],
    }
}

fn entries(node: &mut Node) -> &mut [Entry] {
    match &mut node.value {
        Yaml::Map(entries) => entries,
        _ => &mut [],
    }
}

/// Does something with what stands below a key, wherever a mapping has it.
fn below(node: &mut Node, name: &str, act: &mut dyn FnMut(At, &mut Node)) {
    let values = entries(node).iter_mut();
    let values = values.filter(|(key, _)| key.text() == Some(name));
    values.for_each(|(key, value)| act(key.at, value));
}

/// Moves `tokens`, and other keys of a vocabulary, below `vocabulary`, unless that has nothing or has tokens.
fn below_vocabulary(node: &mut Node, faults: &mut Faults) {
    let named = |node: &Node, name: &str| {
        let mut keys = entries_of(node).iter().map(|(key, _)| key.text());
        keys.position(|key| key == Some(name))
    };
    let place = named(node, "vocabulary");
    let takes_tokens = |place: usize| {
        let value = &entries_of(node)[place].1;
        !matches!(value.value, Yaml::Null) && named(value, "tokens").is_none()
    };
    if named(node, "tokens").is_none() || !place.is_none_or(takes_tokens) {
        return;
    }
    let others = match (place, &mut node.value) {
        (Some(place), Yaml::Map(all)) => all.remove(place).1.value,
        _ => Yaml::Null,
    };
    let instead = match &others {
        Yaml::Text(name) => format!(" and in place of `{name}`"),
        _ => String::new(),
    };
    let is_own = |key: &str, _: &Node| names(VOCABULARY).any(|own| own == key);
    if let Some((_, at)) = gather(node, "vocabulary", &is_own) {
        faults
            .add(Code::UnknownKey, at, "this belongs below `vocabulary`")
            .help(format!(
                "indent it by two spaces below that key{instead}:\nvocabulary:\n  tokens:\n    …"
            ));
    }
    let own = entries(node).last_mut().map(|(_, own)| &mut own.value);
    if let (Some(Yaml::Map(own)), Yaml::Map(others)) = (own, others) {
        own.extend(others);
    }
}

/// Joins the arms of a body that a state has twice, or that stands below itself.
fn join(state: &mut Node, faults: &mut Faults) {
    let Yaml::Map(all) = &mut state.value else {
        return;
    };
    for body in BODIES {
        let is_body = |(key, value): &mut Entry| {
            key.text() == Some(body) && matches!(value.value, Yaml::Map(_) | Yaml::Null)
        };
        let Some(first) = all.iter_mut().position(&is_body) else {
            continue;
        };
        let mut again: Vec<_> = all.extract_if(first + 1.., is_body).collect();
        let arms = &mut all[first].1.value;
        if let Yaml::Map(arms) = arms {
            again.extend(arms.extract_if(.., is_body));
        }
        for (key, more) in again {
            twice(body, key.at, faults);
            match (&mut *arms, more.value) {
                (Yaml::Map(arms), Yaml::Map(more)) => arms.extend(more),
                (Yaml::Null, more) => *arms = more,
                _ => {}
            }
        }
    }
}

/// Gives tokens of a vocabulary that has nothing else the key `tokens`.
fn tokens_alone(key: At, vocabulary: &mut Node, faults: &mut Faults) {
    let is_all = entries_of(vocabulary)
        .iter()
        .all(|entry| is(entry, &is_token));
    let first = is_all.then(|| gather(vocabulary, "tokens", &|_, _| true));
    if let Some((first, _)) = first.flatten() {
        faults
            .add(Code::MissingKey, key, "the vocabulary has no `tokens`")
            .help(format!(
                "put the tokens below that key:\nvocabulary:\n  tokens:\n    {first}: …"
            ));
    }
}

/// Gives arms of a state that has no key for them the key `consume`.
fn arms_alone(state: &mut Node, faults: &mut Faults) {
    let keys = || entries_of(state).iter().filter_map(|(key, _)| key.text());
    let is_body = |key: &str| {
        let names = BODIES.iter().copied();
        is_branch(key) || names.clone().any(|n| n == key) || closest(key, names).is_some()
    };
    if !keys().any(is_body) && keys().any(is_plain_arm) {
        missing_above(
            state,
            "consume",
            "arms of the state",
            &is_other(STATE),
            faults,
        );
    }
}

/// Gives states of a procedure that has nothing else the key `states`.
fn states_alone(procedure: &mut Node, faults: &mut Faults) {
    if entries_of(procedure)
        .iter()
        .all(|(_, state)| is_state(state))
    {
        missing_above(
            procedure,
            "states",
            "states of the procedure",
            &|_, _| true,
            faults,
        );
    }
}

/// Puts entries below a key that is missing above them, and says so.
fn missing_above(node: &mut Node, key: &str, what: &str, of: Is<'_>, faults: &mut Faults) {
    if let Some((_, at)) = gather(node, key, of) {
        let message = format!("`{key}:` is missing above this line");
        let help = format!("write it there, and indent all {what} by two more spaces than it");
        faults.add(Code::MissingKey, at, message).help(help);
    }
}

/// Puts entries below a new key; the first of them, and its place.
fn gather(node: &mut Node, key: &str, of: Is<'_>) -> Option<(String, At)> {
    let Yaml::Map(all) = &mut node.value else {
        return None;
    };
    let children: Vec<Entry> = all.extract_if(.., |entry| is(entry, of)).collect();
    let (first, _) = children.first()?;
    let (name, at) = (first.text()?.to_owned(), first.at);
    let node = |value| Node { at, value };
    let key = Yaml::Text(key.to_owned());
    all.push((node(key), node(Yaml::Map(children))));
    Some((name, at))
}

/// Moves entries that do not belong into a mapping to one of its keys, which has others like them.
fn nest(node: &mut Node, parent: &str, of: Is<'_>, faults: &mut Faults) {
    let at = node.at;
    let Yaml::Map(all) = &mut node.value else {
        return;
    };
    let is_parent =
        |(key, value): &Entry| key.text() == Some(parent) && matches!(value.value, Yaml::Map(_));
    if !all.iter().any(is_parent) {
        return;
    }
    let children: Vec<Entry> = all.extract_if(.., |entry| is(entry, of)).collect();
    if let Some(first) = children.first() {
        not_indented(parent, first.0.text().unwrap_or_default(), first, faults);
    }
    let value = Yaml::Map(children);
    let mut children = Node { at, value };
    // What was swallowed by a state that is not indented follows it.
    raise(&mut children, &mut Faults::default());
    let into = all.iter_mut().find(|entry| is_parent(entry));
    let into = into.map(|(_, into)| &mut into.value);
    if let (Some(Yaml::Map(into)), Yaml::Map(children)) = (into, children.value) {
        into.extend(children);
    }
}

/// Moves entries that do not belong into a mapping to the key above them, if that has nothing, and arms to the body
/// above them.
fn adopt(node: &mut Node, of: Is<'_>, faults: &mut Faults) {
    let Yaml::Map(entries) = &mut node.value else {
        return;
    };
    let mut kept: Vec<Entry> = Vec::with_capacity(entries.len());
    let mut others = std::mem::take(entries).into_iter().peekable();
    while let Some(entry) = others.next() {
        kept.push(entry);
        let Some((parent, into)) = kept.last_mut().and_then(|(key, value)| open(key, value)) else {
            continue;
        };
        let is_empty = matches!(into.value, Yaml::Null);
        let mut children: Vec<Entry> = Vec::new();
        while let Some(mut child) = others.next_if(|entry| {
            let is_next = !children.is_empty() || is_empty;
            is(entry, of) && (is_next || entry.0.text().is_some_and(is_plain_arm))
        }) {
            let name = child.0.text().unwrap_or_default().to_owned();
            if name == "any" && !is_empty {
                child.0.value = Yaml::Text(ANYTHING_ELSE.to_owned());
            }
            if children.is_empty() {
                not_indented(parent, &name, &child, faults);
            }
            children.push(child);
        }
        match &mut into.value {
            _ if children.is_empty() => {}
            Yaml::Map(arms) => arms.extend(children),
            value => *value = Yaml::Map(children),
        }
    }
    *entries = kept;
}

fn not_indented(parent: &str, name: &str, (child, value): &Entry, faults: &mut Faults) {
    let written = outside_brackets(child.text().unwrap_or_default());
    let said = value.text().map_or("…".to_owned(), outside_brackets);
    let message = format!("`{name}` is not indented below `{parent}`");
    faults.add(Code::UnknownKey, child.at, message).help(format!(
        "indent it, and all that belongs to `{parent}`, by two more spaces than that:\n{parent}:\n  {written}: {said}"
    ));
}

/// Takes states that are indented below another one out of it.
fn raise(states: &mut Node, faults: &mut Faults) {
    let Yaml::Map(all) = &mut states.value else {
        return;
    };
    let mut raised: Vec<Entry> = Vec::with_capacity(all.len());
    for (name, mut state) in std::mem::take(all) {
        let mut others: Vec<Entry> = Vec::new();
        let is_name = |(key, value): &Entry| is_other(STATE)(key.text().unwrap_or("if "), value);
        let begins = |entries: &[Entry]| {
            let (key, inner) = &entries[0];
            let has_keys = matches!(inner.value, Yaml::Null) && has_body(entries);
            is_name(&entries[0]) && key.value != name.value && (is_state(inner) || has_keys)
        };
        if let Yaml::Map(entries) = &mut state.value
            && let Some(start) = (0..entries.len()).find(|&at| begins(&entries[at..]))
        {
            let inner = entries.split_off(start);
            if let Some((name, at)) = inner
                .first()
                .and_then(|(key, _)| Some((key.text()?, key.at)))
            {
                let message = format!("`{name}` is indented below another state");
                let hint = faults.add(Code::UnknownKey, at, message);
                hint.help("indent it, and all that belongs to it, as far as the other states");
            }
            for entry in inner {
                match others.last_mut() {
                    // Its keys stand beside it, if only its name is indented too deep.
                    Some((_, state)) if !is_name(&entry) => match &mut state.value {
                        Yaml::Map(keys) => keys.push(entry),
                        keys => *keys = Yaml::Map(vec![entry]),
                    },
                    _ => others.push(entry),
                }
            }
        }
        raised.push((name, state));
        raised.extend(others);
    }
    *all = raised;
}

/// Whether a key is one of an arm that is no class of the table.
fn is_plain_arm(key: &str) -> bool {
    let is_one = |item: &str| {
        ["U+", "\"", "ASCII "]
            .iter()
            .any(|lead| item.starts_with(lead))
            || matches!(item, "EOF" | "anything else" | "any")
    };
    key.split(", ").any(is_one)
}

/// The key without a value that ends an entry, or the body that does.
fn open<'n>(key: &'n Node, value: &'n mut Node) -> Option<(&'n str, &'n mut Node)> {
    let name = key.text()?;
    let is_body = BODIES.contains(&name) && matches!(value.value, Yaml::Map(_));
    if matches!(value.value, Yaml::Null) || is_body && !ends_in_nothing(value) {
        return Some((name, value));
    }
    let (key, value) = entries(value).last_mut()?;
    open(key, value)
}

fn ends_in_nothing(node: &Node) -> bool {
    let last = entries_of(node).last();
    matches!(node.value, Yaml::Null) || last.is_some_and(|(_, value)| ends_in_nothing(value))
}
