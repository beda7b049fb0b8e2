//! A machine, ready to be run beside another one.

use speclex_codegen::machine::{Entry, Machine};

use super::places::Places;
use super::set::{Set, merged};
use super::words::Words;
use crate::error_comparison::ErrorComparison;

/// What both machines are read with: what they have in common, by name.
#[derive(Debug)]
pub(super) struct Common {
    pub(super) kinds: Vec<String>,
    pub(super) contents: Vec<String>,
    pub(super) words: Words,
    pub(super) compared: ErrorComparison,
    /// Whether both replace the same numbers by the same.
    pub(super) same_replacements: bool,
}

impl Common {
    /// What two machines have in common.
    pub(super) fn of(machines: [&Machine; 2], compared: ErrorComparison) -> Self {
        let mut common = Self {
            kinds: Vec::new(),
            contents: Vec::new(),
            words: Words::of(machines),
            compared,
            same_replacements: machines[0].replacements == machines[1].replacements,
        };
        for machine in machines {
            let kinds = machine.vocabulary.tokens.iter().flat_map(|it| &it.kinds);
            for kind in kinds {
                if !common.kinds.contains(&kind.name) {
                    common.kinds.push(kind.name.clone());
                }
            }
            for (_, content) in machine.contents() {
                if !common.contents.iter().any(|it| it == content) {
                    common.contents.push(content.to_owned());
                }
            }
        }
        common
    }
}

/// One of the two machines.
#[derive(Debug)]
pub(super) struct Side<'m> {
    pub(super) machine: &'m Machine,
    pub(super) places: Places,
    /// The number of each kind of each token among the common ones.
    pub(super) kinds: Vec<Vec<u32>>,
    /// For each of the common contents where it starts.
    pub(super) entries: Vec<Option<&'m Entry>>,
    /// For each state whether it is an entry.
    pub(super) is_entry: Vec<bool>,
    /// With which characters names of references begin.
    pub(super) first_letters: Set,
    /// The numbers that are replaced.
    pub(super) replaced: Set,
}

impl<'m> Side<'m> {
    pub(super) fn new(machine: &'m Machine, common: &Common) -> Self {
        let number = |name: &str| common.kinds.iter().position(|it| it == name).unwrap_or(0) as u32;
        let tokens = machine.vocabulary.tokens.iter();
        let kinds = tokens.map(|token| token.kinds.iter().map(|it| number(&it.name)).collect());
        let kinds: Vec<Vec<u32>> = kinds.collect();
        let mut is_entry = vec![false; machine.states.len()];
        for entry in &machine.entries {
            if let Some(is_entry) = is_entry.get_mut(entry.state.0 as usize) {
                *is_entry = true;
            }
        }
        let contents = common.contents.iter();
        let entries = contents.map(|content| machine.entry(content)).collect();
        let letters = machine.references.iter();
        let letters = letters.filter_map(|(name, _)| name.chars().next());
        let replaced = machine.replacements.iter().map(|(it, _)| (*it, *it));
        Self {
            places: Places::of(machine, &kinds),
            machine,
            kinds,
            entries,
            is_entry,
            first_letters: merged(letters.map(|c| (c as u32, c as u32))),
            replaced: merged(replaced),
        }
    }
}
