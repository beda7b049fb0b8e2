//! Steps that come after the end of every path.

use super::model::{Body, Checked, Step, StepKind};
use crate::diagnostic::{Code, Faults};

/// Reports them in all lists of the table.
pub(super) fn check(checked: &Checked, faults: &mut Faults) {
    for state in &checked.states {
        list(&state.first, faults);
        list(&state.leaving, faults);
        body(&state.body, faults);
    }
    for steps in &checked.step_lists {
        list(steps, faults);
    }
}

fn body(body: &Body, faults: &mut Faults) {
    match body {
        Body::Arms { arms, .. } => arms.iter().for_each(|arm| list(&arm.steps, faults)),
        Body::Match(arms) => {
            list(&arms.0.steps, faults);
            list(&arms.1.steps, faults);
        }
        Body::Steps(steps) => list(steps, faults),
        Body::Branches(branches) => {
            for (_, inner) in branches {
                self::body(inner, faults);
            }
        }
        Body::Unknown => {}
    }
}

fn list(steps: &[Step], faults: &mut Faults) {
    for (step, next) in steps.iter().zip(steps.iter().skip(1)) {
        let reason = match &step.kind {
            StepKind::AsAnythingElse => "`as anything else` must be last in its list",
            StepKind::EmitEof => "`emit EOF` ends the tokenization",
            StepKind::Return(_) => "`return` ends the procedure",
            StepKind::If(..) if leads_away(step) => "every branch before it has a successor",
            _ => continue,
        };
        // Another fault says what it may be.
        if matches!(next.kind, StepKind::Unknown) {
            continue;
        }
        let message = format!("this step never runs: {reason}");
        faults
            .add(Code::UnreachableStep, next.span, message)
            .help("put it in front, or remove it");
    }
    for step in steps {
        if let StepKind::If(branches, otherwise) = &step.kind {
            branches.iter().for_each(|(_, steps)| list(steps, faults));
            list(otherwise, faults);
        }
    }
}

/// Whether every path through the step has its successor.
fn leads_away(step: &Step) -> bool {
    let any = |steps: &[Step]| steps.iter().any(leads_away);
    match &step.kind {
        StepKind::Go(..) | StepKind::EmitEof | StepKind::Return(_) | StepKind::AsAnythingElse => {
            true
        }
        StepKind::If(branches, otherwise) => {
            branches.iter().all(|(_, steps)| any(steps)) && any(otherwise)
        }
        _ => false,
    }
}
