//! What can deviate: the arms and branches of a table, and what it does with the input stream.

use std::collections::HashMap;

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::Machine;

use crate::cover::{Items, Place};

/// How the report calls the input stream, as if it were a state.
const STREAM: &str = "input stream";

/// The arms and branches of a table by their ids, and behind them what happens to characters before any state sees them.
pub(super) struct Arms<'a, 'm> {
    items: &'a Items<'m>,
    stream: Vec<(String, CharSet)>,
}

impl<'a, 'm> Arms<'a, 'm> {
    pub(super) fn of(items: &'a Items<'m>) -> Self {
        let stream = stream(items.machine());
        Self { items, stream }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.items.all().len() + self.stream.len()
    }

    /// Those of the input stream that a text meets.
    pub(super) fn of_stream<'t>(&'t self, text: &'t str) -> impl Iterator<Item = usize> + 't {
        let met = |set: &CharSet| text.chars().any(|c| set.contains(c));
        let first = self.items.all().len();
        let all = (first..).zip(&self.stream);
        all.filter(move |(_, (_, set))| met(set)).map(|(id, _)| id)
    }

    /// The name of the state, and of the arm in it.
    pub(super) fn names(&self, id: usize) -> (String, String) {
        if let Some(item) = self.items.all().get(id) {
            let state = self.items.heading(item.place);
            let label = self.items.label(id);
            let arm = label.strip_prefix(&state).unwrap_or(&label);
            let arm = arm.trim_start_matches(": ").to_owned();
            return (state, arm);
        }
        let of_stream = self.stream.get(id - self.items.all().len());
        let arm = of_stream.map(|(name, _)| name.clone());
        (STREAM.to_owned(), arm.unwrap_or_default())
    }

    pub(super) fn label(&self, id: usize) -> String {
        match self.names(id) {
            (state, arm) if arm.is_empty() => state,
            (state, arm) => format!("{state}: {arm}"),
        }
    }

    /// Those of a sort with their names. A branch goes without saying in an arm of the sort, and so does an arm in a state that is
    /// so in all of its arms.
    pub(super) fn outermost(&self, is_it: &dyn Fn(usize) -> bool) -> Vec<(usize, String)> {
        let items = self.items.all();
        let mut whole: HashMap<Place, bool> = HashMap::new();
        for (id, item) in items.iter().enumerate() {
            *whole.entry(item.place).or_insert(true) &= is_it(id);
        }
        let mut last = None;
        let mut named = Vec::new();
        for id in (0..self.count()).filter(|&id| is_it(id)) {
            let item = items.get(id);
            let place = item.map(|item| item.place);
            if place.is_some_and(|place| whole.get(&place) == Some(&true)) {
                if last != place {
                    named.push((id, self.names(id).0));
                }
                last = place;
            } else if !item
                .and_then(|item| item.branch)
                .is_some_and(|branch| is_it(branch.parent))
            {
                named.push((id, self.label(id)));
            }
        }
        named
    }
}

/// What a table does with characters before any state sees them: a name, and which characters.
pub(super) fn stream(machine: &Machine) -> Vec<(String, CharSet)> {
    let preprocessing = &machine.preprocessing;
    let mut stream = Vec::new();
    if preprocessing.drop_bom {
        stream.push(("byte order mark".to_owned(), CharSet::single('\u{FEFF}')));
    }
    if preprocessing.normalize_newlines {
        stream.push(("newlines".to_owned(), CharSet::single('\r')));
    }
    stream.extend(preprocessing.errors.iter().map(|(set, error)| {
        let code = machine.errors.get(error.0 as usize);
        (code.cloned().unwrap_or_default(), set.clone())
    }));
    stream
}
