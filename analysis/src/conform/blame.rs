//! Which arms are to blame for deviations.

use std::cmp::Reverse;

use serde::Serialize;

/// What deviates. What stands first hides what stands behind it: errors are not compared where tokens differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Difference {
    /// There is no answer that can be read.
    Failure,
    /// The tokens.
    Tokens,
    /// The tree.
    Trees,
    /// How many errors there are, or their codes.
    Errors,
    /// Only the places of errors.
    Places,
    /// Only the output for the same input in pieces.
    Cuts,
}

impl Difference {
    pub(super) const ALL: [Self; 6] = [
        Self::Failure,
        Self::Tokens,
        Self::Trees,
        Self::Errors,
        Self::Places,
        Self::Cuts,
    ];
}

/// An input that was answered, or to which the answer failed.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The items that it reaches, each once, in order.
    pub(super) reached: Vec<usize>,
    /// What deviates.
    pub(super) deviates: Option<Deviates>,
}

/// That an input deviates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deviates {
    pub(super) difference: Difference,
    /// The index of the input among those that deviate.
    pub(super) input: usize,
    /// How many inputs it stands for, of which it is what is left.
    pub(super) inputs: usize,
}

/// An arm or branch that is blamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Blamed {
    pub(super) item: usize,
    /// The shortest input that deviates and for which no arm before is blamed.
    pub(super) example: usize,
    /// How many such inputs there are.
    pub(super) inputs: usize,
    /// How many inputs reach the arm, without those that deviate for other reasons.
    pub(super) reaching: usize,
}

/// Blames as few arms as explain all deviations of a kind: again and again the arm of whose inputs most deviate, by their
/// share; and of several, the one that explains most, or that the shortest input reaches first.
///
/// The runs are sorted by the length of their inputs.
pub(super) fn blame(items: usize, runs: &[Run], difference: Difference) -> Vec<Blamed> {
    let mut passing = vec![0; items];
    let mut left: Vec<&Run> = Vec::new();
    for run in runs {
        match run.deviates {
            Some(other) if other.difference == difference => left.push(run),
            Some(other) if other.difference < difference => {}
            _ => run.reached.iter().for_each(|&item| passing[item] += 1),
        }
    }
    let mut blamed = Vec::new();
    while let Some(&shortest) = left.first() {
        let mut failing = vec![0_u64; items];
        for &item in left.iter().flat_map(|run| &run.reached) {
            failing[item] += 1;
        }
        let share = |item: usize| failing[item] * PARTS / (failing[item] + passing[item]);
        let place = |item: usize| {
            let at = shortest.reached.iter().position(|&reached| reached == item);
            (at.is_none(), at, item)
        };
        let candidates = (0..items).filter(|&item| failing[item] > 0);
        let most =
            candidates.max_by_key(|&item| (share(item), failing[item], Reverse(place(item))));
        // An input that reaches nothing blames nothing.
        let Some(item) = most else { break };
        let (its, others) = left
            .into_iter()
            .partition(|run| run.reached.contains(&item));
        left = others;
        let its: Vec<&Run> = its;
        let deviates = || its.iter().filter_map(|run| run.deviates);
        let inputs = deviates().map(|deviates| deviates.inputs).sum();
        blamed.push(Blamed {
            item,
            example: deviates().next().map_or(0, |deviates| deviates.input),
            inputs,
            reaching: inputs + passing[item] as usize,
        });
    }
    blamed
}

/// The denominator of the shares that are compared.
const PARTS: u64 = 1_000_000;
