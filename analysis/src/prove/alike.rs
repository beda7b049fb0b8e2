//! Machines that are alike but for a few states: only those are run.
//!
//! Where both hold the same and are in a state that both write alike, they do the same and hold the same again. So it is enough
//! that from each other state, holding the same of which nothing more is known, both come to the same.

use speclex_codegen::machine::{Machine, State};

use super::relation::{Held, Relation};
use super::ways::{Both, End, Pair};

/// Whether two machines are alike but for some states, and it makes no difference in which of them these are run.
pub(super) fn are_equal([one, other]: [&Machine; 2], both: &Both<'_>) -> bool {
    if one.states.len() != other.states.len() || rest(one) != rest(other) {
        return false;
    }
    let count = both.sides[0].places.sorts.len() as u32;
    let same = Relation {
        held: [0, 1]
            .iter()
            .flat_map(|_| (0..count).map(Held::Class))
            .collect(),
        is_behind: [false; 2],
        texts: Vec::new(),
    };
    let is_alike = |(one, other): &(&State, &State)| one.kind == other.kind;
    let states = one.states.iter().zip(&other.states);
    let mut changed = (0..).zip(states).filter(|(_, states)| !is_alike(states));
    changed.all(|(state, _): (u32, _)| {
        let ends = both.from(&Pair::of_states([state; 2]), &same);
        ends.is_ok_and(|ends| ends.iter().all(is_the_same))
    })
}

/// Whether both are in the same state and hold the same.
fn is_the_same(end: &End) -> bool {
    let [one, other] = end.pair.states;
    let (ours, theirs) = end.relation.held.split_at(end.relation.held.len() / 2);
    one == other && ours == theirs
}

/// All of a machine that decides what it does, but for its states.
fn rest(machine: &Machine) -> impl PartialEq {
    let Machine {
        name: _,
        title: _,
        explanations: _,
        states: _,
        conditions: _,
        hot: _,
        vocabulary,
        errors,
        registers,
        preprocessing,
        references,
        replacements,
        entries,
        contents_after,
        on_emit,
    } = machine;
    let declared = (vocabulary, errors, registers, entries);
    let given = (preprocessing, references, replacements);
    (declared, given, contents_after, on_emit)
}
