//! Inputs on which two tables are run before they are called equal: a proof that one of them contradicts is none. Some are random,
//! others begin with one that leads to what is changed.

use std::collections::BTreeSet;

use speclex_codegen::machine::{Guard, Machine, StateKind};

use super::replay::Setup;
use super::trial::Tables;
use super::witness::Witness;

/// How many inputs are tried from each start, and of how many pieces at most.
const INPUTS: usize = 150;
const PIECES: usize = 7;

/// How many names of references are among the pieces.
const REFERENCES: usize = 12;

/// How many are tried behind inputs that lead to a change.
const AIMED: usize = 4_000;

/// An input on which the tables differ, if one of those that are tried is; `reaching` leads to what is changed.
pub(super) fn contradiction(
    machines: [&Machine; 2],
    tables: &mut Tables<'_>,
    reaching: &[(Setup, String)],
) -> Option<Witness> {
    let pieces = pieces(machines);
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |bound: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 16) as usize % bound.max(1)
    };
    for index in 0..AIMED {
        let Some((setup, start)) = reaching.get(below(reaching.len())) else {
            break;
        };
        let more = (0..=index % PIECES).filter_map(|_| pieces.get(below(pieces.len())));
        let input: String = [start]
            .into_iter()
            .chain(more)
            .map(String::as_str)
            .collect();
        if let Some(Some(witness)) = tables.plain(setup, &input) {
            return Some(witness);
        }
    }
    let contents = machines[0]
        .contents()
        .map(|(_, content)| Some(content.to_owned()));
    let contents: Vec<Option<String>> = contents.chain([None]).collect();
    for content in contents {
        for index in 0..INPUTS {
            let input = (0..=index % PIECES).filter_map(|_| pieces.get(below(pieces.len())));
            let input: String = input.map(String::as_str).collect();
            let setup = Setup {
                content: content.clone(),
                last_start_tag: (below(2) == 0).then(|| "a".to_owned()),
                answer: below(2) == 0,
                scripting: None,
            };
            if let Some(Some(witness)) = tables.plain(&setup, &input) {
                return Some(witness);
            }
        }
    }
    None
}

/// A character of each arm, the strings that arms are for, in other cases too, the words that texts are compared with, and a few
/// names of references.
fn pieces(machines: [&Machine; 2]) -> Vec<String> {
    let mut pieces = BTreeSet::from(["a", "</a"].map(str::to_owned));
    for state in machines.iter().flat_map(|machine| &machine.states) {
        let StateKind::Consume(consume) = &state.kind else {
            continue;
        };
        for literal in &consume.literals {
            let text = &literal.text;
            pieces.extend([
                text.clone(),
                text.to_ascii_uppercase(),
                text.to_ascii_lowercase(),
            ]);
        }
        let firsts = consume.arms.iter().filter_map(|arm| arm.set.first());
        pieces.extend(firsts.map(String::from));
    }
    let mut questions = Vec::new();
    machines
        .iter()
        .for_each(|machine| questions.extend(machine.all_questions()));
    for question in questions {
        if let Guard::TextIs { any_of, .. } = question {
            pieces.extend(any_of.iter().cloned());
        }
    }
    for references in machines.map(|machine| &machine.references) {
        let names = references.iter().map(|(name, _)| name.clone());
        pieces.extend(names.step_by(references.len() / REFERENCES + 1));
    }
    pieces.into_iter().collect()
}
