//! Look-ahead of any length that only decides whether an error is reported: it keeps a state, not
//! text, and looks at each character once.

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
    /// Errors to report if it ends well.
    errors: Vec<ParseError>,
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

/// The look-aheads of a tokenizer: per pattern the last run looked at.
#[derive(Debug, Default)]
pub(crate) struct Lookaheads(Vec<Lookahead>);

impl Lookaheads {
    /// Looks ahead from position `from` on; `base` is the offset of the input's start.
    pub(crate) fn add(
        &mut self,
        input: Input<'_>,
        base: u64,
        from: usize,
        pattern: &'static Pattern,
        error: ParseError,
        mut report: impl FnMut(ParseError),
    ) {
        let start = base + from as u64;
        let known =
            |w: &Lookahead| core::ptr::eq(w.pattern, pattern) && (w.start..w.seen).contains(&start);
        let index = match self.0.iter().position(known) {
            Some(index) => index,
            None => {
                self.0.retain(|w| w.outcome.is_none());
                self.0.push(Lookahead {
                    pattern,
                    start,
                    seen: start,
                    outcome: None,
                    errors: Vec::new(),
                });
                self.0.len() - 1
            }
        };
        let lookahead = &mut self.0[index];
        lookahead.errors.push(error);
        if lookahead.outcome.is_none() && lookahead.seen == start {
            lookahead.look(&input.text()[from..]);
        }
        settle(lookahead, &mut report);
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Looks on in new input, which starts at offset `base`.
    pub(crate) fn resume(
        &mut self,
        input: Input<'_>,
        base: u64,
        mut report: impl FnMut(ParseError),
    ) {
        for lookahead in &mut self.0 {
            if lookahead.outcome.is_none()
                && let Some(rest) = lookahead.seen.checked_sub(base)
                && let Some(text) = usize::try_from(rest)
                    .ok()
                    .and_then(|at| input.text().get(at..))
            {
                lookahead.look(text);
                settle(lookahead, &mut report);
            }
        }
    }
}

fn settle(lookahead: &mut Lookahead, report: &mut impl FnMut(ParseError)) {
    if let Some(outcome) = lookahead.outcome {
        for error in lookahead.errors.drain(..) {
            if outcome {
                report(error);
            }
        }
    }
}
