//! States that belong together: those whose names share words and that lead to each other more than to the
//! rest.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{Goal, Model};

/// States that are drawn together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// What they are called.
    pub(super) name: String,
    /// Sorted.
    pub(super) states: Vec<usize>,
}

/// Below this many states there is nothing to group.
const FEW: usize = 13;

/// How many words of a name are looked at together.
const WORDS: usize = 3;

/// Which states lead to which, either path round; the end of the input does not count.
struct Ties {
    /// For each state those tied to it, and how often.
    of: Vec<BTreeMap<usize, f64>>,
    /// All ties of a state.
    degree: Vec<f64>,
    /// All ties.
    all: f64,
}

impl Ties {
    fn new(model: &Model) -> Self {
        let mut of = vec![BTreeMap::new(); model.nodes.len()];
        for link in model.links.iter().filter(|link| link.reads()) {
            if let Goal::State(to) = link.to
                && to != link.from
            {
                *of[link.from].entry(to).or_insert(0.0) += 1.0;
                *of[to].entry(link.from).or_insert(0.0) += 1.0;
            }
        }
        let degree: Vec<f64> = of.iter().map(|ties| ties.values().sum()).collect();
        let all = degree.iter().sum::<f64>() / 2.0;
        Self { of, degree, all }
    }

    /// The parts of a set that hang together.
    fn parts(&self, states: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
        let mut left = states.clone();
        let mut parts = Vec::new();
        while let Some(first) = left.pop_first() {
            let mut part = BTreeSet::from([first]);
            let mut todo = vec![first];
            while let Some(state) = todo.pop() {
                for next in self.of[state].keys() {
                    if left.remove(next) {
                        part.insert(*next);
                        todo.push(*next);
                    }
                }
            }
            parts.push(part);
        }
        parts
    }

    /// How many more ties a set has than chance would give it.
    fn holds_together(&self, states: &BTreeSet<usize>) -> f64 {
        let inside: f64 = states
            .iter()
            .flat_map(|state| &self.of[*state])
            .filter(|(other, _)| states.contains(other))
            .map(|(_, ties)| ties)
            .sum();
        let degree: f64 = states.iter().map(|state| self.degree[*state]).sum();
        inside / 2.0 - degree * degree / (4.0 * self.all.max(1.0))
    }
}

/// The groups of a machine's states, by their first state.
pub(super) fn groups(model: &Model) -> Vec<Group> {
    let all: BTreeSet<usize> = (0..model.nodes.len()).collect();
    if all.len() < FEW {
        let states = all.into_iter().collect();
        let name = String::new();
        return vec![Group { name, states }];
    }
    let ties = Ties::new(model);
    let names: Vec<Vec<&str>> = (model.nodes.iter())
        .map(|node| words(&node.origin))
        .collect();
    let phrases: Vec<Vec<String>> = names.iter().map(|name| phrases(name, &names)).collect();
    let mut groups: Vec<(String, BTreeSet<usize>)> = Vec::new();
    let mut left = all;
    while let Some((phrase, states)) = best(&ties, &phrases, &left) {
        left.retain(|state| !states.contains(state));
        groups.push((phrase, states));
    }
    join(model, &phrases, &mut left, &mut groups);
    // What is still left goes together where it hangs together.
    for part in ties.parts(&left) {
        let first = part.first().map(|&state| model.nodes[state].name.clone());
        let first = first.unwrap_or_default();
        match leads_into(model, &part, &mut groups) {
            Some((name, states)) => {
                states.extend(part);
                *name = format!("{first}, {name}");
            }
            None => groups.push((first, part)),
        }
    }
    let mut groups: Vec<Group> = groups
        .into_iter()
        .map(|(name, states)| Group {
            name,
            states: states.into_iter().collect(),
        })
        .collect();
    groups.sort_by_key(|group| group.states.first().copied());
    groups
}

fn best(
    ties: &Ties,
    phrases: &[Vec<String>],
    left: &BTreeSet<usize>,
) -> Option<(String, BTreeSet<usize>)> {
    let mut by_phrase: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for &state in left {
        for phrase in &phrases[state] {
            by_phrase.entry(phrase).or_default().insert(state);
        }
    }
    let mut best: Option<(f64, &str, BTreeSet<usize>)> = None;
    for (phrase, states) in by_phrase {
        for part in ties.parts(&states) {
            let value = ties.holds_together(&part);
            // Of the same states the longer phrase says more.
            let better = best.as_ref().is_none_or(|(so_far, name, _)| {
                value > so_far + 1e-9 || value > so_far - 1e-9 && phrase.len() > name.len()
            });
            if part.len() > 2 && value > 0.0 && better {
                best = Some((value, phrase, part));
            }
        }
    }
    best.map(|(_, phrase, states)| (phrase.to_owned(), states))
}

/// Puts states that are left over, and that nothing starts in, into the group whose words they have, or else
/// the one group that leads to them.
fn join(
    model: &Model,
    phrases: &[Vec<String>],
    left: &mut BTreeSet<usize>,
    groups: &mut [(String, BTreeSet<usize>)],
) {
    for state in left.clone() {
        if !model.nodes[state].entries.is_empty() {
            continue;
        }
        let from: BTreeSet<usize> = (model.links.iter())
            .filter(|link| link.to == Goal::State(state) && link.from != state)
            .map(|link| link.from)
            .collect();
        let by_name = groups
            .iter()
            .position(|(name, _)| phrases[state].contains(name));
        let by_links = groups
            .iter()
            .position(|(_, states)| !from.is_empty() && from.is_subset(states));
        if let Some(group) = by_name.or(by_links) {
            groups[group].1.insert(state);
            left.remove(&state);
        }
    }
}

/// For a state alone: the group that most of all is one that it leads to.
fn leads_into<'g>(
    model: &Model,
    part: &BTreeSet<usize>,
    groups: &'g mut [(String, BTreeSet<usize>)],
) -> Option<&'g mut (String, BTreeSet<usize>)> {
    let (Some(&state), 1) = (part.first(), part.len()) else {
        return None;
    };
    let share = |states: &BTreeSet<usize>| {
        let links = model.from(state).filter(|link| link.reads());
        let into = links.filter(|link| matches!(link.to, Goal::State(to) if states.contains(&to)));
        into.count() as f64 / states.len() as f64
    };
    groups
        .iter_mut()
        .filter(|(_, states)| share(states) > 0.0)
        .max_by(|(_, a), (_, b)| share(a).total_cmp(&share(b)))
}

/// The words of a name.
fn words(name: &str) -> Vec<&str> {
    name.split(|c: char| c.is_whitespace() || "(),".contains(c))
        .filter(|word| !word.is_empty())
        .collect()
}

/// Words of a name that stand together. Where the name begins with another state's, only its beginnings
/// count.
fn phrases(name: &[&str], names: &[Vec<&str>]) -> Vec<String> {
    let family = names
        .iter()
        .any(|other| other.len() < name.len() && !other.is_empty() && name.starts_with(other));
    let starts = if family { 1 } else { name.len() };
    let mut phrases: Vec<String> = (0..starts)
        .flat_map(|from| (1..=WORDS).filter_map(move |count| name.get(from..from + count)))
        .map(|words| words.join(" "))
        .collect();
    phrases.sort();
    phrases.dedup();
    phrases
}
