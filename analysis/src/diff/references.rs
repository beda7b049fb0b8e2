//! Named character references by what comes of them: one name stands for all with the same outcome.

use std::collections::BTreeMap;

use speclex_codegen::machine::Machine;

/// What a machine makes of an input that is a name of either table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Outcome {
    /// Whether the whole name is matched; else how it ends that is.
    whole: bool,
    matches: bool,
    semicolon: bool,
    /// Whether a shorter name is there to fall back on.
    falls_back: bool,
    /// Whether a longer one goes on.
    goes_on: bool,
}

fn outcome(references: &[(String, String)], name: &str) -> (Outcome, Option<(usize, String)>) {
    let find = |wanted: &str| {
        let index = references.binary_search_by(|(name, _)| name.as_str().cmp(wanted));
        index.ok().and_then(|index| references.get(index))
    };
    let ends = name.char_indices().map(|(at, c)| at + c.len_utf8());
    let prefixes: Vec<_> = ends.filter_map(|end| find(name.get(..end)?)).collect();
    let longest = prefixes.last();
    let whole = longest.is_some_and(|(found, _)| found == name);
    let after = references.partition_point(|(other, _)| other.as_str() <= name);
    let goes_on = references
        .get(after)
        .is_some_and(|(other, _)| other.starts_with(name));
    let outcome = Outcome {
        whole,
        matches: longest.is_some(),
        semicolon: longest.is_some_and(|(found, _)| found.ends_with(';')),
        falls_back: prefixes.len() > usize::from(whole),
        goes_on,
    };
    let found = longest.map(|(name, value)| (name.chars().count(), value.clone()));
    (outcome, found)
}

/// For each outcome on the two sides the shortest name that has it, with what it stands for on each.
pub(super) fn representatives(one: &Machine, other: &Machine) -> [Vec<(String, String)>; 2] {
    let mut groups: BTreeMap<_, String> = BTreeMap::new();
    for (name, _) in one.references.iter().chain(&other.references) {
        let (left, left_found) = outcome(&one.references, name);
        let (right, right_found) = outcome(&other.references, name);
        let long = |found: &Option<(usize, String)>| {
            found
                .as_ref()
                .is_some_and(|(_, value)| value.chars().count() > 1)
        };
        let group = (
            left,
            right,
            left_found == right_found,
            long(&left_found),
            long(&right_found),
        );
        let chosen = groups.entry(group).or_insert_with(|| name.clone());
        if (name.len(), name) < (chosen.len(), chosen) {
            chosen.clone_from(name);
        }
    }
    // Shorter names that one of these falls back on are names too.
    let names: Vec<String> = groups.into_values().collect();
    let kept = |machine: &Machine| {
        let all = machine.references.iter();
        let kept = all.filter(|(name, _)| names.iter().any(|chosen| chosen.starts_with(name)));
        kept.cloned().collect()
    };
    [kept(one), kept(other)]
}
