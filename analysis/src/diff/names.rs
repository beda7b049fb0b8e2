//! Which letters matter in words and names that are compared.

use std::collections::BTreeSet;

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, Body, Guard, Next, State, Target};

use super::choices::{ends, legibility, state_sets};
use super::facts::other_case;
use super::pair::Product;
use crate::walk::{bodies, visit};

/// The kinds of characters that comparisons with the last start tag's name tell apart.
#[derive(Debug, Default)]
pub(super) struct NameKinds {
    /// For each class its kind.
    pub(super) of_class: Vec<u16>,
    /// A letter or digit of each kind that has one.
    pub(super) letters: Vec<char>,
}

impl Product<'_> {
    /// For each state the letters that may begin a word: a register that is written here is not live before.
    pub(super) fn find_word_starts(&self, side: usize) -> Vec<BTreeSet<char>> {
        let machine = self.runners[side].machine;
        let starts = |state: u32| {
            let mut starts = BTreeSet::new();
            let reached = self.reached(side, Some(state), false);
            let states = reached
                .iter()
                .filter_map(|&id| machine.states.get(id as usize));
            for body in states.flat_map(bodies) {
                visit(body, &mut |actions, _| {
                    let written = actions.iter().filter_map(|action| match action {
                        Action::SetText(register, _) | Action::AppendRegister(register, _) => {
                            Some(register.0)
                        }
                        _ => None,
                    });
                    for register in written {
                        let words = self.facts[side]
                            .words
                            .iter()
                            .filter(|w| w.register == register);
                        let firsts = words
                            .flat_map(|w| &w.words)
                            .filter_map(|word| word.chars().next());
                        starts.extend(firsts.flat_map(|c| [c, other_case(c)]));
                    }
                });
            }
            starts
        };
        (0..machine.states.len() as u32).map(starts).collect()
    }

    /// The characters that are told apart where names are compared with the last start tag's, or on the way
    /// there.
    pub(super) fn find_name_kinds(&self) -> NameKinds {
        let mut sets: Vec<&CharSet> = Vec::new();
        for runner in &self.runners {
            let compares = |state: &State| bodies(state).any(compares_names);
            let states = &runner.machine.states;
            let leads = |state: &State| {
                let ends = bodies(state).flat_map(ends);
                let mut states = ends.filter_map(|(target, _)| match target {
                    Target::State(id) => states.get(id.0 as usize),
                    _ => None,
                });
                states.any(compares)
            };
            for state in states
                .iter()
                .filter(|state| compares(state) || leads(state))
            {
                state_sets(state, &mut sets, &mut BTreeSet::new());
            }
        }
        let mut groups: Vec<Vec<bool>> = Vec::new();
        let mut kinds = NameKinds::default();
        for class in 0..self.alphabet.classes.len() as u16 {
            let c = self.alphabet.sample(class, 0).unwrap_or_default();
            // Either case of a letter may be written for it.
            let in_sets = |c: char| {
                sets.iter()
                    .map(|set| set.contains(c))
                    .collect::<Vec<bool>>()
            };
            let mut cases = [in_sets(c), in_sets(other_case(c))];
            cases.sort();
            let of = cases.concat();
            let group = groups
                .iter()
                .position(|group| *group == of)
                .unwrap_or_else(|| {
                    groups.push(of);
                    kinds.letters.push(c);
                    groups.len() - 1
                });
            kinds.of_class.push(group as u16);
            let best = &mut kinds.letters[group];
            if (legibility(c), c) < (legibility(*best), *best) {
                *best = c;
            }
        }
        kinds.letters.retain(|&c| legibility(c) <= 1);
        kinds.letters.sort_by_key(|&c| (legibility(c), c));
        kinds
    }
}

/// Whether a body asks for the last start tag's name.
fn compares_names(body: &Body) -> bool {
    fn guard_does(guard: &Guard) -> bool {
        match guard {
            Guard::AppropriateEndTag(_) | Guard::NextIsLastStartTag { .. } => true,
            Guard::Not(guard) => guard_does(guard),
            Guard::All(guards) | Guard::Any(guards) => guards.iter().any(guard_does),
            _ => false,
        }
    }
    let mut found = false;
    visit(body, &mut |_, next| {
        found |= matches!(next, Next::If { guard, .. } if guard_does(guard));
    });
    found
}
