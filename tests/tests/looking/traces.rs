//! Traces of one table.

use std::collections::BTreeSet;

use speclex_analysis::diff::Setup;
use speclex_analysis::engine::{Engine, InterpreterEngine};
use speclex_analysis::entry_states::EntryStates;
use speclex_analysis::position::Lines;
use speclex_analysis::token::{Output, ParseError};
use speclex_analysis::trace::{Step, Tracer};
use speclex_codegen::machine::{Machine, State, StateKind};
use speclex_tests::alphabet::Alphabet;
use speclex_tests::random::Random;
use speclex_tests::workspace;

use crate::{machines, setup, suite};

/// All steps on an input that comes in pieces.
fn steps<'p>(machine: &Machine, setup: &Setup, pieces: impl Iterator<Item = &'p str>) -> Vec<Step> {
    let mut tracer = Tracer::new(machine, setup).expect("a start");
    let mut steps = Vec::new();
    for piece in pieces {
        tracer.push(piece);
        while let Some(step) = tracer.step().expect("a step") {
            steps.push(step);
        }
    }
    tracer.end();
    while let Some(step) = tracer.step().expect("a step") {
        steps.push(step);
    }
    assert_eq!(tracer.state(), None, "the end");
    steps
}

/// What all steps put out.
fn put_out(steps: &[Step]) -> Output {
    let mut output = Output::default();
    for step in steps {
        output.tokens.extend(step.tokens.iter().cloned());
        for error in &step.errors {
            output.errors.push(ParseError {
                code: error.code.clone(),
                offset: error.offset,
            });
        }
    }
    output.coalesced()
}

/// A trace puts out what the interpreter does, whole and character by character, and its places are right.
fn check_trace(machine: &Machine, setup: &Setup, input: &str) -> BTreeSet<(String, String)> {
    let request = setup.request(input);
    let wanted = InterpreterEngine::new(machine)
        .tokenize(&request)
        .expect("a run")
        .coalesced();
    let whole = steps(machine, setup, [input].into_iter());
    assert_eq!(put_out(&whole), wanted, "{} on {input:?}", machine.name);
    let single: Vec<String> = input.chars().map(|c| c.to_string()).collect();
    let slow = steps(machine, setup, single.iter().map(String::as_str));
    assert_eq!(slow.len(), whole.len(), "{} on {input:?}", machine.name);
    let lines = Lines::new(input);
    for (one, other) in whole.iter().zip(&slow) {
        let same = (
            one.offset,
            one.at,
            &one.state,
            &one.read,
            &one.said,
            &one.changed,
        );
        let too = (
            other.offset,
            other.at,
            &other.state,
            &other.read,
            &other.said,
            &other.changed,
        );
        assert_eq!(same, too, "{} on {input:?}", machine.name);
        assert_eq!(
            one.at,
            lines.position(one.offset),
            "{} on {input:?}",
            machine.name
        );
        for error in &one.errors {
            assert_eq!(
                error.at,
                lines.position(error.offset),
                "{} on {input:?}",
                machine.name
            );
        }
    }
    whole
        .iter()
        .map(|step| (step.state.to_string(), step.said.on.clone()))
        .collect()
}

/// On the suites, which reach every arm that can be reached: EOF, NUL and all else in every state.
#[test]
fn a_trace_tells_what_the_interpreter_does() {
    for machine in machines() {
        let starts = EntryStates::of(&machine);
        let mut taken = BTreeSet::new();
        for case in suite(&machine.name) {
            let setup = setup(&case, &starts).expect("a start");
            taken.extend(check_trace(&machine, &setup, &case.input));
        }
        let all: usize = machine.states.iter().map(arms).sum();
        // What no input can reach is listed in the suite.
        assert!(
            taken.len() + 2 >= all,
            "{}: {} of {all} arms",
            machine.name,
            taken.len()
        );
    }
}

#[test]
fn a_trace_tells_what_the_interpreter_does_on_random_inputs() {
    for machine in machines() {
        let alphabet = Alphabet::of(&machine);
        let mut random = Random::named(&machine.name);
        let mut contents: Vec<Option<String>> = vec![None];
        contents.extend(machine.entries.iter().map(|entry| {
            machine
                .vocabulary
                .contents
                .get(entry.content as usize)
                .cloned()
        }));
        for _ in 0..80 {
            let setup = Setup {
                content: random.one(&contents).clone(),
                last_start_tag: Some("script".to_owned()),
                answer: random.below(2) == 0,
                ..Setup::default()
            };
            let mut input = alphabet.text(24, &mut random);
            for odd in [
                "\0",
                "\r",
                "\r\n",
                "\u{FEFF}",
                "\u{FFFF}",
                "\u{1F600}",
                "\u{80}",
            ] {
                if random.below(6) == 0 {
                    input.insert_str(0, odd);
                    input.push_str(odd);
                }
            }
            check_trace(&machine, &setup, &input);
        }
    }
}

/// How many arms a state has.
fn arms(state: &State) -> usize {
    match &state.kind {
        StateKind::Steps(_) => 1,
        StateKind::Match { .. } => 2,
        StateKind::Consume(consume) => {
            let sets = consume.arms.iter().filter(|arm| !arm.set.is_empty());
            sets.count() + consume.literals.len() + 1
        }
    }
}

/// Each trace of the page is what the command prints.
#[test]
fn the_page_shows_what_is_printed() {
    let page = std::fs::read_to_string(workspace().join("docs/looking-at-a-table.md"));
    let page = page.expect("a page");
    let mut shown = 0;
    for block in page.split("```console\n").skip(1) {
        let Some((input, rest)) = block
            .strip_prefix("$ printf '")
            .and_then(|rest| rest.split_once("' | speclex trace "))
        else {
            continue;
        };
        let (arguments, rest) = rest.split_once('\n').expect("a command");
        let (wanted, _) = rest.split_once("```").expect("its end");
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let input = input.replace("\\0", "\0");
        let printed = speclex_cli::traced(&arguments, &input);
        let printed = printed.unwrap_or_else(|e| panic!("{}", e.render(false)));
        assert_eq!(printed, wanted, "{arguments:?}");
        shown += 1;
    }
    assert_eq!(shown, 4);
}

/// No line is wider than asked for.
#[test]
fn traces_keep_to_the_width() {
    let document = "<a b=&CounterClockwiseContourIntegral;><!--x--><?y?>&#x80;".repeat(2);
    for width in ["40", "57", "200"] {
        for more in [
            &["--spec", "html-2014"][..],
            &["--spec", "html-2009", "--vs", "html-living"],
        ] {
            let arguments: Vec<&str> = more.iter().chain(&["--width", width]).copied().collect();
            let printed = speclex_cli::traced(&arguments, &document);
            let printed = printed.unwrap_or_else(|e| panic!("{}", e.render(false)));
            let wide = printed
                .lines()
                .find(|line| line.chars().count() > width.parse().unwrap_or(0));
            assert_eq!(wide, None, "{arguments:?}");
        }
    }
}
