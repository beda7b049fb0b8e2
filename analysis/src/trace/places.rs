//! Lines and columns of a text that comes in pieces and is let go again.

use std::collections::VecDeque;

use crate::position::Position;

/// The places of the characters that may still be asked for.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Offset and place of each character.
    known: VecDeque<(u64, Position)>,
    /// The offset and the place after all of them.
    end: (u64, Position),
    /// A CR came last: whether it ends the line is known when the next character is.
    after_cr: bool,
}

impl Places {
    pub(crate) fn new() -> Self {
        let start = Position { line: 1, column: 1 };
        Self {
            known: VecDeque::new(),
            end: (0, start),
            after_cr: false,
        }
    }

    /// Adds text.
    pub(crate) fn push(&mut self, text: &str) {
        for c in text.chars() {
            if c != '\n' {
                self.end_cr();
            }
            let (offset, at) = self.end;
            self.known.push_back((offset, at));
            let after = match c {
                '\n' => next_line(at),
                _ => Position {
                    column: at.column + c.len_utf16() as u64,
                    ..at
                },
            };
            self.after_cr = c == '\r';
            self.end = (offset + c.len_utf8() as u64, after);
        }
    }

    /// Says that no more text comes.
    pub(crate) fn finish(&mut self) {
        self.end_cr();
    }

    fn end_cr(&mut self) {
        if std::mem::take(&mut self.after_cr) {
            self.end.1 = next_line(self.end.1);
        }
    }

    /// Says that nothing before an offset is asked for again.
    pub(crate) fn release(&mut self, offset: u64) {
        let gone = self.known.partition_point(|(at, _)| *at < offset);
        self.known.drain(..gone);
    }

    /// The place of a byte offset; the earliest known, if it was let go.
    pub(crate) fn of(&self, offset: u64) -> Position {
        let at = self.known.partition_point(|(at, _)| *at < offset);
        self.known.get(at).map_or(self.end.1, |(_, place)| *place)
    }
}

fn next_line(at: Position) -> Position {
    Position {
        line: at.line + 1,
        column: 1,
    }
}
