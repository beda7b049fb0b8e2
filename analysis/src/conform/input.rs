//! The inputs that a foreign tokenizer gets.

use std::collections::HashSet;

use speclex_codegen::machine::Feedback;

use super::arms::stream;
use super::closing::Closings;
use super::random::Random;
use crate::cover::{self, Found, Items, Start};
use crate::engine::Request;
use crate::entry_states::EntryStates;
use crate::html5lib::Case;

/// Random text of at most this many pieces follows what leads to an arm.
const PIECES: usize = 6;

/// Where an input is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The cover suite of the table: each test as it is and with what ends its last construct, and what meets each rule of its input
    /// stream.
    Cover,
    /// A test of html5lib-tests.
    Test,
    /// Random text behind what leads to an arm.
    Random,
}

/// An input, and what it starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// What it starts with.
    pub start: Start,
    /// The text.
    pub text: String,
    /// Where it is from.
    pub source: Source,
}

impl Input {
    /// The input as a request.
    pub(super) fn request<'a>(&'a self, feedback: Feedback, chunks: &'a [usize]) -> Request<'a> {
        Request {
            input: &self.text,
            content: Some(&self.start.content),
            last_start_tag: self.start.last_start_tag.as_deref(),
            cdata_allowed: self.start.cdata_allowed,
            feedback,
            chunks,
            ..Request::default()
        }
    }
}

/// The inputs: those of the cover suite, those of tests in which the machine can start, and random ones, the same for
/// the same seed. None comes twice.
pub fn inputs(
    items: &Items<'_>,
    covered: &Found,
    cases: &[Case],
    random: usize,
    seed: u64,
) -> Vec<Input> {
    let machine = items.machine();
    let starts = EntryStates::of(machine);
    let mut closings = Closings::of(items);
    let mut of_cover: Vec<Input> = (covered.tests.iter())
        .map(|test| Input {
            start: test.start.clone(),
            text: test.input.clone(),
            source: Source::Cover,
        })
        .collect();
    // The same where the input does not end there.
    let closed = of_cover.clone().into_iter().map(|mut input| {
        input.text += &closings
            .closing(&input.request(Feedback::Off, &[]))
            .unwrap_or_default();
        input
    });
    of_cover.extend(closed.collect::<Vec<_>>());
    let initial = starts.initial().unwrap_or_default();
    let of_stream = stream(machine).into_iter().filter_map(|(_, set)| {
        Some(Input {
            start: Start {
                content: initial.to_owned(),
                last_start_tag: None,
                cdata_allowed: false,
            },
            text: set.first()?.into(),
            source: Source::Cover,
        })
    });
    let of_tests = cases.iter().filter_map(|case| {
        Some(Input {
            start: Start {
                content: case.start.content(&starts)?.to_owned(),
                last_start_tag: case.last_start_tag.clone(),
                cdata_allowed: case.cdata_allowed,
            },
            text: case.input.clone(),
            source: Source::Test,
        })
    });
    let mut known = HashSet::new();
    let mut inputs: Vec<Input> = of_cover
        .into_iter()
        .chain(of_stream)
        .chain(of_tests)
        .collect();
    inputs.retain(|input| known.insert((input.start.clone(), input.text.clone())));
    let pieces = cover::pieces(machine);
    let mut numbers = Random::new(seed);
    for test in covered.tests.iter().cycle().take(random) {
        let mut text = test.input.clone();
        for _ in 0..=numbers.below(PIECES) {
            // What leads to some arm is a piece, too.
            let piece = match numbers.below(4) {
                0 => numbers.one(&covered.tests).map(|test| &test.input),
                _ => numbers.one(&pieces),
            };
            text.extend(piece.map(String::as_str));
        }
        let mut input = Input {
            start: test.start.clone(),
            text,
            source: Source::Random,
        };
        // Most of them end in text: what goes wrong at the end of the input would hide the rest.
        if numbers.below(4) > 0 {
            input.text += &closings
                .closing(&input.request(Feedback::Off, &[]))
                .unwrap_or_default();
        }
        if known.insert((input.start.clone(), input.text.clone())) {
            inputs.push(input);
        }
    }
    inputs
}
