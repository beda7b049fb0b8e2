//! What is not indented below its key. YAML reads `consume:` and the arms below it, at the same indentation, as keys
//! of one mapping, the first of them without a value.

use super::Table;
use super::arms::is_branch;
use super::keys::{KeyOf, names};
use super::reader::{Reader, twice};
use super::state::{BODIES, STATE};
use super::table::{TOP, VOCABULARY};
use crate::diagnostic::{Code, Faults, Source};
use crate::read::quoting::outside_brackets;
use crate::read::{At, Node, Yaml};
use crate::set_notation::ANYTHING_ELSE;
use crate::suggest::closest;

/// Reads a table from its nodes.
pub(crate) fn table(
    node: &Node,
    source: &Source,
    is_phrase: fn(&str) -> bool,
    faults: &mut Faults,
) -> Table {
    let mut reader = Reader {
        source,
        faults,
        is_phrase,
        lookups: 100,
    };
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
    let of_states = |name: &str, state: &Node| {
        let is_key = names(STATE).any(|key| key == name) || is_branch(name);
        let is_arm = matches!(state.value, Yaml::List(_));
        is_key || is_arm || state.text().is_some_and(|text| text != "removed")
    };
    nest(
        &mut node,
        "states",
        |key, value| is_other(TOP)(key, value) && is_state(value),
        faults,
    );
    let states = |node: &mut Node, faults: &mut Faults| {
        adopt(node, of_states, faults);
        raise(node, faults);
        for (_, state) in entries(node) {
            join(state, faults);
            adopt(state, is_other(STATE), faults);
            arms_alone(state, is_other(STATE), faults);
        }
    };
    for (key, value) in entries(&mut node) {
        match key.text() {
            Some("states") => states(value, faults),
            Some("procedures") => {
                let procedures = entries(value).iter_mut();
                procedures.for_each(|(_, procedure)| states_alone(procedure, faults));
                let procedures = entries(value).iter_mut();
                let keys = procedures.flat_map(|(_, procedure)| entries(procedure));
                keys.filter(|(key, _)| key.text() == Some("states"))
                    .for_each(|(_, value)| states(value, faults));
            }
            _ => {}
        }
    }
    adopt(&mut node, is_other(TOP), faults);
    for (key, value) in entries(&mut node) {
        if key.text() == Some("vocabulary") {
            adopt(value, is_other(VOCABULARY), faults);
            let is_token = |key: &str, value: &Node| {
                is_other(VOCABULARY)(key, value) && matches!(value.value, Yaml::Map(_))
            };
            nest(value, "tokens", is_token, faults);
            let keys = entries(value).iter_mut();
            keys.filter(|(key, _)| key.text() == Some("tokens"))
                .for_each(|(_, tokens)| adopt(tokens, |_, ty| ty.text().is_some(), faults));
            tokens_alone(key.at, value, faults);
        }
    }
    node
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
    if let Some((_, at)) = gather(node, "vocabulary", is_own) {
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
        let is_body = |(key, value): &mut (Node, Node)| {
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
    let is_token = |(key, value): &(Node, Node)| {
        let is_token = |key| is_other(VOCABULARY)(key, value);
        key.text().is_some_and(is_token) && matches!(value.value, Yaml::Map(_))
    };
    if !entries(vocabulary).iter().all(is_token) {
        return;
    }
    if let Some((first, _)) = gather(vocabulary, "tokens", |_, _| true) {
        faults
            .add(Code::MissingKey, key, "the vocabulary has no `tokens`")
            .help(format!(
                "put the tokens below that key:\nvocabulary:\n  tokens:\n    {first}: …"
            ));
    }
}

/// Puts entries below a key that is missing above them; the first of them, and its place.
fn gather(
    node: &mut Node,
    key: &str,
    is_child: impl Fn(&str, &Node) -> bool,
) -> Option<(String, At)> {
    let Yaml::Map(all) = &mut node.value else {
        return None;
    };
    let is_child = |(key, value): &(Node, Node)| key.text().is_some_and(|key| is_child(key, value));
    let (children, others): (Vec<_>, Vec<_>) = std::mem::take(all).into_iter().partition(is_child);
    *all = others;
    let (first, _) = children.first()?;
    let (name, at) = (first.text()?.to_owned(), first.at);
    let node = |value| Node { at, value };
    let key = Yaml::Text(key.to_owned());
    all.push((node(key), node(Yaml::Map(children))));
    Some((name, at))
}

/// Whether a key is none of these, nor meant for one.
fn is_other<T>(keys: &'static [KeyOf<T>]) -> impl Fn(&str, &Node) -> bool {
    let names = names(keys);
    move |key: &str, _: &Node| {
        !is_branch(key) && names.clone().all(|n| n != key) && closest(key, names.clone()).is_none()
    }
}

fn entries_of(node: &Node) -> &[(Node, Node)] {
    match &node.value {
        Yaml::Map(entries) => entries,
        _ => &[],
    }
}

fn entries(node: &mut Node) -> &mut [(Node, Node)] {
    match &mut node.value {
        Yaml::Map(entries) => entries,
        _ => &mut [],
    }
}

/// Moves entries that do not belong into a mapping to the key above them, if that has nothing, and arms to the body
/// above them.
fn adopt(node: &mut Node, is_other: impl Fn(&str, &Node) -> bool, faults: &mut Faults) {
    let Yaml::Map(entries) = &mut node.value else {
        return;
    };
    let is_other = |(key, value): &(Node, Node)| key.text().is_some_and(|key| is_other(key, value));
    let mut kept: Vec<(Node, Node)> = Vec::with_capacity(entries.len());
    let mut others = std::mem::take(entries).into_iter().peekable();
    while let Some(entry) = others.next() {
        kept.push(entry);
        let Some((parent, into)) = kept.last_mut().and_then(|(key, value)| open(key, value)) else {
            continue;
        };
        let mut children = Vec::new();
        while let Some(mut child) = others.next_if(|entry| {
            let is_next = !children.is_empty() || matches!(into.value, Yaml::Null);
            is_other(entry) && (is_next || entry.0.text().is_some_and(is_plain_arm))
        }) {
            let name = child.0.text().unwrap_or_default().to_owned();
            if name == "any" && !matches!(into.value, Yaml::Null) {
                child.0.value = Yaml::Text(ANYTHING_ELSE.to_owned());
            }
            if children.is_empty() {
                not_indented(parent, &name, &child, faults);
            }
            children.push(child);
        }
        if children.is_empty() {
            continue;
        }
        match &mut into.value {
            Yaml::Map(arms) => arms.extend(children),
            value => *value = Yaml::Map(children),
        }
    }
    *entries = kept;
}

fn not_indented(parent: &str, name: &str, (child, value): &(Node, Node), faults: &mut Faults) {
    let written = outside_brackets(child.text().unwrap_or_default());
    let said = value.text().map_or("…".to_owned(), outside_brackets);
    let message = format!("`{name}` is not indented below `{parent}`");
    faults.add(Code::UnknownKey, child.at, message).help(format!(
        "indent it, and all that belongs to `{parent}`, by two more spaces than that:\n{parent}:\n  {written}: {said}"
    ));
}

/// Moves entries that do not belong into a mapping to one of its keys, which has others like them.
fn nest(
    node: &mut Node,
    parent: &str,
    is_child: impl Fn(&str, &Node) -> bool,
    faults: &mut Faults,
) {
    let Yaml::Map(all) = &mut node.value else {
        return;
    };
    let is_parent = |(key, value): &(Node, Node)| {
        key.text() == Some(parent) && matches!(value.value, Yaml::Map(_))
    };
    if !all.iter().any(is_parent) {
        return;
    }
    let is_child = |(key, value): &(Node, Node)| key.text().is_some_and(|key| is_child(key, value));
    let (children, mut others): (Vec<_>, Vec<_>) =
        std::mem::take(all).into_iter().partition(is_child);
    if let Some(first) = children.first() {
        not_indented(parent, first.0.text().unwrap_or_default(), first, faults);
    }
    let mut children = Node {
        at: node.at,
        value: Yaml::Map(children),
    };
    // What was swallowed by a state that is not indented follows it.
    raise(&mut children, &mut Faults::default());
    let into = others.iter_mut().find(|entry| is_parent(entry));
    if let (Some((_, Yaml::Map(into))), Yaml::Map(children)) = (
        into.map(|(key, node)| (key, &mut node.value)),
        children.value,
    ) {
        into.extend(children);
    }
    *all = others;
}

/// Whether it is a state, as its keys tell.
fn is_state(node: &Node) -> bool {
    matches!(&node.value, Yaml::Map(entries) if has_body(entries))
}

fn has_body(entries: &[(Node, Node)]) -> bool {
    let mut keys = entries.iter().filter_map(|(key, _)| key.text());
    keys.any(|key| BODIES.contains(&key))
}

/// Takes states that are indented below another one out of it.
fn raise(states: &mut Node, faults: &mut Faults) {
    let Yaml::Map(all) = &mut states.value else {
        return;
    };
    let mut raised: Vec<(Node, Node)> = Vec::with_capacity(all.len());
    for (name, mut state) in std::mem::take(all) {
        let mut others: Vec<(Node, Node)> = Vec::new();
        if let Yaml::Map(entries) = &mut state.value
            && let Some(at) = (0..entries.len()).find(|&at| {
                let (key, inner) = &entries[at];
                let is_name = key.text().is_some_and(|key| is_other(STATE)(key, inner))
                    && key.value != name.value;
                let has_keys = matches!(inner.value, Yaml::Null) && has_body(&entries[at..]);
                is_name && (is_state(inner) || has_keys)
            })
        {
            let inner = entries.split_off(at);
            let name = inner
                .first()
                .and_then(|(key, _)| key.text().map(|n| (n, key.at)));
            if let Some((name, at)) = name {
                let message = format!("`{name}` is indented below another state");
                let hint = faults.add(Code::UnknownKey, at, message);
                hint.help("indent it, and all that belongs to it, as far as the other states");
            }
            for (key, value) in inner {
                let is_name = key.text().is_some_and(|key| is_other(STATE)(key, &value));
                match others.last_mut() {
                    // Its keys stand beside it, if only its name is indented too deep.
                    Some((_, state)) if !is_name => match &mut state.value {
                        Yaml::Map(keys) => keys.push((key, value)),
                        keys => *keys = Yaml::Map(vec![(key, value)]),
                    },
                    _ => others.push((key, value)),
                }
            }
        }
        raised.push((name, state));
        raised.extend(others);
    }
    *all = raised;
}

/// Gives arms of a state that has no key for them the key `consume`.
fn arms_alone(state: &mut Node, is_other: impl Fn(&str, &Node) -> bool, faults: &mut Faults) {
    let keys = || entries_of(state).iter().filter_map(|(key, _)| key.text());
    let is_body = |key: &str| {
        let names = BODIES.iter().copied();
        is_branch(key) || names.clone().any(|n| n == key) || closest(key, names).is_some()
    };
    if keys().any(is_body) || !keys().any(is_plain_arm) {
        return;
    }
    if let Some((_, at)) = gather(state, "consume", is_other) {
        let message = "`consume:` is missing above this line";
        faults
            .add(Code::MissingKey, at, message)
            .help("write it there, and indent all arms of the state by two more spaces than it");
    }
}

/// Gives states of a procedure that has nothing else the key `states`.
fn states_alone(procedure: &mut Node, faults: &mut Faults) {
    let states = entries_of(procedure);
    if !states.is_empty()
        && states.iter().all(|(_, state)| is_state(state))
        && let Some((_, at)) = gather(procedure, "states", |_, _| true)
    {
        let message = "`states:` is missing above this line";
        faults.add(Code::MissingKey, at, message).help(
            "write it there, and indent all states of the procedure by two more spaces than it",
        );
    }
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
