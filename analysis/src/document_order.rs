//! Tokens and errors in the order of the document, as soon as it is certain.

use std::collections::{BTreeMap, VecDeque};

use crate::token::{Emitted, Output, ParseError, StreamErrors, Token};

/// A token or an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A token: a whole run of characters is one.
    Token(Emitted),
    /// An error. It comes before the token in front of whose end it is.
    Error(ParseError),
}

/// Puts what an engine makes of an input, piece by piece, in the order of the document.
///
/// It keeps the last run of characters, which may grow, and the errors behind the last token that is complete.
#[derive(Clone, Debug)]
pub struct DocumentOrder {
    stream: StreamErrors,
    tokens: VecDeque<Emitted>,
    /// The codes, by offset; at the same place those of the input stream first, others in the order of their reports.
    errors: BTreeMap<(u64, bool, u64), String>,
    reported: u64,
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
            errors: BTreeMap::new(),
            reported: 0,
            ended: false,
            last_start: 0,
        }
    }

    /// Takes what came out.
    pub fn push(&mut self, output: Output) {
        for emitted in output.tokens {
            match (&emitted.token, self.tokens.back_mut()) {
                (Token::Characters(text), _) if text.is_empty() => {}
                (
                    Token::Characters(text),
                    Some(Emitted {
                        token: Token::Characters(before),
                        span,
                    }),
                ) => {
                    before.push_str(text);
                    span.end = span.end.max(emitted.span.end);
                }
                _ => self.tokens.push_back(emitted),
            }
        }
        for ParseError { code, offset } in output.errors {
            let key = (offset, !self.stream.contain(&code), self.reported);
            self.errors.insert(key, code);
            self.reported += 1;
        }
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
            None if self.ended => None,
            None => return None,
        };
        if let Some(error) = self.errors.first_entry()
            && end.is_none_or(|end| error.key().0 < end)
        {
            let ((offset, ..), code) = error.remove_entry();
            return Some(Item::Error(ParseError { code, offset }));
        }
        let emitted = self.tokens.pop_front()?;
        self.last_start = emitted.span.start;
        Some(Item::Token(emitted))
    }

    /// The first place that an item still to come may have: no token starts before the one in front of it.
    pub fn earliest(&self) -> u64 {
        let error = self.errors.first_key_value().map(|(key, _)| key.0);
        error.map_or(self.last_start, |offset| offset.min(self.last_start))
    }
}
