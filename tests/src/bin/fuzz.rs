//! `cargo xtask fuzz`; see docs/fuzzing.md.

use std::process::ExitCode;

use clap::Parser;
use speclex_tests::fuzz::generate::{Corpus, Generator};
use speclex_tests::fuzz::yaml::{self, Memory};
use speclex_tests::fuzz::{Failure, Run, tables, tokenizer, trees, verdicts};
use speclex_tests::random::Random;
use speclex_tests::revision::Revision;

/// Runs random cases and compares what ought to be equal.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask fuzz")]
struct Arguments {
    /// `tokenizer` (of every revision), `tokenizer:NAME`, `tables`, `trees`, `diff` or `yaml`.
    #[arg(default_value = "tokenizer")]
    target: String,
    /// How many cases; of each revision for `tokenizer`.
    #[arg(long, default_value_t = 10_000)]
    runs: u64,
    /// The seed of the first case. Each case has that of the one before plus one.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Writes so many random documents, as lines of JSON with `name` and `document`, and runs none.
    #[arg(long, value_name = "N")]
    emit: Option<u64>,
    /// With the tokenizers as they are without `unsafe` code. The digest says whether the same comes out.
    #[arg(long)]
    safe: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // A panic is a finding, with a report of its own.
    std::panic::set_hook(Box::new(|_| {}));
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure {
            what,
            reproducer,
            command,
        }) => {
            println!("{what}\n\n{reproducer}\n\nagain: {command}");
            ExitCode::from(1)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let run = Run {
        runs: arguments.runs,
        seed: arguments.seed,
    };
    let (target, name) = match arguments.target.split_once(':') {
        Some((target, name)) => (target, Some(name)),
        None => (arguments.target.as_str(), None),
    };
    let names = speclex_tables::all().iter().map(|table| table.name);
    let names: Vec<&str> = names
        .filter(|&n| name.is_none_or(|name| n == name))
        .collect();
    match target {
        "tokenizer" if !names.is_empty() => {
            let corpus = Corpus::read();
            if let Some(count) = arguments.emit {
                emit(&names, &corpus, count, run.seed);
                return Ok(());
            }
            for name in names {
                let revision = Revision::named(name);
                let digest = tokenizer::run(&revision.machine, &corpus, run)?;
                println!(
                    "tokenizer:{name}: {} cases from seed {}, no difference; digest {digest:016x}",
                    run.runs, run.seed
                );
            }
            Ok(())
        }
        "tables" => {
            let seen = tables::run(run)?;
            println!(
                "tables: {} compiled and {} refused from seed {}, {} cases, no difference",
                seen.compiled, seen.refused, run.seed, seen.cases
            );
            Ok(())
        }
        "trees" => {
            let seen = trees::run(run)?;
            println!(
                "trees: {} tables compiled from seed {}, {} documents, no difference",
                seen.compiled, run.seed, seen.documents
            );
            Ok(())
        }
        "diff" => {
            let seen = verdicts::run(run)?;
            println!(
                "diff: {} pairs of tables different, {} proven equal and {} not decided from seed {}; {} changes more without \
                 effect; {} cases, no difference",
                seen.different, seen.equal, seen.undecided, run.seed, seen.silent, seen.cases
            );
            Ok(())
        }
        "yaml" => {
            let seen = yaml::run(run, measure)?;
            let [allocated, held, allocations] = seen.most;
            println!(
                "yaml: {} loaded and {} refused from seed {}; a text takes at most {allocated} bytes, {held} at one time, in \
                 {allocations} allocations",
                seen.loaded, seen.refused, run.seed
            );
            Ok(())
        }
        _ => {
            eprintln!("error: no target `{}`", arguments.target);
            std::process::exit(2)
        }
    }
}

fn measure(call: &mut dyn FnMut()) -> Memory {
    let measured = allocation_counter::measure(call);
    Memory {
        allocations: measured.count_total,
        allocated: measured.bytes_total,
        held: measured.bytes_max,
    }
}

/// Writes documents, those of the tables in turn.
fn emit(names: &[&str], corpus: &Corpus, count: u64, seed: u64) {
    let revisions: Vec<Revision> = names.iter().map(|name| Revision::named(name)).collect();
    let generators: Vec<Generator<'_>> = (revisions.iter())
        .map(|revision| Generator::new(&revision.machine, corpus))
        .collect();
    for (index, (name, generator)) in (0..count).zip(names.iter().zip(&generators).cycle()) {
        let seed = seed.wrapping_add(index);
        let line = serde_json::json!({
            "name": format!("{name}/{seed}"),
            "document": generator.input(&mut Random::new(seed)),
        });
        println!("{line}");
    }
}
