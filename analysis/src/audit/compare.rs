//! Text against table, state by state: both run for every input that either tells from others, in every case
//! that either asks about. Inner states are found by what leads to them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::difference::{Difference, Kind, elsewhere, kind, same, settle};
use super::facts::{Body, State, Step};
use super::inputs::{domain, events};
use super::possible::Possible;
use super::run::{Event, Ran, run};
use super::show;
use super::side::Side;
use super::variables::Assignment;

/// What two states were found to be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    pub(crate) differences: Vec<Difference>,
    /// Inner states that correspond if these do.
    next: Vec<(String, String)>,
}

/// Results by text and table state, to be used again where the table has not changed.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pairs: HashMap<(String, String), (State, Pair)>,
    /// Steps on entering inner states are part of the ways there.
    entries: Vec<Vec<Step>>,
}

impl Known {
    fn pair(&self, names: &(String, String), its: &State) -> Option<&Pair> {
        let (state, pair) = self.pairs.get(names)?;
        (state == its).then_some(pair)
    }
}

fn inner_entries(side: &Side<'_>) -> Vec<Vec<Step>> {
    let inner = side.facts.states.iter().filter(|state| state.inner);
    inner.map(|state| state.entry.clone()).collect()
}

/// Compares all states.
pub(crate) fn compare(
    text: &Side<'_>,
    table: &Side<'_>,
    possible: &Possible,
    known: &mut Known,
    learn: bool,
) -> Vec<Difference> {
    let mut found = Vec::new();
    let entries = inner_entries(table);
    let usable = known.entries == entries;
    if learn {
        known.entries = entries;
    }
    let mut todo: Vec<(String, String)> = Vec::new();
    for state in table.facts.states.iter().filter(|s| !s.inner) {
        match text.state(&state.name) {
            None => found.push(whole(Kind::ExtraState, state, 0)),
            Some(own) => {
                if own.section != state.section {
                    found.push(Difference {
                        text: own.section.clone(),
                        table: state.section.clone(),
                        ..whole(Kind::Section, state, own.line)
                    });
                }
                todo.push((own.name.clone(), state.name.clone()));
            }
        }
    }
    let mut before = String::new();
    for state in text.facts.states.iter().filter(|s| !s.inner) {
        if table.state(&state.name).is_none() {
            found.push(Difference {
                text: match before.as_str() {
                    "" => "it is the first".to_owned(),
                    before => format!("it stands after {before}"),
                },
                ..whole(Kind::MissingState, state, state.line)
            });
        }
        before.clone_from(&state.name);
    }
    match (&text.procedure, &table.procedure) {
        (Some(own), Some(its)) => todo.push((own.clone(), its.clone())),
        (Some(own), None) => {
            let state = text.state(own).into_iter();
            found.extend(state.map(|state| whole(Kind::MissingState, state, state.line)));
        }
        (None, Some(its)) => {
            let state = table.state(its).into_iter();
            found.extend(state.map(|state| whole(Kind::ExtraState, state, 0)));
        }
        (None, None) => {}
    }
    let mut seen: BTreeSet<(String, String)> = todo.iter().cloned().collect();
    let mut reached: BTreeSet<String> = BTreeSet::new();
    while let Some(names) = todo.pop() {
        let (Some(own), Some(its)) = (text.state(&names.0), table.state(&names.1)) else {
            continue;
        };
        reached.insert(its.name.clone());
        let pair = match known.pair(&names, its).filter(|_| usable) {
            Some(pair) => pair.clone(),
            None => {
                let pair = states(text, table, own, its, possible);
                if learn {
                    known.pairs.insert(names, (its.clone(), pair.clone()));
                }
                pair
            }
        };
        found.extend(pair.differences);
        todo.extend(
            pair.next
                .into_iter()
                .filter(|next| seen.insert(next.clone())),
        );
    }
    for state in table.facts.states.iter().filter(|s| s.inner) {
        if !reached.contains(&state.name) && table.procedure.is_some() && text.procedure.is_some() {
            found.push(whole(Kind::ExtraState, state, 0));
        }
    }
    found
}

fn whole(kind: Kind, state: &State, line: usize) -> Difference {
    Difference {
        kind,
        state: state.name.clone(),
        section: state.section.clone(),
        arm: None,
        text_arm: (line > 0).then(|| (state.name.clone(), line)),
        inputs: Vec::new(),
        case: String::new(),
        text: String::new(),
        table: String::new(),
    }
}

/// Compares two states.
fn states(
    text: &Side<'_>,
    table: &Side<'_>,
    own: &State,
    its: &State,
    possible: &Possible,
) -> Pair {
    let mut domain = domain(text, table, own, its);
    for (var, values) in possible.get(&own.name).into_iter().flatten() {
        domain.restrict(var, values);
    }
    let assignments = domain.assignments();
    let events = events(own, its, text, &domain);
    let mut pair = Pair::default();
    if own.inner && own.section != its.section {
        pair.differences.push(Difference {
            text: own.section.clone(),
            table: its.section.clone(),
            ..whole(Kind::Section, its, own.line)
        });
    }
    // How often arms of the two take the same input: a character elsewhere than most is in another set.
    let mut together: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut different: Vec<(&Event, &Assignment, Ran, Ran)> = Vec::new();
    for event in &events {
        for assignment in &assignments {
            let theirs = run(table, its, event, assignment);
            let mut mine = run(text, own, event, assignment);
            settle(text, own, &mut mine, &theirs);
            if let (Some((a, _)), Some((b, _)), Event::Char(_)) = (&mine.arm, &theirs.arm, event) {
                *together.entry((a.clone(), b.clone())).or_default() += 1;
            }
            if !same(text, table, &mine, &theirs, &mut pair.next) {
                different.push((event, assignment, mine, theirs));
            }
        }
    }
    let branches = [own, its].map(|state| matches!(state.body, Body::Branch(..)));
    for (event, assignment, mine, theirs) in different {
        // Where only one of them comes to an arm, the state's own condition differs.
        let another_case = branches.contains(&true) && mine.arm.is_none() != theirs.arm.is_none();
        let kind = match elsewhere(event, &mine, &theirs, &together) {
            _ if another_case => Kind::Case,
            true => Kind::Set,
            false => kind(&mine, &theirs),
        };
        let its_arm = theirs.arm.as_ref().map(|(label, _)| label.clone());
        let own_arm = mine.arm.clone();
        let difference = Difference {
            kind,
            state: its.name.clone(),
            section: its.section.clone(),
            arm: match event {
                _ if another_case => None,
                Event::Enter => Some(show::event(event)),
                _ => its_arm.or_else(|| Some("steps".to_owned())),
            },
            text_arm: match another_case {
                true => Some((own.name.clone(), own.line)),
                false => own_arm.or_else(|| Some((own.name.clone(), own.line))),
            },
            inputs: vec![show::event(event)],
            case: show::case(assignment),
            text: show::trace(&mine.trace),
            table: show::trace(&theirs.trace),
        };
        add(&mut pair.differences, difference);
    }
    pair
}

/// Adds a difference, or an input to one of the same arms.
fn add(all: &mut Vec<Difference>, new: Difference) {
    let same = |one: &&mut Difference| {
        one.arm == new.arm && one.text_arm == new.text_arm && one.kind == new.kind
    };
    match all.iter_mut().find(same) {
        Some(before) => {
            for input in new.inputs {
                if !before.inputs.contains(&input) {
                    before.inputs.push(input);
                }
            }
        }
        None => all.push(new),
    }
}
