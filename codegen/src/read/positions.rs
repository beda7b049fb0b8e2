//! Where scalars stand, found by walking their text again. Only faults need it.

use super::events::{Lent, Walk, offset, yaml};
use super::quoting::quote_end;
use crate::source::{At, Source, Span};
use serde::de::DeserializeSeed;
use std::cell::RefCell;
use std::collections::HashMap;

/// Beyond this many, positions are those of the scalar before: the time must not grow with the square
/// of a text that is all faults.
const MOST_WALKS: usize = 200;

/// Where some scalars stand.
#[derive(Default)]
pub(crate) struct Positions {
    positions: HashMap<At, Position>,
}

/// Where a scalar stands.
#[derive(Clone, Copy)]
enum Position {
    /// Its value, as it is in the text: byte offset and length.
    Exact(usize, usize),
    /// Its start; the text is not the value, since it has escapes or several lines, or is no string.
    Start(usize),
}

impl Positions {
    /// Finds all of `wanted` (sorted). One walk finds the scalars that the YAML library lends from the
    /// text; each of the others takes a walk that stops at it with an error, whose position is reported.
    pub(crate) fn find(sources: &[Source], wanted: &[At]) -> Self {
        let mut positions = Self::default();
        for chunk in wanted.chunk_by(|a, b| a.source == b.source) {
            let number = chunk[0].source;
            if let Some(source) = sources.get(number as usize) {
                positions.find_in(number, &source.text, chunk);
            }
        }
        positions
    }

    fn find_in(&mut self, source: u32, text: &str, wanted: &[At]) {
        // What could not be read brings its own position, and may take long to be read again.
        if wanted.iter().all(|&at| at == At::nowhere(source)) {
            return;
        }
        let mut walk = Walk::new(source, text);
        walk.lent = Some(Lent {
            text,
            positions: RefCell::default(),
        });
        // A text with a syntax error has no scalars; its one fault brings its own position.
        let _ = walk.deserialize(yaml(text));
        let lent = walk.lent.take().map(|lent| lent.positions.into_inner());
        let lent = lent.unwrap_or_default();
        let mut walks = MOST_WALKS;
        for &at in wanted {
            if at == At::nowhere(source) {
                continue;
            }
            let position = match lent.get(&at.scalar) {
                Some(&(offset, len)) => Some(Position::Exact(offset, len)),
                None if walks > 0 => {
                    walks -= 1;
                    stop_at(source, text, at.scalar).map(Position::Start)
                }
                None => {
                    let before = lent.range(..at.scalar).next_back();
                    before.map(|(_, &(offset, len))| Position::Exact(offset, len))
                }
            };
            if let Some(position) = position {
                self.positions.insert(at, position);
            }
        }
    }

    /// The byte offset and length of a span.
    pub(crate) fn span(&self, source: &Source, span: Span) -> (usize, usize) {
        let whole = span.len == 0 && span.start == 0;
        match self.positions.get(&span.at) {
            // It is an offset already.
            None => (span.start, span.len),
            Some(&Position::Exact(start, len)) if whole => {
                let quoted = source.text[..start].ends_with(['"', '\'']);
                let quote = usize::from(quoted);
                (start - quote, len + 2 * quote)
            }
            Some(&Position::Exact(start, len)) => {
                let from = span.start.min(len);
                (start + from, span.len.min(len - from))
            }
            Some(&Position::Start(start)) => {
                let scalar = scalar(source.text.get(start..).unwrap_or_default());
                let part = |at| inside(scalar, at);
                match part(span.start).zip(part(span.start + span.len)) {
                    Some((from, to)) if !whole => (start + from, to.saturating_sub(from)),
                    _ => (start, scalar.len()),
                }
            }
        }
    }

    /// The text of a plain scalar as typed: YAML reads `1.10` as a number.
    pub(crate) fn raw(source: &Source, at: At) -> Option<&str> {
        let start = stop_at(at.source, &source.text, at.scalar)?;
        let rest = source.text.get(start..)?;
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}' | ':'))
            .unwrap_or(rest.len());
        rest.get(..end)
    }
}

pub(crate) fn stop_at(source: u32, text: &str, scalar: u32) -> Option<usize> {
    let mut walk = Walk::new(source, text);
    walk.stop_at = Some(scalar);
    let error = walk.deserialize(yaml(text)).err()?;
    offset(&error)
}

/// The first line of the scalar that the text starts with.
fn scalar(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    let end = match line.chars().next() {
        Some('\'' | '"') => quote_end(line).unwrap_or(line.len()),
        _ => {
            let ends = [": ", " #", ",", "]", "}"];
            let end = ends.iter().filter_map(|end| line.find(end)).min();
            line[..end.unwrap_or(line.len())].trim_end().len()
        }
    };
    &line[..end]
}

/// Where byte `at` of a single-quoted scalar's value stands in its text: a doubled quote is one.
fn inside(scalar: &str, at: usize) -> Option<usize> {
    let mut chars = scalar.strip_prefix('\'')?.chars();
    let (mut read, mut typed) = (0, 1);
    while read < at {
        let c = chars.next()?;
        read += c.len_utf8();
        typed += c.len_utf8();
        if c == '\'' && chars.next() == Some('\'') {
            typed += 1;
        }
    }
    Some(typed)
}
