//! What rows cite: an input that goes through their arms, and that both tokenizers make different things of.

use speclex_analysis::diff::{ArmRow, Cause, Setup};
use speclex_analysis::trace::{Read, Step, Tracer};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Machine, State, StateKind};

use super::shipped::Shipped;
use super::{generated_outputs, machine};

/// The steps that a machine takes.
fn steps(machine: &Machine, setup: &Setup, input: &str) -> Vec<Step> {
    let mut tracer = Tracer::new(machine, setup).expect("a start");
    let mut steps = Vec::new();
    let mut take = |tracer: &mut Tracer<'_>| {
        while let Some(step) = tracer.step().expect("a step") {
            steps.push(step);
        }
    };
    tracer.push(input);
    take(&mut tracer);
    tracer.end();
    take(&mut tracer);
    steps
}

/// The set of a state's arm with this name.
fn set_named<'m>(state: &'m State, name: &str) -> Option<&'m CharSet> {
    match &state.kind {
        StateKind::Consume(consume) => {
            let arm = consume.arms.iter().find(|arm| arm.label == name)?;
            Some(&arm.set)
        }
        _ => None,
    }
}

/// The characters that `U+0041 (A) to U+005A (Z), U+005F (_)` names.
fn set_spelled(text: &str) -> CharSet {
    let code = |text: &str| {
        let digits = text.trim().strip_prefix("U+")?;
        u32::from_str_radix(digits.split(' ').next()?, 16).ok()
    };
    let ranges = text.split(", U+").map(|part| {
        let part = format!("U+{}", part.trim_start_matches("U+"));
        let (first, last) = part.split_once(" to ").unwrap_or((&part, &part));
        code(first).zip(code(last)).expect("a range")
    });
    CharSet::from_ranges(ranges)
}

/// Whether a side takes the row's arm, or where only the other has one for it, its own on the same.
fn goes_through(row: &ArmRow, machines: &[Machine; 2], all: &[Vec<Step>; 2]) -> bool {
    let states = [0, 1].map(|side| {
        let mut states = machines[side].states.iter();
        states
            .find(|state| state.name == row.states[side])
            .expect("a state")
    });
    let sets = states.map(|state| set_named(state, &row.on));
    let spelled = match row.on.strip_prefix("anything but ") {
        _ if sets != [None, None] => None,
        Some(others) => {
            let all = CharSet::from_ranges([(0, u32::from(char::MAX))]);
            Some(all.difference(&set_spelled(others)))
        }
        None => row.on.starts_with("U+").then(|| set_spelled(&row.on)),
    };
    (0..2).any(|side| {
        let takes = |step: &Step| {
            let fits = match (&spelled, step.read.clone()) {
                (Some(set), Read::Character(c)) => set.contains(c),
                (Some(_), _) => false,
                (None, Read::Character(c)) => {
                    step.said.on == row.on && sets.iter().flatten().all(|set| set.contains(c))
                }
                (None, _) => step.said.on == row.on,
            };
            *step.state == *row.states[side] && fits
        };
        all[side].iter().any(takes)
    })
}

/// Rows of a change, and which witnesses they cite.
type Cited<'c> = (&'c [usize], Vec<Option<usize>>);

pub(crate) fn a_row_cites_an_input_that_goes_through_its_arms(shipped: &Shipped) {
    let (diff, behaviour, [a, b]) = (shipped.diff(), shipped.behaviour(), shipped.names);
    let machines = [machine(a), machine(b)];
    let mut cited = 0;
    let witnesses = &behaviour.searched.witnesses;
    let cited_by = |rows: fn(&Cause) -> Cited<'_>| {
        let all = behaviour.causes.iter().flat_map(move |cause| {
            let (rows, cited) = rows(cause);
            rows.iter().copied().zip(cited).collect::<Vec<_>>()
        });
        let all = all.filter_map(|(row, cited)| Some((row, &witnesses[cited?])));
        all.collect::<Vec<_>>()
    };
    for (row, witness) in cited_by(|cause| (&cause.arms, cause.through.clone())) {
        let row = &diff.structure.arms[row];
        let all = [0, 1].map(|side| steps(&machines[side], &witness.setup, &witness.input));
        assert!(
            goes_through(row, &machines, &all),
            "{a} and {b}: {:?} on {} cites {:?}",
            row.states,
            row.on,
            witness.input
        );
        let outputs = generated_outputs([a, b], witness);
        assert_eq!(
            outputs, witness.outputs,
            "{a} and {b} on {:?}",
            witness.input
        );
        cited += 1;
    }
    fn first(cause: &Cause) -> Vec<Option<usize>> {
        cause.passing.iter().map(|it| it.first().copied()).collect()
    }
    for (state, witness) in cited_by(|cause| (&cause.only, first(cause))) {
        let state = &diff.structure.only[state];
        let steps = steps(&machines[state.side], &witness.setup, &witness.input);
        assert!(
            steps.iter().any(|step| *step.state == *state.name),
            "{a} and {b}: {} cites {:?}",
            state.name,
            witness.input
        );
        cited += 1;
    }
    assert!(cited > 0, "no citation");
}
