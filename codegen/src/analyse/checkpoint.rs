//! The registers that a checkpoint keeps: between two tokens, the rest of the stream depends on them and on the state.

use std::collections::BTreeSet;

use super::live::live;
use crate::machine::{Guard, Machine, RegisterId};
use crate::uses::Variable;

/// For each state, the registers on which the rest of the stream depends; `None` if it depends on a token, too.
pub(crate) fn deciding(machine: &Machine) -> Vec<Option<BTreeSet<RegisterId>>> {
    let states = live(machine).into_iter();
    let registers = |live: BTreeSet<Variable>| {
        let variables = live.into_iter().map(|variable| match variable {
            Variable::Register(id) => Some(Some(id)),
            Variable::Token(_) => None,
            // Not registers: the driver has them.
            Variable::LastStartTag | Variable::Matched | Variable::Mark => Some(None),
        });
        let registers: Option<Vec<_>> = variables.collect();
        Some(registers?.into_iter().flatten().collect())
    };
    states.map(registers).collect()
}

/// The texts that the machine may have to know whether they were consumed last.
pub(crate) fn looked_behind(machine: &Machine) -> BTreeSet<&str> {
    let questions = machine.all_questions();
    questions
        .filter_map(|question| match question {
            Guard::LastConsumed(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}
