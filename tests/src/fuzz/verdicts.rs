//! The target `diff`: random tables with a few changes, which `diff` compares. No input tells apart what it calls equal.

use speclex_analysis::diff::{Role, compare};
use speclex_analysis::testing::first_difference;
use speclex_codegen::machine::Machine;

use super::case::{Answer, Case};
use super::drive::Recording;
use super::generate::{Corpus, Generator};
use super::interpreted::Interpreted;
use super::shrink::shrink;
use super::tables::{edited, machine, table, without_numbers};
use super::{Failure, Progress, Run, caught};
use crate::between::without_effect;
use crate::random::Random;

/// How many cases are run with two tables that are called equal.
const CASES: u64 = 3_000;

/// How many edits are tried at most until one makes a table.
const TRIES: usize = 50;

/// One in this many pairs that an input tells apart is compared change by change.
const COMPARED: usize = 8;

/// What the run has seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// Pairs that an input tells apart.
    pub different: u64,
    /// Pairs that are proven equal.
    pub equal: u64,
    /// Pairs that are not decided.
    pub undecided: u64,
    /// Changes that are proven to have no effect.
    pub silent: u64,
    /// Cases that were run.
    pub cases: u64,
}

/// A table, and the same with changes.
struct Pair {
    texts: [String; 2],
    machines: [Machine; 2],
}

/// A case that shows that a proof is none, and what comes of it.
struct False(Case, String);

/// Compares tables.
///
/// # Errors
/// The first false proof, with a small case.
pub fn run(run: Run) -> Result<Summary, Failure> {
    let mut summary = Summary::default();
    let mut progress = Progress::new("diff", run.runs);
    for index in 0..run.runs {
        let seed = run.seed.wrapping_add(index);
        let mut random = Random::new(seed);
        if let Some(pair) = pair(seed, &mut random) {
            let command = format!("cargo xtask fuzz diff --runs 1 --seed {seed}");
            let looked = caught(|| Ok(look(&pair, &command, &mut random, &mut summary)));
            let (what, case) = match looked {
                Ok(None) => continue,
                Ok(Some(False(case, what))) => (what, format!("{case:#?}")),
                Err(what) => (what, String::new()),
            };
            return Err(Failure {
                what,
                reproducer: [&pair.texts[0], &pair.texts[1], &case]
                    .map(String::as_str)
                    .join("\n"),
                command,
            });
        }
        progress.step();
    }
    Ok(summary)
}

fn pair(seed: u64, random: &mut Random) -> Option<Pair> {
    let text = match (table(seed), random.below(4)) {
        (text, 0) => text,
        // Little is ever proven of a table that does much with its number.
        (text, _) => without_numbers(&text),
    };
    let (mut changed, mut other) = (text.clone(), None);
    for _ in 0..1 + random.below(3) {
        let next = (0..TRIES).find_map(|_| {
            let next = edited(&changed, random)?;
            Some((machine(&next).ok()?, next))
        });
        if let Some((machine, next)) = next {
            (changed, other) = (next, Some(machine));
        }
    }
    Some(Pair {
        machines: [machine(&text).ok()?, other?],
        texts: [text, changed],
    })
}

/// Compares a pair; a false proof, if there is one.
fn look(pair: &Pair, command: &str, random: &mut Random, summary: &mut Summary) -> Option<False> {
    let [one, other] = &pair.machines;
    let searched = first_difference(one, other);
    if !searched.witnesses.is_empty() && random.below(COMPARED) > 0 {
        summary.different += 1;
        return None;
    }
    let diff = compare(one, other, true);
    let causes = &diff.behaviour.as_ref()?.causes;
    let is_equal = diff.proven_equal();
    *match is_equal {
        true => &mut summary.equal,
        false if diff.differs() => &mut summary.different,
        false => &mut summary.undecided,
    } += 1;
    if let Some(witness) = searched.witnesses.first().filter(|_| is_equal) {
        let case = Case {
            input: witness.input.clone(),
            ..Case::default()
        };
        return Some(False(case, "proven equal, but for this input".to_owned()));
    }
    if is_equal {
        return difference([one, other], command, random, summary);
    }
    let silent = causes.iter().filter(|it| it.role == Role::NoEffect).count();
    if silent == 0 {
        return None;
    }
    summary.silent += silent as u64;
    let pairs = without_effect([one, other], causes);
    let mut pairs = pairs.iter().map(|pair| pair.each_ref());
    pairs.find_map(|pair| difference(pair, command, random, summary))
}

/// A case that tells apart two tables that are called equal.
fn difference(
    tables: [&Machine; 2],
    command: &str,
    random: &mut Random,
    summary: &mut Summary,
) -> Option<False> {
    let corpus = Corpus::default();
    let generator = Generator::new(tables[1], &corpus);
    let mut engines = tables.map(Interpreted::new);
    let mut differ = |case: &Case| {
        let [one, other] = engines.each_mut().map(|engine| record(engine, case));
        (one != other).then(|| format!("proven equal:\n  {one:?}\nand\n  {other:?}"))
    };
    for _ in 0..CASES {
        summary.cases += 1;
        let mut case = generator.case(random);
        // What is inserted at a pause is no part of an input.
        case.stops.clear();
        case.answers.retain(|answer| *answer != Answer::Pause);
        case.skip_bom = false;
        // No start tag has such a name.
        case.last_start_tag = case
            .last_start_tag
            .filter(|name| !name.is_empty() && !name.contains('\n'));
        if differ(&case).is_some() {
            let case = shrink(case, command, |case| differ(case).is_some());
            return differ(&case).map(|what| False(case, what));
        }
    }
    None
}

/// What comes of a case, errors by their places.
fn record(engine: &mut Interpreted<'_>, case: &Case) -> Result<Recording, String> {
    let mut recording = engine.record(case)?;
    recording
        .errors
        .sort_by(|(one, from), (other, to)| (from, one).cmp(&(to, other)));
    Ok(recording)
}
