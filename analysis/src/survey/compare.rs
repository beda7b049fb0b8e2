//! One document in two tokenizers.

use std::sync::OnceLock;

use speclex_codegen::machine::Machine;

use super::excerpt::{self, Parts};
use super::first_difference::Outputs;
use super::report::{Difference, Name, Shown};
use crate::diff::{Blame, ErrorComparison};
use crate::engine::{Engine, Request};
use crate::position::Lines;
use crate::token::StreamErrors;
use crate::token_stream::TokenStream;

/// How many characters of the document are shown before and after the place of a difference.
const CONTEXT: (usize, usize) = (40, 40);

/// What is said where no change was found to be to blame.
const NOWHERE: &str = "no state";

/// Compares documents, one after the other.
pub struct Surveyor<'m> {
    machines: [&'m Machine; 2],
    engines: [Box<dyn Engine + 'm>; 2],
    /// What came of the last document: memory for the next one.
    streams: [TokenStream; 2],
    of_input: [StreamErrors; 2],
    compared: ErrorComparison,
    /// How documents are read.
    reading: Request<'m>,
    /// Made when the first document differs.
    blame: &'m OnceLock<Blame>,
    parts: Option<Parts<'m>>,
}

impl<'m> Surveyor<'m> {
    /// The machines say why the outputs of the engines differ.
    /// Documents are read as `reading` says. What is known of the machines is kept in `blame`, for all threads.
    pub fn new(
        machines: [&'m Machine; 2],
        engines: [Box<dyn Engine + 'm>; 2],
        reading: Request<'m>,
        blame: &'m OnceLock<Blame>,
    ) -> Self {
        Self {
            machines,
            engines,
            streams: Default::default(),
            of_input: machines.map(StreamErrors::of),
            compared: ErrorComparison::of(machines[0], machines[1]),
            reading,
            blame,
            parts: None,
        }
    }

    /// The first difference of the gravest kind; `None` if both make the same of the document.
    ///
    /// # Errors
    /// When a tokenizer cannot run on it.
    pub fn compare(&mut self, name: &Name, text: &str) -> Result<Option<Difference>, String> {
        let request = Request {
            input: text,
            ..self.reading
        };
        for (engine, stream) in self.engines.iter_mut().zip(&mut self.streams) {
            engine.tokenize_to(&request, stream)?;
        }
        let outputs = Outputs::unless_same(text, &self.streams, &self.of_input, self.compared);
        let Some((outputs, first)) =
            outputs.and_then(|all| all.first_difference().map(|first| (all, first)))
        else {
            return Ok(None);
        };
        let [one, other] = self.machines;
        let blame = self.blame;
        let parts = self.parts.get_or_insert_with(|| {
            Parts::new(blame.get_or_init(|| Blame::new(one, other)).finder())
        });
        let blamed = excerpt::blamed(parts, self.machines, &request, &outputs, &first);
        let (arms, offset) = match blamed {
            Some((labels, offset)) => (labels, offset),
            None => ([NOWHERE; 2].map(str::to_owned), first.span.start),
        };
        let (before, after) = context(text, offset);
        let place = Lines::up_to(text, offset).position(offset);
        Ok(Some(Difference {
            shown: Shown {
                name: name.clone(),
                line: place.line,
                column: place.column,
                before,
                after,
                outputs: first.lines,
            },
            differs: first.kind,
            arms,
        }))
    }
}

/// The text before and after a place.
fn context(text: &str, offset: u64) -> (String, String) {
    let mut offset = usize::try_from(offset)
        .unwrap_or(usize::MAX)
        .min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let (before, after) = text.split_at(offset);
    let start = before.char_indices().rev().nth(CONTEXT.0 - 1);
    let before = start.map_or(before, |(at, _)| &before[at..]);
    let after = after.chars().take(CONTEXT.1).collect();
    (before.to_owned(), after)
}
