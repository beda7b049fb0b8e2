//! The part of a document in which two tokenizers fall out of step: from a tag before the first difference
//! that leaves both as a fresh start would. Documents are long, and their causes are near.

use std::collections::BTreeMap;

use speclex_codegen::machine::{Feedback, Machine};

use super::first_difference::{FirstDifference, Outputs};
use crate::diff::{Blamed, Finder, Kind, Setup};
use crate::engine::Request;

/// A place to start, and what to start with.
struct Start {
    offset: usize,
    setup: Setup,
}

/// The second try starts at least so many bytes earlier.
const FURTHER: u64 = 1 << 12;

/// Longer parts are not tried: several machines run on each.
const LONGEST: usize = 1 << 16;

/// So many short parts are known with what is to blame for them: pages begin alike.
const KNOWN: usize = 1024;

/// Longer ones are not kept.
const SHORT: usize = 1 << 10;

/// Finds what is to blame for differences in parts of documents.
pub(super) struct Parts<'b> {
    finder: Finder<'b>,
    known: BTreeMap<(Setup, bool, Kind, String), Option<Blamed>>,
}

impl<'b> Parts<'b> {
    pub(super) fn new(finder: Finder<'b>) -> Self {
        Self {
            finder,
            known: BTreeMap::new(),
        }
    }

    /// What is to blame, of a part that starts as the setup says.
    fn find(&mut self, setup: Setup, part: &Request<'_>, kind: Kind) -> Option<Blamed> {
        if part.input.len() > SHORT {
            return self.finder.find(part, kind);
        }
        if self.known.len() >= KNOWN {
            self.known.clear();
        }
        let key = (setup, part.skip_bom, kind, part.input.to_owned());
        let known = self.known.entry(key);
        known
            .or_insert_with(|| self.finder.find(part, kind))
            .clone()
    }
}

/// The change that is to blame for a difference, by its name in both tables, with the byte offset at which the text meets it.
pub(super) fn blamed(
    among: &mut Parts<'_>,
    machines: [&Machine; 2],
    request: &Request<'_>,
    outputs: &Outputs<'_>,
    first: &FirstDifference,
) -> Option<([String; 2], u64)> {
    let beginning = Start {
        offset: 0,
        setup: Setup::default(),
    };
    let near = after_tag(machines, request.feedback, outputs, first, first.span.start);
    let before = first.span.start.saturating_sub(FURTHER);
    let far = after_tag(machines, request.feedback, outputs, first, before);
    let starts = [near, far, Some(beginning)];
    let end = end_of_tag(outputs, first).min(request.input.len());
    let mut ends = vec![end, request.input.len()];
    ends.dedup();
    let parts = starts.into_iter().flatten().flat_map(|start| {
        let ends = ends.iter().map(|&end| (start.offset, end));
        ends.map(|part| (start.setup.clone(), part))
            .collect::<Vec<_>>()
    });
    let mut parts: Vec<(Setup, (usize, usize))> = parts.collect();
    parts.dedup();
    parts.retain(|(_, (offset, end))| end.saturating_sub(*offset) <= LONGEST);
    parts.into_iter().find_map(|(setup, (offset, end))| {
        let part = Request {
            input: request.input.get(offset..end)?,
            content: setup.content.as_deref(),
            last_start_tag: setup.last_start_tag.as_deref(),
            skip_bom: request.skip_bom && offset == 0,
            ..*request
        };
        let found = among.find(setup.clone(), &part, first.kind)?;
        let place = found.place.map(|place| (offset + place) as u64);
        Some((found.labels, place.unwrap_or(first.span.start)))
    })
}

/// The end of the first tag after a difference that both sides have.
fn end_of_tag(outputs: &Outputs<'_>, first: &FirstDifference) -> usize {
    let [one, other] = outputs.streams;
    let end = |index: usize| {
        let span = one
            .span(index)
            .filter(|span| span.start >= first.span.end && one.is_tag(index))?;
        let at = other.starting_at(span.start);
        let is_shared =
            other.span(at).as_ref() == Some(&span) && one.is_same(other, outputs.text, [index, at]);
        is_shared.then_some(span.end)
    };
    let end = (first.tokens..one.len()).find_map(end);
    end.and_then(|end| usize::try_from(end).ok())
        .unwrap_or(usize::MAX)
}

/// The end of the last tag before a place, of those that both sides have.
fn after_tag(
    machines: [&Machine; 2],
    feedback: Feedback,
    outputs: &Outputs<'_>,
    first: &FirstDifference,
    before: u64,
) -> Option<Start> {
    let [one, other] = outputs.streams;
    let end = |&index: &usize| {
        let span = one.span(index)?;
        let is_shared = other.span(index).as_ref() == Some(&span);
        (is_shared && span.end <= before && one.is_tag(index)).then_some(span.end)
    };
    let index = (0..first.tokens).rev().find(|index| end(index).is_some())?;
    let name = |index| one.start_tag(outputs.text, index);
    let last = (0..=index).rev().find_map(name);
    let name = name(index).unwrap_or_default();
    let [content, others] = machines.map(|machine| machine.content_after(name, feedback));
    if content != others {
        return None;
    }
    Some(Start {
        offset: usize::try_from(end(&index)?).ok()?,
        setup: Setup {
            content: content.map(str::to_owned),
            last_start_tag: last.map(str::to_owned),
            ..Setup::default()
        },
    })
}
