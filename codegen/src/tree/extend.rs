//! Extending: a base and the changes to it become one table.

use super::keys::INSERTION_MODE;
use super::written::{Arm, Mode, Table};
use crate::diagnostic::{Code, Faults};
use crate::extend::{by_key, entries, nothing_to_change};
use crate::written::Text;
use std::collections::HashSet;
use std::mem::take;

/// Applies the changes of `over` to `base`.
pub(super) fn extend(mut base: Table, over: Table, faults: &mut Faults) -> Table {
    // What a table is called and which tokenizer it belongs to is read off the table alone.
    base.keys.retain(|key| key != "tree" && key != "tokenizer");
    Table {
        name: over.name,
        title: over.title.or(base.title),
        extends: over.extends,
        section: over.section.or(base.section),
        tokenizer: over.tokenizer,
        modes: modes(
            base.modes,
            over.modes,
            over.called.as_ref().or(base.called.as_ref()),
            faults,
        ),
        called: over.called.or(base.called),
        variables: entries(base.variables, over.variables, faults),
        initial: over.initial.or(base.initial),
        procedures: entries(base.procedures, over.procedures, faults),
        errata: by_key(base.errata, over.errata),
        at: over.at,
        keys: [over.keys, base.keys].concat(),
    }
}

fn modes(
    base: Vec<Mode>,
    over: Vec<Mode>,
    called: Option<&Text>,
    faults: &mut Faults,
) -> Vec<Mode> {
    let mut merged = base;
    for change in over {
        let same = merged.iter().position(|p| p.name.text == change.name.text);
        match same {
            Some(at) if change.removed => {
                merged.remove(at);
            }
            Some(at) => merged[at].change(change, faults),
            None if change.removed => {
                let names = merged.iter().map(|p| p.name.text.as_str());
                let what = called.map_or(INSERTION_MODE, |word| &word.text);
                nothing_to_change(&change.name, &format!("{what} "), names, faults);
            }
            None => merged.push(change),
        }
    }
    merged
}

impl Mode {
    /// An arm takes the kinds it names from the arms of the base; a base's arm without any is gone, and
    /// with it what an erratum says of it.
    fn change(&mut self, over: Mode, faults: &mut Faults) {
        let taken: HashSet<&str> = kinds(&over.arms).collect();
        let before: HashSet<String> = kinds(&self.arms).map(str::to_owned).collect();
        for arm in over.arms.iter().filter(|arm| arm.steps.is_none()) {
            for kind in arm.kinds.iter().filter(|kind| !before.contains(&kind.text)) {
                let name = Text {
                    text: kind.text.clone(),
                    at: arm.key.at,
                };
                nothing_to_change(&name, "arm ", before.iter().map(String::as_str), faults);
            }
        }
        for old in &mut self.arms {
            old.kinds.retain(|kind| !taken.contains(kind.text.as_str()));
        }
        let (left, gone): (Vec<Arm>, Vec<Arm>) = take(&mut self.arms)
            .into_iter()
            .partition(|old| !old.kinds.is_empty());
        let gone: HashSet<&str> = gone.iter().map(|old| old.key.text.as_str()).collect();
        self.errata
            .retain(|(key, _)| !gone.contains(key.text.as_str()));
        self.errata = by_key(take(&mut self.errata), over.errata);
        self.arms = left;
        self.arms
            .extend(over.arms.into_iter().filter(|arm| arm.steps.is_some()));
    }
}

fn kinds(arms: &[Arm]) -> impl Iterator<Item = &str> {
    arms.iter()
        .flat_map(|arm| arm.kinds.iter().map(|kind| kind.text.as_str()))
}

/// Refuses `removed` in what is left once all bases have been extended.
pub(super) fn refuse_changes(table: &Table, faults: &mut Faults) {
    let modes = table.modes.iter().filter(|mode| mode.removed);
    let arms = table.modes.iter().flat_map(|mode| &mode.arms);
    let arms = arms.filter(|arm| arm.steps.is_none());
    let variables = table.variables.iter().filter(|entry| entry.value.is_none());
    let procedures = table
        .procedures
        .iter()
        .filter(|entry| entry.value.is_none());
    let removed = (modes.map(|mode| (&mode.name, table.called())))
        .chain(arms.map(|arm| (&arm.key, "arm")))
        .chain(variables.map(|entry| (&entry.name, "variable")))
        .chain(procedures.map(|entry| (&entry.name, "procedure")));
    for (name, what) in removed {
        let message = format!("`removed` removes the {what} of a base, but this table has no base");
        faults.add(Code::NothingToChange, name.at, message).help(
            "a table with `extends` changes what its base has; write everything else in full",
        );
    }
}
