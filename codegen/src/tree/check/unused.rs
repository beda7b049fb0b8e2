//! Warnings of what is declared and not used, and of variables that phrases need and the table does not declare.

use super::Checker;
use crate::diagnostic::Code;
use crate::tree::facts::{Fact, Facts};
use crate::tree::machine::Variable;
use crate::written::{Entry, Text};
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
        let mut unused: Vec<(&Text, Code, &'static str)> = Vec::new();
        for entry in &table.variables {
            let known = Variable::ALL
                .into_iter()
                .find(|it| it.as_str() == entry.name.text);
            let is_used = match (known, state(&entry.name.text)) {
                // An insertion mode there always is; foster parenting may only be set.
                (Some(Variable::InsertionMode), _) => true,
                (Some(known), _) => has(Fact::Variable(known)),
                (None, Some(state)) => has(Fact::State(state)),
                (None, None) => true,
            };
            if !is_used {
                unused.push((&entry.name, Code::UnusedVariable, "variable"));
            }
        }
        for entry in &table.questions {
            if state(&entry.name.text).is_some_and(|state| !has(Fact::State(state))) {
                unused.push((&entry.name, Code::UnusedVariable, "question"));
            }
        }
        fn add<'t, T>(
            unused: &mut Vec<(&'t Text, Code, &'static str)>,
            entries: &'t [Entry<T>],
            (code, what): (Code, &'static str),
            is_used: impl Fn(usize, &str) -> bool,
        ) {
            let entries = entries.iter().map(|entry| &entry.name).enumerate();
            let entries = entries.filter(|(number, name)| !is_used(*number, &name.text));
            unused.extend(entries.map(|(_, name)| (name, code, what)));
        }
        let condition = (Code::UnusedCondition, "condition");
        let is_asked = |name: &str| self.questions.iter().any(|question| question == name);
        add(&mut unused, &table.conditions, condition, |it, name| {
            has(Fact::Condition(it)) || is_asked(name)
        });
        let scopes = table.scopes.iter().filter_map(|it| it.value.as_ref());
        let members: HashSet<&str> = scopes
            .flat_map(|it| &it.names)
            .map(|it| it.text.as_str())
            .collect();
        let (procedure, class) = (Code::UnusedProcedure, Code::UnusedClass);
        add(
            &mut unused,
            &table.hosts,
            (procedure, "host step"),
            |it, _| has(Fact::Host(it)),
        );
        add(
            &mut unused,
            &table.properties,
            (Code::UnusedVariable, "property"),
            |it, _| has(Fact::Property(it)),
        );
        add(
            &mut unused,
            &table.sets,
            (class, "set of elements"),
            |it, _| has(Fact::Set(it)),
        );
        add(&mut unused, &table.scopes, (class, "scope"), |it, name| {
            has(Fact::Scope(it)) || members.contains(name)
        });
        add(
            &mut unused,
            &table.names,
            (class, "list of names"),
            |it, _| has(Fact::Names(it)),
        );
        add(
            &mut unused,
            &table.quirks,
            (class, "list of conditions"),
            |it, _| has(Fact::Quirks(it)),
        );
        add(
            &mut unused,
            &table.procedures,
            (procedure, "procedure"),
            |it, _| has(Fact::Calls(it)),
        );
        for (name, code, what) in unused {
            let message = format!("the {what} `{}` is never used", name.text);
            self.phrases
                .faults
                .add(code, name.at, message)
                .help("remove it, or use it");
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
                let message = format!("the procedure does not use its `{}`", body.slots[slot]);
                let at = self.table.procedures[number].name.at;
                self.phrases
                    .faults
                    .add(Code::UnusedVariable, at, message)
                    .help("leave the hole out of its name, or use it");
            }
        }
    }
}
