//! `cargo xtask bench`.

mod args;

use std::io;
use std::process::{Command, ExitCode};

use clap::Parser;
use speclex_bench::contender::Contender;
use speclex_bench::corpus::{self, Corpus};
use speclex_bench::{
    cargo, chart, contenders, edits, growth, instructions, measurement, safe_build, survey, worker,
};

use args::{Arguments, Role};

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
        Some(Role::Serve { name, class }) => {
            let mut contender = find(name, corpus::load(class)?)?;
            worker::serve(&mut contender, io::stdin().lock(), io::stdout().lock())?;
        }
        Some(Role::Once { name, class, every }) => {
            instructions::measured(&mut find(name, instructions::sample(class, *every)?)?)?;
        }
        #[cfg(feature = "peers")]
        None if arguments.agreement => speclex_bench::agreement::report()?,
        #[cfg(feature = "peers")]
        None if arguments.trees => return speclex_bench::trees::report(),
        None if arguments.edits => return edits::check(&arguments.only),
        None if arguments.growth => return growth::check(&arguments.only),
        None if arguments.instructions => return instructions::check(arguments.bless),
        None => measure(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn find(name: &str, corpus: Corpus) -> io::Result<Contender> {
    let corpus = leak(corpus);
    let all = contenders::tokenizers(corpus).into_iter();
    let mut all = all.chain(edits::contenders(corpus));
    if let Some(found) = all.find(|contender| contender.name == name) {
        return Ok(found);
    }
    let compared = survey::contender(corpus)?;
    match compared.name == name {
        true => Ok(compared),
        false => Err(io::Error::other(format!("no contender is called `{name}`"))),
    }
}

/// Contenders keep references to the documents for as long as the program runs.
fn leak(corpus: Corpus) -> &'static Corpus {
    Box::leak(Box::new(corpus))
}

fn measure(arguments: &Arguments) -> io::Result<()> {
    let rounds = if arguments.quick { 15 } else { 45 };
    let rounds = arguments.rounds.unwrap_or(rounds);
    let safe = (!arguments.quick).then(safe_build::build).transpose()?;
    #[cfg(feature = "peers")]
    let lexbor = speclex_bench::lexbor::program()?;
    let mut written = Vec::new();
    for corpus in corpora(&arguments.class)? {
        let mut contenders = contenders::all(corpus);
        if let (Some(program), true) = (&safe, corpus.is_markup()) {
            contenders.push(safe_build::contender(program, corpus)?);
        }
        #[cfg(feature = "peers")]
        if let (Some(program), true) = (&lexbor, corpus.is_markup() && !corpus.is_xml()) {
            contenders.push(speclex_bench::lexbor::contender(program, corpus)?);
        }
        contenders.retain(|contender| {
            let wanted = |word: &String| contender.name.contains(word.as_str());
            arguments.only.is_empty() || arguments.only.iter().any(wanted)
        });
        if contenders.is_empty() {
            continue;
        }
        let baseline = arguments.baseline.as_deref();
        let baseline = baseline.unwrap_or(contenders::baseline(corpus));
        let [speeds, counts] = measurement::measure(corpus, &mut contenders, baseline, rounds)?;
        println!("{speeds}\n{counts}");
        written.push((corpus.class, speeds));
    }
    if arguments.write {
        chart::write(&written)?;
    }
    if arguments.speed {
        return Ok(());
    }
    measure_heap()
}

/// The classes asked for, or all that this build has contenders for.
fn corpora(classes: &[String]) -> io::Result<Vec<&'static Corpus>> {
    let all = corpus::classes();
    #[cfg(feature = "peers")]
    let all = all.chain([speclex_bench::csv::CLASS]);
    let names: Vec<_> = match classes {
        [] => all.collect(),
        some => some.iter().map(String::as_str).collect(),
    };
    let load = |name| match name {
        #[cfg(feature = "peers")]
        speclex_bench::csv::CLASS => Ok(leak(speclex_bench::csv::corpus())),
        name => corpus::load(name).map(leak),
    };
    names.into_iter().map(load).collect()
}

/// Runs the program that counts allocations; it prints its table by itself.
fn measure_heap() -> io::Result<()> {
    // The features of this program: others would build everything again.
    let mut features = Vec::new();
    if cfg!(feature = "simd") {
        features.push("simd");
    }
    if cfg!(feature = "peers") {
        features.push("peers");
    }
    let program = cargo::build("heap", &features, &cargo::target()?)?;
    let status = Command::new(program).status()?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("`heap`: {status}"))),
    }
}
