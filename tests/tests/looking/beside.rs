//! Traces of two tables, side by side.

use speclex_analysis::diff::{self, ErrorComparison, Setup};
use speclex_analysis::engine::{Engine, InterpreterEngine};
use speclex_analysis::entry_states::EntryStates;
use speclex_analysis::token::StreamErrors;
use speclex_tests::alphabet::Alphabet;
use speclex_tests::random::Random;
use speclex_tests::side_by_side::{blocks_of, divergences};
use speclex_tests::workspace;

use crate::{machine, setup, suite};

#[test]
fn equal_tables_never_part() {
    let folded = machine(
        &workspace()
            .join("tests/tables/html-living-85.yaml")
            .to_string_lossy(),
    );
    let living = machine("html-living");
    let starts = EntryStates::of(&living);
    for case in suite("html-living") {
        let setup = setup(&case, &starts).expect("a start");
        for other in [&living, &folded] {
            let found = divergences(&blocks_of([&living, other], &setup, &[&case.input]));
            assert_eq!(found, [], "{:?}", case.input);
        }
    }
}

/// On any input two traces part if and only if the outputs of the two tables differ.
#[test]
fn two_traces_part_if_and_only_if_outputs_differ() {
    let mut differ = 0;
    for [a, b] in [
        ["html-2009", "html-2012"],
        ["html-2014", "html-living"],
        ["xml5-2016", "xml5"],
    ] {
        let (one, other) = (machine(a), machine(b));
        let alphabet = Alphabet::of(&other);
        let mut random = Random::named(b);
        let compared = ErrorComparison::of(&one, &other);
        for _ in 0..250 {
            let input = alphabet.text(16, &mut random);
            let setup = Setup::default();
            let request = setup.request(&input);
            let outputs = [&one, &other].map(|machine| {
                let stream = StreamErrors::of(machine);
                let output = InterpreterEngine::new(machine)
                    .tokenize(&request)
                    .expect("a run");
                output.coalesced().with_sorted_errors(&stream)
            });
            let wanted = diff::difference(&outputs[0], &outputs[1], compared);
            let found = divergences(&blocks_of([&one, &other], &setup, &[&input]));
            let gravest = found.iter().map(|found| found.kind).min();
            assert_eq!(gravest, wanted, "{a} and {b} on {input:?}: {found:?}");
            differ += usize::from(wanted.is_some());
        }
    }
    assert!(differ > 60, "{differ} differ");
}
