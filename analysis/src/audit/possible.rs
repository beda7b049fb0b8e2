//! Which words variables can have in each state of a text.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Act, To};
use super::inputs::{domain, events};
use super::run::run;
use super::side::Side;
use super::variables::{Val, Var};

/// Words that each variable can have in each state.
pub(crate) type Possible = BTreeMap<String, BTreeMap<Var, BTreeSet<Val>>>;

/// Which words variables can have in each state of a text: those with which it is switched to.
pub(crate) fn possible(text: &Side<'_>, words: &BTreeMap<String, Vec<String>>) -> Possible {
    let mut possible = Possible::new();
    let Some(initial) = &text.facts.stream.initial else {
        return possible;
    };
    if words.is_empty() {
        return possible;
    }
    let all: BTreeMap<Var, BTreeSet<Val>> = words
        .iter()
        .map(|(register, words)| {
            let words = words.iter().cloned().map(Val::Word).collect();
            (Var::Word(register.clone()), words)
        })
        .collect();
    let mut todo = vec![initial.what.clone()];
    possible.insert(initial.what.clone(), all);
    while let Some(name) = todo.pop() {
        let Some(state) = text.state(&name) else {
            continue;
        };
        let here = possible.get(&name).cloned().unwrap_or_default();
        let mut domain = self::domain(text, text, state, state);
        for (var, values) in &here {
            domain.add(var.clone(), values.iter().cloned());
            domain.restrict(var, values);
        }
        for event in events(state, state, text, &domain) {
            for assignment in domain.assignments() {
                let ran = run(text, state, &event, &assignment);
                let Some(To::State(to)) = ran.trace.to else {
                    continue;
                };
                let at = possible.entry(to.clone()).or_default();
                let mut grown = false;
                for var in here.keys() {
                    let set = ran
                        .trace
                        .acts
                        .iter()
                        .rev()
                        .find_map(|act| match (act, var) {
                            (Act::SetWord(r, word), Var::Word(var)) if r == var => {
                                Some(Val::Word(word.clone()))
                            }
                            _ => None,
                        });
                    let value = set.or_else(|| assignment.get(var).cloned());
                    grown |= value.is_some_and(|v| at.entry(var.clone()).or_default().insert(v));
                }
                if grown {
                    todo.push(to);
                }
            }
        }
    }
    possible
}
