//! What is different between two tables as they are written: states, and arms as disjoint classes of
//! characters.

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Body, Machine, State, StateKind};

use super::cases::{Case, canonical, said, same, same_case, same_deeds, same_errors};
use super::matching::Matching;
use super::steps::ArmIndex;
use crate::say::{characters, quoted};

/// A state that only one of the tables has.
#[derive(Clone, Debug)]
pub struct OnlyState {
    /// 0 for the first table, 1 for the second.
    pub side: usize,
    /// Its name.
    pub name: String,
    /// Its section.
    pub section: String,
    /// The state of the other table that does the same and has another partner: it seems to be split.
    pub split_from: Option<String>,
    pub(super) id: u32,
}

/// A state that has another name in the second table.
#[derive(Clone, Debug)]
pub struct Renamed {
    /// Its names in the two tables.
    pub names: [String; 2],
    /// Its sections.
    pub sections: [String; 2],
}

/// Arms of two states that differ.
#[derive(Clone, Debug)]
pub struct ArmRow {
    /// The states' names.
    pub states: [String; 2],
    /// Their sections.
    pub sections: [String; 2],
    /// On which input.
    pub on: String,
    /// What each table does; empty where it has no such arm.
    pub cases: [Vec<Case>; 2],
    pub(super) ids: [u32; 2],
    pub(super) arms: (Option<ArmIndex>, Option<ArmIndex>),
    /// The ends of the two decision trees that do different things.
    pub(super) apart: Vec<[u32; 2]>,
}

/// All structural differences of states.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// States of one table only.
    pub only: Vec<OnlyState>,
    /// States with two names.
    pub renamed: Vec<Renamed>,
    /// Arms that differ.
    pub arms: Vec<ArmRow>,
    /// States that both tables have.
    pub common: usize,
}

/// Arms that belong together: for which input, which arms, and their bodies.
struct Both<'m> {
    on: String,
    set: Option<CharSet>,
    arms: (Option<ArmIndex>, Option<ArmIndex>),
    bodies: [Option<&'m Body>; 2],
}

impl Structure {
    pub(super) fn new(one: &Machine, other: &Machine, matching: &Matching) -> Self {
        let machines = [one, other];
        let own: Vec<String> = one.states.iter().map(|state| state.name.clone()).collect();
        let names = [own, matching.names(one, other)];
        let mut structure = Self::default();
        for (left, right) in (0u32..).zip(&matching.forth) {
            let Some(a) = one.states.get(left as usize) else {
                continue;
            };
            let Some((right, b)) = right.and_then(|id| Some((id, other.states.get(id as usize)?)))
            else {
                structure.only.push(only(machines, 0, left, a, matching));
                continue;
            };
            structure.common += 1;
            if a.name != b.name {
                structure.renamed.push(Renamed {
                    names: [a.name.clone(), b.name.clone()],
                    sections: [a.section.clone(), b.section.clone()],
                });
            }
            let mut rows: Vec<ArmRow> = Vec::new();
            for both in pairs(a, b) {
                let cases = [0, 1].map(|side| {
                    let body = both.bodies[side];
                    body.map(|body| {
                        canonical(machines[side], &names[side], body, both.set.as_ref())
                    })
                });
                if let [Some(ours), Some(theirs)] = &cases
                    && same(ours, theirs)
                {
                    continue;
                }
                let shown = [0, 1].map(|side| {
                    let Some(body) = both.bodies[side] else {
                        return Vec::new();
                    };
                    let all = said(machines[side], body, both.set.as_ref());
                    // Of many cases only those that the other side has not.
                    let [own, theirs] = [&cases[side], &cases[1 - side]];
                    let differs = |case: &Case| match theirs {
                        Some(theirs) => !theirs.iter().any(|other| same_case(case, other)),
                        None => true,
                    };
                    let pairs = all.iter().zip(own.iter().flatten());
                    let some: Vec<Case> = pairs
                        .filter(|(_, own)| differs(own))
                        .map(|(case, _)| case.clone())
                        .collect();
                    if some.is_empty() { all } else { some }
                });
                rows.push(ArmRow {
                    states: [a.name.clone(), b.name.clone()],
                    sections: [a.section.clone(), b.section.clone()],
                    on: both.on,
                    cases: shown,
                    ids: [left, right],
                    arms: both.arms,
                    apart: apart(&cases),
                });
            }
            structure.arms.extend(rows);
        }
        for (right, left) in (0u32..).zip(&matching.back) {
            if let (None, Some(state)) = (left, other.states.get(right as usize)) {
                structure
                    .only
                    .push(only(machines, 1, right, state, matching));
            }
        }
        structure
    }

    /// How many differences there are.
    pub fn len(&self) -> usize {
        self.only.len() + self.renamed.len() + self.arms.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The ends that differ in what is done; if all do the same, those that differ in errors.
fn apart([one, other]: &[Option<Vec<Case>>; 2]) -> Vec<[u32; 2]> {
    let find = |differ: fn(&Case, &Case) -> bool| {
        let mut apart = Vec::new();
        for ours in one.iter().flatten() {
            let others = other.iter().flatten().filter(|theirs| differ(ours, theirs));
            apart.extend(others.map(|theirs| [ours.leaf, theirs.leaf]));
        }
        apart
    };
    let deeds = find(|a, b| !same_deeds(a, b));
    if deeds.is_empty() {
        find(|a, b| !same_errors(a, b))
    } else {
        deeds
    }
}

fn only(
    machines: [&Machine; 2],
    side: usize,
    id: u32,
    state: &State,
    matching: &Matching,
) -> OnlyState {
    let split = matching
        .split
        .iter()
        .find(|(of, split, _)| (*of, *split) == (side, id));
    let from = split.and_then(|(_, _, from)| machines[1 - side].states.get(*from as usize));
    OnlyState {
        side,
        name: state.name.clone(),
        section: state.section.clone(),
        split_from: from.map(|state| state.name.clone()),
        id,
    }
}

/// The arms of two states, on disjoint inputs.
fn pairs<'m>(one: &'m State, other: &'m State) -> Vec<Both<'m>> {
    let both = |on: &str, arms: (Option<ArmIndex>, Option<ArmIndex>), bodies| Both {
        on: on.to_owned(),
        set: None,
        arms,
        bodies,
    };
    match (&one.kind, &other.kind) {
        (StateKind::Steps(a), StateKind::Steps(b)) => {
            let arms = (Some(ArmIndex::Steps), Some(ArmIndex::Steps));
            vec![both("entering the state", arms, [Some(a), Some(b)])]
        }
        (
            StateKind::Match { matched, unmatched },
            StateKind::Match {
                matched: matched_too,
                unmatched: unmatched_too,
            },
        ) => vec![
            both(
                "a reference that matches",
                (Some(ArmIndex::Matched), Some(ArmIndex::Matched)),
                [Some(matched), Some(matched_too)],
            ),
            both(
                "no reference that matches",
                (Some(ArmIndex::Unmatched), Some(ArmIndex::Unmatched)),
                [Some(unmatched), Some(unmatched_too)],
            ),
        ],
        (StateKind::Consume(a), StateKind::Consume(b)) => {
            let mut pairs = literals(a, b);
            for (left, arm) in (0u32..).zip(&a.arms) {
                for (right, with) in (0u32..).zip(&b.arms) {
                    let set = arm.set.intersection(&with.set);
                    if set.is_empty() {
                        continue;
                    }
                    let on = match (set == arm.set, set == with.set) {
                        (true, _) => arm.label.clone(),
                        (false, true) => with.label.clone(),
                        _ => characters(&set),
                    };
                    pairs.push(Both {
                        on,
                        set: Some(set),
                        arms: (Some(ArmIndex::Set(left)), Some(ArmIndex::Set(right))),
                        bodies: [Some(&arm.body), Some(&with.body)],
                    });
                }
            }
            let eof = (Some(ArmIndex::Eof), Some(ArmIndex::Eof));
            pairs.push(both("EOF", eof, [Some(&a.eof), Some(&b.eof)]));
            pairs
        }
        // One consumes and the other does not: each arm stands alone.
        _ => alone(one, 0).into_iter().chain(alone(other, 1)).collect(),
    }
}

fn literals<'m>(
    one: &'m speclex_codegen::machine::Consume,
    other: &'m speclex_codegen::machine::Consume,
) -> Vec<Both<'m>> {
    let say = |arm: &speclex_codegen::machine::LiteralArm| {
        let case = if arm.ignore_case { " in any case" } else { "" };
        format!("the string {}{case}", quoted(&arm.text))
    };
    let mut pairs = Vec::new();
    for (left, arm) in (0u32..).zip(&one.literals) {
        let mut others = (0u32..).zip(&other.literals);
        let same =
            others.find(|(_, with)| (&with.text, with.ignore_case) == (&arm.text, arm.ignore_case));
        pairs.push(Both {
            on: say(arm),
            set: None,
            arms: (
                Some(ArmIndex::Literal(left)),
                same.map(|(right, _)| ArmIndex::Literal(right)),
            ),
            bodies: [Some(&arm.body), same.map(|(_, with)| &with.body)],
        });
    }
    for (right, arm) in (0u32..).zip(&other.literals) {
        let known = one
            .literals
            .iter()
            .any(|with| (&with.text, with.ignore_case) == (&arm.text, arm.ignore_case));
        if !known {
            pairs.push(Both {
                on: say(arm),
                set: None,
                arms: (None, Some(ArmIndex::Literal(right))),
                bodies: [None, Some(&arm.body)],
            });
        }
    }
    pairs
}

/// The arms of a state that is of another sort than its partner.
fn alone(state: &State, side: usize) -> Vec<Both<'_>> {
    let mut all: Vec<(String, ArmIndex, &Body)> = Vec::new();
    match &state.kind {
        StateKind::Steps(body) => {
            all.push(("entering the state".to_owned(), ArmIndex::Steps, body))
        }
        StateKind::Match { matched, unmatched } => {
            all.push((
                "a reference that matches".to_owned(),
                ArmIndex::Matched,
                matched,
            ));
            all.push((
                "no reference that matches".to_owned(),
                ArmIndex::Unmatched,
                unmatched,
            ));
        }
        StateKind::Consume(consume) => {
            for (index, literal) in (0u32..).zip(&consume.literals) {
                let on = format!("the string {}", quoted(&literal.text));
                all.push((on, ArmIndex::Literal(index), &literal.body));
            }
            for (index, arm) in (0u32..)
                .zip(&consume.arms)
                .filter(|(_, arm)| !arm.set.is_empty())
            {
                all.push((arm.label.clone(), ArmIndex::Set(index), &arm.body));
            }
            all.push(("EOF".to_owned(), ArmIndex::Eof, &consume.eof));
        }
    }
    let both = |(on, arm, body)| Both {
        on,
        set: None,
        arms: if side == 0 {
            (Some(arm), None)
        } else {
            (None, Some(arm))
        },
        bodies: if side == 0 {
            [Some(body), None]
        } else {
            [None, Some(body)]
        },
    };
    all.into_iter().map(both).collect()
}
