//! Random inputs that lead to the place of a change.

use speclex_analysis::diff::{ErrorComparison, Setup, difference};
use speclex_analysis::engine::{Engine, InterpreterEngine};
use speclex_analysis::testing::Neighbours;
use speclex_analysis::token::StreamErrors;
use speclex_codegen::machine::{Machine, StateKind};

use crate::alphabet::Alphabet;
use crate::random::Random;

/// How many characters of each range of a set are tried first.
const ENDS: usize = 4;

/// Inputs that lead to one place of a table.
#[derive(Debug)]
pub(super) struct Aimed {
    ways: Vec<(Setup, String)>,
    /// What may come there.
    next: Vec<String>,
    alphabet: Alphabet,
}

impl Aimed {
    /// Inputs that lead through a state.
    pub(super) fn at_state(table: &Machine, neighbours: &Neighbours<'_>, state: usize) -> Self {
        let mut next = vec![String::new()];
        if let StateKind::Consume(consume) = &table.states[state].kind {
            next.extend(consume.literals.iter().map(|literal| literal.text.clone()));
            let ranges = consume
                .arms
                .iter()
                .flat_map(|arm| arm.set.ranges().iter().take(ENDS));
            let ends = ranges.flat_map(|&(first, last)| [first, last]);
            next.extend(ends.filter_map(char::from_u32).map(String::from));
        }
        let mut ways = neighbours.leading_there();
        if ways.is_empty() {
            ways.push(Default::default());
        }
        Self {
            ways,
            next,
            alphabet: Alphabet::of(table),
        }
    }

    /// Numbers of references.
    pub(super) fn at_numbers(table: &Machine) -> Self {
        let rows = table.replacements.iter();
        let numbers = rows.flat_map(|&(number, code)| [number, code]);
        let beside = numbers.flat_map(|number| [number.saturating_sub(1), number, number + 1]);
        let next = beside.flat_map(|number| {
            [
                format!("{number};"),
                format!("x{number:X};"),
                format!("{number}"),
            ]
        });
        Self {
            ways: vec![(Setup::default(), "&#".to_owned())],
            next: next.collect(),
            alphabet: Alphabet::of(table),
        }
    }

    fn input(&self, random: &mut Random) -> (&Setup, String) {
        let (setup, way) = random.one(&self.ways);
        let mut input = way.clone();
        if random.below(4) > 0 {
            input += random.one(&self.next).as_str();
        }
        if random.below(8) > 0 {
            input += &self.alphabet.text(8, random);
        }
        (setup, input)
    }

    /// The first of so many inputs on which two tables differ.
    pub(super) fn difference(
        &self,
        tables: [&Machine; 2],
        inputs: usize,
        random: &mut Random,
    ) -> Option<String> {
        let compared = ErrorComparison::of(tables[0], tables[1]);
        let mut engines = tables.map(InterpreterEngine::new);
        let streams = tables.map(StreamErrors::of);
        (0..inputs).find_map(|_| {
            let (setup, input) = self.input(random);
            let request = setup.request(&input);
            let mut sides = engines.iter_mut().zip(&streams);
            let mut output = || {
                let (engine, stream) = sides.next()?;
                let output = engine.tokenize(&request).ok()?;
                Some(output.coalesced().with_sorted_errors(stream))
            };
            // An input that only one of them can run tells them apart, too.
            let is_different = match [output(), output()] {
                [Some(one), Some(other)] => difference(&one, &other, compared).is_some(),
                [None, None] => false,
                _ => true,
            };
            is_different.then_some(input)
        })
    }
}
