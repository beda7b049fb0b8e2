//! Asks a foreign tokenizer.

use std::collections::{BTreeMap, HashMap, HashSet};

use speclex_codegen::machine::Feedback;

use super::arms::Arms;
use super::asking::{Foreign, Judges, Outcome, shorten};
use super::blame::{Deviates, Difference, Run, blame};
use super::input::{Input, Source};
use super::judge::Judge;
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
struct Deviant<'a, J: Judges> {
    input: &'a J::Input,
    difference: Difference,
    reached: Vec<usize>,
    /// If there is no answer: it is not sent again, since that may take long.
    failed: Option<J::Example>,
}

/// Sends inputs to a foreign tokenizer, each whole and then cut after each character, and compares what it answers.
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
    let initial = inputs.first().map(|input| &input.start);
    let is_plain = |input: &Input| Some(&input.start) == initial;
    let label = |item| arms.label(item);
    let never = |_: usize, _: usize| false;
    let (mut report, sorted) = compare(
        &mut judge,
        (arms.count(), &label),
        inputs,
        (&is_plain, &never),
        progress,
    )?;
    let impossible: HashSet<usize> = covered.unreached.iter().map(|u| u.item).collect();
    let mut unreached = arms.outermost(&|item| sorted[item] == Sorted::Unreached);
    unreached.retain(|(id, _)| !impossible.contains(id));
    let hidden = arms.outermost(&|item| sorted[item] == Sorted::Hidden);
    let labels = |list: Vec<(usize, String)>| list.into_iter().map(|(_, label)| label).collect();
    report.table.clone_from(&items.machine().name);
    report.cuts = judge.cuts;
    report.errors = judge.errors;
    report.hidden = labels(hidden);
    report.unreached = labels(unreached);
    report.impossible = impossible.len();
    Ok(report)
}

/// What is known of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sorted {
    Known,
    /// Every input that reaches it deviates, but because of others.
    Hidden,
    Unreached,
}

/// Whether an input starts as most do; and, by the numbers of inputs that reach an item and agree or deviate, whether others cause
/// what deviates there.
type Judgement<'j, I> = (&'j dyn Fn(&I) -> bool, &'j dyn Fn(usize, usize) -> bool);

/// A report without what only the caller knows, and what is known of each item.
type Compared<J> = (Report<<J as Judges>::Example>, Vec<Sorted>);

/// Compares inputs; `items` are how many there are, and the label of each. The caller completes the report.
pub(super) fn compare<J: Judges>(
    judge: &mut J,
    items: (usize, &dyn Fn(usize) -> String),
    inputs: &[J::Input],
    (is_plain, is_sound): Judgement<'_, J::Input>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Compared<J>, J::Fault> {
    let mut sent = Inputs::default();
    let mut refused = BTreeMap::new();
    let mut runs = Vec::new();
    let mut deviants: Vec<Deviant<'_, J>> = Vec::new();
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
        match J::source(input) {
            Source::Cover => sent.cover += 1,
            Source::Test => sent.tests += 1,
            Source::Random => sent.random += 1,
        }
        let mut judged = judge.judge(input)?;
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
                failed: match outcome {
                    Outcome::Failed(what) => {
                        J::failed(&mut judged.example, what);
                        Some(judged.example)
                    }
                    _ => None,
                },
                reached: judged.reached,
            }),
        }
    }
    let (compared, deviating) = (runs.len() + deviants.len(), deviants.len());
    let mut counts = vec![(0, 0); items.0];
    let agreeing = runs.iter().flat_map(|run| &run.reached);
    agreeing.for_each(|&item| counts[item].0 += 1);
    let of_deviants = deviants.iter().flat_map(|deviant| &deviant.reached);
    of_deviants.for_each(|&item| counts[item].1 += 1);
    let mut shortest: Vec<(J::Input, Option<J::Example>)> = Vec::new();
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
        let (input, reached) = match deviant.failed {
            Some(_) => (input.clone(), deviant.reached),
            None => shorten(judge, input, difference, &|item| {
                let (agreeing, deviating) = counts[item];
                is_sound(agreeing, deviating)
            })?,
        };
        let at = *known
            .entry((J::key(&input), difference))
            .or_insert_with(|| {
                runs.push(Run {
                    reached,
                    deviates: Some(Deviates {
                        difference,
                        input: shortest.len(),
                        inputs: 0,
                    }),
                });
                shortest.push((input, deviant.failed));
                runs.len() - 1
            });
        if let Some(deviates) = &mut runs[at].deviates {
            deviates.inputs += 1;
        }
    }
    // The plainest of several comes first.
    runs.sort_by_key(|run| {
        let deviates = run.deviates?;
        let (input, _) = shortest.get(deviates.input)?;
        Some((J::text(input).chars().count(), !is_plain(input)))
    });
    let mut deviations = Vec::new();
    let mut all_blamed: HashSet<usize> = HashSet::new();
    for difference in Difference::ALL {
        let mut blamed = blame(items.0, &runs, difference);
        blamed.sort_by_key(|blamed| blamed.item);
        for blamed in blamed {
            all_blamed.insert(blamed.item);
            let Some((input, failed)) = shortest.get(blamed.example) else {
                continue;
            };
            deviations.push(Deviation {
                arm: (items.1)(blamed.item),
                differs: difference,
                deviating: blamed.inputs,
                reaching: blamed.reaching,
                example: match failed {
                    Some(failed) => failed.clone(),
                    None => example(judge, input)?,
                },
            });
        }
    }
    let sorted = counts.iter().enumerate().map(|(item, count)| match count {
        (0, 0) => Sorted::Unreached,
        (0, _) if !all_blamed.contains(&item) => Sorted::Hidden,
        _ => Sorted::Known,
    });
    let sorted = sorted.collect();
    let report = Report {
        table: String::new(),
        command: Vec::new(),
        inputs: sent,
        compared,
        answers: judge.answers() > 0,
        deviating,
        refused,
        cuts: false,
        errors: false,
        stopped,
        deviations,
        arms: items.0,
        hidden: Vec::new(),
        unreached: Vec::new(),
        impossible: 0,
    };
    Ok((report, sorted))
}

/// An input with what comes of it.
fn example<J: Judges>(judge: &mut J, input: &J::Input) -> Result<J::Example, J::Fault> {
    let mut judged = judge.judge(input)?;
    let what = match judged.outcome {
        Outcome::Differs(_) => return Ok(judged.example),
        Outcome::Failed(what) => what,
        Outcome::Agrees | Outcome::Refused(_) => {
            "it deviated once, and not when asked again".to_owned()
        }
    };
    J::failed(&mut judged.example, what);
    Ok(judged.example)
}
