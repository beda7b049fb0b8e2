//! There is a checkpoint after each token.

use std::collections::BTreeSet;

use crate::analyse::live::live;
use crate::analyse::states_in_registers;
use crate::check::article;
use crate::diagnostic::{Code, Faults, Span};
use crate::lower::Lowered;
use crate::lower::traced::{Body, End};
use crate::machine::{Action, Machine, Target};
use crate::uses::Variable;

/// Where a token is emitted, and the successor.
pub(crate) struct Emission {
    span: Span,
    target: Target,
}

/// Where tokens are emitted.
pub(crate) fn emissions(lowered: &Lowered) -> Vec<Emission> {
    let mut found = Vec::new();
    for body in lowered.states.iter().flat_map(|state| state.bodies()) {
        find(body, None, &mut found);
    }
    found
}

/// `emitted`: the last token that was emitted before.
fn find(body: &Body, mut emitted: Option<Span>, found: &mut Vec<Emission>) {
    for (action, span) in &body.actions {
        if let Action::Emit(_) = action {
            emitted = Some(*span);
        }
    }
    match &body.end {
        End::If {
            then, otherwise, ..
        } => {
            find(then, emitted, found);
            find(otherwise, emitted, found);
        }
        End::Go { target, .. } => {
            let target = *target;
            found.extend(emitted.map(|span| Emission { span, target }));
        }
    }
}

/// Warns of tokens after which there is no checkpoint.
pub(crate) fn check(machine: &Machine, emissions: &[Emission], faults: &mut Faults) {
    let live = live(machine);
    let held = states_in_registers(machine);
    let mut told = BTreeSet::new();
    for Emission { span, target } in emissions {
        let states = match target {
            Target::State(id) => BTreeSet::from([*id]),
            Target::Register(id) => held.get(id).cloned().unwrap_or_default(),
            Target::End => BTreeSet::new(),
        };
        for id in states {
            let mut live = live[id.0 as usize].iter();
            let token = live.find_map(|variable| match variable {
                Variable::Token(token) => Some(&machine.vocabulary.tokens[token.0 as usize].name),
                _ => None,
            });
            let Some(token) = token else { continue };
            if !told.insert(*span) {
                continue;
            }
            let (a, state) = (article(token), &machine.states[id.0 as usize].name);
            let message = format!(
                "there is no checkpoint after this token: {a} token is already under construction"
            );
            faults
                .add(Code::NoCheckpoint, *span, message)
                .label(format!("the state behind it, `{state}`, uses the token"))
                .help(format!(
                    "`create {a} token` where its first character is consumed; otherwise `Tokenizer::checkpoint` gives nothing there"
                ));
        }
    }
}
