//! Look-ahead of any length that only decides whether an error is reported: it keeps a state, not
//! text, and looks at each character once. Errors that come while it is undecided wait behind its own.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
#[cfg(all(debug_assertions, target_has_atomic = "ptr"))]
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::input::Input;
use crate::span::ParseError;

/// How many bytes look-aheads of any length have looked at.
#[cfg(all(debug_assertions, target_has_atomic = "ptr"))]
static LOOKED_AT: AtomicUsize = AtomicUsize::new(0);

/// Counts bytes that a look-ahead looks at, in builds with debug assertions.
#[inline(always)]
pub(crate) fn count(bytes: usize) {
    #[cfg(all(debug_assertions, target_has_atomic = "ptr"))]
    LOOKED_AT.fetch_add(bytes, Ordering::Relaxed);
    let _ = bytes;
}

/// How many bytes look-aheads of any length have looked at: for the test that this is linear. 0 in builds that do not count.
pub fn looked_at() -> usize {
    #[cfg(all(debug_assertions, target_has_atomic = "ptr"))]
    return LOOKED_AT.load(Ordering::Relaxed);
    #[cfg(not(all(debug_assertions, target_has_atomic = "ptr")))]
    0
}

/// One or more characters of `run`, then one of `then`.
#[derive(Debug)]
pub struct Pattern {
    /// Whether a character belongs to the run.
    pub run: fn(char) -> bool,
    /// Whether a character may end it.
    pub then: fn(char) -> bool,
}

/// A run that is being followed.
#[derive(Debug)]
struct Lookahead {
    pattern: &'static Pattern,
    /// Offset in the stream where the run starts.
    start: u64,
    /// Offset up to which it was looked at.
    seen: u64,
    /// How it ended, once it has.
    outcome: Option<bool>,
    /// The numbers of the errors to report if it ends well.
    errors: Vec<usize>,
}

impl Lookahead {
    fn look(&mut self, text: &str) {
        for c in text.chars() {
            count(c.len_utf8());
            if !(self.pattern.run)(c) {
                self.outcome = Some(self.seen > self.start && (self.pattern.then)(c));
                return;
            }
            self.seen += c.len_utf8() as u64;
        }
    }
}

/// An error that waits.
#[derive(Debug)]
struct Waiting {
    error: ParseError,
    /// Whether it is to be reported, once that is known.
    is_reported: Option<bool>,
}

/// The look-aheads of a tokenizer: per pattern the last run looked at.
#[derive(Debug, Default)]
pub(crate) struct Lookaheads {
    runs: Vec<Lookahead>,
    waiting: VecDeque<Waiting>,
    /// The number of the first error that waits.
    first: usize,
}

impl Lookaheads {
    /// Looks ahead from a position on, which is behind the offset of the input's start.
    pub(crate) fn add(
        &mut self,
        input: Input<'_>,
        (base, from): (u64, usize),
        pattern: &'static Pattern,
        error: ParseError,
    ) {
        let start = base + from as u64;
        let known =
            |w: &Lookahead| core::ptr::eq(w.pattern, pattern) && (w.start..w.seen).contains(&start);
        let index = match self.runs.iter().position(known) {
            Some(index) => index,
            None => {
                self.runs.retain(|w| w.outcome.is_none());
                self.runs.push(Lookahead {
                    pattern,
                    start,
                    seen: start,
                    outcome: None,
                    errors: Vec::new(),
                });
                self.runs.len() - 1
            }
        };
        let run = &mut self.runs[index];
        run.errors.push(self.first + self.waiting.len());
        self.waiting.push_back(Waiting {
            error,
            is_reported: None,
        });
        if run.outcome.is_none() && run.seen == start {
            run.look(&input.text()[from..]);
        }
        settle(run, &mut self.waiting, self.first);
    }

    /// Adds an error that depends on no look-ahead.
    pub(crate) fn error(&mut self, error: ParseError, report: impl FnOnce(ParseError)) {
        if self.waiting.is_empty() {
            report(error);
        } else {
            self.waiting.push_back(Waiting {
                error,
                is_reported: Some(true),
            });
        }
    }

    /// Reports the errors of which it is known that they are to be reported, up to one that is undecided.
    pub(crate) fn report(&mut self, mut report: impl FnMut(ParseError)) {
        while let Some(&Waiting { error, is_reported }) = self.waiting.front()
            && let Some(is_reported) = is_reported
        {
            self.waiting.pop_front();
            self.first += 1;
            if is_reported {
                report(error);
            }
        }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether errors wait.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Looks on in new input, which starts at offset `base`.
    pub(crate) fn resume(&mut self, input: Input<'_>, base: u64) {
        for run in &mut self.runs {
            if run.outcome.is_none()
                && let Some(rest) = run.seen.checked_sub(base)
                && let Some(text) = usize::try_from(rest)
                    .ok()
                    .and_then(|at| input.text().get(at..))
            {
                run.look(text);
                settle(run, &mut self.waiting, self.first);
            }
        }
    }

    /// Says that nothing comes after what has been looked at: no run ends well any more.
    pub(crate) fn end(&mut self) {
        for run in &mut self.runs {
            run.outcome.get_or_insert(false);
            settle(run, &mut self.waiting, self.first);
        }
    }
}

/// Says of a run's errors whether they are reported, if that is known.
fn settle(run: &mut Lookahead, waiting: &mut VecDeque<Waiting>, first: usize) {
    if run.outcome.is_some() {
        for error in run.errors.drain(..) {
            waiting[error - first].is_reported = run.outcome;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::ErrorCode;

    static LETTERS: Pattern = Pattern {
        run: |c| c == 'a',
        then: |c| c == '=',
    };

    fn error(offset: u64) -> ParseError {
        ParseError {
            code: ErrorCode::new("code"),
            offset,
        }
    }

    /// The offsets of the errors of a text whose first `a` is one if `=` follows, and whose others are errors.
    fn reported(pieces: &[&str]) -> Vec<u64> {
        let (mut lookaheads, mut reported) = (Lookaheads::default(), Vec::new());
        let mut base = 0;
        for piece in pieces {
            let input = Input::new(piece);
            lookaheads.resume(input, base);
            lookaheads.report(|error| reported.push(error.offset));
            for at in 0..piece.len() {
                let error = error(base + at as u64);
                if error.offset == 0 {
                    lookaheads.add(input, (base, at), &LETTERS, error);
                    lookaheads.report(|error| reported.push(error.offset));
                } else {
                    lookaheads.error(error, |error| reported.push(error.offset));
                }
            }
            base += piece.len() as u64;
        }
        lookaheads.end();
        lookaheads.report(|error| reported.push(error.offset));
        reported
    }

    #[test]
    fn errors_come_in_one_order_wherever_the_run_is_cut() {
        for (text, wanted) in [
            ("aaa=b", &[0, 1, 2, 3, 4][..]),
            ("aaab", &[1, 2, 3]),
            ("aa", &[1]),
        ] {
            for cut in 0..=text.len() {
                let (before, after) = text.split_at(cut);
                assert_eq!(reported(&[before, after]), wanted, "{text} cut at {cut}");
            }
        }
    }
}
