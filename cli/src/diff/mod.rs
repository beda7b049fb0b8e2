//! `diff`: what is different between two tables, and on which documents it shows.

mod documents;
mod inputs;
mod merge;
mod progress;
#[cfg(feature = "audit")]
mod quotations;
mod records;
mod trees;

use std::io;
#[cfg(not(feature = "audit"))]
use std::path::Path;
use std::process::ExitCode;

use speclex_analysis::diff::{self, Report};

use crate::args::{Diff, DiffFormat, Pages, Trace};
use crate::source::Spec;
use crate::tree_source::TreeSpec;
use crate::{Failure, terminal, trace};

/// Compares; exits with 1 if something differs.
pub(crate) fn run(args: &Diff) -> Result<ExitCode, Failure> {
    if let Some(shards) = &args.merge {
        documents::check_format(args.format)?;
        return documents::print(&merge::merged(shards)?, args.format);
    }
    let [one, other] = [&args.one, &args.other].map(|table| table.as_deref().unwrap_or_default());
    if args.documents.any() {
        return documents::run([one, other], &args.documents, args.format);
    }
    if [one, other]
        .iter()
        .all(|table| TreeSpec::is_meant_by(table))
    {
        return trees::run([one, other], args.format);
    }
    let diff = compare(one, other, !args.structure)?;
    let mut report = match &args.texts {
        Some(folder) => quoting(folder, [one, other], &diff)?,
        None => Report::new(&diff),
    };
    let colour = terminal::has_colours(&io::stdout());
    if let Some(number) = args.cause {
        terminal::print(one_cause([one, other], &report, number, colour)?)?;
        return Ok(ExitCode::from(u8::from(diff.differs())));
    }
    if args.witness {
        report.only.clear();
        report.renamed.clear();
        report.arms.clear();
        report.others.clear();
        // Each input is shown with what comes of it.
        for cause in &mut report.causes {
            cause.shown_with = None;
        }
    }
    let out = match args.format {
        DiffFormat::Human => diff::text(&report, colour),
        DiffFormat::Markdown => diff::markdown(&report, &speclex_tables::address),
        DiffFormat::Json => serde_json::to_string_pretty(&report)
            .map(|json| json + "\n")
            .map_err(|e| Failure::Other(e.to_string()))?,
    };
    match args.format {
        DiffFormat::Json => terminal::print_json(&out)?,
        _ => terminal::print(out)?,
    }
    Ok(ExitCode::from(u8::from(diff.differs())))
}

pub(crate) use trees::compare as compare_trees;

#[cfg(feature = "audit")]
pub(crate) use quotations::report as quoting;

#[cfg(not(feature = "audit"))]
fn quoting(_: &Path, _: [&str; 2], _: &diff::Diff) -> Result<Report, Failure> {
    Err(Failure::Other("this build cannot read texts".to_owned()))
}

/// A change with a trace of its first example.
fn one_cause(
    [one, other]: [&str; 2],
    report: &Report,
    number: usize,
    colour: bool,
) -> Result<String, Failure> {
    let cause = number
        .checked_sub(1)
        .and_then(|index| report.causes.get(index));
    let cause = cause.ok_or_else(|| {
        Failure::Other(format!(
            "there is no change {number}: the report has {}",
            terminal::count(report.causes.len(), "change")
        ))
    })?;
    let text = diff::cause_text(report, number, colour);
    let example = cause
        .examples
        .first()
        .and_then(|index| report.witnesses.get(index - 1));
    let Some(example) = example else {
        return Ok(text);
    };
    let trace = Trace {
        spec: one.to_owned(),
        vs: Some(other.to_owned()),
        start: Some(example.start.clone()),
        pages: Pages {
            no_feedback: example.start.scripting.is_none(),
            no_scripting: example.start.scripting == Some(false),
            keep_bom: true,
        },
        ..Trace::default()
    };
    let traced = trace::printed(&trace, &example.input)?;
    let title = terminal::bold("Trace", colour);
    Ok(format!("{text}\n{title}\n\n{traced}"))
}

/// The comparison of two tables.
pub(crate) fn compare(one: &str, other: &str, search: bool) -> Result<diff::Diff, Failure> {
    let machines = [
        Spec::parse(one)?.load()?.machine,
        Spec::parse(other)?.load()?.machine,
    ];
    let bar = progress::of_changes();
    let [a, b] = &machines;
    let mut diff = diff::compare_telling(a, b, search, &mut |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    // Two tables may call themselves the same.
    diff.names = [one, other].map(str::to_owned);
    Ok(diff)
}
