//! What is different between the states of two tables, their arms as disjoint classes of characters.

use serde::Serialize;
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Body, LiteralArm, Machine, State, StateKind};

use super::arms::{Case, Way, cases, same, ways};
use super::base::Extent;
use super::edits::{self, Edits};
use super::matching::Matching;
use super::wording::{case_line, one_or_both};
use crate::error_comparison::ErrorComparison;
use crate::paths::{Arm, ArmIndex, ArmInput, arms};
use crate::spelling::{Spelling, characters};

/// A state that only one of the tables has.
#[derive(Clone, Debug, Serialize)]
pub struct OnlyState {
    /// The table.
    pub table: String,
    /// 0 for the first table, 1 for the second.
    #[serde(skip)]
    pub side: usize,
    /// Its name.
    #[serde(rename = "state")]
    pub name: String,
    /// Its section.
    pub section: String,
    /// What it does: the input of each arm, and its cases.
    #[serde(skip)]
    pub(super) arms: Vec<(String, Vec<Case>)>,
    #[serde(skip)]
    pub(super) id: u32,
}

/// Arms of two states that differ.
#[derive(Clone, Debug, Serialize)]
pub struct ArmRow {
    /// The states' names.
    pub states: [String; 2],
    /// Their sections.
    pub sections: [String; 2],
    /// On which input.
    pub on: String,
    /// What each table does, a line for each case; empty where it has no such arm.
    pub sides: [Vec<String>; 2],
    /// The cases.
    #[serde(skip)]
    pub cases: [Vec<Case>; 2],
    /// A sentence of each text.
    #[serde(skip)]
    pub quotes: [Option<String>; 2],
    /// The numbers of the states.
    #[serde(skip)]
    pub ids: [u32; 2],
    /// Which arms of theirs it is about.
    #[serde(skip)]
    pub arms: (Option<ArmIndex>, Option<ArmIndex>),
    /// The characters, where it is about characters.
    #[serde(skip)]
    pub set: Option<CharSet>,
    /// Where each table does with these characters what the other does with others, so that only the sets differ: whether
    /// they fall under anything else.
    #[serde(skip)]
    pub moved: Option<[bool; 2]>,
}

impl ArmRow {
    /// What the arms are called in both tables.
    pub(super) fn labels(&self) -> [String; 2] {
        let on = &self.on;
        self.states
            .each_ref()
            .map(|state| format!("{state} on {on}"))
    }
}

/// All structural differences of states.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// States of one table only.
    pub only: Vec<OnlyState>,
    /// States with another name in the second table.
    pub renamed: Vec<[String; 2]>,
    /// Arms that differ.
    pub arms: Vec<ArmRow>,
    /// States that both tables have.
    pub common: usize,
}

/// Arms that belong together: for which input, which arms, and their bodies.
struct PairedArms<'m> {
    on: String,
    /// Whether the two are for other inputs: strings that differ in case only, or one of one side only.
    is_other: bool,
    set: Option<CharSet>,
    arms: (Option<ArmIndex>, Option<ArmIndex>),
    bodies: [Option<&'m Body>; 2],
}

impl<'m> PairedArms<'m> {
    fn new(one: Option<Arm<'m>>, other: Option<Arm<'m>>) -> Self {
        let [a, b] = [one, other].map(|arm| arm.map(|arm| arm.on.spelled()));
        Self {
            is_other: a != b,
            on: match (a, b) {
                (Some(a), Some(b)) => one_or_both(&[a, b], " → "),
                (a, b) => a.or(b).unwrap_or_default(),
            },
            set: None,
            arms: (one.map(|arm| arm.index), other.map(|arm| arm.index)),
            bodies: [one, other].map(|arm| arm.map(|arm| arm.body)),
        }
    }
}

impl Structure {
    pub(super) fn new(
        machines: [&Machine; 2],
        both: &[Machine; 2],
        matching: &Matching,
        compared: ErrorComparison,
    ) -> Self {
        let mut spellings = machines.map(Spelling::new);
        // A name that does not mean the same in both tables hides what differs.
        let meanings = spellings.each_ref().map(Spelling::meanings);
        let other = |name: &str| {
            let [one, other] = meanings.each_ref().map(|all| all.get(name));
            one.zip(other).is_some_and(|(one, other)| one != other)
        };
        for spelling in &mut spellings {
            spelling.conditions.retain(|(name, _)| !other(name));
        }
        let mut structure = Self::default();
        let state = |side: usize, id: u32| machines[side].states.get(id as usize);
        for (left, right) in (0u32..).zip(&matching.forth) {
            let right = right.and_then(|id| Some((id, state(1, id)?)));
            let (Some(a), Some((right, b))) = (state(0, left), right) else {
                structure.only.extend(only(machines, 0, left));
                continue;
            };
            structure.common += 1;
            if a.name != b.name {
                structure.renamed.push([a.name.clone(), b.name.clone()]);
            }
            // The same arms under one numbering.
            let all = both
                .each_ref()
                .map(|table| arms(&table.states[left as usize]));
            for pair in pairs(a, b) {
                let set = pair.set.as_ref();
                let indices = [pair.arms.0, pair.arms.1];
                let own = [0, 1].map(|side| {
                    let mut arms = all[side].iter();
                    let arm = arms.find(|arm| Some(arm.index) == indices[side])?;
                    Some(ways(arm.body, set))
                });
                if let [Some(ours), Some(theirs)] = &own
                    && !pair.is_other
                    && same(ours, theirs, compared)
                {
                    continue;
                }
                let written = || {
                    let arms = [0, 1].map(|side| {
                        let index = indices[side];
                        let numbered = all[side].iter().find(|arm| Some(arm.index) == index)?;
                        Some(edits::Arm {
                            said: pair.bodies[side]?,
                            numbered: numbered.body,
                        })
                    });
                    let arms = arms[0].zip(arms[1]).map(<[_; 2]>::from)?;
                    Edits::of(spellings.each_ref(), arms, set, compared)
                };
                let shown = written().filter(|written| !written[0].is_empty());
                // Else of many cases those that the other side has not.
                let shown = shown.unwrap_or_else(|| {
                    [0, 1].map(|side| {
                        let Some(body) = pair.bodies[side] else {
                            return Vec::new();
                        };
                        let all = cases(&spellings[side], body, set).into_iter();
                        let theirs = own[1 - side].iter().flatten();
                        let is_theirs =
                            |way: &Way| theirs.clone().any(|it| it.is_same(way, compared));
                        let (own, shared): (Vec<_>, Vec<_>) = all
                            .zip(own[side].iter().flatten())
                            .partition(|(_, way)| !is_theirs(way));
                        let shown = if own.is_empty() { shared } else { own };
                        shown.into_iter().map(|(case, _)| case).collect()
                    })
                });
                let does = |side: usize| {
                    all[side].iter().any(|arm| {
                        matches!(arm.index, ArmIndex::Set(_))
                            && own[1 - side]
                                .as_ref()
                                .is_some_and(|theirs| same(&ways(arm.body, set), theirs, compared))
                    })
                };
                structure.arms.push(ArmRow {
                    moved: (pair.set.is_some() && does(0) && does(1))
                        .then(|| [is_rest(a, pair.arms.0), is_rest(b, pair.arms.1)]),
                    states: [a.name.clone(), b.name.clone()],
                    sections: [a.section.clone(), b.section.clone()],
                    on: pair.on,
                    sides: (shown.each_ref()).map(|cases| cases.iter().map(case_line).collect()),
                    quotes: [None, None],
                    cases: shown,
                    ids: [left, right],
                    arms: pair.arms,
                    set: pair.set,
                });
            }
        }
        for (right, left) in (0u32..).zip(&matching.back) {
            if left.is_none() {
                structure.only.extend(only(machines, 1, right));
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

/// Whether this is the arm for anything else.
fn is_rest(state: &State, arm: Option<ArmIndex>) -> bool {
    let sets = arms(state).into_iter().map(|arm| arm.index);
    let mut sets = sets.filter(|it| matches!(it, ArmIndex::Set(_)));
    arm.is_some() && sets.next_back() == arm
}

fn only(machines: [&Machine; 2], side: usize, id: u32) -> Option<OnlyState> {
    let state = machines[side].states.get(id as usize)?;
    let spelling = Spelling::new(machines[side]);
    let does = |arm: Arm<'_>| {
        let set = match arm.on {
            ArmInput::Set(set, _) => Some(set),
            _ => None,
        };
        (arm.on.spelled(), cases(&spelling, arm.body, set))
    };
    Some(OnlyState {
        arms: arms(state).into_iter().map(does).collect(),
        table: machines[side].name.clone(),
        side,
        name: state.name.clone(),
        section: state.section.clone(),
        id,
    })
}

/// Where two states are not the same.
pub(super) fn changed(one: &State, other: &State) -> Extent {
    let mut extent = Extent::none();
    for pair in pairs(one, other) {
        if pair.is_other || pair.bodies[0] != pair.bodies[1] {
            extent.add(pair.set.as_ref(), pair.arms.0);
        }
    }
    extent
}

/// The arms of two states, on disjoint inputs.
fn pairs<'m>(one: &'m State, other: &'m State) -> Vec<PairedArms<'m>> {
    match (&one.kind, &other.kind) {
        (StateKind::Steps(_), StateKind::Steps(_))
        | (StateKind::Match { .. }, StateKind::Match { .. }) => {
            let both = arms(one).into_iter().zip(arms(other));
            both.map(|(arm, with)| PairedArms::new(Some(arm), Some(with)))
                .collect()
        }
        (StateKind::Consume(a), StateKind::Consume(b)) => {
            let mut pairs = literals(one, other);
            for (left, arm) in (0u32..).zip(&a.arms) {
                for (right, with) in (0u32..).zip(&b.arms) {
                    let set = arm.set.intersection(&with.set);
                    if set.is_empty() {
                        continue;
                    }
                    let on = match [set == arm.set, set == with.set] {
                        [true, _] => arm.label.clone(),
                        [false, true] => with.label.clone(),
                        _ => characters(&set),
                    };
                    pairs.push(PairedArms {
                        on,
                        // With what comes next, and the position remembered, it matters whether a character was consumed.
                        is_other: arm.peeked != with.peeked,
                        set: Some(set),
                        arms: (Some(ArmIndex::Set(left)), Some(ArmIndex::Set(right))),
                        bodies: [Some(&arm.body), Some(&with.body)],
                    });
                }
            }
            let eof = arms(one).pop().zip(arms(other).pop());
            pairs.extend(eof.map(|(arm, with)| PairedArms::new(Some(arm), Some(with))));
            pairs
        }
        // One consumes and the other does not: each arm stands alone.
        _ => {
            let ours = arms(one)
                .into_iter()
                .map(|arm| PairedArms::new(Some(arm), None));
            let theirs = arms(other)
                .into_iter()
                .map(|arm| PairedArms::new(None, Some(arm)));
            ours.chain(theirs).collect()
        }
    }
}

/// Whether an input may begin with both strings.
fn overlap(one: &LiteralArm, other: &LiteralArm) -> bool {
    let ignore_case = one.ignore_case || other.ignore_case;
    let fits = |(a, b): (char, char)| a == b || ignore_case && a.eq_ignore_ascii_case(&b);
    one.text.chars().zip(other.text.chars()).all(fits)
}

/// The strings of two consuming states: those that are the same, then those that differ in case, then those of one side only.
fn literals<'m>(one: &'m State, other: &'m State) -> Vec<PairedArms<'m>> {
    let all = [one, other].map(|state| {
        let all = arms(state).into_iter();
        all.filter_map(|arm| match arm.on {
            ArmInput::Literal(literal) => Some((arm, literal)),
            _ => None,
        })
        .collect::<Vec<_>>()
    });
    let [ours, mut theirs] = all;
    let mut pairs: Vec<(Arm<'m>, &LiteralArm, Option<Arm<'m>>)> = Vec::new();
    pairs.extend(ours.into_iter().map(|(arm, literal)| (arm, literal, None)));
    let exact = |one: &LiteralArm, other: &LiteralArm| {
        (&one.text, one.ignore_case) == (&other.text, other.ignore_case)
    };
    let in_any_case =
        |one: &LiteralArm, other: &LiteralArm| one.text.eq_ignore_ascii_case(&other.text);
    for is_same in [
        &exact as &dyn Fn(&LiteralArm, &LiteralArm) -> bool,
        &in_any_case,
    ] {
        for (_, literal, with) in pairs.iter_mut().filter(|(.., with)| with.is_none()) {
            let at = theirs.iter().position(|(_, other)| is_same(literal, other));
            *with = at.map(|at| theirs.remove(at).0);
        }
    }
    let all = pairs.clone();
    // One that is changed is put where it stands in the other table: where that may matter, all must stand in the same order.
    let is_changed = |(arm, literal, with): &&(Arm<'m>, &LiteralArm, Option<Arm<'m>>)| {
        !with.is_some_and(|with| match with.on {
            ArmInput::Literal(other) => exact(literal, other) && arm.body == with.body,
            _ => false,
        })
    };
    let changed = all
        .iter()
        .filter(is_changed)
        .map(|(_, literal, _)| *literal);
    let mut changed = changed.chain(theirs.iter().map(|(_, literal)| *literal));
    let strings = || {
        all.iter()
            .map(|it| it.1)
            .chain(theirs.iter().map(|it| it.1))
    };
    let is_strict = changed.any(|one| strings().any(|it| it.text != one.text && overlap(one, it)));
    let pairs = pairs.into_iter().enumerate();
    let pairs = pairs.map(|(index, (arm, literal, with))| {
        let mut pair = PairedArms::new(Some(arm), with);
        // One that is tried before here and behind there, and may match the same.
        let is_moved = |(_, before, other): &(Arm<'_>, &LiteralArm, Option<Arm<'_>>)| {
            let places = with.zip(*other);
            let may_matter = is_strict || overlap(literal, before);
            places.is_some_and(|(own, other)| own.index < other.index) && may_matter
        };
        if let Some((before, ..)) = all[..index].iter().find(|it| is_moved(it)) {
            pair.is_other = true;
            pair.on += &format!(" (in A behind {}, in B before)", before.on.spelled());
        }
        pair
    });
    let rest = theirs
        .into_iter()
        .map(|(arm, _)| PairedArms::new(None, Some(arm)));
    pairs.chain(rest).collect()
}
