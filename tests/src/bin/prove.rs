//! `cargo xtask prove`; see docs/proofs.md.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use clap::Parser;
use speclex_codegen::machine::Machine;
use speclex_tests::prove::{FILE, Part, Sample, Summary, compile, parts, prove};
use speclex_tests::revision::Revision;
use speclex_tests::workspace;

/// Plants changes in tables, and checks what `diff` says of them.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask prove")]
struct Arguments {
    /// The tables; all shipped ones if none is named.
    tables: Vec<String>,
    /// Plants the changes of one state in N, and of one row in N.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    one_in: u32,
    /// Only the parts of a table with this in their name, as `state 7`, `numbers`, `references`, `rewritten`.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        conflicts_with = "write"
    )]
    part: String,
    /// Which ones, and which random inputs are tried.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Random inputs for each change that is called equal.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    inputs: usize,
    /// Compiles one in N of the changes that show.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    compile_one_in: u32,
    /// Writes docs/proofs.md; of all changes of all tables only.
    #[arg(long, conflicts_with_all = ["tables", "one_in", "part"])]
    write: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let sample = Sample {
        one_in: arguments.one_in as usize,
        seed: arguments.seed,
        inputs: arguments.inputs,
        compile_one_in: arguments.compile_one_in as usize,
    };
    let shipped = speclex_tables::all();
    let is_shipped = |name: &&String| !shipped.iter().any(|table| table.name == **name);
    if let Some(unknown) = arguments.tables.iter().find(is_shipped) {
        eprintln!("error: no shipped table is called `{unknown}`");
        return ExitCode::from(2);
    }
    let is_chosen =
        |name: &str| arguments.tables.is_empty() || arguments.tables.iter().any(|it| it == name);
    let tables = shipped.iter().filter(|table| is_chosen(table.name));
    let parts = tables.flat_map(|table| {
        let table = &Revision::shared(table.name).machine;
        let parts = parts(table, sample).into_iter();
        let chosen = parts.filter(|part| part.to_string().contains(&arguments.part));
        chosen.map(move |part| (table, part))
    });
    let mut summary = all(&parts.collect::<Vec<_>>(), sample);
    compile(&mut summary);
    let file = workspace().join(FILE);
    if arguments.write
        && let Err(error) = std::fs::write(&file, summary.page())
    {
        eprintln!("error: {}: {error}", file.display());
        return ExitCode::from(2);
    }
    summary.check(&std::fs::read_to_string(&file).unwrap_or_default());
    println!("{}", summary.line());
    for failure in summary.failures() {
        println!("{failure}");
    }
    ExitCode::from(u8::from(!summary.failures().is_empty()))
}

/// Plants the changes of all parts, as many parts at a time as there are processors.
fn all(parts: &[(&Machine, Part)], sample: Sample) -> Summary {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((table, part)) = parts.get(index) else {
                return;
            };
            let summary = prove(table, *part, sample);
            eprintln!(
                "{} of {}: {}, {part}: {}",
                index + 1,
                parts.len(),
                table.name,
                summary.line()
            );
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.insert(index, summary);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // In the order of the tables, whoever was first.
    done.into_values()
        .fold(Summary::default(), |mut all, part| {
            all.join(part);
            all
        })
}
