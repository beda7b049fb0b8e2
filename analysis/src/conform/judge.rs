//! Asks a tokenizer about one input, whole and in pieces.

use std::collections::HashSet;

use speclex_codegen::machine::Feedback;

use super::answer::{Expected, Shown, read};
use super::arms::Arms;
use super::asking::{Asked, Foreign, Judged, Judges, Outcome};
use super::blame::Difference;
use super::input::{Input, Source};
use super::report::Example;
use crate::cover::{Items, Observed, Start};
use crate::html5lib::Form;
use crate::interpreter::Fault;
use crate::jsonl;
use crate::token::StreamErrors;

pub(super) struct Judge<'a, 'm> {
    arms: &'a Arms<'a, 'm>,
    observed: Observed<'a, 'm>,
    asked: Asked<'a>,
    form: Form,
    stream: StreamErrors,
    feedback: Feedback,
    /// Whether it reads inputs in pieces.
    pub(super) cuts: bool,
    /// Whether it ever reported errors.
    pub(super) errors: bool,
}

impl<'a, 'm> Judge<'a, 'm> {
    pub(super) fn new(
        items: &'a Items<'m>,
        arms: &'a Arms<'a, 'm>,
        feedback: Feedback,
        foreign: &'a mut dyn Foreign,
    ) -> Self {
        let machine = items.machine();
        Self {
            arms,
            observed: Observed::new(items),
            asked: Asked::new(foreign),
            form: Form::of(machine),
            stream: StreamErrors::of(machine),
            feedback,
            cuts: true,
            errors: false,
        }
    }

    /// What the table does with an input, and the arms that it reaches.
    fn expected(&mut self, input: &Input) -> Result<(Expected, Vec<usize>), Fault> {
        let (output, reached) = self.observed.run(&input.request(self.feedback, &[]))?;
        let mut known = HashSet::new();
        let reached = self.arms.of_stream(&input.text).chain(reached);
        let reached = reached.filter(|&item| known.insert(item)).collect();
        let output = output.with_sorted_errors(&self.stream);
        Ok((Expected::of(output, &input.text, self.form), reached))
    }

    fn ask(
        &mut self,
        input: &Input,
        chunks: &[usize],
        expected: &Expected,
    ) -> (Outcome, Option<Shown>) {
        let (feedback, form) = (self.feedback, self.form);
        let request = |id| jsonl::request(id, &input.request(feedback, chunks));
        let given = match self.asked.ask(request, |line, id| read(line, id, form)) {
            Ok(given) => given,
            Err(other) => return (other, None),
        };
        self.errors |= given.errors.is_some();
        match expected.difference(&given) {
            None => (Outcome::Agrees, None),
            Some(difference) => (Outcome::Differs(difference), Some(given)),
        }
    }

    /// The same for an input whole, and then in pieces: the lengths of these, if they came last.
    fn both(&mut self, input: &Input, expected: &Expected) -> (Outcome, Option<Shown>, Vec<usize>) {
        let (outcome, given) = self.ask(input, &[], expected);
        let chunks: Vec<usize> = input.text.chars().map(char::len_utf8).collect();
        if !matches!(outcome, Outcome::Agrees) || chunks.len() < 2 || !self.cuts {
            return (outcome, given, Vec::new());
        }
        let (outcome, given) = self.ask(input, &chunks, expected);
        let outcome = match outcome {
            Outcome::Differs(_) => Outcome::Differs(Difference::Cuts),
            Outcome::Refused(_) => {
                self.cuts = false;
                Outcome::Agrees
            }
            other => other,
        };
        (outcome, given, chunks)
    }
}

impl Judges for Judge<'_, '_> {
    type Input = Input;
    type Key = (Start, String);
    type Example = Example;
    type Fault = Fault;

    fn stops(&self) -> Option<String> {
        self.asked.stops()
    }

    fn answers(&self) -> usize {
        self.asked.answers
    }

    fn judge(&mut self, input: &Input) -> Result<Judged<Example>, Fault> {
        let (expected, reached) = self.expected(input)?;
        let (outcome, given, chunks) = self.both(input, &expected);
        Ok(Judged {
            reached,
            outcome,
            example: Example {
                input: input.text.clone(),
                content: input.start.content.clone(),
                last_start_tag: input.start.last_start_tag.clone(),
                cdata_allowed: input.start.cdata_allowed,
                chunks,
                expected: expected.shown(),
                given,
                failure: None,
            },
        })
    }

    fn key(input: &Input) -> (Start, String) {
        (input.start.clone(), input.text.clone())
    }

    fn text(input: &Input) -> &str {
        &input.text
    }

    fn with_text(input: &Input, text: String) -> Input {
        Input {
            text,
            ..input.clone()
        }
    }

    fn source(input: &Input) -> Source {
        input.source
    }

    fn parts(text: &str) -> Vec<&str> {
        text.split_inclusive(|_: char| true).collect()
    }

    fn failed(example: &mut Example, what: String) {
        example.failure = Some(what);
    }
}
