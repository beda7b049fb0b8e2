//! Extending: a base and the changes to it become one table.

use super::arm_key::{self, KeyPart};
use super::keys::{ANYTHING_ELSE, INSERTION_MODE};
use super::written::{Arm, Mode, Table};
use crate::diagnostic::Faults;
use crate::extend::by_key;
use crate::written::{Text, merged, nothing_to_change, refuse_removed};
use std::mem::take;

/// Applies the changes of `over` to `base`.
pub(super) fn extend(mut base: Table, mut over: Table, faults: &mut Faults) -> Table {
    // What a table is called and which tokenizer it belongs to is read off the table alone.
    base.keys.retain(|key| key != "tree" && key != "tokenizer");
    // What an erratum says of a procedure goes with it.
    let changed = |key: &Text| over.procedures.iter().any(|it| it.name.text == key.text);
    base.errata.retain(|(key, _)| !changed(key));
    if over.keys.iter().any(|key| key == "on popping") && over.popping.is_empty() {
        base.popping.clear();
        base.errata.retain(|(key, _)| key.text != "on popping");
    }
    for entry in &mut over.quirks {
        let before = base
            .quirks
            .iter_mut()
            .find(|it| it.name.text == entry.name.text);
        if let (Some(before), Some(groups)) =
            (before.and_then(|it| it.value.take()), &mut entry.value)
        {
            *groups = merged(before, take(groups), "condition", faults);
        }
    }
    over.extend_sections(&mut base, faults);
    let called = over.called.or(base.called);
    let foreign = match (base.foreign, over.foreign) {
        (Some(mut mode), Some(change)) => {
            mode.change(change, faults);
            Some(mode)
        }
        (base, over) => over.or(base),
    };
    let fragments = match (base.fragments, over.fragments) {
        (Some(mut fragments), Some(change)) => {
            if !change.contents.is_empty() {
                fragments.contents = change.contents;
            }
            fragments.steps = change.steps.or(fragments.steps);
            fragments.result = change.result.or(fragments.result);
            Some(fragments)
        }
        (base, over) => over.or(base),
    };
    Table {
        title: over.title.or(base.title),
        section: over.section.or(base.section),
        tokenizer_of_base: base.tokenizer.or(base.tokenizer_of_base),
        modes: modes(base.modes, over.modes, called.as_ref(), faults),
        foreign,
        called,
        hot: over.hot.or(base.hot),
        dispatcher: over.dispatcher.or(base.dispatcher),
        fragments,
        initial: over.initial.or(base.initial),
        errata: by_key(base.errata, over.errata),
        keys: [over.keys, base.keys].concat(),
        ..over
    }
}

fn modes(
    base: Vec<Mode>,
    over: Vec<Mode>,
    called: Option<&Text>,
    faults: &mut Faults,
) -> Vec<Mode> {
    let called = called.map_or(INSERTION_MODE, |word| &word.text);
    let mut merged = base;
    for change in over {
        let place = |name: &Text| merged.iter().position(|mode| mode.name.text == name.text);
        let missing = |name: &Text, faults: &mut Faults| {
            let names = merged.iter().map(|mode| mode.name.text.as_str());
            nothing_to_change(name, called, names, faults);
        };
        match (place(&change.name), &change.after) {
            (Some(at), _) if change.removed => drop(merged.remove(at)),
            (Some(at), _) => merged[at].change(change, faults),
            (None, _) if change.removed => missing(&change.name, faults),
            (None, None) => merged.push(change),
            (None, Some(after)) => match place(after) {
                Some(at) => merged.insert(at + 1, change),
                None => missing(after, faults),
            },
        }
    }
    merged
}

impl Mode {
    /// An arm takes from the arms of the base what its key names; a base's arm without anything left is gone, and a new arm
    /// stands in its place. What an erratum says of an arm goes with it.
    fn change(&mut self, over: Mode, faults: &mut Faults) {
        for arm in over.arms {
            self.change_arm(arm, faults);
        }
        self.errata = by_key(take(&mut self.errata), over.errata);
        self.section = over.section.or(self.section.take());
    }

    fn change_arm(&mut self, over: Arm, faults: &mut Faults) {
        let (mut is_changed, mut place) = (false, None);
        for (at, arm) in self.arms.iter_mut().enumerate() {
            let is_meant = |part: &KeyPart| over.parts.iter().any(|it| it.is_like(part));
            if !arm.parts.iter().any(is_meant) {
                continue;
            }
            let before = arm_key::shown(&arm.parts);
            arm.parts.retain_mut(|part| {
                let takes = over.parts.iter().filter(|it| it.is_like(part));
                let (named, all): (Vec<_>, Vec<_>) = takes.partition(|it| !it.names.is_empty());
                let had_names = !part.names.is_empty();
                let is_taken = |name: &str| {
                    named
                        .iter()
                        .any(|it| it.names.iter().any(|(it, _)| it == name))
                };
                part.names.retain(|(name, _)| !is_taken(name));
                if had_names {
                    !part.names.is_empty()
                } else {
                    all.is_empty()
                }
            });
            let after = arm_key::shown(&arm.parts);
            if after == before {
                continue;
            }
            is_changed = true;
            let key = std::mem::replace(&mut arm.key.text, after);
            if arm.parts.is_empty() {
                place = place.or(Some(at));
                self.errata.retain(|(erratum, _)| erratum.text != key);
            } else {
                let about = self.errata.iter_mut().map(|(erratum, _)| &mut erratum.text);
                about
                    .filter(|it| **it == key)
                    .for_each(|it| arm.key.text.clone_into(it));
            }
        }
        let is_last = |arm: &Arm| {
            arm.parts
                .iter()
                .any(|part| part.is_other || part.kind == ANYTHING_ELSE)
        };
        if over.steps.is_some() {
            match place {
                Some(at) => self.arms[at] = over,
                None => {
                    let last = self.arms.iter().position(is_last);
                    self.arms.insert(last.unwrap_or(self.arms.len()), over);
                }
            }
        } else if !is_changed {
            let names = self.arms.iter().map(|arm| arm.key.text.as_str());
            nothing_to_change(&over.key, "arm", names, faults);
        }
        self.arms.retain(|arm| !arm.parts.is_empty());
    }
}

/// Refuses `removed` in what is left once all bases have been extended.
pub(super) fn refuse_changes(table: &Table, faults: &mut Faults) {
    for mode in table.modes.iter().filter(|mode| mode.removed) {
        refuse_removed(&mode.name, table.called(), faults);
    }
    let arms = table.rules().flat_map(|mode| &mode.arms);
    for arm in arms.filter(|arm| arm.steps.is_none()) {
        refuse_removed(&arm.key, "arm", faults);
    }
    for section in table.sections() {
        section.refuse_removed(faults);
    }
    let groups = table.quirks.iter().filter_map(|it| it.value.as_ref());
    for condition in groups.flatten().filter(|it| it.value.is_none()) {
        refuse_removed(&condition.name, "condition", faults);
    }
}
