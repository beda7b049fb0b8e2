//! Asks about one input.

use std::collections::HashSet;

use speclex_codegen::machine::Feedback;

use super::answer::{Answer, Differs, Expected, Shown, read};
use super::arms::Arms;
use super::blame::{Blamed, Difference};
use super::input::Input;
use super::report::Example;
use crate::cover::{Items, Observed};
use crate::html5lib::Form;
use crate::interpreter::Fault;
use crate::jsonl;
use crate::token::StreamErrors;

/// How often a tokenizer may give no answer that can be read before it is not asked any more: each time may take as long as the caller waits.
pub(super) const MOST_FAILURES: usize = 50;
/// The same before its first answer.
pub(super) const MOST_AT_FIRST: usize = 3;
/// How often it is asked to make one example shorter.
const MOST_SHORTENING: usize = 200;

/// A tokenizer that answers lines of JSON.
pub trait Foreign {
    /// Sends a request, which ends with a newline, and waits for the line that answers it.
    ///
    /// # Errors
    /// When none comes: what happened instead, for people. The next request goes to a new one.
    fn ask(&mut self, request: &str) -> Result<String, String>;

    /// Sends the next request to a new one.
    fn restart(&mut self);
}

pub(super) enum Outcome {
    Agrees,
    Refused(String),
    Differs(Difference, Shown),
    Failed(String),
}

/// What came of an input.
pub(super) struct Judged {
    /// The arms that it reaches, each once.
    pub(super) reached: Vec<usize>,
    expected: Expected,
    pub(super) outcome: Outcome,
    /// The pieces in which it was sent last.
    chunks: Vec<usize>,
}

pub(super) struct Judge<'a, 'm> {
    arms: &'a Arms<'a, 'm>,
    observed: Observed<'a, 'm>,
    foreign: &'a mut dyn Foreign,
    form: Form,
    stream: StreamErrors,
    feedback: Feedback,
    /// How many requests were sent.
    asked: u64,
    /// How many had no answer that can be read.
    failures: usize,
    /// How many had one.
    pub(super) answers: usize,
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
            foreign,
            form: Form::of(machine),
            stream: StreamErrors::of(machine),
            feedback,
            asked: 0,
            failures: 0,
            answers: 0,
            cuts: true,
            errors: false,
        }
    }

    /// Why it is of no use to go on, if it is not.
    pub(super) fn stops(&self) -> Option<String> {
        match (self.answers, self.failures) {
            (0, MOST_AT_FIRST..) => Some("the tokenizer gives no answer".to_owned()),
            (_, MOST_FAILURES..) => Some(format!("there was no answer {MOST_FAILURES} times")),
            _ => None,
        }
    }

    pub(super) fn judge(&mut self, input: &Input) -> Result<Judged, Fault> {
        let (output, reached) = self.observed.run(&input.request(self.feedback, &[]))?;
        let mut known = HashSet::new();
        let reached = self.arms.of_stream(&input.text).chain(reached);
        let reached = reached.filter(|&item| known.insert(item)).collect();
        let output = output.with_sorted_errors(&self.stream);
        let mut judged = Judged {
            reached,
            expected: Expected::of(output, &input.text, self.form),
            outcome: Outcome::Agrees,
            chunks: Vec::new(),
        };
        judged.outcome = self.ask(input, &[], &judged.expected);
        let chunks: Vec<usize> = input.text.chars().map(char::len_utf8).collect();
        if !matches!(judged.outcome, Outcome::Agrees) || chunks.len() < 2 || !self.cuts {
            return Ok(judged);
        }
        judged.outcome = match self.ask(input, &chunks, &judged.expected) {
            Outcome::Differs(_, given) => Outcome::Differs(Difference::Cuts, given),
            Outcome::Refused(_) => {
                self.cuts = false;
                Outcome::Agrees
            }
            other => other,
        };
        judged.chunks = chunks;
        Ok(judged)
    }

    fn ask(&mut self, input: &Input, chunks: &[usize], expected: &Expected) -> Outcome {
        self.asked += 1;
        let request = jsonl::request(self.asked, &input.request(self.feedback, chunks));
        let line = match self.foreign.ask(&request) {
            Ok(line) => line,
            Err(what) => {
                self.failures += 1;
                return Outcome::Failed(what);
            }
        };
        let answer = match read(&line, self.asked, self.form) {
            Ok(answer) => answer,
            Err(what) => {
                // What comes next may be the answer to this request.
                self.foreign.restart();
                self.failures += 1;
                return Outcome::Failed(what);
            }
        };
        self.answers += 1;
        let given = match answer {
            Answer::Output(given) => given,
            Answer::Refusal(why) => return Outcome::Refused(why),
        };
        self.errors |= given.errors.is_some();
        let difference = match expected.difference(&given) {
            None => return Outcome::Agrees,
            Some(Differs::Tokens) => Difference::Tokens,
            Some(Differs::Errors) => Difference::Errors,
            Some(Differs::Places) => Difference::Places,
        };
        Outcome::Differs(difference, given)
    }

    /// An example, as short as dropping characters makes it: it still deviates in the same way and reaches the arm, and no arm more
    /// that is blamed. That of a failure stays as it is: each may take long.
    pub(super) fn example(
        &mut self,
        input: &Input,
        blamed: &Blamed,
        is_blamed: &HashSet<usize>,
        failure: Option<String>,
    ) -> Result<Example, Fault> {
        let mut shortest = input.clone();
        if let Some(failure) = failure {
            let (output, _) = self.observed.run(&input.request(self.feedback, &[]))?;
            let output = output.with_sorted_errors(&self.stream);
            let expected = Expected::of(output, &input.text, self.form);
            return Ok(example(shortest, expected, Vec::new(), None, Some(failure)));
        }
        let mut judged = self.judge(&shortest)?;
        let before: HashSet<usize> = judged.reached.iter().copied().collect();
        let shows = |judged: &Judged| {
            let mut others = judged
                .reached
                .iter()
                .filter(|item| is_blamed.contains(item));
            matches!(&judged.outcome, Outcome::Differs(difference, _) if *difference == blamed.difference)
                && judged.reached.contains(&blamed.item)
                && others.all(|item| before.contains(item))
        };
        let mut tries = 0;
        let mut at = 0;
        while let Some((from, c)) = shortest.text.char_indices().nth(at) {
            let mut shorter = shortest.clone();
            shorter.text.replace_range(from..from + c.len_utf8(), "");
            tries += 1;
            if tries > MOST_SHORTENING || self.stops().is_some() {
                break;
            }
            let then = self.judge(&shorter)?;
            if shows(&then) {
                (shortest, judged) = (shorter, then);
            } else {
                at += 1;
            }
        }
        let Judged {
            expected,
            outcome,
            chunks,
            ..
        } = judged;
        let (given, failure) = match outcome {
            Outcome::Differs(_, given) => (Some(given), None),
            Outcome::Failed(what) => (None, Some(what)),
            Outcome::Agrees | Outcome::Refused(_) => (
                None,
                Some("it deviated once, and not when asked again".to_owned()),
            ),
        };
        Ok(example(shortest, expected, chunks, given, failure))
    }
}

fn example(
    input: Input,
    expected: Expected,
    chunks: Vec<usize>,
    given: Option<Shown>,
    failure: Option<String>,
) -> Example {
    Example {
        input: input.text,
        content: input.start.content,
        last_start_tag: input.start.last_start_tag,
        cdata_allowed: input.start.cdata_allowed,
        chunks,
        expected: expected.shown(),
        given,
        failure,
    }
}
