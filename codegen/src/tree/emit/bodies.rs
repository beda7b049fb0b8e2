//! What a body is called in Rust, and what its parameters, slots and result are.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};
use quote::format_ident;

use super::super::facts::{Fact, Facts, Given};
use super::super::machine::{
    Block, Body, BodyId, ElementName, Exit, Mode, Node, Rules, Step, TreeMachine, Types, Value,
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
    let sorts = sorts(machine);
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
            let slots = body.slots.iter().enumerate().map(|(number, name)| {
                let name = slot(name);
                let name = match is_read(body, number) {
                    true => name,
                    false => format_ident!("_{name}"),
                };
                unused(&mut names, &name, "_")
            });
            Function {
                ident,
                slots: slots.collect(),
                returns: returned(body).map(|value| match Given::of(value) {
                    Given::Slot(slot) => sorts[id][slot],
                    given => given,
                }),
                sorts: sorts[id].clone(),
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
fn slot(name: &str) -> Ident {
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

/// The first value that a body returns that is not null.
fn returned(body: &Body) -> Option<&Value> {
    let values = body.blocks.iter().filter_map(|block| match &block.exit {
        Exit::Return(value) => Some(value),
        _ => None,
    });
    values.min_by_key(|value| **value == Value::Null)
}

/// What the slots of all bodies hold: what is put into them here and by callers. Nothing known is a node.
fn sorts(machine: &TreeMachine) -> Vec<Vec<Given>> {
    let slots = machine
        .bodies
        .iter()
        .map(|body| vec![Given::Node; body.slots.len()]);
    let mut sorts: Vec<Vec<Given>> = slots.collect();
    loop {
        let before = sorts.clone();
        for (id, body) in machine.bodies.iter().enumerate() {
            let mut put = |body: BodyId, slot: usize, given: Given| {
                let given = match given {
                    Given::Slot(from) => sorts[id][from],
                    given => given,
                };
                let is_known = matches!(given, Given::Node) && sorts[body][slot] == Given::Found;
                if given != Given::Nothing && !is_known {
                    sorts[body][slot] = given;
                }
            };
            for block in &body.blocks {
                let mut note = |fact| {
                    if let Fact::Gives(body, slot, given) = fact {
                        put(body, slot, given);
                    }
                };
                block.exit.facts(&mut note);
                block.steps.iter().for_each(|step| step.facts(&mut note));
                for step in &block.steps {
                    match step {
                        Step::Set(slot, Value::Node(Node::Call(call))) => {
                            let value = returned(&machine.bodies[call.body]);
                            let given = value.map_or(Given::Nothing, Given::of);
                            put(
                                id,
                                *slot,
                                match given {
                                    Given::Slot(from) => before[call.body][from],
                                    given => given,
                                },
                            );
                        }
                        Step::Set(slot, value) => put(id, *slot, Given::of(value)),
                        Step::Increment(slot, _) => put(id, *slot, Given::Number),
                        _ => {}
                    }
                }
            }
        }
        if before == sorts {
            return sorts;
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
