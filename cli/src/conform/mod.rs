//! `conform`: a tokenizer of someone else beside a table.

mod child;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use speclex_analysis::conform::{self, Progress};
use speclex_analysis::cover::{self, Items};
use speclex_analysis::html5lib::{Case, read_folder, read_tests};
use speclex_codegen::escape;
use speclex_codegen::machine::Feedback;

use crate::args::{Conform, Format};
use crate::source::Spec;
use crate::{Failure, terminal};
use child::Child;

/// Compares; exits with 1 if something deviates.
pub(crate) fn run(args: &Conform) -> Result<ExitCode, Failure> {
    let machine = Spec::parse(&args.spec)?.load()?.machine;
    let cases = cases(&args.tests)?;
    let mut child = Child::start(&args.command, Duration::from_secs(args.timeout))?;
    let items = Items::of(&machine);
    let fault = |fault| Failure::Other(format!("{}: {fault}", machine.name));
    let covered = cover::search(&items, &mut |_| {}).map_err(fault)?;
    let inputs = conform::inputs(&items, &covered, &cases, args.random, args.seed);
    let bar = terminal::bar(inputs.len() as u64, "{bar:30} {pos} of {len} inputs  {msg}");
    let mut progress = |progress: Progress| {
        bar.set_position(progress.sent as u64);
        bar.set_message(match progress.shortened {
            0 => format!("{} deviate", progress.deviating),
            shortened => format!("{} deviate, {shortened} shortened", progress.deviating),
        });
    };
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
        &mut progress,
    );
    bar.finish_and_clear();
    let mut report = compared.map_err(fault)?;
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

fn shown(path: &Path) -> String {
    escape::line(&path.display().to_string()).to_string()
}
