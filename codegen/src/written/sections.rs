//! Sections: the keys of a table that declare names. A row says once, for either language, what such a key is called and which
//! warning its unused names get; extending, `removed` without a base, limits and warnings follow from the rows.

use super::{Entry, Text};
use crate::diagnostic::{Code, Faults};
use crate::read::At;
use crate::suggest::did_you_mean;

/// What a table says of a change where it has no base.
pub(crate) const NO_BASE: &str =
    "a table with `extends` changes what its base has; write everything else in full";

/// A key of a table that declares names.
pub(crate) struct Section<'t, K> {
    pub(crate) kind: K,
    /// What its names are called: `registers`.
    pub(crate) plural: &'static str,
    /// One of them: `register`.
    pub(crate) one: &'static str,
    /// The warning for a name that nothing uses; `None` if every name is of use.
    unused: Option<Code>,
    /// Each name, and whether it is `removed`.
    names: Vec<(&'t Text, bool)>,
}

impl<'t, K> Section<'t, K> {
    pub(crate) fn new<T>(
        kind: K,
        (plural, one): (&'static str, &'static str),
        unused: &[Code],
        entries: &'t [Entry<T>],
    ) -> Self {
        let names = entries.iter().map(|it| (&it.name, it.value.is_none()));
        Self {
            kind,
            plural,
            one,
            unused: unused.first().copied(),
            names: names.collect(),
        }
    }

    /// Refuses `removed`, for a table that has no base left to change.
    pub(crate) fn refuse_removed(&self, faults: &mut Faults) {
        let removed = self.names.iter().filter(|(_, is_removed)| *is_removed);
        removed.for_each(|(name, _)| refuse_removed(name, self.one, faults));
    }

    /// Refuses more names than `most`.
    pub(crate) fn limit(&self, most: usize, table: At, faults: &mut Faults) {
        limit(self.names.len(), self.plural, most, table, faults);
    }

    /// Warns of the names that nothing uses. `is_used` takes the number of a name in its section, and the name.
    pub(crate) fn warn_unused(&self, is_used: impl Fn(usize, &str) -> bool, faults: &mut Faults) {
        let Some(code) = self.unused else { return };
        for (number, (name, _)) in self.names.iter().enumerate() {
            if !is_used(number, &name.text) {
                unused(name, self.one, code, faults);
            }
        }
    }
}

/// Whether a table changes another one that it does not name: it has changes, and it is not whole without another one. Then no name of
/// the other table is called unknown.
pub(crate) fn lacks_its_base(is_whole: bool, table: At, faults: &mut Faults) -> bool {
    let lacks = !is_whole && faults.any_of(Code::NothingToChange);
    if lacks {
        let message = "the table changes another one, and has no `extends`";
        let help = "name the other table: `extends: NAME`";
        faults.add(Code::MissingKey, table, message).help(help);
    }
    lacks
}

/// Refuses a name that is `removed` from nothing.
pub(crate) fn refuse_removed(name: &Text, what: &str, faults: &mut Faults) {
    let message = format!("`removed` removes the {what} of a base, but this table has no base");
    faults
        .add(Code::NothingToChange, name.at, message)
        .help(NO_BASE);
}

/// Refuses a table that has more of something than `most`.
pub(crate) fn limit(count: usize, plural: &str, most: usize, table: At, faults: &mut Faults) {
    if count > most {
        let message = format!("the table has {count} {plural}");
        let help = format!("a table has at most {most} {plural}");
        faults.add(Code::TooLarge, table, message).help(help);
    }
}

/// Warns of a name that nothing uses.
pub(crate) fn unused(name: &Text, what: &str, code: Code, faults: &mut Faults) {
    let message = format!("the {what} `{}` is never used", name.text);
    faults
        .add(code, name.at, message)
        .help("remove it, or use it");
}

/// Later entries replace, remove or follow earlier ones, by name.
pub(crate) fn merged<T>(
    base: Vec<Entry<T>>,
    over: Vec<Entry<T>>,
    what: &str,
    faults: &mut Faults,
) -> Vec<Entry<T>> {
    let mut merged = base;
    for entry in over {
        let same = merged
            .iter()
            .position(|other| other.name.text == entry.name.text);
        match (same, &entry.value) {
            (Some(at), Some(_)) => merged[at] = entry,
            (Some(at), None) => {
                merged.remove(at);
            }
            (None, Some(_)) => merged.push(entry),
            (None, None) => {
                let names = merged.iter().map(|e| e.name.text.as_str());
                nothing_to_change(&entry.name, what, names, faults);
            }
        }
    }
    merged
}

/// Refuses a change of what the base does not have.
pub(crate) fn nothing_to_change<'a>(
    name: &Text,
    what: &str,
    names: impl IntoIterator<Item = &'a str>,
    faults: &mut Faults,
) {
    let help = did_you_mean(&name.text, names, || {
        "a table can change only what its base has".to_owned()
    });
    let message = format!("the base has no {what} `{}`", name.text);
    faults
        .add(Code::NothingToChange, name.at, message)
        .help(help);
}

/// The sections of a language, a row each: its kind, the field that holds its entries, what its names are called, and the warning for
/// those that nothing uses.
macro_rules! sections {
    ($table:ty, $(#[$about:meta])* $kinds:ident { $($kind:ident($field:ident): $plural:literal, $one:literal $(, $unused:ident)?;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub(crate) enum $kinds { $($kind),* }

        impl $table {
            /// The keys that declare names.
            pub(crate) fn sections(&self) -> Vec<$crate::written::Section<'_, $kinds>> {
                vec![$($crate::written::Section::new(
                    $kinds::$kind,
                    ($plural, $one),
                    &[$($crate::diagnostic::Code::$unused)?],
                    &self.$field,
                )),*]
            }

            /// Puts the entries of `base` under those of this table, which change it.
            pub(crate) fn extend_sections(&mut self, base: &mut Self, faults: &mut $crate::diagnostic::Faults) {
                $(self.$field = $crate::written::merged(
                    std::mem::take(&mut base.$field),
                    std::mem::take(&mut self.$field),
                    $one,
                    faults,
                );)*
            }
        }
    };
}
pub(crate) use sections;
