//! `conform`: a tokenizer or a tree builder of someone else beside a table.

mod child;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use speclex_analysis::conform::{self, Progress, Report, Shows};
use speclex_analysis::cover::{self, Items};
use speclex_analysis::html5lib::trees::read_dat;
use speclex_analysis::html5lib::{Case, read_folder, read_tests};
use speclex_analysis::tree_cover::{self, Test};
use speclex_analysis::tree_diff::Side;
use speclex_codegen::escape;
use speclex_codegen::machine::Feedback;

use crate::args::{Conform, Format};
use crate::source::Spec;
use crate::tree_source::TreeSpec;
use crate::{Failure, terminal};
use child::Child;

/// Compares; exits with 1 if something deviates.
pub(crate) fn run(args: &Conform) -> Result<ExitCode, Failure> {
    if TreeSpec::is_meant_by(&args.spec) {
        return run_trees(args);
    }
    let machine = Spec::parse(&args.spec)?.load()?.machine;
    let cases = cases(&args.tests)?;
    let mut child = Child::start(&args.command, Duration::from_secs(args.timeout))?;
    let items = Items::of(&machine);
    let fault = |fault| Failure::Other(format!("{}: {fault}", machine.name));
    let covered = cover::search(&items, &mut |_| {}).map_err(fault)?;
    let inputs = conform::inputs(&items, &covered, &cases, args.random, args.seed);
    let bar = Bar::new(inputs.len());
    let feedback = match args.feedback {
        true => Feedback::Scripting,
        false => Feedback::Off,
    };
    let compared = conform::run(
        &items,
        &covered,
        &inputs,
        feedback,
        &mut child,
        &mut |progress| bar.show(progress),
    );
    bar.0.finish_and_clear();
    print(args, compared.map_err(fault)?)
}

/// The same for a tree builder.
fn run_trees(args: &Conform) -> Result<ExitCode, Failure> {
    if args.feedback {
        let message =
            "--feedback is for tokenizers: a tree builder decides what follows a start tag";
        return Err(Failure::Other(message.to_owned()));
    }
    let loaded = TreeSpec::parse(&args.spec)?.load()?;
    let side = Side {
        tokenizer: &loaded.tokenizer.machine,
        tree: &loaded.tree.machine,
    };
    let tests = trees(&args.tests)?;
    let mut child = Child::start(&args.command, Duration::from_secs(args.timeout))?;
    let covered = tree_cover::search(side, false, &mut |_| {});
    let inputs = conform::tree_inputs(side, &covered, tests, args.random, args.seed);
    let bar = Bar::new(inputs.len());
    let compared = conform::run_trees(side, &inputs, &mut child, &mut |it| bar.show(it));
    bar.0.finish_and_clear();
    let fault = |fault| Failure::Other(format!("{}: {fault}", side.tree.name));
    print(args, compared.map_err(fault)?)
}

/// How far a run is, on a terminal.
struct Bar(indicatif::ProgressBar);

impl Bar {
    fn new(inputs: usize) -> Self {
        let template = "{bar:30} {pos} of {len} inputs  {msg}";
        Self(terminal::bar(inputs as u64, template))
    }

    fn show(&self, progress: Progress) {
        self.0.set_position(progress.sent as u64);
        self.0.set_message(match progress.shortened {
            0 => format!("{} deviate", progress.deviating),
            shortened => format!("{} deviate, {shortened} shortened", progress.deviating),
        });
    }
}

/// Prints a report; whether something deviates.
fn print<E: Shows>(args: &Conform, mut report: Report<E>) -> Result<ExitCode, Failure> {
    let words = args.command.iter();
    report.command = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let colour = terminal::has_colours(&io::stdout());
    match args.format {
        Format::Human => {
            terminal::print(conform::text(&report, &|text| terminal::bold(text, colour)))
        }
        Format::Json => {
            let json = serde_json::to_string_pretty(&report);
            terminal::print_json(&(json.map_err(|e| Failure::Other(e.to_string()))? + "\n"))
        }
    }?;
    Ok(ExitCode::from(u8::from(!report.agrees())))
}

/// The tests of these files and folders.
fn cases(paths: &[PathBuf]) -> Result<Vec<Case>, Failure> {
    let mut cases = Vec::new();
    for path in paths {
        let suite = match path.is_dir() {
            true => read_folder(path),
            false => {
                let text =
                    std::fs::read_to_string(path).map_err(Failure::io("cannot read", path))?;
                read_tests(&shown(path), &text)
            }
        };
        let suite = suite.map_err(Failure::Other)?;
        if suite.cases.is_empty() {
            return Err(Failure::Other(format!(
                "there are no tests in {}: a folder has files that end in .test",
                shown(path)
            )));
        }
        cases.extend(suite.cases);
    }
    Ok(cases)
}

/// The documents of the tests of tree construction in these files and folders.
fn trees(paths: &[PathBuf]) -> Result<Vec<Test>, Failure> {
    let mut tests = Vec::new();
    for path in paths {
        let files = match path.is_dir() {
            true => dat_files(path)?,
            false => vec![path.clone()],
        };
        let before = tests.len();
        for file in files {
            let text = std::fs::read_to_string(&file).map_err(Failure::io("cannot read", &file))?;
            let cases = read_dat(&shown(&file), &text).map_err(Failure::Other)?;
            tests.extend(cases.into_iter().map(|case| Test {
                input: case.data,
                context: case.context,
                scripting: case.scripting == Some(true),
            }));
        }
        if tests.len() == before {
            return Err(Failure::Other(format!(
                "there are no tests in {}: a folder has files that end in .dat",
                shown(path)
            )));
        }
    }
    Ok(tests)
}

/// The files of a folder that end in .dat, by name.
fn dat_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(Failure::io("cannot read", folder))?;
    let files = entries.map(|entry| entry.map(|entry| entry.path()));
    let files: Result<Vec<_>, _> = files.collect();
    let mut files = files.map_err(Failure::io("cannot read", folder))?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "dat"));
    files.sort_unstable();
    Ok(files)
}

fn shown(path: &Path) -> String {
    escape::line(&path.display().to_string()).to_string()
}
