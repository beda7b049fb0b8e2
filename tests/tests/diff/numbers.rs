//! Changes of what is done with numbers: the search finds them.

use speclex_analysis::diff::{self, ErrorComparison};
use speclex_analysis::prove::prove;
use speclex_codegen::analyse::bodies;
use speclex_codegen::machine::{
    Action, Body, ErrorId, Guard, Machine, Next, RegisterId, StateKind, Target, Value,
};

use super::machine;

const TABLES: [&str; 4] = ["html-2009", "html-2012", "html-living", "xml5"];

/// What is done to a number that has its mark.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// Its character comes out twice.
    Twice,
    /// It does not come out.
    Lost,
    /// There is an error more.
    Error,
}

/// The register whose character an action writes.
fn written(action: &Action) -> Option<RegisterId> {
    match action {
        Action::EmitText(Value::Code(register))
        | Action::Append(_, Value::Code(register))
        | Action::AppendAttribute(_, _, Value::Code(register))
        | Action::AppendRegister(_, Value::Code(register)) => Some(*register),
        _ => None,
    }
}

/// The bodies of a state, to be changed.
fn bodies_mut(kind: &mut StateKind) -> Vec<&mut Body> {
    match kind {
        StateKind::Consume(consume) => {
            let literals = consume.literals.iter_mut().map(|l| &mut l.body);
            let arms = consume.arms.iter_mut().map(|arm| &mut arm.body);
            literals.chain(arms).chain([&mut consume.eof]).collect()
        }
        StateKind::Steps(body) => vec![body],
        StateKind::Match { matched, unmatched } => vec![matched, unmatched],
    }
}

/// The register that digits are added to.
fn number_register(machine: &Machine) -> RegisterId {
    let all = machine.states.iter().flat_map(bodies);
    let mut actions = all.flat_map(|body| &body.actions);
    let added = actions.find_map(|action| match action {
        Action::AddDigit(register) => Some(*register),
        _ => None,
    });
    added.expect("a register for numbers")
}

/// Whether a body writes the character of a number, wherever its questions lead.
fn writes_number(body: &Body) -> bool {
    let further = match &body.next {
        Next::Go { .. } => false,
        Next::If {
            then, otherwise, ..
        } => writes_number(then) || writes_number(otherwise),
    };
    further || body.actions.iter().any(|action| written(action).is_some())
}

fn each_body(body: &mut Body, change: &dyn Fn(&mut Body)) {
    change(body);
    if let Next::If {
        then, otherwise, ..
    } = &mut body.next
    {
        each_body(then, change);
        each_body(otherwise, change);
    }
}

/// The machine with a change for one number.
fn changed(base: &Machine, number: u32, change: Change) -> Machine {
    let mut machine = base.clone();
    let register = number_register(base);
    for state in &mut machine.states {
        for body in bodies_mut(&mut state.kind) {
            if !writes_number(body) {
                continue;
            }
            let mut then = body.clone();
            if let Change::Error = change {
                then.actions.insert(0, Action::Error(ErrorId(0)));
            }
            each_body(&mut then, &|body| {
                let mut actions = Vec::new();
                for action in &body.actions {
                    match (change, written(action)) {
                        (Change::Twice, Some(_)) => {
                            actions.extend([action.clone(), action.clone()]);
                        }
                        (Change::Lost, Some(_)) => {}
                        _ => actions.push(action.clone()),
                    }
                }
                body.actions = actions;
            });
            let whole = std::mem::replace(
                body,
                Body {
                    actions: Vec::new(),
                    next: Next::Go {
                        target: Target::End,
                        reconsume: false,
                    },
                },
            );
            body.next = Next::If {
                guard: Guard::NumberIn(register, vec![(number, number)]),
                then: Box::new(then),
                otherwise: Box::new(whole),
            };
        }
    }
    machine
}

#[test]
fn a_number_of_one_digit_that_comes_out_twice_is_found() {
    for name in TABLES {
        let base = machine(name);
        // In html-2009 a rule beside its table of numbers makes U+FFFD of zero, in a body of its own.
        let number = if name == "html-2009" { 9 } else { 0 };
        for change in [Change::Twice, Change::Error, Change::Lost] {
            let mutant = changed(&base, number, change);
            let searched = diff::first_difference(&base, &mutant);
            assert!(!searched.witnesses.is_empty(), "{name}: {change:?}");
        }
    }
}

/// The search tries a depth of brackets in the DOCTYPE of xml5 for others from two on.
#[test]
fn no_change_at_a_depth_is_equal() {
    let base = machine("xml5");
    let depth = base
        .registers
        .iter()
        .position(|it| it.name == "doctype depth");
    let depth = RegisterId(u32::try_from(depth.expect("a register")).expect("few registers"));
    for at in [1, 2, 3, 40] {
        for once_more in [Action::Increase(depth), Action::Decrease(depth)] {
            let mut mutant = base.clone();
            for body in mutant
                .states
                .iter_mut()
                .flat_map(|state| bodies_mut(&mut state.kind))
            {
                if body.actions != [Action::Increase(depth)] {
                    continue;
                }
                let mut then = body.clone();
                then.actions.push(once_more.clone());
                body.next = Next::If {
                    guard: Guard::NumberIn(depth, vec![(at, at)]),
                    then: Box::new(then),
                    otherwise: Box::new(body.clone()),
                };
                body.actions.clear();
            }
            assert!(base != mutant, "nothing increases the depth");
            let searched = diff::first_difference(&base, &mutant);
            let compared = ErrorComparison::of(&base, &mutant);
            assert!(
                prove(&base, &mutant, compared).is_err(),
                "{once_more:?} at {at}"
            );
            assert!(
                at > 3 || !searched.witnesses.is_empty(),
                "{once_more:?} at {at}"
            );
        }
    }
}
