//! The interpreter on the machines of all tables: whatever the input, the chunks and the damage.

use crate::common;
use speclex_analysis::diff::Setup;
use speclex_analysis::engine::{Engine, InterpreterEngine, Request};
use speclex_analysis::graph::{self, Form};
use speclex_analysis::token::Output;
use speclex_analysis::trace::{Beside, Tracer};
use speclex_codegen::machine::{Feedback, Machine};

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("a number below a usize")
    }
}

/// What inputs are put together from.
const PARTS: &[&str] = &[
    "<",
    ">",
    "/",
    "!",
    "?",
    "-",
    "--",
    "->",
    "=",
    "\"",
    "'",
    "&",
    "#",
    "x",
    "X",
    ";",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\0",
    "\u{1}",
    "\u{FEFF}",
    "\u{FFFF}",
    "é",
    "\u{1F600}",
    "a",
    "B",
    "amp",
    "notin",
    "1",
    "80",
    "10FFFF",
    "[",
    "]",
    "]]>",
    "<!--",
    "-->",
    "<!DOCTYPE",
    "PUBLIC",
    "sYstem",
    "[CDATA[",
    "script",
    "</script",
    "<xmp>",
    "</xmp",
    "<?xml",
    "?>",
    "<a b=",
    "<!ENTITY",
    "<!ELEMENT",
    "<!ATTLIST",
    "<!NOTATION",
    "%",
];

fn input(numbers: &mut Numbers) -> String {
    let length = 1 + numbers.below(24);
    (0..length)
        .map(|_| PARTS[numbers.below(PARTS.len())])
        .collect()
}

fn contents(machine: &Machine) -> Vec<String> {
    let names = &machine.vocabulary.contents;
    let entries = machine.entries.iter();
    entries
        .map(|entry| names[entry.content as usize].clone())
        .collect()
}

fn tokenize(engine: &mut InterpreterEngine<'_>, request: &Request<'_>) -> Output {
    match engine.tokenize(request) {
        Ok(output) => output,
        Err(what) => panic!("{request:?}: {what}"),
    }
}

/// Tokens follow each other in the input and lie in it, and so do errors.
fn check_places(table: &str, request: &Request<'_>, output: &Output) {
    let length = request.input.len() as u64;
    let mut end = 0;
    for emitted in &output.tokens {
        let span = &emitted.span;
        let ordered = end <= span.start && span.start <= span.end && span.end <= length;
        assert!(ordered, "{table}: {request:?}: {emitted:?} after {end}");
        end = span.end;
    }
    for error in &output.errors {
        assert!(error.offset <= length, "{table}: {request:?}: {error:?}");
    }
}

#[test]
fn output_does_not_depend_on_chunks() {
    let mut numbers = Numbers(0x5EED);
    for table in speclex_tables::all() {
        let machine = common::machine(table.name);
        let mut engine = InterpreterEngine::new(&machine);
        let contents = contents(&machine);
        for _ in 0..1500 {
            let input = input(&mut numbers);
            let whole = Request {
                input: &input,
                content: Some(&contents[numbers.below(contents.len())]),
                last_start_tag: ["script", "xmp"].get(numbers.below(3)).copied(),
                cdata_allowed: numbers.below(2) == 0,
                feedback: [Feedback::Off, Feedback::NoScripting, Feedback::Scripting]
                    [numbers.below(3)],
                skip_bom: numbers.below(2) == 0,
                answer: numbers.below(2) == 0,
                ..Request::default()
            };
            let expected = tokenize(&mut engine, &whole);
            check_places(table.name, &whole, &expected);
            let bytes = vec![1; input.len()];
            let cut = [numbers.below(input.len() + 1)];
            for chunks in [&bytes[..], &cut[..]] {
                let pieces = Request { chunks, ..whole };
                let output = tokenize(&mut engine, &pieces);
                assert_eq!(output, expected, "{}: {pieces:?}", table.name);
            }
        }
    }
}

/// Cuts a list somewhere, now and then.
fn damage<T>(list: &mut Vec<T>, numbers: &mut Numbers) {
    if numbers.below(4) == 0 {
        list.truncate(numbers.below(list.len() + 1));
    }
}

/// Traces a machine, alone and beside another, as far as it goes.
fn look(whole: &Machine, machine: &Machine, input: &str) {
    let setup = Setup::default();
    if let Ok(mut tracer) = Tracer::new(machine, &setup) {
        tracer.push(input);
        tracer.end();
        while let Ok(Some(_)) = tracer.step() {}
    }
    if let Ok(mut beside) = Beside::new([whole, machine], &setup) {
        beside.push(input);
        beside.end();
        while let Ok(Some(_)) = beside.block() {}
    }
}

#[test]
fn a_damaged_machine_never_panics() {
    let mut numbers = Numbers(0xBAD);
    let (mut ran, mut stopped) = (0, 0);
    for table in speclex_tables::all() {
        let whole = common::machine(table.name);
        for round in 0..60 {
            let mut machine = whole.clone();
            damage(&mut machine.states, &mut numbers);
            damage(&mut machine.registers, &mut numbers);
            damage(&mut machine.errors, &mut numbers);
            damage(&mut machine.entries, &mut numbers);
            damage(&mut machine.references, &mut numbers);
            damage(&mut machine.vocabulary.tokens, &mut numbers);
            damage(&mut machine.vocabulary.questions, &mut numbers);
            damage(&mut machine.vocabulary.contents, &mut numbers);
            for token in &mut machine.vocabulary.tokens {
                damage(&mut token.kinds, &mut numbers);
                damage(&mut token.fields, &mut numbers);
            }
            let mut engine = InterpreterEngine::new(&machine);
            for _ in 0..20 {
                let input = input(&mut numbers);
                let request = Request {
                    input: &input,
                    ..Request::default()
                };
                match engine.tokenize(&request) {
                    Ok(_) => ran += 1,
                    Err(_) => stopped += 1,
                }
            }
            look(&whole, &machine, &input(&mut numbers));
            if round % 6 == 0 {
                for form in [Form::Dot, Form::Mermaid, Form::Svg] {
                    assert!(!graph::diagram(&machine, form).is_empty());
                    let first = machine.states.first();
                    let drawn = first.map(|state| graph::state(&machine, &state.name, form));
                    assert!(drawn.is_none_or(|drawn| drawn.is_some()));
                }
            }
        }
    }
    assert!(ran > 0 && stopped > 0, "{ran} ran, {stopped} stopped");
}
