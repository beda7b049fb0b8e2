//! Traces of two tables, side by side.

use std::collections::BTreeSet;

use speclex_analysis::diff::{self, ErrorComparison, Kind, Setup};
use speclex_analysis::engine::{Engine, InterpreterEngine};
use speclex_analysis::entry_states::EntryStates;
use speclex_analysis::token::StreamErrors;
use speclex_analysis::trace::{Beside, Block, Divergence};
use speclex_codegen::machine::Machine;
use speclex_tests::alphabet::Alphabet;
use speclex_tests::random::Random;
use speclex_tests::workspace;

use crate::{machine, setup, suite};

fn blocks_of(machines: [&Machine; 2], setup: &Setup, pieces: &[&str]) -> Vec<Block> {
    let mut beside = Beside::new(machines, setup).expect("a start");
    let mut blocks = Vec::new();
    for piece in pieces {
        beside.push(piece);
        while let Some(block) = beside.block().expect("a block") {
            blocks.push(block);
        }
    }
    beside.end();
    while let Some(block) = beside.block().expect("a block") {
        blocks.push(block);
    }
    blocks
}

fn divergences(blocks: &[Block]) -> Vec<Divergence> {
    let all = blocks.iter().flat_map(|block| &block.divergences);
    all.cloned().collect()
}

/// A witness of a checked-in comparison.
struct Witness {
    setup: Setup,
    input: String,
}

/// A string as Rust writes it.
fn read_string(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text.strip_prefix('"')?.strip_suffix('"')?.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match rest.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'u' => {
                let code: String = rest.by_ref().skip(1).take_while(|c| *c != '}').collect();
                char::from_u32(u32::from_str_radix(&code, 16).ok()?)?
            }
            c @ ('"' | '\\' | '\'') => c,
            _ => return None,
        });
    }
    Some(out)
}

/// The inputs of a page: `` `"<!--"` (content RCDATA); A: ... ``, or without the setup.
fn witnesses(one: &str, other: &str) -> Vec<Witness> {
    let path = workspace().join(format!("docs/diffs/{one}--{other}.md"));
    let page = std::fs::read_to_string(path).expect("a comparison");
    let lines = page.lines().filter_map(|line| {
        let (input, rest) = line
            .trim_start_matches("- ")
            .strip_prefix('`')?
            .split_once('`')?;
        let input = read_string(input)?;
        let mut setup = Setup::default();
        let said = rest
            .strip_prefix(" (")
            .and_then(|rest| rest.split_once(')'));
        for part in said.iter().flat_map(|(said, _)| said.split(", ")) {
            if let Some(content) = part.strip_prefix("content ") {
                setup.content = Some(content.to_owned());
            } else if let Some(name) = part.strip_prefix("last start tag ") {
                setup.last_start_tag = read_string(name);
            } else {
                assert_eq!(part, "questions answered with yes");
                setup.answer = true;
            }
        }
        Some(Witness { setup, input })
    });
    lines.collect()
}

#[test]
fn two_traces_part_where_the_comparison_says() {
    let mut seen = 0;
    for [a, b] in [
        ["html-2009", "html-2012"],
        ["html-2012", "html-2014"],
        ["html-2014", "html-2026-06"],
        ["html-2026-06", "html-living"],
        ["xml5-2016", "xml5"],
    ] {
        let machines = [machine(a), machine(b)];
        let (one, other) = (&machines[0], &machines[1]);
        let compared = ErrorComparison::of(one, other);
        for Witness { setup, input } in witnesses(a, b) {
            let blocks = blocks_of([one, other], &setup, &[&input]);
            let found = divergences(&blocks);
            let outputs = machines.each_ref().map(|machine| {
                let output = InterpreterEngine::new(machine).tokenize(&setup.request(&input));
                let stream = StreamErrors::of(machine);
                output
                    .expect("an input of the page")
                    .coalesced()
                    .with_sorted_errors(&stream)
            });
            let differs = diff::difference(&outputs[0], &outputs[1], compared);
            assert!(differs.is_some(), "{a} and {b} on {input:?}");
            let kinds: BTreeSet<Kind> = found.iter().map(|found| found.kind).collect();
            let gravest = kinds.first().copied();
            assert_eq!(gravest, differs, "{a} and {b} on {input:?}: {found:?}");
            assert!(
                blocks.iter().any(|block| !block.same()),
                "{a} and {b} on {input:?}"
            );
            // Character by character it is the same.
            let single: Vec<String> = input.chars().map(|c| c.to_string()).collect();
            let single: Vec<&str> = single.iter().map(String::as_str).collect();
            let slow = divergences(&blocks_of([one, other], &setup, &single));
            assert_eq!(slow, found, "{a} and {b} on {input:?}");
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen} witnesses");
}

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
