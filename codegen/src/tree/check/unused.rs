//! Warnings of what is declared and not used, and of variables that phrases need and the table does not declare.

use super::Checker;
use crate::diagnostic::Code;
use crate::tree::facts::{Fact, Facts};
use crate::tree::machine::Variable;
use crate::tree::written::Sections;
use std::collections::{BTreeSet, HashSet};

impl Checker<'_, '_> {
    pub(super) fn unused(&mut self) {
        let mut used: HashSet<Fact> = HashSet::new();
        let mut note = |fact: Fact| _ = used.insert(fact);
        let mut undeclared = Vec::new();
        for (body, places) in self.machine.bodies.iter().zip(&self.places) {
            for (block, (spans, exit)) in body.blocks.iter().zip(&places.blocks) {
                let steps: Vec<(&dyn Facts, _)> = block
                    .steps
                    .iter()
                    .map(|step| step as &dyn Facts)
                    .zip(spans.iter().copied())
                    .collect();
                for (it, span) in steps
                    .into_iter()
                    .chain([(&block.exit as &dyn Facts, *exit)])
                {
                    it.facts(&mut |fact| {
                        note(fact);
                        if let Fact::Variable(variable) = fact
                            && !self.machine.variables.contains(&variable)
                        {
                            undeclared.push((variable, span));
                        }
                    });
                }
            }
        }
        for condition in &self.machine.conditions {
            condition.guard.facts(&mut note);
        }
        let takes = self
            .machine
            .modes
            .iter()
            .flat_map(|mode| &mode.arms)
            .flat_map(|arm| &arm.takes);
        takes
            .filter_map(|takes| takes.guard.as_ref())
            .for_each(|guard| guard.facts(&mut note));
        if let Some(fragments) = &self.machine.fragments {
            fragments.result.facts(&mut note);
            let guards = (fragments.contents.iter()).filter_map(|first| first.guard.as_ref());
            guards.for_each(|guard| guard.facts(&mut note));
        }
        let mut said = BTreeSet::new();
        for (variable, span) in undeclared {
            if said.insert(variable) {
                let name = variable.as_str();
                let help = format!(
                    "declare it under `variables`: `{name}: …`; docs/tree-language.md lists the types"
                );
                self.phrases
                    .faults
                    .unknown(Code::UnknownVariable, span, "variable", name)
                    .help(help);
            }
        }
        self.warn(&used);
    }

    fn warn(&mut self, used: &HashSet<Fact>) {
        let table = self.table;
        let has = |fact: Fact| used.contains(&fact);
        let states = &self.phrases.declared.states;
        let state = |name: &str| states.iter().position(|state| state.name == name);
        let scopes = table.scopes.iter().filter_map(|it| it.value.as_ref());
        let members: HashSet<&str> = scopes
            .flat_map(|it| &it.names)
            .map(|it| it.text.as_str())
            .collect();
        for section in table.sections() {
            let is_used = |number, name: &str| match section.kind {
                Sections::Variable => {
                    let known = Variable::ALL.into_iter().find(|it| it.as_str() == name);
                    match (known, state(name)) {
                        // An insertion mode there always is; foster parenting may only be set.
                        (Some(Variable::InsertionMode), _) => true,
                        (Some(known), _) => has(Fact::Variable(known)),
                        (None, state) => state.is_none_or(|state| has(Fact::State(state))),
                    }
                }
                Sections::Question => state(name).is_none_or(|state| has(Fact::State(state))),
                Sections::Property => has(Fact::Property(number)),
                Sections::HostStep => has(Fact::Host(number)),
                Sections::Condition => {
                    has(Fact::Condition(number)) || self.questions.iter().any(|it| it == name)
                }
                Sections::ElementType => has(Fact::Set(number)),
                Sections::Scope => has(Fact::Scope(number)) || members.contains(name),
                Sections::Names => has(Fact::Names(number)),
                Sections::Quirks => has(Fact::Quirks(number)),
                Sections::Procedure => has(Fact::Calls(number)),
                Sections::Class | Sections::Popping => true,
            };
            section.warn_unused(is_used, self.phrases.faults);
        }
        for body in 0..table.procedures.len() {
            self.unused_holes(body);
        }
    }

    /// Warns of holes of a procedure that its steps do not use.
    fn unused_holes(&mut self, number: usize) {
        let body = &self.machine.bodies[number];
        let mut read = BTreeSet::new();
        let mut note = |fact| {
            if let Fact::Reads(slot) = fact {
                read.insert(slot);
            }
        };
        for block in &body.blocks {
            block.steps.iter().for_each(|step| step.facts(&mut note));
            block.exit.facts(&mut note);
        }
        for slot in 0..body.parameters {
            if !read.contains(&slot) {
                let message = format!("the procedure does not use its `{}`", body.slots[slot].name);
                let at = self.table.procedures[number].name.at;
                self.phrases
                    .faults
                    .add(Code::UnusedVariable, at, message)
                    .help("leave the hole out of its name, or use it");
            }
        }
    }
}
