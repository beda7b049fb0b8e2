//! Errata: each is about something that is there.

use super::Checker;
use crate::diagnostic::Code;
use crate::suggest::did_you_mean;
use crate::tree::phrase::patterns_shown;
use crate::tree::written::TOP;
use crate::written::{Erratum, Text, names};
use std::collections::HashSet;

impl Checker<'_, '_> {
    pub(super) fn errata(&mut self) {
        let table = self.table;
        let mut keys: Vec<&str> = names(TOP).collect();
        keys.extend(patterns_shown());
        keys.extend(table.procedures.iter().map(|it| &*it.name.text));
        self.about(
            &table.errata,
            &keys,
            "a top-level key, a phrase or a procedure",
        );
        for (number, rules) in table.rules().enumerate() {
            // Of an arm whose key could not be read it is unknown what is about it.
            let taken = self
                .machine
                .modes
                .get(number)
                .map_or(&[][..], |it| &it.arms);
            let mut arms = rules.arms.iter().zip(taken);
            if arms.any(|(arm, taken)| arm.parts.len() > taken.takes.len()) {
                continue;
            }
            let called = table.called();
            let mut keys: Vec<&str> = rules.arms.iter().map(|arm| &*arm.key.text).collect();
            keys.push(called);
            self.about(
                &rules.errata,
                &keys,
                &format!("an arm's key, or by `{called}`"),
            );
        }
    }

    fn about(&mut self, errata: &[(Text, Erratum)], keys: &[&str], what: &str) {
        let known: HashSet<&str> = keys.iter().copied().collect();
        for (key, _) in errata {
            if known.contains(key.text.as_str()) {
                continue;
            }
            let help = did_you_mean(&key.text, keys.iter().copied(), || {
                format!("an erratum here is keyed by {what}")
            });
            let message = format!(
                "there is no `{}` here that an erratum could be about",
                key.text
            );
            self.phrases
                .faults
                .add(Code::UnknownArm, key.at, message)
                .help(help);
        }
    }
}
