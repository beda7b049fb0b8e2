//! What ends the constructs in which a text stops, so that what is behind them is text again: `">` behind `<a b="c`.

use std::collections::{HashMap, HashSet, VecDeque};

use speclex_codegen::machine::StateId;

use crate::cover::{self, Items, Observed, Watched};
use crate::engine::Request;

/// The longest that is looked for.
const LONGEST: usize = 6;

/// Finds such ends.
pub(super) struct Closings<'a, 'm> {
    observed: Observed<'a, 'm>,
    alphabet: Vec<char>,
    /// The states in which the machine can start.
    entries: HashSet<StateId>,
    /// What ended the text that stopped in a state before.
    known: HashMap<StateId, String>,
}

impl<'a, 'm> Closings<'a, 'm> {
    pub(super) fn of(items: &'a Items<'m>) -> Self {
        let machine = items.machine();
        Self {
            observed: Observed::new(items),
            alphabet: cover::characters(machine),
            entries: machine.contents().map(|(entry, _)| entry.state).collect(),
            known: HashMap::new(),
        }
    }

    /// What ends this text, if that is not long; nothing if it has ended.
    pub(super) fn closing(&mut self, request: &Request<'_>) -> Option<String> {
        let stopped = self.observed.before_end(request);
        let stopped = stopped.ok()?;
        let state = stopped.state()?;
        if self.entries.contains(&state) {
            return Some(String::new());
        }
        if let Some(known) = self.known.get(&state)
            && let Some((_, state)) = after(&stopped, known)
            && self.entries.contains(&state)
        {
            return Some(known.clone());
        }
        let found = self.search(stopped, state)?;
        self.known.insert(state, found.clone());
        Some(found)
    }

    fn search(&self, stopped: Watched<'a, 'm>, state: StateId) -> Option<String> {
        let mut met = HashSet::from([state]);
        let mut next = VecDeque::from([(stopped, String::new())]);
        while let Some((stopped, text)) = next.pop_front() {
            for &c in &self.alphabet {
                let Some((interpreter, state)) = after(&stopped, c.encode_utf8(&mut [0; 4])) else {
                    continue;
                };
                let longer = format!("{text}{c}");
                if self.entries.contains(&state) {
                    return Some(longer);
                }
                if met.insert(state) && longer.chars().count() < LONGEST {
                    next.push_back((interpreter, longer));
                }
            }
        }
        None
    }
}

/// Where a text leads.
fn after<'a, 'm>(stopped: &Watched<'a, 'm>, text: &str) -> Option<(Watched<'a, 'm>, StateId)> {
    let mut interpreter = stopped.clone();
    interpreter.feed(text).ok()?;
    let state = interpreter.state()?;
    Some((interpreter, state))
}
