//! Extending: a base and the changes to it become one table.

mod arms;
mod without_base;

pub(crate) use without_base::refuse_changes;

use crate::diagnostic::{Code, Faults};
use crate::set_notation::Classes;
use crate::suggest::{closest, did_you_mean};
use crate::written::{
    Body, Entry, Place, Procedure, State, Table, Text, merged, nothing_to_change,
};
use std::mem::take;

/// Applies the changes of `over` to `base`.
pub(crate) fn extend(mut base: Table, mut over: Table, faults: &mut Faults) -> Table {
    // Their states are merged below, with the classes of both.
    let before = [&mut base.procedures, &mut over.procedures].map(take);
    over.extend_sections(&mut base, faults);
    let mut table = Table {
        title: over.title.or(base.title),
        section: over.section.or(base.section),
        vocabulary: over.vocabulary.or(base.vocabulary),
        unreported: match &over.errors {
            Some(_) => over.unreported,
            None => base.unreported,
        },
        errors: over.errors.or(base.errors),
        preprocessing: over.preprocessing.or(base.preprocessing),
        references: over.references.or(base.references),
        replacements: over.replacements.or(base.replacements),
        initial: over.initial.or(base.initial),
        contents_section: over.contents_section.or(base.contents_section),
        hot: over.hot.or(base.hot),
        errata: by_key(base.errata, over.errata),
        keys: [base.keys, over.keys].concat(),
        states: Vec::new(),
        // Also its `text`: the base is of another text.
        ..over
    };
    let mut classes = arms::classes(&table);
    table.states = states(base.states, over.states, &mut classes, faults);
    let [base, over] = before;
    table.procedures = procedures(base, over, &mut classes, faults);
    table
}

/// By name; a sub-machine that the base has is changed state by state.
fn procedures(
    mut base: Vec<Entry<Procedure>>,
    mut over: Vec<Entry<Procedure>>,
    classes: &mut Classes,
    faults: &mut Faults,
) -> Vec<Entry<Procedure>> {
    for entry in &mut over {
        let same = base.iter_mut().find(|b| b.name.text == entry.name.text);
        if let (
            Some(Procedure::States {
                section,
                states: changes,
            }),
            Some(Procedure::States {
                section: old,
                states: before,
            }),
        ) = (&mut entry.value, same.and_then(|b| b.value.as_mut()))
        {
            *section = section.take().or(old.take());
            *changes = states(take(before), take(changes), classes, faults);
        }
    }
    merged(base, over, "procedure", faults)
}

pub(crate) fn by_key<T>(base: Vec<(Text, T)>, over: Vec<(Text, T)>) -> Vec<(Text, T)> {
    let mut merged = base;
    merged.retain(|(key, _)| over.iter().all(|(other, _)| other.text != key.text));
    merged.extend(over);
    merged
}

fn states(
    base: Vec<State>,
    over: Vec<State>,
    classes: &mut Classes,
    faults: &mut Faults,
) -> Vec<State> {
    let mut merged = base;
    for mut state in over {
        let same = merged.iter().position(|s| s.name.text == state.name.text);
        let Some(at) = same.or_else(|| misspelt(&merged, &state, faults)) else {
            if state.removed {
                let names = merged.iter().map(|s| s.name.text.as_str());
                nothing_to_change(&state.name, "state", names, faults);
            } else {
                let place = state.place.take();
                insert(&mut merged, state, place, faults);
            }
            continue;
        };
        let before = merged.remove(at);
        state.name.text.clone_from(&before.name.text);
        if state.removed {
            continue;
        }
        let place = state.place.take();
        let state = change(before, state, classes, faults);
        match place {
            Some(place) => insert(&mut merged, state, Some(place), faults),
            None => merged.insert(at, state),
        }
    }
    merged
}

/// The state of the base that a state without a place is probably meant to change.
fn misspelt(states: &[State], state: &State, faults: &mut Faults) -> Option<usize> {
    if state.removed || state.place.is_some() {
        return None;
    }
    let names = states.iter().map(|s| s.name.text.as_str());
    let meant = closest(&state.name.text, names)?;
    let help = format!("did you mean `{meant}`? If not, {PLACE}");
    no_place(&state.name, help, faults);
    states.iter().position(|s| s.name.text == meant)
}

const PLACE: &str = "a new state says `after: STATE` or `before: STATE`";

fn no_place(name: &Text, help: impl Into<String>, faults: &mut Faults) {
    let message = format!(
        "the base has no state `{}`, and a new one needs a place",
        name.text
    );
    faults.add(Code::MissingPlace, name.at, message).help(help);
}

/// Puts a new state where it says.
fn insert(states: &mut Vec<State>, state: State, place: Option<Place>, faults: &mut Faults) {
    let at = match &place {
        Some(Place::After(name)) => position(states, name, faults).map(|at| at + 1),
        Some(Place::Before(name)) => position(states, name, faults),
        None => {
            no_place(&state.name, PLACE, faults);
            None
        }
    };
    states.insert(at.unwrap_or(states.len()), state);
}

fn position(states: &[State], name: &Text, faults: &mut Faults) -> Option<usize> {
    let found = states.iter().position(|s| s.name.text == name.text);
    if found.is_none() {
        let names = states.iter().map(|s| s.name.text.as_str());
        let help = did_you_mean(&name.text, names, String::new);
        faults
            .unknown(Code::UnknownState, name.at, "state", &name.text)
            .help(help);
    }
    found
}

fn change(base: State, over: State, classes: &mut Classes, faults: &mut Faults) -> State {
    let replaced = arms::changed(&base, &over, classes);
    let kept = base
        .errata
        .into_iter()
        .filter(|(key, _)| !replaced.contains(&key.text))
        .collect();
    State {
        section: over.section.or(base.section),
        includes: over.includes.or(base.includes),
        first: over.first.or(base.first),
        leaving: over.leaving.or(base.leaving),
        body: body(base.body, over.body, classes, faults),
        errata: by_key(kept, over.errata),
        ..over
    }
}

fn body(
    base: Option<Body>,
    over: Option<Body>,
    classes: &mut Classes,
    faults: &mut Faults,
) -> Option<Body> {
    Some(match (base, over) {
        (base, None) => return base,
        (Some(Body::Consume(base)), Some(Body::Consume(over))) => {
            Body::Consume(arms::merge(base, over, classes, faults))
        }
        (Some(Body::LookAhead(base)), Some(Body::LookAhead(over))) => {
            Body::LookAhead(arms::merge(base, over, classes, faults))
        }
        (Some(Body::Match { arms: base, .. }), Some(Body::Match { at, arms: over })) => {
            Body::Match {
                at,
                arms: arms::merge(base, over, classes, faults),
            }
        }
        (_, Some(over)) => over,
    })
}
