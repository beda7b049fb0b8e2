//! Makes the two sides speak of the same: states under the table's names, and where attributes get
//! references.

use std::collections::HashMap;

use super::facts::{Act, Body, Cond, Facts, State, Step, Target, To};
use super::values::RETURN_STATE;

/// Renames the states of a text as the table writes them: only the case of letters may differ.
pub(crate) fn rename(text: &mut Facts, table: &Facts) {
    let mut names: HashMap<String, String> = HashMap::new();
    for state in &table.states {
        names.insert(state.name.to_lowercase(), state.name.clone());
    }
    let rename = |name: &mut String| {
        if let Some(known) = names.get(&name.to_lowercase()) {
            name.clone_from(known);
        }
    };
    for state in &mut text.states {
        rename(&mut state.name);
        each_list(state, &mut |steps| rename_steps(steps, &rename));
    }
    if let Some(initial) = &mut text.stream.initial {
        rename(&mut initial.what);
    }
}

fn rename_steps(steps: &mut [Step], rename: &dyn Fn(&mut String)) {
    for step in steps {
        match step {
            Step::Go(To::State(name)) | Step::Do(Act::SetState(_, name)) => rename(name),
            Step::If(_, then, otherwise) => {
                rename_steps(then, rename);
                rename_steps(otherwise, rename);
            }
            _ => {}
        }
    }
}

/// Says which question "consumed as part of an attribute" is: by the procedure's callers, or by the return
/// state. Either way it is those states that put references into attribute values.
pub(crate) fn in_attribute(facts: &mut Facts) {
    let mut callers = Vec::new();
    let mut returning = Vec::new();
    for state in &facts.states {
        let (mut attempts, mut writes, mut returns) = (false, false, false);
        state.steps(&mut |step| match step {
            Step::Attempt(_) => attempts = true,
            Step::Do(Act::Write {
                target: Target::AttributeValue,
                ..
            }) => writes = true,
            Step::Do(Act::SetState(register, own)) => {
                returns |= register == RETURN_STATE && *own == state.name;
            }
            _ => {}
        });
        if attempts && writes {
            callers.push(state.name.clone());
        } else if returns && writes {
            returning.push(state.name.clone());
        }
    }
    let meant = match callers.is_empty() {
        true => Cond::StateIs(RETURN_STATE.to_owned(), returning),
        false => Cond::Caller(callers),
    };
    for state in &mut facts.states {
        each_list(state, &mut |steps| replace_steps(steps, &meant));
        replace_branches(&mut state.body, &meant);
    }
}

fn replace_steps(steps: &mut [Step], meant: &Cond) {
    for step in steps {
        if let Step::If(cond, then, otherwise) = step {
            replace(cond, meant);
            replace_steps(then, meant);
            replace_steps(otherwise, meant);
        }
    }
}

fn replace_branches(body: &mut Body, meant: &Cond) {
    if let Body::Branch(cond, then, otherwise) = body {
        replace(cond, meant);
        replace_branches(then, meant);
        replace_branches(otherwise, meant);
    }
}

fn replace(cond: &mut Cond, meant: &Cond) {
    match cond {
        Cond::InAttribute => *cond = meant.clone(),
        Cond::Not(inner) => replace(inner, meant),
        Cond::All(all) | Cond::Any(all) => all.iter_mut().for_each(|cond| replace(cond, meant)),
        _ => {}
    }
}

/// All lists of steps of a state.
fn each_list(state: &mut State, visit: &mut dyn FnMut(&mut [Step])) {
    visit(&mut state.entry);
    visit(&mut state.leaving);
    body_lists(&mut state.body, visit);
}

fn body_lists(body: &mut Body, visit: &mut dyn FnMut(&mut [Step])) {
    match body {
        Body::Steps(steps) => visit(steps),
        Body::Consume(consume) => {
            for arm in consume.arms.iter_mut().chain(&mut consume.anything_else) {
                visit(&mut arm.steps);
            }
        }
        Body::Match { matched, unmatched } => {
            visit(&mut matched.steps);
            visit(&mut unmatched.steps);
        }
        Body::Branch(_, then, otherwise) => {
            body_lists(then, visit);
            body_lists(otherwise, visit);
        }
    }
}
