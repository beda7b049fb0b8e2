//! Machines between two tables: with nothing taken from the second they are the first, with everything the second.

use speclex_analysis::diff::{self, Blame, Cause, Role, difference};
use speclex_analysis::engine::{Engine, InterpreterEngine, Request};
use speclex_analysis::token::{Output, StreamErrors};
use speclex_codegen::machine::Machine;
use speclex_tests::random::Random;
use speclex_tests::workspace;

use super::shipped::Shipped;
use super::{machine, table};

/// Pieces of which inputs are made that go into many states.
const PIECES: &[&str] = &[
    "<",
    ">",
    "!",
    "-",
    "--",
    "&",
    "&#",
    "x",
    "1",
    "0",
    ";",
    "a",
    "A",
    " ",
    "=",
    "\"",
    "'",
    "/",
    "?",
    "]",
    "[",
    "\0",
    "amp",
    "not",
    "lt",
    "<!--",
    "-->",
    "--!>",
    "<!doctype ",
    "public",
    "system",
    "[CDATA[",
    "]]>",
    "script",
    "</",
    "<?",
    "xml",
    "\n",
    "\u{C}",
    "`",
    "\u{FFFE}",
    "\u{80}",
    "é",
    "&NotEqualTilde;",
    "#x81",
    "&#0",
    "#",
];

/// How many inputs all changes are tried on together, for each comparison.
const INPUTS: usize = 5000;

/// How many inputs each change is tried on.
const FEW: usize = 500;

fn outputs(machine: &Machine, inputs: &[(Option<&str>, String)]) -> Vec<Option<Output>> {
    let mut engine = InterpreterEngine::new(machine);
    let stream = StreamErrors::of(machine);
    let output = |(content, input): &(Option<&str>, String)| {
        let request = Request {
            input,
            content: *content,
            last_start_tag: Some("script").filter(|_| content.is_some()),
            ..Request::default()
        };
        let output = engine.tokenize(&request).ok()?;
        Some(output.coalesced().with_sorted_errors(&stream))
    };
    inputs.iter().map(output).collect()
}

pub(crate) fn nothing_is_the_first_table_and_everything_the_second(shipped: &Shipped) {
    let (diff, names) = (shipped.diff(), shipped.names);
    let mut random = Random::named(names[0]);
    let (tables, compared) = (names.map(machine), diff.compared);
    let contents = tables[0].vocabulary.contents.iter().map(String::as_str);
    let both = |content: &&str| tables[1].entry(content).is_some();
    let contents: Vec<Option<&str>> = [None]
        .into_iter()
        .chain(contents.filter(both).map(Some))
        .collect();
    let inputs: Vec<(Option<&str>, String)> = (0..INPUTS)
        .map(|_| {
            let count = 1 + random.below(12);
            let input = (0..count)
                .map(|_| PIECES[random.below(PIECES.len())])
                .collect();
            (contents[random.below(contents.len())], input)
        })
        .collect();
    let blame = Blame::new(&tables[0], &tables[1]);
    let causes: Vec<&Cause> = diff
        .behaviour
        .iter()
        .flat_map(|found| &found.causes)
        .collect();
    let wanted = tables.each_ref().map(|table| outputs(table, &inputs));
    for (table, changes) in [(0, &[][..]), (1, &causes[..])] {
        let found = outputs(&blame.between(changes), &inputs);
        for ((wanted, found), input) in wanted[table].iter().zip(&found).zip(&inputs) {
            let (Some(wanted), Some(found)) = (wanted, found) else {
                panic!("{names:?}: {input:?}: {wanted:?} {found:?}");
            };
            assert_eq!(
                difference(wanted, found, compared),
                None,
                "{names:?}: {input:?}"
            );
        }
    }
    // Each change alone is a machine that runs, and one without effect leaves everything as it was.
    for (number, cause) in causes.iter().enumerate() {
        let part = number * 17 % 3000..number * 17 % 3000 + FEW;
        let rest: Vec<&Cause> = causes.iter().copied().filter(|it| it != cause).collect();
        for (table, changes) in [(0, &[*cause][..]), (1, &rest[..])] {
            let found = outputs(&blame.between(changes), &inputs[part.clone()]);
            let all = wanted[table][part.clone()].iter().zip(&found);
            for ((wanted, found), input) in all.zip(&inputs[part.clone()]) {
                let (Some(wanted), Some(found)) = (wanted, found) else {
                    panic!("{names:?}, {number}: {input:?}: {wanted:?} {found:?}");
                };
                let differs = difference(wanted, found, compared).is_some();
                let is_silent = cause.role == Role::NoEffect;
                assert!(!(is_silent && differs), "{names:?}, {number}: {input:?}");
            }
        }
    }
}

/// Thousands of references, and no state in common: nothing can be taken over by itself.
#[test]
#[ignore = "takes long; .ci/run runs it"]
fn tables_with_little_in_common_are_one_change() {
    let path = |name: &str| workspace().join(format!("examples/{name}/tables/{name}.yaml"));
    let tables = ["csv", "webvtt"].map(|name| {
        let loaded = speclex_cli::load(path(name).to_str().expect("a path that is text"));
        loaded
            .unwrap_or_else(|e| panic!("{}", e.render(false)))
            .machine
    });
    for pair in [
        [&tables[0], &tables[1]],
        [&tables[1], &machine("html-living")],
    ] {
        let diff = diff::compare(pair[0], pair[1], true);
        let behaviour = diff.behaviour.expect("a search");
        let [cause] = &behaviour.causes[..] else {
            panic!("{} changes", behaviour.causes.len());
        };
        assert_eq!(
            (cause.role.clone(), cause.kind),
            (Role::Cause, Some(diff::Kind::Tokens))
        );
        assert!(!cause.examples.is_empty());
    }
}

const TWO_OF_THREE: &str = "
table: two-of-three
title: Two of three
vocabulary: {tokens: {word: {name: text}}}
registers: {a: [off, on], b: [off, on], c: [off, on]}
entry states: {data: data}
states:
  data:
    consume:
      U+002A (*): [set a to off, switch to second]
      U+002B (+): emit the current input character
      EOF: emit EOF
      anything else: ignore
  second:
    consume:
      EOF: emit EOF
      anything else: [set b to off, switch to third]
  third:
    consume:
      EOF: emit EOF
      anything else:
        - set c to off
        - if a is on and b is on: [emit \"two\", switch to data]
        - otherwise if a is on and c is on: [emit \"two\", switch to data]
        - otherwise if b is on and c is on: [emit \"two\", switch to data]
        - otherwise: switch to data
";

#[test]
fn changes_of_which_two_show_together_are_not_called_without_effect() {
    let alone = "U+002B (+): emit the current input character";
    let also = TWO_OF_THREE.replace(alone, "U+002B (+): emit U+002D (-)");
    for (text, others) in [(TWO_OF_THREE.to_owned(), 0), (also, 1)] {
        let other = ["a", "b", "c"].iter().fold(text, |text, it| {
            text.replace(&format!("set {it} to off"), &format!("set {it} to on"))
        });
        let diff = diff::compare(&table(TWO_OF_THREE), &table(&other), true);
        let causes = diff.behaviour.expect("a search").causes;
        let of = |role: Role| causes.iter().filter(move |cause| cause.role == role);
        assert_eq!(causes.len(), 3 + others);
        assert_eq!(of(Role::Cause).count(), others);
        let open = causes
            .iter()
            .filter(|it| matches!(it.role, Role::Undecided(Some(_))));
        assert_eq!(open.count(), 3);
    }
}
