//! A host that takes down what a run reaches.

use speclex_codegen::machine::{Body, StateId};

use super::items::Items;
use crate::engine::Request;
use crate::entry_states::EntryStates;
use crate::html5lib::Case;
use crate::interpreter::{Answer, Fault, Host, Interpreter};
use crate::token::{Output, Token};

/// A state, and the next input character when one of its bodies was chosen; `None` is EOF, or nothing
/// consumed.
pub(super) type Arrival = (StateId, Option<char>);

/// Takes down arms and branches.
#[derive(Clone, Debug)]
pub(crate) struct Observer<'a, 'm> {
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

/// An interpreter that takes down what it reaches.
pub(crate) type Watched<'a, 'm> = Interpreter<'m, Observer<'a, 'm>>;

/// Runs requests, and takes down what each reaches.
#[derive(Debug)]
pub(crate) struct Observed<'a, 'm> {
    /// One that has not run.
    fresh: Watched<'a, 'm>,
}

impl<'a, 'm> Observed<'a, 'm> {
    pub(crate) fn new(items: &'a Items<'m>) -> Self {
        let fresh = Interpreter::with_host(items.machine(), Observer::new(items));
        Self { fresh }
    }

    /// What comes of a request, and the items that it reaches, in order, some more than once. Its chunks make no difference.
    pub(crate) fn run(&self, request: &Request<'_>) -> Result<(Output, Vec<usize>), Fault> {
        let mut interpreter = self.before_end(request)?;
        interpreter.end()?;
        let output = interpreter.take_output();
        Ok((output, interpreter.into_host().reached))
    }

    /// An interpreter that has run the input of a request and can take more.
    pub(crate) fn before_end(&self, request: &Request<'_>) -> Result<Watched<'a, 'm>, Fault> {
        let mut interpreter = self.fresh.clone();
        interpreter.host().cdata_allowed = request.cdata_allowed;
        interpreter.start_as(request)?;
        interpreter.feed(request.input)?;
        Ok(interpreter)
    }
}

/// What the cases of a suite reach: for each item, whether any does.
///
/// # Errors
/// When a case cannot be run.
pub fn measure(items: &Items<'_>, cases: &[Case]) -> Result<Vec<bool>, String> {
    let starts = EntryStates::of(items.machine());
    let mut reached = vec![false; items.all().len()];
    let observed = Observed::new(items);
    for case in cases {
        let request = case.request(&starts);
        let request = request.ok_or_else(|| format!("{}: no entry for its start", case.name()))?;
        let run = observed.run(&request);
        let (_, ids) = run.map_err(|fault| format!("{}: {fault}", case.name()))?;
        for id in ids {
            reached[id] = true;
        }
    }
    Ok(reached)
}
