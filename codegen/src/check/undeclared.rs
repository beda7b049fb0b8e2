//! Registers of a table that declares none: what is missing is said once, for all of them.

use super::Checker;
use super::names::{Guess, MOST_NAMES, Place};
use crate::diagnostic::Span;
use crate::lexer::number;
use crate::phrase::{Name, Operand, OperandKind};
use crate::read::quoting::item;
use std::collections::{BTreeMap, BTreeSet};

/// What may be meant for a register, where it is used, and what it seems to hold.
pub(super) struct Undeclared {
    name: String,
    span: Span,
    holds: Guess,
}

impl Checker<'_, '_> {
    /// Remembers what was just called unknown and may be a register.
    pub(super) fn undeclared(&mut self, name: &Name, holds: Guess) {
        let is_declared = |key: &crate::written::Text| key.text == "registers";
        if self.registers.is_empty() && !self.table.keys.iter().any(is_declared) {
            self.undeclared_registers.push(Undeclared {
                name: name.text.clone(),
                span: name.span,
                holds,
            });
        }
    }

    /// The place of this name, which would hold this if it were a register.
    pub(super) fn place_for(&mut self, name: &Name, holds: Guess) -> Option<Place> {
        let count = self.undeclared_registers.len();
        let place = self.place(name);
        if let Some(new) = self.undeclared_registers.get_mut(count) {
            new.holds = holds;
        }
        place
    }

    /// What a register holds that is set to this.
    pub(super) fn set_to(&self, value: &Operand) -> Guess {
        match &value.kind {
            OperandKind::Number(_) => Guess::Type("number".to_owned()),
            OperandKind::Name(name) if self.fields_named(&name.text).is_empty() => {
                self.one_of([name].into_iter())
            }
            _ => Guess::text(),
        }
    }

    /// What a register holds that is one of these.
    pub(super) fn one_of<'n>(&self, names: impl Iterator<Item = &'n Name>) -> Guess {
        let mut words = Vec::new();
        for name in names {
            let ty = match name.text.as_str() {
                "none" => "character",
                text if text.starts_with('"') => "text",
                text if number(text.split(" to ").next().unwrap_or_default()).is_some() => "number",
                _ if self.find_state(name).is_some() => "state",
                text => {
                    words.push(text.to_owned());
                    continue;
                }
            };
            return Guess::Type(ty.to_owned());
        }
        Guess::Words(words)
    }

    /// Says once which registers a table without any has to declare.
    pub(super) fn no_registers(&mut self) {
        let mut places = BTreeSet::new();
        let mut types: BTreeMap<String, Guess> = BTreeMap::new();
        for Undeclared { name, span, holds } in std::mem::take(&mut self.undeclared_registers) {
            // A flag is no register.
            if holds == Guess::Unknown {
                continue;
            }
            places.insert(span);
            let known = types.entry(name).or_insert(Guess::Unknown);
            match (known, holds) {
                (Guess::Type(_), _) => {}
                (Guess::Words(words), Guess::Words(more)) => {
                    let more = more.into_iter().take(MOST_NAMES);
                    words.extend(
                        more.filter(|word| !words.contains(word))
                            .collect::<Vec<_>>(),
                    );
                    words.truncate(MOST_NAMES);
                }
                (known, holds) => *known = holds,
            }
        }
        let declared = |name: &String| {
            let ty = match types.get(name) {
                Some(Guess::Type(ty)) => ty.clone(),
                Some(Guess::Words(words)) => {
                    let words: Vec<String> = words.iter().map(|word| item(word)).collect();
                    format!("[{}]", words.join(", "))
                }
                _ => "TYPE".to_owned(),
            };
            format!("{}: {ty}", item(name))
        };
        self.faults.unite(&places, |names, help| match names {
            // A text may be meant for a field.
            [name] if help.contains("TYPE") && types.get(name) == Some(&Guess::text()) => {
                let written = format!("{}: TYPE", item(name));
                (None, help.replace(&written, &declared(name)))
            }
            [name] => (
                None,
                format!("declare it: `registers: {{{}}}`", declared(name)),
            ),
            _ => {
                let shown = &names[..names.len().min(MOST_NAMES)];
                let lines: Vec<String> = shown
                    .iter()
                    .map(|name| format!("\n  {}", declared(name)))
                    .collect();
                let mut used: Vec<String> = shown.iter().map(|name| format!("`{name}`")).collect();
                if names.len() > shown.len() {
                    used.push(format!("{} others", names.len() - shown.len()));
                }
                let last = used.pop().unwrap_or_default();
                let message = format!(
                    "the table declares no registers, and uses {} and {last}",
                    used.join(", ")
                );
                let help = format!(
                    "if they are registers, declare them:\nregisters:{}",
                    lines.concat()
                );
                (Some(message), help)
            }
        });
    }
}
