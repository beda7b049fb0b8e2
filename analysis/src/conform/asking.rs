//! Asks a foreign program about one input after the other, and makes inputs shorter.

use std::collections::HashSet;
use std::hash::Hash;

use super::answer::Answer;
use super::blame::Difference;
use super::input::Source;

/// How often a program may give no answer that can be read before it is not asked any more: each time may take as long as the caller waits.
pub(super) const MOST_FAILURES: usize = 50;
/// The same before its first answer.
pub(super) const MOST_AT_FIRST: usize = 3;
/// How often it is asked to make one input shorter.
const MOST_SHORTENING: usize = 200;

/// A program that answers lines of JSON.
pub trait Foreign {
    /// Sends a request, which ends with a newline, and waits for the line that answers it.
    ///
    /// # Errors
    /// When none comes: what happened instead, for people. The next request goes to a new one.
    fn ask(&mut self, request: &str) -> Result<String, String>;

    /// Sends the next request to a new one.
    fn restart(&mut self);
}

/// What came of an input.
pub(super) enum Outcome {
    Agrees,
    Refused(String),
    Differs(Difference),
    Failed(String),
}

impl Outcome {
    /// What deviates in it, or is missing.
    pub(super) fn difference(&self) -> Option<Difference> {
        match self {
            Self::Agrees | Self::Refused(_) => None,
            Self::Differs(difference) => Some(*difference),
            Self::Failed(_) => Some(Difference::Failure),
        }
    }
}

/// A foreign program, and how it has answered.
pub(super) struct Asked<'a> {
    foreign: &'a mut dyn Foreign,
    /// How many requests were sent.
    requests: u64,
    /// How many had no answer that can be read.
    failures: usize,
    /// How many had one.
    pub(super) answers: usize,
}

impl<'a> Asked<'a> {
    pub(super) fn new(foreign: &'a mut dyn Foreign) -> Self {
        Self {
            foreign,
            requests: 0,
            failures: 0,
            answers: 0,
        }
    }

    /// Why the run stops early, if it does.
    pub(super) fn stops(&self) -> Option<String> {
        match (self.answers, self.failures) {
            (0, MOST_AT_FIRST..) => Some("the command gives no answer".to_owned()),
            (_, MOST_FAILURES..) => Some(format!("there was no answer {MOST_FAILURES} times")),
            _ => None,
        }
    }

    /// Sends a request and reads the answer; or else what came instead.
    pub(super) fn ask<T>(
        &mut self,
        request: impl FnOnce(u64) -> String,
        read: impl FnOnce(&str, u64) -> Result<Answer<T>, String>,
    ) -> Result<T, Outcome> {
        self.requests += 1;
        let line = self.foreign.ask(&request(self.requests)).map_err(|what| {
            self.failures += 1;
            Outcome::Failed(what)
        })?;
        let answer = read(&line, self.requests).map_err(|what| {
            // What comes next may be the answer to this request.
            self.foreign.restart();
            self.failures += 1;
            Outcome::Failed(what)
        })?;
        self.answers += 1;
        match answer {
            Answer::Output(given) => Ok(given),
            Answer::Refusal(why) => Err(Outcome::Refused(why)),
        }
    }
}

/// What came of an input, and how a report shows it.
pub(super) struct Judged<E> {
    /// The items that it reaches, each once.
    pub(super) reached: Vec<usize>,
    pub(super) outcome: Outcome,
    pub(super) example: E,
}

/// Says of inputs what a table does with them and whether a foreign program does the same.
pub(super) trait Judges {
    type Input: Clone;
    /// What inputs are the same by.
    type Key: Eq + Hash;
    type Example: Clone;
    type Fault;

    /// Why it is not asked any more, if that is so.
    fn stops(&self) -> Option<String>;
    /// How many answers there were.
    fn answers(&self) -> usize;
    fn judge(&mut self, input: &Self::Input) -> Result<Judged<Self::Example>, Self::Fault>;
    fn key(input: &Self::Input) -> Self::Key;
    fn text(input: &Self::Input) -> &str;
    fn with_text(input: &Self::Input, text: String) -> Self::Input;
    fn source(input: &Self::Input) -> Source;
    /// What is dropped from an input, or not, as a whole.
    fn parts(text: &str) -> Vec<&str>;
    /// What happened instead of an answer.
    fn failed(example: &mut Self::Example, what: String);
}

/// An input from which no part can be dropped, and what it reaches: it would not deviate so any more, or reach another item, which may
/// deviate for its own reason, unless that is known to be sound. It is longer after many tries, and whole if it deviates only once.
pub(super) fn shorten<J: Judges>(
    judge: &mut J,
    input: &J::Input,
    difference: Difference,
    is_sound: &dyn Fn(usize) -> bool,
) -> Result<(J::Input, Vec<usize>), J::Fault> {
    let mut shortest = input.clone();
    let mut judged = judge.judge(input)?;
    let reached: HashSet<usize> = judged.reached.iter().copied().collect();
    // How lines are counted and how pieces are joined is the business of no arm.
    let has_one_cause = matches!(difference, Difference::Places | Difference::Cuts);
    let mut tries = 0;
    let mut dropped = J::parts(J::text(input)).len();
    while dropped > 0 && judged.outcome.difference() == Some(difference) {
        let mut at = 0;
        let mut is_shorter = false;
        loop {
            let parts = J::parts(J::text(&shortest));
            if at >= parts.len() {
                break;
            }
            let end = parts.len().min(at + dropped);
            let text = [parts[..at].concat(), parts[end..].concat()].concat();
            tries += 1;
            if tries > MOST_SHORTENING || judge.stops().is_some() {
                return Ok((shortest, judged.reached));
            }
            let shorter = J::with_text(&shortest, text);
            let then = judge.judge(&shorter)?;
            let mut new = then.reached.iter().filter(|item| !reached.contains(item));
            let reaches_no_more = has_one_cause || new.all(|item| is_sound(*item));
            if reaches_no_more && then.outcome.difference() == Some(difference) {
                (shortest, judged) = (shorter, then);
                is_shorter = true;
            } else {
                at += dropped;
            }
        }
        // A part that could not be dropped may be one that can be now.
        if !is_shorter || dropped > 1 {
            dropped /= 2;
        }
    }
    Ok((shortest, judged.reached))
}
