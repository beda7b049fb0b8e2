//! `cargo xtask prove`; see docs/proofs.md.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use clap::Parser;
use speclex_codegen::machine::Machine;
use speclex_tests::prove::{
    FILE, Part, Sample, Summary, comparisons, compile, parts, prove, prove_trees, read,
};
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
    /// Plants nothing, and reads N random documents and all of `../shared/corpora` with both tables of each checked-in
    /// comparison: every difference must have a cause.
    #[arg(long, value_name = "N", conflicts_with_all = ["tables", "one_in", "part", "write"])]
    documents: Option<usize>,
    /// Plants N changes of single steps in a table of tree construction, `html-tree-2026-06` if none is named: `diff` must find a
    /// document for nearly all that the suites or random documents tell apart.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "200", conflicts_with_all = ["one_in", "part", "write", "documents"])]
    trees: Option<usize>,
    /// Random documents for each change of a tree that has no document.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1_000_000,
        requires = "trees"
    )]
    tree_documents: usize,
    /// Of the changes of a tree at most N may be missed, not one in twenty: for a small sample, in which chance decides.
    #[arg(long, value_name = "N", requires = "trees")]
    missed: Option<usize>,
    /// Writes docs/proofs.md; of all changes of all tables only.
    #[arg(long, conflicts_with_all = ["tables", "one_in", "part"])]
    write: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(count) = arguments.documents {
        return read_documents(count, arguments.seed);
    }
    if let Some(count) = arguments.trees {
        return prove_tables_of_trees(&arguments, count);
    }
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
    let parts: Vec<(&Machine, Part)> = parts.collect();
    let summaries = side_by_side(&parts, &|index, (table, part)| {
        let summary = prove(table, *part, sample);
        let (number, count) = (index + 1, parts.len());
        eprintln!(
            "{number} of {count}: {}, {part}: {}",
            table.name,
            summary.line()
        );
        for failure in summary.failures() {
            eprintln!("{failure}");
        }
        summary
    });
    let mut summary = Summary::default();
    summaries.into_iter().for_each(|part| summary.join(part));
    compile(&mut summary);
    let file = workspace().join(FILE);
    if arguments.write
        && let Err(error) = std::fs::write(&file, summary.page())
    {
        eprintln!("error: {}: {error}", file.display());
        return ExitCode::from(2);
    }
    if sample.one_in == 1 && arguments.tables.is_empty() && arguments.part.is_empty() {
        summary.check();
    }
    println!("{}", summary.line());
    for failure in summary.failures() {
        println!("{failure}");
    }
    ExitCode::from(u8::from(!summary.failures().is_empty()))
}

/// Plants changes in tables of tree construction.
fn prove_tables_of_trees(arguments: &Arguments, count: usize) -> ExitCode {
    let tables = match &arguments.tables[..] {
        [] => vec!["html-tree-2026-06"],
        named => named.iter().map(String::as_str).collect(),
    };
    let mut is_well = true;
    for table in tables {
        match prove_trees(table, count, arguments.tree_documents, arguments.seed) {
            Ok(trees) => {
                println!("{table}: {trees}");
                is_well &= trees.is_well(arguments.missed);
            }
            Err(error) => {
                eprintln!("error: {table}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::from(u8::from(!is_well))
}

/// Looks for the cause of every difference in documents.
fn read_documents(count: usize, seed: u64) -> ExitCode {
    let found = side_by_side(&comparisons(), &|_, names| {
        let documents = read(names, count, seed);
        println!("{documents}");
        documents.all_have_causes()
    });
    ExitCode::from(u8::from(found.contains(&false)))
}

/// Does this with each of a list, as many at a time as there are processors; in the order of the list.
fn side_by_side<T: Sync, R: Send>(list: &[T], work: &(dyn Fn(usize, &T) -> R + Sync)) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(BTreeMap::new());
    let go_on = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = list.get(index) else {
                return;
            };
            let result = work(index, item);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.insert(index, result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            scope.spawn(go_on);
        }
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.into_values().collect()
}
