//! The first place where two outputs differ.

use std::ops::Range;

use crate::diff::{ErrorComparison, Kind, agree, first_place, show_error, show_token};
use crate::position::Lines;
use crate::token::{Emitted, ParseError, StreamErrors};
use crate::token_stream::TokenStream;

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

/// What two tokenizers made of a text.
pub(super) struct Outputs<'s> {
    pub(super) text: &'s str,
    pub(super) streams: &'s [TokenStream; 2],
    /// The errors, sorted by place.
    errors: [Vec<ParseError>; 2],
    compared: ErrorComparison,
}

impl<'s> Outputs<'s> {
    /// `None` if they are the same, as nearly all are.
    pub(super) fn unless_same(
        text: &'s str,
        streams: &'s [TokenStream; 2],
        of_input: &[StreamErrors; 2],
        compared: ErrorComparison,
    ) -> Option<Self> {
        let [one, other] = streams;
        let [errors, theirs] = streams.each_ref().map(TokenStream::errors);
        let has_same_errors = match compared {
            ErrorComparison::Codes => errors.eq(theirs),
            ErrorComparison::Presence => errors.map(|it| it.1).eq(theirs.map(|it| it.1)),
        };
        if has_same_errors && one.is_the_same_at_once(other) {
            return None;
        }
        Some(Self {
            text,
            streams,
            errors: [
                one.sorted_errors(&of_input[0]),
                other.sorted_errors(&of_input[1]),
            ],
            compared,
        })
    }

    /// Whether tokens of the same number are the same.
    fn is_same(&self, index: usize) -> bool {
        let [one, other] = self.streams;
        one.is_same(other, self.text, [index, index])
    }

    /// Whether they come from the same place.
    fn is_at_same_place(&self, index: usize) -> bool {
        let [one, other] = self.streams.each_ref().map(|it| it.span(index));
        one == other
    }

    /// The number of the first tokens for which that does not hold; `None` if it holds for all.
    fn first_without(&self, same: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        let [one, other] = self.streams.each_ref().map(TokenStream::len);
        (0..one.max(other)).find(|&index| !same(self, index))
    }

    /// The first difference of the gravest kind.
    pub(super) fn first_difference(&self) -> Option<FirstDifference> {
        let [one, other] = &self.errors;
        if let Some(index) = self.first_without(Self::is_same) {
            return self.token(index, Kind::Tokens);
        }
        if !agree(one, other, self.compared) {
            return self.error(Kind::Errors);
        }
        let token = self.first_without(Self::is_at_same_place);
        let token = token.and_then(|index| self.token(index, Kind::Positions));
        let error = self.error(Kind::Positions);
        let found = [token, error].into_iter().flatten();
        found.min_by_key(|first| first.span.start)
    }

    /// What tokens of this number differ in.
    fn token(&self, index: usize, kind: Kind) -> Option<FirstDifference> {
        let here = self
            .streams
            .each_ref()
            .map(|it| it.emitted(self.text, index));
        let spans = || here.iter().flatten().map(|emitted| &emitted.span);
        let start = spans().map(|span| span.start).min()?;
        let end = spans().map(|span| span.end).max()?;
        let line = |emitted: &Option<Emitted>| match emitted {
            None => "end of file".to_owned(),
            Some(emitted) if kind == Kind::Positions => format!(
                "{} at bytes {} to {}",
                show_token(&emitted.token),
                emitted.span.start,
                emitted.span.end
            ),
            Some(emitted) => show_token(&emitted.token),
        };
        Some(FirstDifference {
            kind,
            span: start..end,
            tokens: index,
            lines: around(here.each_ref().map(line)),
        })
    }

    /// The first errors that are not the same. A side that has none there may have others elsewhere that the other side lacks: then
    /// the first of these stands beside, and each with its place.
    fn error(&self, kind: Kind) -> Option<FirstDifference> {
        let [one, other] = &self.errors;
        let here = first_place(one, other, self.compared)?;
        let place = here.iter().find_map(|errors| errors.first())?.offset;
        let line = |errors: &[ParseError]| {
            let lines: Vec<String> = errors.iter().map(|e| show_error(&e.code)).collect();
            lines.join(", ")
        };
        let mut shown = here.map(line);
        if let Some(side) = here.iter().position(|errors| errors.is_empty()) {
            match self.first_alone(side, place) {
                None => shown[side] = "no error here".to_owned(),
                Some(own) => {
                    shown[side] = line(std::slice::from_ref(own));
                    let mut places = [place; 2];
                    places[side] = own.offset;
                    let lines = Lines::up_to(self.text, place.max(own.offset));
                    for (shown, place) in shown.iter_mut().zip(places) {
                        let at = lines.position(place);
                        *shown += &format!(" at {}:{}", at.line, at.column);
                    }
                }
            }
        }
        let [one, other] = self.streams.each_ref().map(|it| it.before(place));
        Some(FirstDifference {
            kind,
            span: place..place,
            tokens: one.min(other),
            lines: shown,
        })
    }

    /// The first error behind a place that a side has and the other lacks.
    fn first_alone(&self, side: usize, place: u64) -> Option<&ParseError> {
        let mut rest = [side, 1 - side].map(|side| self.errors[side].as_slice());
        let mut place = place;
        loop {
            rest = rest.map(|errors| &errors[errors.partition_point(|it| it.offset <= place)..]);
            let [own, theirs] = first_place(rest[0], rest[1], self.compared)?;
            // Without names one is as good as another.
            let is_alone = |error: &&ParseError| {
                self.compared == ErrorComparison::Codes
                    && theirs.iter().all(|it| it.code != error.code)
            };
            let mut alone = own.iter().filter(is_alone);
            if let Some(alone) = alone.next().or_else(|| own.get(theirs.len())) {
                return Some(alone);
            }
            place = theirs.first()?.offset;
        }
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
