//! What the analyses find on tiny tables.

use crate::support;
use std::path::Path;

use speclex_codegen::Source;
use speclex_codegen::analyse::{attribute, hot, rewind, scan, token_start};
use speclex_codegen::machine::{Arm, Machine, StateId, StateKind};
use speclex_codegen::testing;

/// A machine whose data state and further states are these.
fn machine(states: &str) -> Machine {
    let text = format!(
        "table: tiny\ntitle: A table\nsection: 1.2\nvocabulary: markup\n\
         registers: {{flag: [off, on, neither]}}\nentry states: {{data: data}}\nstates:\n{states}"
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowering/tiny.yaml");
    match support::load_beside(
        Source {
            name: "tiny.yaml".to_owned(),
            text,
        },
        &path,
    ) {
        Ok(loaded) => loaded.machine,
        Err(report) => panic!("{report}"),
    }
}

fn bytes(set: &scan::ByteSet) -> String {
    set.iter().map(char::from).collect()
}

#[test]
fn a_self_loop_stops_where_another_arm_cares() {
    let machine = machine(
        "  data:
    consume:
      U+003C (<): [parse error, as anything else]
      U+0026 (&): [emit \"amp\", stay]
      EOF: emit EOF
      anything else: [emit the current input character, stay]
",
    );
    let run = scan::self_loop(&machine, StateId(0)).expect("a loop");
    assert_eq!(bytes(&run.stops.bytes), "&");
    assert_eq!(bytes(&run.stops.with_errors), "&<");
    assert_eq!(run.by_value, None);
}

#[test]
fn arms_that_a_register_switches_off_do_not_stop_the_scan() {
    let machine = machine(
        "  data:
    consume:
      U+003C (<):
        - if the flag is on: [set the flag to neither, emit the current input character, stay]
        - otherwise: as anything else
      U+003E (>): [set the flag to on, stay]
      EOF: emit EOF
      anything else: [emit the current input character, stay]
",
    );
    let run = scan::self_loop(&machine, StateId(0)).expect("a loop");
    let (_, found) = run.by_value.expect("stops that depend on the flag");
    let found: Vec<_> = (found.iter())
        .map(|found| (found.values.clone(), bytes(&found.stops.bytes)))
        .collect();
    assert_eq!(
        found,
        [
            (vec![vec![Some(0)], vec![Some(2)]], ">".to_owned()),
            (vec![vec![Some(1)]], "<>".to_owned())
        ]
    );
}

#[test]
fn a_byte_that_matters_behind_others_stops_the_scan_near_its_start() {
    let machine = machine(
        "  data:
    consume:
      U+002D (-):
        - if the last characters consumed are \"<!--\": [set the flag to on, emit the current input character, stay]
        - otherwise: as anything else
      U+003C (<): [emit \"lt\", stay]
      EOF: emit EOF
      anything else: [emit the current input character, stay]
",
    );
    let run = scan::self_loop(&machine, StateId(0)).expect("a loop");
    assert_eq!(bytes(&run.stops.bytes), "<");
    let near = scan::Near {
        byte: b'-',
        reach: 3,
    };
    assert_eq!(run.stops.near, Some(near));
}

#[test]
fn a_hot_state_for_text_looks_first_for_what_leads_to_another() {
    let machine = machine(
        "  data:
    consume:
      U+0026 (&): [emit \"amp\", stay]
      U+003C (<): switch to other
      EOF: emit EOF
      anything else: [emit the current input character, stay]
  other:
    consume:
      EOF: emit EOF
      anything else: switch to data
",
    );
    let both = [StateId(0), StateId(1)];
    assert_eq!(scan::looks_first(&machine, &both, StateId(0)), Some(b'<'));
    assert_eq!(scan::looks_first(&machine, &both, StateId(1)), None);
    assert_eq!(scan::looks_first(&machine, &both[..1], StateId(0)), None);
}

#[test]
fn a_hot_state_skips_runs_of_what_it_ignores() {
    let machine = machine(
        "  data:
    consume:
      U+0020, U+000A: stay
      U+0009: [parse error, stay]
      U+00E9: stay
      U+003C (<): switch to other
      EOF: emit EOF
      anything else: [emit the current input character, stay]
  other:
    consume:
      U+0020: ignore
      EOF: emit EOF
      anything else: switch to data
",
    );
    let skipped = |hot: &[StateId], id| {
        let StateKind::Consume(consume) = &machine.states[id as usize].kind else {
            panic!("consumes nothing");
        };
        let skips = |arm: &&Arm| scan::skips(hot, StateId(id), consume, arm);
        let arms = consume.arms.iter().filter(skips);
        arms.map(|arm| arm.label.clone()).collect::<Vec<_>>()
    };
    let both = [StateId(0), StateId(1)];
    // Neither what is reported nor what is not ASCII.
    assert_eq!(skipped(&both, 0), ["U+0020, U+000A"]);
    assert_eq!(skipped(&both, 1), ["U+0020"]);
    assert_eq!(skipped(&both[..1], 1), [""; 0]);
}

/// A table whose tags have attributes; `behind` is what comes behind a value.
fn with_attributes(behind: &str) -> Machine {
    machine(&format!(
        "  data:
    consume:
      U+003C (<): [create a start tag token, switch to before]
      EOF: emit EOF
      anything else: [emit the current input character, stay]
  before:
    consume:
      U+0020: stay
      U+003A (:): [parse error, stay]
      U+003E (>): [emit the tag token, switch to data]
      EOF: emit EOF
      anything else: [start a new attribute, reconsume in name]
  name:
    consume:
      U+003D (=): switch to equals
      U+0020, U+003E (>): reconsume in before
      EOF: emit EOF
      anything else: [append the current input character to the attribute name, stay]
    leaving:
      - if the attribute name is already in the token: [parse error, drop the attribute]
  equals:
    consume:
      U+0022 (\"): switch to value
      EOF: emit EOF
      anything else: reconsume in value
  value:
    consume:
      U+0022 (\"): switch to behind
      EOF: emit EOF
      anything else: [append the current input character to the attribute value, stay]
  behind:
    consume:
      U+0020: switch to before
      EOF: emit EOF
      anything else: {behind}
"
    ))
}

#[test]
fn attributes_are_gone_through_in_one_pass() {
    let machine = with_attributes("reconsume in before");
    let all: Vec<_> = (0..6).map(StateId).collect();
    let way = attribute::whole_attribute(&machine, &all, StateId(1)).expect("a way");
    assert_eq!(way.apart, [':']);
    assert_eq!(
        (way.name, way.value, way.behind),
        (StateId(2), StateId(4), StateId(5))
    );
    assert_eq!((&way.between[..], way.close), (&b"=\""[..], b'"'));
    assert_eq!(way.duplicate.len(), 1);
    assert!(way.again.is_some_and(|arm| arm.set.contains(' ')));
    let cold = attribute::whole_attribute(&machine, &all[..4], StateId(1));
    assert!(cold.is_err(), "the state of the value is cold");
}

#[test]
fn attributes_that_may_still_change_are_not() {
    let all: Vec<_> = (0..6).map(StateId).collect();
    let why = |behind| {
        let machine = with_attributes(behind);
        attribute::whole_attribute(&machine, &all, StateId(1)).expect_err("no way")
    };
    assert_eq!(
        why("reconsume in value"),
        "an attribute may change behind its value"
    );
    assert_eq!(
        why("[drop the attribute, reconsume in before]"),
        "an attribute may change behind its value"
    );
}

/// The arms of a state.
fn arms(machine: &Machine, id: StateId) -> &[Arm] {
    match &machine.states[id.0 as usize].kind {
        StateKind::Consume(consume) => &consume.arms,
        _ => &[],
    }
}

#[test]
fn a_character_that_the_next_state_would_append_is_left_to_it() {
    let machine = machine(
        "  data:
    consume:
      U+003C (<): [create a comment token, set the comment data to the empty string, append the current input character to the comment data, switch to other]
      ASCII alpha: [create a comment token, append the current input character to the comment data, switch to other]
      EOF: emit EOF
      anything else: [emit the current input character, stay]
  other:
    consume:
      U+003C (<): [emit the comment token, switch to data]
      EOF: emit EOF
      anything else: [append the current input character to the comment data, stay]
",
    );
    let left = |id: StateId| {
        let arms = arms(&machine, id).iter();
        let left = arms.map(|arm| testing::left_to_next(&machine, id, arm).map(|(next, _)| next));
        left.collect::<Vec<_>>()
    };
    // Not the "<", which the next state treats in another way, and not to the state itself.
    assert_eq!(left(StateId(0)), [None, Some(StateId(1)), None]);
    assert_eq!(left(StateId(1)), [None, None]);
}

#[test]
fn bodies_that_emit_a_token_at_their_end_share_that() {
    let machine = machine(
        "  data:
    consume:
      U+003C (<): [create a comment token, switch to other]
      EOF: emit EOF
      anything else: [emit the current input character, stay]
  other:
    consume:
      U+003C (<): [emit the comment token, switch to data]
      U+003E (>): [emit the comment token, reconsume in data]
      EOF: [emit the comment token, reconsume in data]
      anything else: stay
",
    );
    let shared = testing::shared(&machine);
    let states: Vec<_> = shared
        .iter()
        .map(|s| (s.emission.next, &s.states[..]))
        .collect();
    assert_eq!(states, [(StateId(0), &[StateId(1)][..])]);
}

#[test]
fn a_state_without_a_fast_path_says_why() {
    let machine = machine(
        "  data:
    consume:
      U+003C (<): switch to other
      EOF: emit EOF
      anything else: [emit the current input character, emit \"!\", stay]
  other:
    consume:
      EOF: emit EOF
      anything else: reconsume in data
",
    );
    let why = |id| scan::self_loop(&machine, StateId(id)).expect_err("no loop");
    assert_eq!(
        why(0),
        "its arm for anything else does more than to append or emit the character"
    );
    assert_eq!(why(1), "its arm for anything else leaves the state");
    assert!(rewind::rewinding(&machine).is_empty());
    assert_eq!(
        token_start::entry_states(&machine)
            .into_iter()
            .collect::<Vec<_>>(),
        [StateId(0)]
    );
    assert!(!hot::hot(&machine).is_empty());
}

#[test]
fn an_arm_that_creates_a_token_leaves_its_first_character_to_the_next_state() {
    let machine = machine(
        "  data:
    consume:
      U+003C (<): [create a comment token, reconsume in other]
      U+0021 (!): [create a comment token, switch to other]
      EOF: emit EOF
      anything else: [emit the current input character, stay]
  other:
    consume:
      U+003E (>): [emit the comment token, switch to data]
      EOF: [emit the comment token, reconsume in data]
      anything else: [append the current input character to the comment data, stay]
",
    );
    let creates = arms(&machine, StateId(0))
        .iter()
        .map(|arm| testing::creates_for_next(&machine, StateId(0), arm));
    assert_eq!(creates.collect::<Vec<_>>(), [true, false, false]);
}
