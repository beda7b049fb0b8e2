//! Tables in which a class, a step list or a sub-machine is written out where it is used: these are proven equal.

use speclex_codegen::machine::Machine;

use super::{proven_equal, table};

const NAMED: &str = "
table: named
title: Numbers in brackets
section: '1'
vocabulary: {tokens: {end: {}}, contents: [data]}
error codes: [no-number]
registers: {buffer: text}
classes: {bracket: [U+005B, U+007B]}
entry states: {data: data}
procedures:
  show the number: [emit the buffer, set the buffer to the empty string]
  consume a number:
    states:
      number start:
        consume:
          ASCII digit: [append the current input character to the buffer, switch to number]
          EOF: as anything else
          anything else: return nothing
      number:
        consume:
          ASCII digit: append the current input character to the buffer
          EOF: return U+0023 (#)
          anything else: [return U+0023 (#)]
states:
  data:
    consume:
      bracket: switch to number in brackets
      EOF: emit EOF
      anything else: emit the current input character
  number in brackets:
    steps:
      - switch to data
      - attempt to consume a number
      - if nothing is returned: [error no-number, emit U+002D (-)]
      - otherwise: [show the number, emit the returned characters]
";

/// Writes something differently that the table says once.
fn written(what: &str, differently: &str) -> Machine {
    assert_eq!(NAMED.matches(what).count(), 1, "{what}");
    table(&NAMED.replace(what, differently))
}

#[test]
fn a_class_written_out_is_proven_equal() {
    let out = written(
        "      bracket: switch",
        "      U+005B ([), U+007B ({): switch",
    );
    proven_equal(&table(NAMED), &out);
}

#[test]
fn a_step_list_written_out_is_proven_equal() {
    let out = written(
        "[show the number, emit the returned",
        "[emit the buffer, set the buffer to the empty string, emit the returned",
    );
    proven_equal(&table(NAMED), &out);
}

#[test]
fn a_sub_machine_written_out_is_proven_equal() {
    let (_, called) = NAMED.split_once("  number in brackets:\n").expect("a call");
    let out = "  number in brackets:
    consume:
      ASCII digit: [append the current input character to the buffer, switch to more digits]
      EOF: as anything else
      anything else: [error no-number, emit U+002D (-), reconsume in data]
  more digits:
    consume:
      ASCII digit: append the current input character to the buffer
      EOF: [show the number, emit U+0023 (#), reconsume in data]
      anything else: [show the number, emit U+0023 (#), switch to data]
";
    let called = format!("  number in brackets:\n{called}");
    let (procedure, _) = NAMED.split_once("states:\n  data:").expect("states");
    let (_, procedure) = procedure
        .split_once("  consume a number:\n")
        .expect("a procedure");
    let text = NAMED
        .replace(&called, out)
        .replace(procedure, "")
        .replace("  consume a number:\n", "");
    proven_equal(&table(NAMED), &table(&text));
}
