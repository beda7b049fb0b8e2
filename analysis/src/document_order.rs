//! Tokens and errors in the order of the document, as soon as it is certain.

use std::collections::VecDeque;
use std::ops::Range;

use crate::token::{Emitted, Exceeded, Output, ParseError, StreamErrors, Token};

/// A token or an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A token: a whole run of characters is one.
    Token(Emitted),
    /// An error. It comes before the token in front of whose end it is.
    Error(ParseError),
    /// A token exceeds a limit. This comes before the token, or before the next one if it is dropped.
    Exceeded(Exceeded),
}

/// An error that waits, as small as it can be.
#[derive(Clone, Copy, Debug)]
struct Kept {
    offset: u64,
    /// An index into the codes.
    code: u32,
    is_of_stream: bool,
}

/// Puts what an engine makes of an input, piece by piece, in the order of the document.
///
/// It keeps the last run of characters, which may grow, and the errors after the last token that is complete.
#[derive(Clone, Debug)]
pub struct DocumentOrder {
    stream: StreamErrors,
    tokens: VecDeque<Emitted>,
    /// By offset; at the same place those of the input stream first, others in the order of their reports. A run of
    /// characters may have an error at each.
    errors: VecDeque<Kept>,
    codes: Vec<String>,
    exceeded: VecDeque<Exceeded>,
    ended: bool,
    /// Where the last token that was handed out starts.
    last_start: u64,
}

impl DocumentOrder {
    /// For a machine with these errors of the input stream.
    pub fn new(stream: StreamErrors) -> Self {
        Self {
            stream,
            tokens: VecDeque::new(),
            errors: VecDeque::new(),
            codes: Vec::new(),
            exceeded: VecDeque::new(),
            ended: false,
            last_start: 0,
        }
    }

    /// Takes what came out, and which of its tokens exceed a limit.
    pub fn push(&mut self, output: Output, exceeded: Vec<Exceeded>) {
        self.exceeded.extend(exceeded);
        for emitted in output.tokens {
            match (&emitted.token, self.tokens.back_mut()) {
                (Token::Characters(text), _) if text.is_empty() => {}
                (
                    Token::Characters(text),
                    Some(Emitted {
                        token: Token::Characters(before),
                        span,
                    }),
                ) if !is_between(&self.exceeded, span.end..emitted.span.start) => {
                    before.push_str(text);
                    span.end = span.end.max(emitted.span.end);
                }
                _ => self.tokens.push_back(emitted),
            }
        }
        let Some(first) = output.errors.iter().map(|error| error.offset).min() else {
            return;
        };
        let behind = self.errors.partition_point(|error| error.offset < first);
        let mut last = Vec::from(self.errors.split_off(behind));
        for ParseError { code, offset } in output.errors {
            let is_of_stream = self.stream.contain(&code);
            let known = self.codes.iter().position(|known| *known == code);
            let code = known.unwrap_or_else(|| {
                self.codes.push(code);
                self.codes.len() - 1
            });
            last.push(Kept {
                offset,
                is_of_stream,
                // A table has no more codes than that.
                code: u32::try_from(code).unwrap_or(u32::MAX),
            });
        }
        last.sort_by_key(|error| (error.offset, !error.is_of_stream));
        self.errors.extend(last);
    }

    /// Says that nothing more comes.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// What is certain to be next.
    pub fn next_item(&mut self) -> Option<Item> {
        let end = match self.tokens.front() {
            Some(Emitted {
                token: Token::Characters(_),
                ..
            }) if self.tokens.len() == 1 && !self.ended => return None,
            Some(emitted) => Some(emitted.span.end),
            None if !self.ended => return None,
            None => None,
        };
        let start = self.tokens.front().map(|emitted| emitted.span.start);
        let exceeded = self.exceeded.front().map(|exceeded| exceeded.offset);
        let exceeded = exceeded.filter(|&at| start.is_none_or(|start| at <= start));
        if let Some(error) = self.errors.front().copied()
            && exceeded.or(end).is_none_or(|end| error.offset < end)
        {
            self.errors.pop_front();
            return Some(Item::Error(ParseError {
                code: self.codes[error.code as usize].clone(),
                offset: error.offset,
            }));
        }
        if exceeded.is_some() {
            return self.exceeded.pop_front().map(Item::Exceeded);
        }
        let emitted = self.tokens.pop_front()?;
        self.last_start = emitted.span.start;
        Some(Item::Token(emitted))
    }

    /// The first place that an item still to come may have: no token starts before the one in front of it.
    pub fn earliest(&self) -> u64 {
        let error = self.errors.front().map(|error| error.offset);
        error.map_or(self.last_start, |offset| offset.min(self.last_start))
    }
}

/// Whether a token that is dropped stood between two runs of characters.
fn is_between(exceeded: &VecDeque<Exceeded>, gap: Range<u64>) -> bool {
    let mut offsets = exceeded.iter().map(|exceeded| exceeded.offset);
    offsets.any(|offset| gap.contains(&offset))
}
