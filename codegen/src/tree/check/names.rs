//! Looking names up, and saying what was meant when they do not exist.

use super::Checker;
use crate::diagnostic::{Code, Span};
use crate::phrase::Name;
use crate::suggest::{did_you_mean, one_of, which_of};
use crate::tree::machine::{ModeId, Type, VariableId};
use crate::written::{Erratum, Text};
use std::collections::HashSet;

/// How many names a help lists at most.
const MOST_NAMES: usize = 12;

impl Checker<'_, '_> {
    /// The number of an insertion mode; any after a fault.
    pub(super) fn mode_named(&mut self, name: &str, span: Span) -> ModeId {
        if let Some(&number) = self.modes.get(name) {
            return number;
        }
        let names = self.table.modes.iter().map(|mode| &*mode.name.text);
        let help = did_you_mean(name, names.clone(), || one_of(names.take(MOST_NAMES)));
        self.faults
            .unknown(Code::UnknownMode, span, self.table.called(), name)
            .help(help);
        0
    }

    /// The number of a stack of elements; any after a fault.
    pub(super) fn stack(&mut self, name: &Name) -> VariableId {
        let ty = Type::StackOfElements;
        let found = self.variables.iter().position(|it| it.name == name.text);
        let Some(number) = found else {
            let names = self.variables.iter().map(|it| it.name.as_str());
            let help = match self.variables.is_empty() {
                true => format!(
                    "declare it: `variables: {{{}: {}}}`",
                    name.text,
                    ty.as_str()
                ),
                false => which_of(&name.text, names),
            };
            self.faults
                .unknown(Code::UnknownVariable, name.span, "variable", &name.text)
                .help(help);
            return 0;
        };
        self.used.insert(name.text.clone());
        let holds = self.variables[number].ty;
        if holds != ty {
            let message = format!(
                "`{}` holds an {}, but this needs a {}",
                name.text,
                holds.as_str(),
                ty.as_str()
            );
            let fitting = self.variables.iter().filter(|it| it.ty == ty);
            let help = one_of(fitting.map(|it| it.name.as_str()).collect::<Vec<_>>());
            self.faults
                .add(Code::TypeMismatch, name.span, message)
                .help(help);
        }
        number
    }

    /// Every erratum is about something: one of the top-level keys or phrases, or one of the arms of an insertion mode.
    pub(super) fn errata<'n>(
        &mut self,
        errata: &[(Text, Erratum)],
        keys: impl Iterator<Item = &'n str> + Clone,
        what: &str,
    ) {
        let known: HashSet<&str> = keys.clone().collect();
        for (key, _) in errata {
            if known.contains(key.text.as_str()) {
                continue;
            }
            let help = did_you_mean(&key.text, keys.clone(), || {
                format!("an erratum here is keyed by {what}")
            });
            let message = format!(
                "there is no `{}` here that an erratum could be about",
                key.text
            );
            self.faults
                .add(Code::UnknownArm, key.at, message)
                .help(help);
        }
    }

    /// Warns of what is declared and not used.
    pub(super) fn unused(&mut self) {
        let variables = self.table.variables.iter().zip(&self.variables);
        let variables = variables.filter(|(_, variable)| variable.ty != Type::InsertionMode);
        let variables = variables.map(|(entry, _)| (&entry.name, Code::UnusedVariable, "variable"));
        let procedures = self.table.procedures.iter();
        let procedures = procedures.map(|entry| (&entry.name, Code::UnusedProcedure, "procedure"));
        for (name, code, what) in variables.chain(procedures) {
            if !self.used.contains(&name.text) && !self.used.contains(&plain(&name.text)) {
                let message = format!("the {what} `{}` is never used", name.text);
                self.faults
                    .add(code, name.at, message)
                    .help("remove it, or use it");
            }
        }
    }
}

/// The words without articles.
pub(super) fn plain(text: &str) -> String {
    let words = text.split_whitespace();
    let words = words.filter(|word| !matches!(*word, "the" | "a" | "an"));
    words.collect::<Vec<_>>().join(" ")
}
