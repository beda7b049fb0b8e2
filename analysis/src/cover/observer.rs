//! A host that takes down what a run reaches.

use speclex_codegen::machine::{Body, StateId};

use super::items::Items;
use crate::entry_states::EntryStates;
use crate::html5lib::Case;
use crate::interpreter::{Answer, Fault, Host, Interpreter};
use crate::token::Token;

/// A state, and the next input character when one of its bodies was chosen; `None` is EOF, or nothing
/// consumed.
pub(super) type Arrival = (StateId, Option<char>);

/// Takes down arms and branches.
#[derive(Clone, Debug)]
pub(super) struct Observer<'a, 'm> {
    items: &'a Items<'m>,
    /// The answer to whether CDATA sections are allowed.
    pub(super) cdata_allowed: bool,
    /// What this run reached.
    pub(super) reached: Vec<usize>,
    /// Where it was.
    pub(super) arrived: Vec<Arrival>,
}

impl<'a, 'm> Observer<'a, 'm> {
    pub(super) fn new(items: &'a Items<'m>) -> Self {
        Self {
            items,
            cdata_allowed: false,
            reached: Vec::new(),
            arrived: Vec::new(),
        }
    }
}

impl Host for Observer<'_, '_> {
    fn emitted(&mut self, _: &Token) -> Answer {
        Answer::Nothing
    }

    fn question(&mut self, question: &str) -> bool {
        self.cdata_allowed && question == crate::engine::CDATA_ALLOWED
    }

    fn reached(&mut self, state: StateId, body: &Body, current: Option<char>) {
        let item = self.items.of_body(body);
        self.reached.extend(item);
        let literal = item.and_then(|item| self.items.literal_start(item));
        self.arrived.push((state, literal.or(current)));
    }

    fn asked_on_emitting(&mut self, on_emit: usize, step: usize, runs: bool) {
        self.reached.extend(self.items.of_step(on_emit, step, runs));
    }
}

/// What the cases of a suite reach: for each item, whether any does.
///
/// # Errors
/// When a case cannot be run.
pub fn measure(items: &Items<'_>, cases: &[Case]) -> Result<Vec<bool>, String> {
    let machine = items.machine();
    let starts = EntryStates::of(machine);
    let mut reached = vec![false; items.all().len()];
    let mut interpreter = Interpreter::with_host(machine, Observer::new(items));
    for case in cases {
        let content = case.start.content(&starts);
        let content = content.ok_or_else(|| format!("{}: no entry for its start", case.name()))?;
        let fault = |fault: Fault| format!("{}: {fault}", case.name());
        interpreter.reset();
        interpreter.host().cdata_allowed = case.cdata_allowed;
        interpreter.start(content).map_err(fault)?;
        if let Some(name) = &case.last_start_tag {
            interpreter.set_last_start_tag(name);
        }
        interpreter.feed(&case.input).map_err(fault)?;
        interpreter.end().map_err(fault)?;
        for id in interpreter.host().reached.drain(..) {
            reached[id] = true;
        }
    }
    Ok(reached)
}
