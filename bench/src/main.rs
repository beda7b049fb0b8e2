//! `cargo xtask bench`.

mod args;

use std::io;
use std::process::ExitCode;

use clap::Parser;
use speclex_bench::corpus::{self, Corpus};
use speclex_bench::instructions::{self, Verdict};
use speclex_bench::reach::Measured;
use speclex_bench::speed::Class;
use speclex_bench::table::Table;
use speclex_bench::{cargo, code, cores, heap, ours, programs, rounds, suite, worker};

use args::{Arguments, Format, Role};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(code) => code,
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    match &arguments.role {
        Some(Role::Worker { name }) => {
            serve(name)?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(Role::Ratios { class, rounds }) => {
            let corpus = Box::leak(Box::new(corpus::load(&cargo::root(), class)?));
            programs::serve(corpus, *rounds, io::stdout().lock())?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(Role::Once { name, class }) => {
            let sample = Box::leak(Box::new(instructions::sample(class)?));
            instructions::measured(&mut find(name, sample)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        None => {}
    }
    let print = |table: &Table| match arguments.format {
        Format::Human => println!("{}", table.render()),
        Format::Json => println!("{}", table.to_json()),
    };
    if arguments.instructions {
        return check_instructions(arguments.bless, print);
    }
    let measured = measure(arguments, print)?;
    print(&measured.table());
    Ok(ExitCode::SUCCESS)
}

fn measure(arguments: &Arguments, print: impl Fn(&Table)) -> io::Result<Measured> {
    let mut measured = Measured::default();
    let rounds = arguments
        .rounds
        .unwrap_or(if arguments.quick { 15 } else { 45 });
    let corpora = corpora(&arguments.class)?;
    if !arguments.programs {
        measure_all(arguments, &corpora, rounds, &mut measured, &print)?;
    }
    // What is asked of them is about all contenders of this kind.
    let concerned: Vec<_> = corpora.iter().filter(|c| programs::concern(c)).collect();
    let asked = arguments.programs || !arguments.quick && arguments.only.is_empty();
    if asked && !concerned.is_empty() {
        let programs = programs::build()?;
        for corpus in concerned {
            let ratios = programs::measure(&programs, corpus, rounds)?;
            measured.ratios.extend(ratios);
        }
        print(&programs::table(&measured.ratios));
    }
    Ok(measured)
}

/// All that this program says by itself.
fn measure_all(
    arguments: &Arguments,
    corpora: &[&'static Corpus],
    rounds: usize,
    measured: &mut Measured,
    print: &impl Fn(&Table),
) -> io::Result<()> {
    let safe = match arguments.quick {
        true => None,
        false => Some(programs::safe()?),
    };
    for &corpus in corpora {
        let mut contenders = suite::contenders(corpus, safe.as_deref())?;
        contenders.retain(|contender| {
            let wanted = |word: &String| contender.name.contains(word.as_str());
            arguments.only.is_empty() || arguments.only.iter().any(wanted)
        });
        let times = rounds::run(&mut contenders, suite::leader(corpus), rounds)?;
        let class = Class::new(corpus, times);
        print(&class.speeds());
        print(&class.tallies());
        if !arguments.speed && corpus.class == "web" {
            print(&cores::measure(corpus));
        }
        measured.classes.push(class);
    }
    if !arguments.speed {
        measured.heaps = heap::measure()?;
        print(&heap::table(&measured.heaps, heap::page()?.bytes()));
        measured.costs = code::measure()?;
        print(&code::table(&measured.costs));
    }
    Ok(())
}

/// The classes asked for, or all that this build has contenders for.
fn corpora(classes: &[String]) -> io::Result<Vec<&'static Corpus>> {
    let names: Vec<&str> = match classes {
        [] => {
            let all = corpus::classes();
            #[cfg(feature = "peers")]
            let all = all.chain([speclex_bench::csv::CLASS]);
            all.collect()
        }
        some => some.iter().map(String::as_str).collect(),
    };
    let load = |name: &&str| -> io::Result<&'static Corpus> {
        #[cfg(feature = "peers")]
        if *name == speclex_bench::csv::CLASS {
            return Ok(Box::leak(Box::new(speclex_bench::csv::corpus())));
        }
        Ok(Box::leak(Box::new(corpus::load(&cargo::root(), name)?)))
    };
    names.iter().map(load).collect()
}

fn find(name: &str, corpus: &'static Corpus) -> io::Result<speclex_bench::contender::Contender> {
    ours::contender(name, corpus).ok_or_else(|| io::Error::other(format!("nobody is `{name}`")))
}

fn serve(name: &str) -> io::Result<()> {
    worker::serve(io::stdin().lock(), io::stdout().lock(), |corpus| {
        find(name, corpus)
    })
}

/// Exits with 1 when the budget is exceeded; says loudly when nothing could be counted.
fn check_instructions(bless: bool, print: impl Fn(&Table)) -> io::Result<ExitCode> {
    Ok(match instructions::check(bless, print)? {
        Verdict::Met => {
            println!("within the budget");
            ExitCode::SUCCESS
        }
        Verdict::Blessed => {
            println!("this is the budget now");
            ExitCode::SUCCESS
        }
        Verdict::Exceeded => {
            eprintln!(
                "the budget of instructions is not met. If the change is worth it: \
                 cargo xtask bench --instructions --bless"
            );
            ExitCode::from(1)
        }
        Verdict::Skipped(reason) => {
            println!("SKIPPED, NO INSTRUCTION WAS COUNTED: {reason}");
            ExitCode::SUCCESS
        }
    })
}
