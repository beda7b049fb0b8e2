//! Asks a foreign tokenizer.

use std::collections::{BTreeMap, HashMap, HashSet};

use speclex_codegen::machine::Feedback;

use super::arms::Arms;
use super::blame::{Deviates, Difference, Run, blame};
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
    /// How many of these are as short as they get.
    pub shortened: usize,
}

/// An input that deviates.
struct Deviant<'a> {
    input: &'a Input,
    difference: Difference,
    /// What happened, if there is no answer.
    failure: Option<String>,
    reached: Vec<usize>,
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
    let mut runs = Vec::new();
    let mut deviants: Vec<Deviant<'_>> = Vec::new();
    let mut stopped = None;
    for (index, input) in inputs.iter().enumerate() {
        progress(Progress {
            sent: index,
            deviating: deviants.len(),
            shortened: 0,
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
        let difference = judged.outcome.difference();
        match (judged.outcome, difference) {
            (Outcome::Refused(why), _) => *refused.entry(why).or_insert(0) += 1,
            (_, None) => runs.push(Run {
                reached: judged.reached,
                deviates: None,
            }),
            (outcome, Some(difference)) => deviants.push(Deviant {
                input,
                difference,
                failure: match outcome {
                    Outcome::Failed(what) => Some(what),
                    _ => None,
                },
                reached: judged.reached,
            }),
        }
    }
    let (compared, deviating) = (runs.len() + deviants.len(), deviants.len());
    let all_reached = runs.iter().map(|run| &run.reached);
    let all_reached = all_reached.chain(deviants.iter().map(|deviant| &deviant.reached));
    let reached: HashSet<usize> = all_reached.flatten().copied().collect();
    let agreed: HashSet<usize> = runs.iter().flat_map(|run| &run.reached).copied().collect();
    let mut shortest: Vec<(Input, Option<String>)> = Vec::new();
    let mut known = HashMap::new();
    for (shortened, deviant) in deviants.into_iter().enumerate() {
        progress(Progress {
            sent: inputs.len(),
            deviating,
            shortened,
        });
        let Deviant {
            input, difference, ..
        } = deviant;
        let (input, reached) = match deviant.failure {
            // Each may take long.
            Some(_) => (input.clone(), deviant.reached),
            None => judge.shorten(input, difference)?,
        };
        let key = (input.start.clone(), input.text.clone(), difference);
        let at = *known.entry(key).or_insert_with(|| {
            runs.push(Run {
                reached,
                deviates: Some(Deviates {
                    difference,
                    input: shortest.len(),
                    inputs: 0,
                }),
            });
            shortest.push((input, deviant.failure));
            runs.len() - 1
        });
        if let Some(deviates) = &mut runs[at].deviates {
            deviates.inputs += 1;
        }
    }
    // The plainest of several comes first.
    let initial = inputs.first().map(|input| &input.start);
    runs.sort_by_key(|run| {
        let deviates = run.deviates?;
        let (input, _) = shortest.get(deviates.input)?;
        Some((input.text.chars().count(), Some(&input.start) != initial))
    });
    let mut deviations = Vec::new();
    let mut all_blamed: HashSet<usize> = HashSet::new();
    for difference in Difference::ALL {
        let mut blamed = blame(arms.count(), &runs, difference);
        blamed.sort_by_key(|blamed| blamed.item);
        for blamed in blamed {
            all_blamed.insert(blamed.item);
            let Some((input, failure)) = shortest.get(blamed.example) else {
                continue;
            };
            deviations.push(Deviation {
                arm: arms.label(blamed.item),
                differs: difference,
                deviating: blamed.inputs,
                reaching: blamed.reaching,
                example: judge.example(input.clone(), failure.clone())?,
            });
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
        compared,
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
