//! What a body is called in Rust, and what its parameters, slots and result are.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};
use quote::format_ident;

use super::super::facts::{Fact, Facts, Given};
use super::super::machine::{
    Block, Body, BodyId, ElementName, Exit, Mode, Rules, Step, TreeMachine, Types,
};
use super::blocks::is_read;
use super::idents::{Idents, unused};
use crate::emit::names::snake;

/// A body as a function.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) ident: Ident,
    pub(super) sorts: Vec<Given>,
    pub(super) slots: Vec<Ident>,
    pub(super) returns: Option<Given>,
    /// Whether it, or what it runs, may stop the parsing.
    pub(super) may_stop: bool,
}

impl Function {
    /// That of what stands in no body.
    pub(super) fn none() -> Self {
        Self {
            ident: Ident::new("none", Span::call_site()),
            sorts: Vec::new(),
            slots: Vec::new(),
            returns: None,
            may_stop: false,
        }
    }
}

/// The functions of all bodies.
pub(super) fn functions(machine: &TreeMachine, idents: &Idents) -> Vec<Function> {
    let mut taken = idents.functions.clone();
    let mut idents: BTreeMap<BodyId, Ident> = BTreeMap::new();
    for rules in &machine.modes {
        for arm in &rules.arms {
            let name = format!("{} {}", rules.name, short(&arm.key));
            let ident = unused(&mut taken, &snake(&name), "_");
            idents.entry(arm.body).or_insert(ident);
        }
    }
    let held = held(machine);
    let bodies = machine.bodies.iter().enumerate();
    let bodies: Vec<(BodyId, &Body, Ident)> = bodies
        .map(|(id, body)| {
            let ident = idents.remove(&id).unwrap_or_else(|| {
                let name = body.name.to_ascii_lowercase();
                unused(&mut taken, &snake(&name), "_")
            });
            (id, body, ident)
        })
        .collect();
    let mut functions: Vec<Function> = (bodies.into_iter())
        .map(|(id, body, ident)| {
            // A variable hides the function of its name.
            let mut names = taken.clone();
            // What is set and never read is not the table's fault: a step may have more results than one.
            let slots = body.slots.iter().enumerate().map(|(number, slot)| {
                let name = variable(&slot.name);
                let name = match is_read(body, number) {
                    true => name,
                    false => format_ident!("_{name}"),
                };
                unused(&mut names, &name, "_")
            });
            Function {
                ident,
                slots: slots.collect(),
                returns: held[id].1,
                sorts: held[id].0.clone(),
                may_stop: false,
            }
        })
        .collect();
    loop {
        let may_stop: Vec<bool> = (machine.bodies.iter())
            .map(|body| {
                body.blocks
                    .iter()
                    .any(|block| stops(machine, block, &functions))
            })
            .collect();
        let before: Vec<bool> = functions.iter().map(|it| it.may_stop).collect();
        if may_stop == before {
            return functions;
        }
        for (function, may_stop) in functions.iter_mut().zip(may_stop) {
            function.may_stop = may_stop;
        }
    }
}

/// `adjustedInsertionLocation` is `adjusted_insertion_location`.
fn variable(name: &str) -> Ident {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !name.chars().all(|c| c.is_ascii_uppercase()) {
            words.push(' ');
        }
        words.push(c.to_ascii_lowercase());
    }
    snake(&words)
}

/// The first words of an arm's key: `start tag "b", "big"` is `start b`.
fn short(key: &str) -> String {
    let first = key.split([',', ';']).next().unwrap_or_default();
    let first = first.trim_start_matches("? ").replace(" tag ", " ");
    first.replace(" token", "").replace("U+0000", "nul")
}

/// Whether a block may stop the parsing.
fn stops(machine: &TreeMachine, block: &Block, functions: &[Function]) -> bool {
    let mut stops = matches!(block.exit, Exit::StopParsing);
    let mut note = |fact| {
        stops |= match fact {
            Fact::Calls(body) => functions[body].may_stop,
            Fact::Runs(mode, arm) => functions[machine.body_of(mode, arm)].may_stop,
            Fact::Delegates(mode) => rules_may_stop(machine, mode, functions),
            _ => false,
        };
    };
    block.steps.iter().for_each(|step| step.facts(&mut note));
    block.exit.facts(&mut note);
    stops
}

/// Whether rules may stop the parsing.
pub(super) fn rules_may_stop(machine: &TreeMachine, mode: Mode, functions: &[Function]) -> bool {
    let arms = |rules: &Rules| rules.arms.iter().any(|arm| functions[arm.body].may_stop);
    match mode {
        Mode::Named(mode) => machine.modes.get(mode).is_some_and(arms),
        Mode::Current | Mode::Original | Mode::CurrentTemplate => machine.modes.iter().any(arms),
    }
}

/// What the slots of a body hold, and what it returns.
type Held = (Vec<Given>, Option<Given>);

/// What the slots of all bodies hold and what they return, which the machine knows but for two things: whether a node may be one that the
/// sink has found, and whether a text is a name. Both follow from what is put there, here and by callers.
fn held(machine: &TreeMachine) -> Vec<Held> {
    let mut held: Vec<Held> = (machine.bodies.iter())
        .map(|body| {
            let slots = body.slots.iter().map(|slot| Given::from(slot.sort));
            (slots.collect(), body.returns.map(Given::from))
        })
        .collect();
    loop {
        let before = held.clone();
        for (id, body) in machine.bodies.iter().enumerate() {
            let is = |given: Given| match given {
                Given::Slot(slot) => before[id].0[slot],
                Given::Result(body) => before[body].1.unwrap_or(Given::Nothing),
                given => given,
            };
            for block in &body.blocks {
                let mut note = |fact| {
                    if let Fact::Gives(body, slot, given) = fact {
                        held[body].0[slot].add(is(given));
                    }
                };
                block.exit.facts(&mut note);
                block.steps.iter().for_each(|step| step.facts(&mut note));
                for step in &block.steps {
                    if let Step::Set(slot, value) = step {
                        held[id].0[*slot].add(is(Given::of(value)));
                    }
                }
                if let (Exit::Return(value), Some(returns)) = (&block.exit, &mut held[id].1) {
                    returns.add(is(Given::of(value)));
                }
            }
        }
        if before == held {
            return held;
        }
    }
}

/// The single element type that types are.
pub(super) fn single(types: &Types) -> Option<&ElementName> {
    match types {
        Types::Names(names) => match &names[..] {
            [name] => Some(name),
            _ => None,
        },
        _ => None,
    }
}
