//! Which state of one table is which of the other: by name, and where names differ by what the states do
//! and by how they are reached from states already known.

use rustc_hash::{FxHashMap, FxHashSet};

use speclex_codegen::analyse::bodies;
use speclex_codegen::machine::{Action, Body, Machine, Next, StateKind, Target};

use super::arms::{Input, body_on, cases, inputs};
use crate::spelling::Spelling;

/// States that are matched by more than their names must do the same on this part of their inputs.
const ALIKE: f64 = 0.5;

/// The same, where no state leads to both in the same place.
const PART: f64 = 0.8;

/// Which states of two tables belong together.
#[derive(Clone, Debug)]
pub(super) struct Matching {
    /// For each state of the first table that of the second.
    pub(super) forth: Vec<Option<u32>>,
    /// For each state of the second table that of the first.
    pub(super) back: Vec<Option<u32>>,
    /// Where the two tables start for the same content.
    entries: Vec<(u32, u32)>,
}

/// What a state does on one input: in words without names of states, and the states named, in order.
type Effect = (String, Vec<u32>);

/// What a state does on each input: numbers of effects, which are compared very often.
type Effects = FxHashMap<Input, usize>;

struct Matcher<'m> {
    machines: [&'m Machine; 2],
    /// By number, each different one once.
    all_effects: Vec<Effect>,
    effects: [Vec<Effects>; 2],
    matching: Matching,
}

impl Matching {
    pub(super) fn new(one: &Machine, other: &Machine) -> Self {
        let machines = [one, other];
        let all = inputs(machines);
        let mut numbers = FxHashMap::default();
        let effects = machines.map(|machine| effects(machine, &all, &mut numbers));
        let mut all_effects: Vec<_> = numbers.into_iter().collect();
        all_effects.sort_unstable_by_key(|(_, number)| *number);
        let mut matcher = Matcher {
            machines,
            all_effects: all_effects.into_iter().map(|(effect, _)| effect).collect(),
            effects,
            matching: Self {
                forth: vec![None; one.states.len()],
                back: vec![None; other.states.len()],
                entries: entries(one, other),
            },
        };
        matcher.by_name();
        while let Some((left, right)) = matcher.best() {
            matcher.set(left, right);
        }
        matcher.matching
    }

    /// Whether two states belong together.
    fn are(&self, one: u32, other: u32) -> bool {
        self.forth.get(one as usize) == Some(&Some(other))
    }
}

impl Matcher<'_> {
    fn set(&mut self, left: u32, right: u32) {
        if let (Some(forth), Some(back)) = (
            self.matching.forth.get_mut(left as usize),
            self.matching.back.get_mut(right as usize),
        ) {
            (*forth, *back) = (Some(right), Some(left));
        }
    }

    fn by_name(&mut self) {
        let [one, other] = self.machines;
        for (left, state) in (0..).zip(&one.states) {
            let mut others = (0..).zip(&other.states);
            if let Some((right, _)) = others.find(|(_, other)| other.name == state.name) {
                self.set(left, right);
            }
        }
    }

    /// The two states without a partner that belong together most.
    fn best(&self) -> Option<(u32, u32)> {
        let votes = self.votes();
        let free = |matched: &[Option<u32>]| -> Vec<u32> {
            (0..)
                .zip(matched)
                .filter(|(_, m)| m.is_none())
                .map(|(id, _)| id)
                .collect()
        };
        let (lefts, rights) = (free(&self.matching.forth), free(&self.matching.back));
        let mut best: Option<(f64, u32, u32)> = None;
        for &left in &lefts {
            for &right in &rights {
                let votes = votes.get(&(left, right)).copied().unwrap_or(0);
                let alike = self.alike(left, right);
                if alike < ALIKE || votes == 0 && alike < PART {
                    continue;
                }
                let score = alike + f64::from(votes.min(8)) / 8.0;
                if best.is_none_or(|(best, ..)| score > best) {
                    best = Some((score, left, right));
                }
            }
        }
        best.map(|(_, left, right)| (left, right))
    }

    /// How often two states stand in the same place of states or entries that belong together.
    fn votes(&self) -> FxHashMap<(u32, u32), u32> {
        let mut votes = FxHashMap::default();
        for pair in &self.matching.entries {
            *votes.entry(*pair).or_default() += 4;
        }
        for (left, right) in (0..).zip(&self.matching.forth) {
            let Some(right) = *right else { continue };
            let (Some(ours), Some(theirs)) = (
                self.effects[0].get(left as usize),
                self.effects[1].get(right as usize),
            ) else {
                continue;
            };
            for (input, effect) in ours {
                let Some(other) = theirs.get(input) else {
                    continue;
                };
                let [(said, targets), (other_said, others)] =
                    [effect, other].map(|number| &self.all_effects[*number]);
                let weight = if said == other_said { 2 } else { 1 };
                if targets.len() == others.len() {
                    for pair in targets.iter().copied().zip(others.iter().copied()) {
                        *votes.entry(pair).or_default() += weight;
                    }
                }
            }
        }
        votes
    }

    /// On which part of their inputs two states do the same.
    fn alike(&self, left: u32, right: u32) -> f64 {
        let (Some(ours), Some(theirs)) = (
            self.effects[0].get(left as usize),
            self.effects[1].get(right as usize),
        ) else {
            return 0.0;
        };
        // Each pair of effects counts once, however many inputs lead to it.
        let inputs = ours.keys().chain(theirs.keys());
        let pairs: FxHashSet<_> = inputs
            .map(|input| [ours, theirs].map(|effects| effects.get(input)))
            .collect();
        let fits = |&(a, b): &(u32, u32)| {
            let free = |matched: &[Option<u32>], id: u32| matched.get(id as usize) == Some(&None);
            self.matching.are(a, b)
                || free(&self.matching.forth, a) && free(&self.matching.back, b)
                || a == left && b == right
        };
        let same = |[ours, theirs]: &[Option<&usize>; 2]| match (ours, theirs) {
            (Some(ours), Some(theirs)) => {
                let [(a, to), (b, others)] =
                    [ours, theirs].map(|effect| &self.all_effects[**effect]);
                a == b
                    && to.len() == others.len()
                    && to
                        .iter()
                        .copied()
                        .zip(others.iter().copied())
                        .all(|pair| fits(&pair))
            }
            _ => false,
        };
        let alike = pairs.iter().filter(|pair| same(pair)).count();
        alike as f64 / pairs.len().max(1) as f64
    }
}

/// The states in which both machines start for the same content.
fn entries(one: &Machine, other: &Machine) -> Vec<(u32, u32)> {
    let pairs = one.contents().filter_map(|(entry, content)| {
        let same = other.entry(content)?;
        Some((entry.state.0, same.state.0))
    });
    pairs.collect()
}

/// What each state does on each input. Effects that are new get the next number.
fn effects(
    machine: &Machine,
    all: &[Input],
    numbers: &mut FxHashMap<Effect, usize>,
) -> Vec<Effects> {
    let mut spelling = Spelling {
        machine,
        names: vec!["some".to_owned(); machine.states.len()],
        conditions: Vec::new(),
        current: None,
    };
    let mut effect = |input: &Input, body: &Body| {
        spelling.current = input.set();
        let cases = cases(&spelling, body, spelling.current.as_ref());
        let next = numbers.len();
        let effect = (format!("{cases:?}"), named_states(body));
        *numbers.entry(effect).or_insert(next)
    };
    let of_state = |state: &speclex_codegen::machine::State| match &state.kind {
        StateKind::Consume(_) => {
            let some = all.iter().filter_map(|input| {
                let body = body_on(state, input)?;
                Some((input.clone(), effect(input, body)))
            });
            some.collect()
        }
        _ => {
            let numbered = (0..).map(Input::Body).zip(bodies(state));
            numbered
                .map(|(input, body)| (input.clone(), effect(&input, body)))
                .collect()
        }
    };
    machine.states.iter().map(of_state).collect()
}

/// The states that a body names, in order.
fn named_states(body: &Body) -> Vec<u32> {
    let of_body = |body: &Body| {
        let set = body.actions.iter().filter_map(|action| match action {
            Action::SetState(_, state) => Some(state.0),
            _ => None,
        });
        let to = match body.next {
            Next::Go {
                target: Target::State(state),
                ..
            } => Some(state.0),
            _ => None,
        };
        set.chain(to).collect::<Vec<u32>>()
    };
    body.all().into_iter().flat_map(of_body).collect()
}
