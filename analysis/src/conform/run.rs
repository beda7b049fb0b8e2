//! Asks a foreign tokenizer.

use std::collections::{BTreeMap, HashSet};

use speclex_codegen::machine::Feedback;

use super::arms::Arms;
use super::blame::{Difference, Run, blame};
use super::input::{Input, Source};
use super::judge::{Foreign, Judge, Outcome};
use super::report::{Deviation, Inputs, Report};
use crate::cover::{Found, Items};
use crate::interpreter::Fault;

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// How many inputs were sent.
    pub sent: usize,
    /// How many deviate.
    pub deviating: usize,
}

/// Sends inputs to a foreign tokenizer, each whole and then cut behind each character, and compares what it answers.
///
/// # Errors
/// When the interpreter cannot run an input.
pub fn run(
    items: &Items<'_>,
    covered: &Found,
    inputs: &[Input],
    feedback: Feedback,
    foreign: &mut dyn Foreign,
    progress: &mut dyn FnMut(Progress),
) -> Result<Report, Fault> {
    let arms = Arms::of(items);
    let mut judge = Judge::new(items, &arms, feedback, foreign);
    let mut sent = Inputs::default();
    let mut refused = BTreeMap::new();
    let mut failures = BTreeMap::new();
    let mut runs = Vec::new();
    let mut deviating = 0;
    let mut stopped = None;
    for (index, input) in inputs.iter().enumerate() {
        progress(Progress {
            sent: index,
            deviating,
        });
        stopped = judge.stops();
        if stopped.is_some() {
            break;
        }
        match input.source {
            Source::Cover => sent.cover += 1,
            Source::Test => sent.tests += 1,
            Source::Random => sent.random += 1,
        }
        let judged = judge.judge(input)?;
        let outcome = match judged.outcome {
            Outcome::Agrees => None,
            Outcome::Refused(why) => {
                *refused.entry(why).or_insert(0) += 1;
                continue;
            }
            Outcome::Differs(difference, _) => Some(difference),
            Outcome::Failed(what) => {
                failures.insert(index, what);
                Some(Difference::Failure)
            }
        };
        deviating += usize::from(outcome.is_some());
        runs.push(Run {
            input: index,
            reached: judged.reached,
            outcome,
        });
    }
    runs.sort_by_key(|run| inputs[run.input].text.chars().count());
    let mut deviations = Vec::new();
    let mut all_blamed: HashSet<usize> = HashSet::new();
    for difference in Difference::ALL {
        let mut blamed = blame(arms.count(), &runs, difference);
        let is_blamed: HashSet<usize> = blamed.iter().map(|blamed| blamed.item).collect();
        all_blamed.extend(&is_blamed);
        blamed.sort_by_key(|blamed| blamed.item);
        for blamed in blamed {
            let Some(input) = blamed.inputs.first().and_then(|&first| inputs.get(first)) else {
                continue;
            };
            let failure = blamed
                .inputs
                .first()
                .and_then(|first| failures.remove(first));
            let example = judge.example(input, &blamed, &is_blamed, failure)?;
            deviations.push(Deviation {
                arm: arms.label(blamed.item),
                differs: difference,
                deviating: blamed.inputs.len(),
                reaching: blamed.reaching,
                example,
            });
        }
    }
    let mut reached: HashSet<usize> = HashSet::new();
    let mut agreed: HashSet<usize> = HashSet::new();
    for run in &runs {
        reached.extend(&run.reached);
        if run.outcome.is_none() {
            agreed.extend(&run.reached);
        }
    }
    let is_unreached = |id: usize| !reached.contains(&id);
    let is_hidden =
        |id: usize| !is_unreached(id) && !agreed.contains(&id) && !all_blamed.contains(&id);
    let impossible: HashSet<usize> = covered.unreached.iter().map(|u| u.item).collect();
    let mut unreached = arms.outermost(&is_unreached);
    unreached.retain(|(id, _)| !impossible.contains(id));
    let labels = |list: Vec<(usize, String)>| list.into_iter().map(|(_, label)| label).collect();
    Ok(Report {
        table: items.machine().name.clone(),
        command: Vec::new(),
        inputs: sent,
        compared: runs.len(),
        answers: judge.answers > 0,
        deviating,
        refused,
        cuts: judge.cuts,
        errors: judge.errors,
        stopped,
        deviations,
        arms: arms.count(),
        hidden: labels(arms.outermost(&is_hidden)),
        unreached: labels(unreached),
        impossible: impossible.len(),
    })
}
