//! The target `tables`: random tables mean the same in the interpreter and as compiled code.

mod batch;
mod edits;
mod write;

use speclex_codegen::machine::Machine;
use speclex_codegen::{Report, Source, load};

use super::case::Case;
use super::generate::{Corpus, Generator};
use super::interpreted::Interpreted;
use super::shrink::shrink;
use super::{Failure, Progress, Run, caught};
use crate::random::Random;
pub(crate) use batch::Batch;
use batch::Printed;
pub use edits::edited;
pub(super) use edits::without_numbers;
pub use write::with_registers_reversed;

/// How many tables are compiled at once.
pub(crate) const BATCH: usize = 24;

/// How many cases are run with each.
const CASES: u64 = 1_000;

/// A table without faults.
#[derive(Debug)]
struct Table {
    text: String,
    seed: u64,
}

/// What the run has seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// Tables that were compiled.
    pub compiled: u64,
    /// Tables with faults, which had a report.
    pub refused: u64,
    /// Cases that were run.
    pub cases: u64,
}

/// The random table of a seed.
pub fn table(seed: u64) -> String {
    write::table("random", &mut Random::new(seed))
}

/// Loads a table.
///
/// # Errors
/// A report of its faults.
pub fn machine(text: &str) -> Result<Machine, Report> {
    let source = Source {
        name: "random.yaml".to_owned(),
        text: text.to_owned(),
    };
    let references = |_: &str| {
        let references = write::REFERENCES.iter();
        Some(
            references
                .map(|&(name, value)| (name.into(), value.into()))
                .collect(),
        )
    };
    load(source, &|_| None, &references).map(|loaded| loaded.machine)
}

/// Runs tables.
///
/// # Errors
/// The first case in which something differs, made small, with its table.
pub fn run(run: Run) -> Result<Summary, Failure> {
    let mut summary = Summary::default();
    let mut progress = Progress::new("tables", run.runs);
    let (mut tables, mut machines) = (Vec::new(), Vec::new());
    for index in 0..run.runs {
        let seed = run.seed.wrapping_add(index);
        let text = table(seed);
        let loaded = caught(|| Ok(machine(&text)));
        match loaded {
            Ok(Ok(machine)) => {
                machines.push(machine);
                tables.push(Table { text, seed });
            }
            Ok(Err(report)) => {
                if std::env::var_os("SPECLEX_FUZZ_REFUSED").is_some() {
                    eprintln!("{}", report.render(false));
                }
                summary.refused += 1;
            }
            Err(what) => {
                return Err(failure(what, text, seed));
            }
        }
        if machines.len() == BATCH || index + 1 == run.runs {
            summary.cases += run_batch(&tables, &machines)?;
            summary.compiled += machines.len() as u64;
            tables.clear();
            machines.clear();
        }
        progress.step();
    }
    Ok(summary)
}

fn failure(what: String, reproducer: String, seed: u64) -> Failure {
    Failure {
        what,
        reproducer,
        command: command(seed),
    }
}

fn command(seed: u64) -> String {
    format!("cargo xtask fuzz tables --runs 1 --seed {seed}")
}

/// Runs cases with each table; how many.
fn run_batch(tables: &[Table], machines: &[Machine]) -> Result<u64, Failure> {
    let Some(first) = tables.first() else {
        return Ok(0);
    };
    let mut batch = Batch::start(machines)
        .map_err(|what| failure(what, format!("{} tables from", tables.len()), first.seed))?;
    let corpus = Corpus::default();
    for (index, (table, machine)) in tables.iter().zip(machines).enumerate() {
        let generator = Generator::new(machine, &corpus);
        let mut interpreted = Interpreted::new(machine);
        let mut random = Random::new(table.seed);
        for _ in 0..CASES {
            let case = generator.case(&mut random);
            let mut check =
                |case: &Case| caught(|| check(machine, &mut interpreted, &mut batch, index, case));
            if check(&case).is_err() {
                let case = shrink(case, &command(table.seed), |case| check(case).is_err());
                let what = check(&case).err().unwrap_or_default();
                let reproducer = format!("{}\n{case:#?}", table.text);
                return Err(failure(what, reproducer, table.seed));
            }
        }
    }
    Ok(machines.len() as u64 * CASES)
}

/// Whether a case means the same in the interpreter and as compiled code.
///
/// # Errors
/// What differs.
pub(crate) fn check(
    machine: &Machine,
    interpreted: &mut Interpreted<'_>,
    batch: &mut Batch,
    table: usize,
    case: &Case,
) -> Result<(), String> {
    if let Some(content) = &case.content
        && machine.entry(content).is_none()
    {
        return Ok(());
    }
    let expected = interpreted.record(case)?;
    let errors = (expected.errors.into_iter())
        .map(|(code, offset)| (offset, code))
        .collect();
    let expected = Printed {
        tokens: format!("{:?}", expected.tokens),
        errors,
    };
    let [whole, chunks] = batch.record(table, case)?;
    for (way, found) in [("whole", whole), ("in chunks", chunks)] {
        if found != expected {
            return Err(format!("{way}:\n  {found:?}\nnot\n  {expected:?}"));
        }
    }
    Ok(())
}
