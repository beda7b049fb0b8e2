//! Ways to write a machine differently that change nothing of what it does. `diff` must call none of them different.

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{
    Action, Arm, Body, Consume, ErrorId, Guard, Machine, Next, Register, RegisterId, RegisterType,
    State, StateId, StateKind, Target, Value,
};

/// A way to write a machine differently.
pub struct Refactoring {
    /// What is written differently.
    pub name: &'static str,
    /// Rewrites a machine.
    pub apply: fn(&mut Machine),
}

/// All of them.
pub const ALL: &[Refactoring] = &[
    Refactoring {
        name: "states in another order",
        apply: reverse_states,
    },
    Refactoring {
        name: "states under other names",
        apply: rename_states,
    },
    Refactoring {
        name: "error codes in another order",
        apply: reverse_errors,
    },
    Refactoring {
        name: "arms in another order",
        apply: reverse_arms,
    },
    Refactoring {
        name: "arms split in two",
        apply: split_arms,
    },
    Refactoring {
        name: "arms with the same steps joined",
        apply: join_arms,
    },
    Refactoring {
        name: "strings in another order",
        apply: reverse_literals,
    },
    Refactoring {
        name: "an arm for each character of a class",
        apply: inline_classes,
    },
    Refactoring {
        name: "the current input character written out",
        apply: write_out_current,
    },
    Refactoring {
        name: "lowercase left out where there is no uppercase",
        apply: drop_lowercase,
    },
    Refactoring {
        name: "strings emitted and appended in pieces",
        apply: split_strings,
    },
    Refactoring {
        name: "questions the other way round",
        apply: negate_questions,
    },
    Refactoring {
        name: "questions negated twice",
        apply: negate_questions_twice,
    },
    Refactoring {
        name: "questions that change nothing",
        apply: ask_needlessly,
    },
    Refactoring {
        name: "errors after the question they come before",
        apply: sink_errors,
    },
    Refactoring {
        name: "flags set before errors are reported",
        apply: swap_flags_and_errors,
    },
    Refactoring {
        name: "a register that is never read",
        apply: add_register,
    },
    Refactoring {
        name: "buffers emptied before they are set",
        apply: empty_twice,
    },
    Refactoring {
        name: "states that nothing leads to",
        apply: add_states,
    },
    Refactoring {
        name: "states split in two",
        apply: split_states,
    },
    Refactoring {
        name: "successors by way of a state without steps",
        apply: add_detours,
    },
    Refactoring {
        name: "what a character is reconsumed in written in its place",
        apply: inline_reconsumed,
    },
    Refactoring {
        name: "entry states in another order",
        apply: reverse_entries,
    },
];

fn consuming(machine: &mut Machine) -> impl Iterator<Item = &mut Consume> {
    machine
        .states
        .iter_mut()
        .filter_map(|state| match &mut state.kind {
            StateKind::Consume(consume) => Some(consume),
            _ => None,
        })
}

/// The bodies of a state, without those behind questions.
fn bodies(kind: &mut StateKind) -> Vec<&mut Body> {
    match kind {
        StateKind::Consume(consume) => {
            let literals = consume.literals.iter_mut().map(|literal| &mut literal.body);
            let arms = consume.arms.iter_mut().map(|arm| &mut arm.body);
            literals.chain(arms).chain([&mut consume.eof]).collect()
        }
        StateKind::Steps(body) => vec![body],
        StateKind::Match { matched, unmatched } => vec![matched, unmatched],
    }
}

/// Visits a body and all behind its questions, the inner ones first.
fn visit(body: &mut Body, change: &mut dyn FnMut(&mut Body)) {
    if let Next::If {
        then, otherwise, ..
    } = &mut body.next
    {
        visit(then, change);
        visit(otherwise, change);
    }
    change(body);
}

fn each_body(machine: &mut Machine, change: &mut dyn FnMut(&mut Body)) {
    let kinds = machine.states.iter_mut().map(|state| &mut state.kind);
    kinds.flat_map(bodies).for_each(|body| visit(body, change));
}

fn each_actions(machine: &mut Machine, change: &dyn Fn(Action) -> Vec<Action>) {
    each_body(machine, &mut |body| {
        let actions = std::mem::take(&mut body.actions);
        body.actions = actions.into_iter().flat_map(change).collect();
    });
}

/// Changes the successors, of which each has a number.
fn each_target(machine: &mut Machine, change: &mut dyn FnMut(usize, &mut Target)) {
    let mut number = 0;
    each_body(machine, &mut |body| {
        if let Next::Go { target, .. } = &mut body.next {
            number += 1;
            change(number, target);
        }
    });
}

fn reverse_states(machine: &mut Machine) {
    let last = machine.states.len() as u32 - 1;
    let moved = |id: StateId| StateId(last - id.0);
    // A state register begins with the first entry, which stays what it is.
    machine.states.reverse();
    machine.conditions.clear();
    each_target(machine, &mut |_, target| {
        if let Target::State(id) = target {
            *id = moved(*id);
        }
    });
    each_body(machine, &mut |body| {
        for action in &mut body.actions {
            if let Action::SetState(_, id) = action {
                *id = moved(*id);
            }
        }
        if let Next::If { guard, .. } = &mut body.next {
            each_guard(guard, &|guard| {
                if let Guard::StateIs(_, states) = guard {
                    states.iter_mut().for_each(|id| *id = moved(*id));
                }
            });
        }
    });
    machine
        .entries
        .iter_mut()
        .for_each(|entry| entry.state = moved(entry.state));
    machine.hot.iter_mut().for_each(|id| *id = moved(*id));
}

fn each_guard(guard: &mut Guard, change: &dyn Fn(&mut Guard)) {
    match guard {
        Guard::Not(inner) => each_guard(inner, change),
        Guard::All(parts) | Guard::Any(parts) => {
            parts.iter_mut().for_each(|part| each_guard(part, change))
        }
        _ => change(guard),
    }
}

fn rename_states(machine: &mut Machine) {
    for (index, state) in machine.states.iter_mut().enumerate() {
        state.name = format!("state number {index}");
    }
}

fn reverse_errors(machine: &mut Machine) {
    let last = machine.errors.len() as u32;
    let moved = |id: ErrorId| ErrorId((last - 1).saturating_sub(id.0));
    machine.errors.reverse();
    each_actions(machine, &|action| match action {
        Action::Error(id) => vec![Action::Error(moved(id))],
        other => vec![other],
    });
    let stream = machine.preprocessing.errors.iter_mut();
    stream.for_each(|(_, id)| *id = moved(*id));
    for (_, actions) in machine.on_emit.iter_mut().flat_map(|on| &mut on.steps) {
        for action in actions {
            if let Action::Error(id) = action {
                *id = moved(*id);
            }
        }
    }
}

fn reverse_arms(machine: &mut Machine) {
    for consume in consuming(machine) {
        let others = consume.arms.len() - 1;
        consume.arms[..others].reverse();
    }
}

fn split_arms(machine: &mut Machine) {
    for consume in consuming(machine) {
        let split = |arm: Arm| {
            let first = arm.set.first().map(CharSet::single);
            let rest = first.as_ref().map(|first| arm.set.difference(first));
            match (first, rest) {
                (Some(first), Some(rest)) if !rest.is_empty() => {
                    vec![
                        Arm {
                            set: first,
                            ..arm.clone()
                        },
                        Arm { set: rest, ..arm },
                    ]
                }
                _ => vec![arm],
            }
        };
        consume.arms = std::mem::take(&mut consume.arms)
            .into_iter()
            .flat_map(split)
            .collect();
    }
}

fn join_arms(machine: &mut Machine) {
    for consume in consuming(machine) {
        let mut joined: Vec<Arm> = Vec::new();
        // The last one stays the last.
        for arm in std::mem::take(&mut consume.arms).into_iter().rev() {
            let same = |other: &&mut Arm| (other.peeked, &other.body) == (arm.peeked, &arm.body);
            match joined.iter_mut().find(same) {
                Some(other) => other.set = other.set.union(&arm.set),
                None => joined.push(arm),
            }
        }
        joined.reverse();
        consume.arms = joined;
    }
}

fn reverse_literals(machine: &mut Machine) {
    for consume in consuming(machine) {
        let first = |text: &str| text.chars().next().map(|c| c.to_ascii_lowercase());
        let mut firsts: Vec<_> = consume.literals.iter().map(|it| first(&it.text)).collect();
        firsts.sort_unstable();
        firsts.dedup();
        if firsts.len() == consume.literals.len() {
            consume.literals.reverse();
        }
    }
}

/// More characters than this are no class to be written out.
const CLASS: usize = 60;

fn inline_classes(machine: &mut Machine) {
    for consume in consuming(machine) {
        let inline = |arm: Arm| match arm.set.len() as usize {
            2..=CLASS => {
                let single = |c: char| Arm {
                    set: CharSet::single(c),
                    ..arm.clone()
                };
                arm.set.iter().map(single).collect()
            }
            _ => vec![arm],
        };
        consume.arms = std::mem::take(&mut consume.arms)
            .into_iter()
            .flat_map(inline)
            .collect();
    }
}

fn write_out_current(machine: &mut Machine) {
    for arm in consuming(machine).flat_map(|consume| &mut consume.arms) {
        let mut characters = arm.set.iter();
        if let (Some(c), None) = (characters.next(), characters.next()) {
            visit(&mut arm.body, &mut |body| {
                let actions = std::mem::take(&mut body.actions);
                body.actions = actions.into_iter().map(|action| action.on(c)).collect();
            });
        }
    }
}

fn drop_lowercase(machine: &mut Machine) {
    for arm in consuming(machine).flat_map(|consume| &mut consume.arms) {
        if !arm.set.iter().any(|c| c.is_ascii_uppercase()) {
            visit(&mut arm.body, &mut |body| {
                body.actions
                    .iter_mut()
                    .filter_map(Action::value_mut)
                    .for_each(|value| {
                        if *value == Value::LowerCurrent {
                            *value = Value::Current;
                        }
                    });
            });
        }
    }
}

fn split_strings(machine: &mut Machine) {
    each_actions(machine, &|mut action| {
        let is_append = matches!(
            action,
            Action::EmitText(_)
                | Action::Append(..)
                | Action::AppendAttribute(..)
                | Action::AppendRegister(..)
        );
        let pieces: Vec<String> = match action.value_mut() {
            Some(Value::Literal(text)) if is_append => text.chars().map(String::from).collect(),
            _ => return vec![action],
        };
        let piece = |text: String| {
            let mut piece = action.clone();
            if let Some(value) = piece.value_mut() {
                *value = Value::Literal(text);
            }
            piece
        };
        pieces.into_iter().map(piece).collect()
    });
}

fn each_question(machine: &mut Machine, change: &dyn Fn(&mut Guard, &mut Body, &mut Body)) {
    each_body(machine, &mut |body| {
        if let Next::If {
            guard,
            then,
            otherwise,
        } = &mut body.next
        {
            change(guard, then, otherwise);
        }
    });
}

fn negate(guard: &mut Guard) {
    let inner = std::mem::replace(guard, Guard::StartTagEmitted);
    *guard = Guard::Not(Box::new(inner));
}

fn negate_questions(machine: &mut Machine) {
    each_question(machine, &|guard, then, otherwise| {
        negate(guard);
        std::mem::swap(then, otherwise);
    });
}

fn negate_questions_twice(machine: &mut Machine) {
    each_question(machine, &|guard, _, _| {
        negate(guard);
        negate(guard);
    });
}

fn ask_needlessly(machine: &mut Machine) {
    let letters = CharSet::from_ranges([('A' as u32, 'Z' as u32), ('a' as u32, 'z' as u32)]);
    for arm in consuming(machine).flat_map(|consume| &mut consume.arms) {
        if arm.body.actions.is_empty() {
            continue;
        }
        let body = Box::new(arm.body.clone());
        arm.body = Body {
            actions: Vec::new(),
            next: Next::If {
                guard: Guard::CurrentIn(letters.clone()),
                then: body.clone(),
                otherwise: body,
            },
        };
    }
}

fn sink_errors(machine: &mut Machine) {
    each_body(machine, &mut |body| {
        let Next::If {
            then, otherwise, ..
        } = &mut body.next
        else {
            return;
        };
        while let Some(error @ Action::Error(_)) = body.actions.last().cloned() {
            body.actions.pop();
            then.actions.insert(0, error.clone());
            otherwise.actions.insert(0, error);
        }
    });
}

fn swap_flags_and_errors(machine: &mut Machine) {
    each_body(machine, &mut |body| {
        for index in 1..body.actions.len() {
            if let [Action::Error(_), Action::SetFlag(..)] = body.actions[index - 1..=index] {
                body.actions.swap(index - 1, index);
            }
        }
    });
}

fn add_register(machine: &mut Machine) {
    let register = RegisterId(machine.registers.len() as u32);
    machine.registers.push(Register {
        name: "register that is never read".to_owned(),
        ty: RegisterType::Text,
    });
    each_body(machine, &mut |body| {
        let text = Value::Literal("x".to_owned());
        body.actions.insert(0, Action::SetText(register, text));
    });
}

fn empty_twice(machine: &mut Machine) {
    each_actions(machine, &|action| match action {
        Action::SetText(register, ref value) if *value != Value::Register(register) => {
            let empty = Value::Literal(String::new());
            vec![Action::SetText(register, empty), action]
        }
        _ => vec![action],
    });
}

fn add_states(machine: &mut Machine) {
    let mut copies = machine.states.clone();
    for state in &mut copies {
        state.name += ", again";
    }
    machine.states.extend(copies);
}

fn split_states(machine: &mut Machine) {
    let count = machine.states.len() as u32;
    add_states(machine);
    each_target(machine, &mut |number, target| {
        if let Target::State(id) = target
            && number % 2 == 0
            && id.0 % 8 == 1
        {
            id.0 += count;
        }
    });
}

fn add_detours(machine: &mut Machine) {
    let mut detours: Vec<State> = Vec::new();
    let count = machine.states.len() as u32;
    let section = machine.states[0].section.clone();
    each_target(machine, &mut |number, target| {
        if number % 9 == 0 {
            let name = format!("detour {number}");
            let next = Next::Go {
                target: *target,
                reconsume: false,
            };
            detours.push(State {
                origin: name.clone(),
                name,
                section: section.clone(),
                kind: StateKind::Steps(Body {
                    actions: Vec::new(),
                    next,
                }),
            });
            *target = Target::State(StateId(count + detours.len() as u32 - 1));
        }
    });
    machine.states.extend(detours);
}

fn inline_reconsumed(machine: &mut Machine) {
    let states = machine.states.clone();
    for arm in consuming(machine).flat_map(|consume| &mut consume.arms) {
        let Next::Go {
            target: Target::State(id),
            reconsume: true,
        } = arm.body.next
        else {
            continue;
        };
        let StateKind::Consume(to) = &states[id.0 as usize].kind else {
            continue;
        };
        let is_within = |other: &&Arm| arm.set.difference(&other.set).is_empty() && !other.peeked;
        if to.literals.is_empty()
            && arm.body.actions.is_empty()
            && !arm.peeked
            && let Some(other) = to.arms.iter().find(is_within)
        {
            arm.body = other.body.clone();
        }
    }
}

fn reverse_entries(machine: &mut Machine) {
    if let [_, others @ ..] = &mut machine.entries[..] {
        others.reverse();
    }
}
