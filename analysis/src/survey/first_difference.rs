//! The first place where two outputs differ.

use std::ops::Range;

use crate::diff::{ErrorComparison, Kind, difference, first_place, show_error, show_token};
use crate::position::Lines;
use crate::token::{Emitted, Output, ParseError};

/// The first difference of the gravest kind that two outputs have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FirstDifference {
    pub(super) kind: Kind,
    /// The bytes that what differs comes from.
    pub(super) span: Range<u64>,
    /// How many tokens before it both have.
    pub(super) tokens: usize,
    /// What each side has there, as a line.
    pub(super) lines: [String; 2],
}

/// Compares two outputs of a text, whose errors are sorted by place.
pub(super) fn first_difference(
    text: &str,
    outputs: &[Output; 2],
    compared: ErrorComparison,
) -> Option<FirstDifference> {
    let [one, other] = outputs;
    let kind = difference(one, other, compared)?;
    let token = match kind {
        Kind::Tokens => token(outputs, &|one, other| one.token == other.token),
        Kind::Positions => token(outputs, &|one, other| one.span == other.span),
        Kind::Errors => None,
    };
    let error = match kind {
        Kind::Tokens => None,
        Kind::Errors | Kind::Positions => error(text, outputs, compared),
    };
    let mut found: Vec<FirstDifference> = [token, error].into_iter().flatten().collect();
    found.sort_by_key(|first| first.span.start);
    let first = found.into_iter().next()?;
    Some(FirstDifference { kind, ..first })
}

/// The first token that is not the same.
fn token(
    outputs: &[Output; 2],
    same: &dyn Fn(&Emitted, &Emitted) -> bool,
) -> Option<FirstDifference> {
    let [one, other] = outputs.each_ref().map(|output| &output.tokens);
    let pairs = one.iter().zip(other);
    let tokens = pairs.take_while(|(one, other)| same(one, other)).count();
    let here = [one.get(tokens), other.get(tokens)];
    let start = here
        .iter()
        .flatten()
        .map(|emitted| emitted.span.start)
        .min()?;
    let end = here
        .iter()
        .flatten()
        .map(|emitted| emitted.span.end)
        .max()?;
    let moved = matches!(here, [Some(one), Some(other)] if one.token == other.token);
    let line = |emitted: Option<&Emitted>| match emitted {
        None => "end of file".to_owned(),
        Some(emitted) if moved => format!(
            "{} at bytes {} to {}",
            show_token(&emitted.token),
            emitted.span.start,
            emitted.span.end
        ),
        Some(emitted) => show_token(&emitted.token),
    };
    Some(FirstDifference {
        kind: Kind::Tokens,
        span: start..end,
        tokens,
        lines: around(here.map(line)),
    })
}

/// The first errors that are not the same. A side that has none there may have others elsewhere that the other side lacks: then
/// the first of these stands beside, and each with its place.
fn error(text: &str, outputs: &[Output; 2], compared: ErrorComparison) -> Option<FirstDifference> {
    let [one, other] = outputs;
    let here = first_place(&one.errors, &other.errors, compared)?;
    let place = here.iter().find_map(|errors| errors.first())?.offset;
    let line = |errors: &[ParseError]| {
        let lines: Vec<String> = errors.iter().map(|e| show_error(&e.code)).collect();
        lines.join(", ")
    };
    let mut shown = here.map(line);
    if let Some(side) = here.iter().position(|errors| errors.is_empty()) {
        match first_alone(outputs, side, place, compared) {
            None => shown[side] = "no error here".to_owned(),
            Some(own) => {
                shown[side] = line(std::slice::from_ref(own));
                let lines = Lines::new(text);
                let mut places = [place; 2];
                places[side] = own.offset;
                for (shown, place) in shown.iter_mut().zip(places) {
                    let at = lines.position(place);
                    *shown += &format!(" at {}:{}", at.line, at.column);
                }
            }
        }
    }
    let before = |emitted: &&Emitted| emitted.span.end <= place;
    let count = |output: &Output| output.tokens.iter().take_while(before).count();
    Some(FirstDifference {
        kind: Kind::Errors,
        span: place..place,
        tokens: count(one).min(count(other)),
        lines: shown,
    })
}

/// The first error behind a place that a side has and the other lacks.
fn first_alone(
    outputs: &[Output; 2],
    side: usize,
    place: u64,
    compared: ErrorComparison,
) -> Option<&ParseError> {
    let mut rest = [side, 1 - side].map(|side| outputs[side].errors.as_slice());
    let mut place = place;
    loop {
        rest = rest.map(|errors| &errors[errors.partition_point(|it| it.offset <= place)..]);
        let [own, theirs] = first_place(rest[0], rest[1], compared)?;
        // Without names one is as good as another.
        let is_alone = |error: &&ParseError| {
            compared == ErrorComparison::Codes && theirs.iter().all(|it| it.code != error.code)
        };
        let mut alone = own.iter().filter(is_alone);
        if let Some(alone) = alone.next().or_else(|| own.get(theirs.len())) {
            return Some(alone);
        }
        place = theirs.first()?.offset;
    }
}

/// How much of a line is shown before where two lines differ, and in all.
const BEFORE: usize = 30;
const LONGEST: usize = 160;

/// Long lines, cut to what is near their first difference.
fn around(lines: [String; 2]) -> [String; 2] {
    let [one, other] = &lines;
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let from = match same.count() {
        same if same > LONGEST / 2 => same - BEFORE,
        _ => 0,
    };
    lines.map(|line| {
        let mut rest = line.chars().skip(from);
        let mut cut: String = rest.by_ref().take(LONGEST).collect();
        if from > 0 {
            // What it is stays in front.
            let kind: String = line
                .chars()
                .take_while(|c| !"\"…".contains(*c))
                .take(BEFORE)
                .collect();
            cut = format!("{kind}…{cut}");
        }
        if rest.next().is_some() {
            cut.push('…');
        }
        cut
    })
}
