//! Tables whose numbers are alike where the search tries them, and not elsewhere: no comparison may call these equal.

use speclex_analysis::diff;
use speclex_analysis::engine::{Engine, InterpreterEngine, Request};
use speclex_analysis::token::Token;
use speclex_codegen::machine::Machine;
use speclex_codegen::{Source, load};

/// Two numbers of one interval, one after the other.
const TWO_NUMBERS: &str = "
table: two-numbers
title: Two numbers
section: '1'
vocabulary: {tokens: {end: {}}, contents: [data]}
registers: {code: number, buffer: text}
entry states: {data: data}
states:
  data:
    consume:
      U+0023 (#): [set the code to 0, set the buffer to the empty string, switch to first]
      EOF: emit EOF
      anything else: emit the current input character
  first:
    consume:
      ASCII digit: [multiply the code by 10, add the digit to the code]
      U+003B (;):
        - if the code is 65 to 90: [append the character of the code to the buffer, set the code to 0, switch to second]
        - otherwise: switch to data
      EOF: emit EOF
      anything else: reconsume in data
  second:
    consume:
      ASCII digit: [multiply the code by 10, add the digit to the code]
      U+003B (;):
        - if the code is 65 to 90: [emit the buffer, emit the character of the code, switch to data]
        - otherwise: switch to data
      EOF: emit EOF
      anything else: reconsume in data
";

/// A number whose digits are in two parts.
const TWO_PARTS: &str = "
table: two-parts
title: Two parts
section: '1'
vocabulary: {tokens: {end: {}}, contents: [data]}
registers: {code: number}
numeric replacements: {0x80: U+20AC}
entry states: {data: data}
states:
  data:
    consume:
      U+0023 (#): [set the code to 0, switch to first]
      EOF: emit EOF
      anything else: emit the current input character
  first:
    consume:
      ASCII digit: [multiply the code by 10, add the digit to the code]
      U+002C (,):
        - if the code is 0: switch to data
        - otherwise: switch to second
      EOF: emit EOF
      anything else: reconsume in data
  second:
    consume:
      ASCII digit: [multiply the code by 10, add the digit to the code]
      U+003B (;): [emit the character of the code, switch to data]
      EOF: emit EOF
      anything else: reconsume in data
";

/// Brackets that are counted.
const BRACKETS: &str = "
table: brackets
title: Brackets
section: '1'
vocabulary: {tokens: {end: {}}, contents: [data]}
registers: {depth: number, other depth: number}
entry states: {data: data}
states:
  data:
    consume:
      U+005B ([): [increase the depth, increase the other depth]
      U+005D (]):
        - if the depth is 0: emit the current input character
        - otherwise: [decrease the depth, decrease the other depth]
      U+007C (|):
        - if the other depth is 0: emit the current input character
        - otherwise: ignore
      EOF: emit EOF
      anything else: emit the current input character
";

pub(super) fn table(text: &str) -> Machine {
    let source = Source {
        name: "table.yaml".to_owned(),
        text: text.to_owned(),
    };
    let loaded = load(source, &|_| None, &|_| None);
    loaded.unwrap_or_else(|report| panic!("{report}")).machine
}

/// Changes a table so that an input tells it apart, and looks whether the two are called equal.
fn assert_not_equal(base: &str, what: &str, changed: &str, input: &str) {
    assert_eq!(base.matches(what).count(), 1, "{what}");
    let machines = [table(base), table(&base.replace(what, changed))];
    let tokens: [Vec<Token>; 2] = machines.each_ref().map(|machine| {
        let request = Request {
            input,
            ..Request::default()
        };
        let output = InterpreterEngine::new(machine).tokenize(&request);
        let output = output.expect("an output").coalesced();
        output.tokens.into_iter().map(|it| it.token).collect()
    });
    assert_ne!(tokens[0], tokens[1], "{input}");
    let [one, other] = &machines;
    let diff = diff::compare(one, other, true);
    let behaviour = diff.behaviour.as_ref().expect("a search");
    let proven = |cause: &&diff::Cause| cause.role == diff::Role::NoEffect;
    assert!(!diff.proven_equal(), "{what}: {changed}");
    assert_eq!(
        behaviour.causes.iter().find(proven),
        None,
        "{what}: {changed}"
    );
}

#[test]
fn numbers_in_one_interval_are_not_one_number() {
    assert_not_equal(
        TWO_NUMBERS,
        "emit the buffer, emit the character of the code",
        "emit the character of the code, emit the buffer",
        "#65;66;",
    );
}

#[test]
fn a_number_that_only_some_digits_replace_is_not_as_it_was() {
    assert_not_equal(
        TWO_PARTS,
        "add the digit to the code]
      U+003B (;): [emit",
        "add the digit to the code, replace the code]
      U+003B (;): [emit",
        "#12,8;",
    );
}

#[test]
fn a_depth_that_is_not_reached_is_not_proven_harmless() {
    let deep = "[".repeat(40) + "]";
    assert_not_equal(
        BRACKETS,
        "- otherwise: [decrease",
        "- otherwise if the depth is 40: [emit the current input character, decrease the depth]
        - otherwise: [decrease",
        &deep,
    );
}

#[test]
fn a_depth_that_falls_behind_another_is_not_equal() {
    assert_not_equal(
        BRACKETS,
        "decrease the depth, decrease the other depth",
        "decrease the depth, decrease the other depth, decrease the other depth",
        "[[]|",
    );
    let far = "[".repeat(9) + &"]".repeat(8) + "|";
    assert_not_equal(
        BRACKETS,
        "- otherwise: [decrease the depth, decrease the other depth]",
        "- otherwise if the depth is 5: [decrease the depth, set the other depth to 0]
        - otherwise: [decrease the depth, decrease the other depth]",
        &far,
    );
}

#[test]
fn registers_with_different_bounds_are_proven_equal() {
    let tables = [TWO_NUMBERS, TWO_PARTS, BRACKETS].map(table);
    for machine in &tables {
        let diff = diff::compare(machine, machine, true);
        assert!(diff.proven_equal(), "{}", machine.name);
    }
}
