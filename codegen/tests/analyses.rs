//! What the analyses find on tiny tables.

mod support;

use std::path::Path;

use speclex_codegen::Source;
use speclex_codegen::analyse::{absorb, emission, hot, rewind, scan, token_start};
use speclex_codegen::machine::{Arm, Machine, StateId, StateKind};

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
        let left = arms.map(|arm| absorb::left_to_next(&machine, id, arm).map(|(next, _)| next));
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
    let shared = emission::shared(&machine);
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
