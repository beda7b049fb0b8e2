//! The part of a document in which two tokenizers fall out of step: from a tag before the first difference
//! that leaves both as a fresh start would. Documents are long, and their causes are near.

use speclex_codegen::machine::{Feedback, Machine};

use super::first_difference::FirstDifference;
use crate::diff::{Finder, Setup};
use crate::engine::Request;
use crate::token::{Output, Token, Value};

/// A place to start, and what to start with.
struct Start {
    offset: usize,
    setup: Setup,
}

/// The second try starts at least so many bytes earlier.
const FURTHER: u64 = 1 << 12;

/// Longer parts are not tried: several machines run on each.
const LONGEST: usize = 1 << 16;

/// The change that is to blame for a difference, by its name in both tables, with the byte offset at which the text meets it.
pub(super) fn blamed(
    finder: &mut Finder<'_>,
    machines: [&Machine; 2],
    request: &Request<'_>,
    outputs: &[Output; 2],
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
        let found = finder.find(&part, first.kind)?;
        let place = found.place.map(|place| (offset + place) as u64);
        Some((found.labels, place.unwrap_or(first.span.start)))
    })
}

/// The end of the first tag after a difference that both sides have.
fn end_of_tag(outputs: &[Output; 2], first: &FirstDifference) -> usize {
    let [one, other] = outputs.each_ref().map(|output| &output.tokens);
    let after = one
        .iter()
        .skip(first.tokens)
        .filter(|emitted| emitted.span.start >= first.span.end && is_tag(&emitted.token));
    let mut ends = after.filter_map(|emitted| {
        let at = other.partition_point(|it| it.span.start < emitted.span.start);
        let same = other.get(at).is_some_and(|it| it == emitted);
        same.then_some(emitted.span.end)
    });
    ends.next()
        .and_then(|end| usize::try_from(end).ok())
        .unwrap_or(usize::MAX)
}

/// The end of the last tag before a place, of those that both sides have.
fn after_tag(
    machines: [&Machine; 2],
    feedback: Feedback,
    outputs: &[Output; 2],
    first: &FirstDifference,
    before: u64,
) -> Option<Start> {
    let [one, other] = outputs.each_ref().map(|output| &output.tokens);
    let same = |&index: &usize| match (one.get(index), other.get(index)) {
        (Some(a), Some(b)) => a.span == b.span && a.span.end <= before && is_tag(&a.token),
        _ => false,
    };
    let index = (0..first.tokens).rev().find(same)?;
    let tag = one.get(index)?;
    let last = one
        .get(..=index)?
        .iter()
        .rev()
        .find_map(|emitted| start_tag(&emitted.token));
    let name = start_tag(&tag.token).unwrap_or_default();
    let [content, others] = machines.map(|machine| machine.content_after(name, feedback));
    if content != others {
        return None;
    }
    Some(Start {
        offset: usize::try_from(tag.span.end).ok()?,
        setup: Setup {
            content: content.map(str::to_owned),
            last_start_tag: last.map(str::to_owned),
            ..Setup::default()
        },
    })
}

fn is_tag(token: &Token) -> bool {
    matches!(token, Token::Declared { kind, .. } if kind == "start tag" || kind == "end tag")
}

/// The name of a start tag.
fn start_tag(token: &Token) -> Option<&str> {
    match token {
        Token::Declared { kind, fields } if kind == "start tag" => {
            fields.first().and_then(Value::text)
        }
        _ => None,
    }
}
