//! `diff`: what is different between two tables, and on which documents it shows.

mod documents;
mod inputs;
mod merge;
mod progress;
mod records;

use std::io;
use std::process::ExitCode;

use speclex_analysis::diff::{self, Report};

use crate::args::{Diff, DiffFormat};
use crate::source::Spec;
use crate::{Failure, terminal};

/// Compares; exits with 1 if something differs.
pub(crate) fn run(args: &Diff) -> Result<ExitCode, Failure> {
    if let Some(shards) = &args.merge {
        return documents::print(&merge::merged(shards)?, args.format);
    }
    let [one, other] = [&args.one, &args.other].map(|table| table.as_deref().unwrap_or_default());
    if args.documents.any() {
        return documents::run([one, other], &args.documents, args.format);
    }
    let diff = compare(one, other, !args.structure)?;
    let mut report = Report::new(&diff);
    if args.witness {
        report.only.clear();
        report.renamed.clear();
        report.arms.clear();
        report.others.clear();
    }
    let out = match args.format {
        DiffFormat::Human => diff::text(&report, terminal::has_colours(&io::stdout())),
        DiffFormat::Html => diff::html(&report, &speclex_tables::address),
        DiffFormat::Json => serde_json::to_string_pretty(&report)
            .map(|json| json + "\n")
            .map_err(|e| Failure::Other(e.to_string()))?,
    };
    terminal::print(out)?;
    Ok(ExitCode::from(u8::from(diff.differs())))
}

/// The comparison of two tables.
pub(crate) fn compare(one: &str, other: &str, search: bool) -> Result<diff::Diff, Failure> {
    let one = Spec::parse(one)?.load()?.machine;
    let other = Spec::parse(other)?.load()?.machine;
    Ok(diff::compare(&one, &other, search))
}
