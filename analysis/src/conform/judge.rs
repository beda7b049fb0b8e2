//! Asks about one input.

use std::collections::HashSet;

use speclex_codegen::machine::Feedback;

use super::answer::{Answer, Differs, Expected, Shown, read};
use super::arms::Arms;
use super::blame::Difference;
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
/// How often it is asked to make one input shorter.
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

impl Outcome {
    /// What deviates in it, or is missing.
    pub(super) fn difference(&self) -> Option<Difference> {
        match self {
            Self::Agrees | Self::Refused(_) => None,
            Self::Differs(difference, _) => Some(*difference),
            Self::Failed(_) => Some(Difference::Failure),
        }
    }
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

    /// Why the run stops early, if it does.
    pub(super) fn stops(&self) -> Option<String> {
        match (self.answers, self.failures) {
            (0, MOST_AT_FIRST..) => Some("the tokenizer gives no answer".to_owned()),
            (_, MOST_FAILURES..) => Some(format!("there was no answer {MOST_FAILURES} times")),
            _ => None,
        }
    }

    pub(super) fn judge(&mut self, input: &Input) -> Result<Judged, Fault> {
        let (expected, reached) = self.expected(input)?;
        let mut judged = Judged {
            reached,
            expected,
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

    /// What the table does with an input, and the arms that it reaches.
    fn expected(&mut self, input: &Input) -> Result<(Expected, Vec<usize>), Fault> {
        let (output, reached) = self.observed.run(&input.request(self.feedback, &[]))?;
        let mut known = HashSet::new();
        let reached = self.arms.of_stream(&input.text).chain(reached);
        let reached = reached.filter(|&item| known.insert(item)).collect();
        let output = output.with_sorted_errors(&self.stream);
        Ok((Expected::of(output, &input.text, self.form), reached))
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

    /// An input from which no character can be dropped, and what it reaches: it would not deviate so any more, or reach another arm,
    /// which may deviate for its own reason. It is longer after many tries, and whole if it deviates only once.
    pub(super) fn shorten(
        &mut self,
        input: &Input,
        difference: Difference,
    ) -> Result<(Input, Vec<usize>), Fault> {
        let mut shortest = input.clone();
        let mut judged = self.judge(input)?;
        let reached: HashSet<usize> = judged.reached.iter().copied().collect();
        // How lines are counted and how pieces are joined is the business of no arm.
        let has_one_cause = matches!(difference, Difference::Places | Difference::Cuts);
        let mut tries = 0;
        let mut dropped = input.text.chars().count();
        while dropped > 0 && judged.outcome.difference() == Some(difference) {
            let mut at = 0;
            let mut is_shorter = false;
            while let Some(text) = without(&shortest.text, at, dropped) {
                tries += 1;
                if tries > MOST_SHORTENING || self.stops().is_some() {
                    return Ok((shortest, judged.reached));
                }
                let shorter = Input {
                    text,
                    ..shortest.clone()
                };
                let then = self.judge(&shorter)?;
                let reaches_no_more =
                    has_one_cause || then.reached.iter().all(|item| reached.contains(item));
                if reaches_no_more && then.outcome.difference() == Some(difference) {
                    (shortest, judged) = (shorter, then);
                    is_shorter = true;
                } else {
                    at += dropped;
                }
            }
            // A character that could not be dropped may be one that can be now.
            if !is_shorter || dropped > 1 {
                dropped /= 2;
            }
        }
        Ok((shortest, judged.reached))
    }

    /// An input with what comes of it. After a failure it is not sent again: that may take long.
    pub(super) fn example(
        &mut self,
        input: Input,
        failure: Option<String>,
    ) -> Result<Example, Fault> {
        if let Some(failure) = failure {
            let (expected, _) = self.expected(&input)?;
            return Ok(example(input, expected, Vec::new(), None, Some(failure)));
        }
        let judged = self.judge(&input)?;
        let (given, failure) = match judged.outcome {
            Outcome::Differs(_, given) => (Some(given), None),
            Outcome::Failed(what) => (None, Some(what)),
            Outcome::Agrees | Outcome::Refused(_) => (
                None,
                Some("it deviated once, and not when asked again".to_owned()),
            ),
        };
        Ok(example(
            input,
            judged.expected,
            judged.chunks,
            given,
            failure,
        ))
    }
}

/// A text without a number of characters, counted from a place; `None` if the place is behind its end.
fn without(text: &str, from: usize, characters: usize) -> Option<String> {
    let mut places = text.char_indices().map(|(place, _)| place).skip(from);
    let start = places.next()?;
    let end = places.nth(characters - 1).unwrap_or(text.len());
    Some([&text[..start], &text[end..]].concat())
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
