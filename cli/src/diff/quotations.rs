//! The sentences of the texts that two tables were made from, beside the arms that differ.

use std::path::Path;

use speclex_analysis::diff::{Diff, Report};
use speclex_audit::quotations;
use speclex_codegen::files::regular;

use crate::source::Spec;
use crate::{Failure, audit};

/// The report of a comparison, with the sentences that the tables let quote; the texts are in a folder.
pub(crate) fn report(folder: &Path, tables: [&str; 2], diff: &Diff) -> Result<Report, Failure> {
    let mut report = Report::new(diff);
    let [one, other] = tables;
    let loaded = [Spec::parse(one)?.load()?, Spec::parse(other)?.load()?];
    // If neither text may be quoted, no file is read.
    if loaded.iter().all(|loaded| loaded.terms.is_none()) {
        if !folder.is_dir() {
            let shown = folder.display();
            return Err(Failure::Other(format!("--texts: {shown} is not a folder")));
        }
        return Ok(report);
    }
    let read = |side: usize| {
        let path = loaded[side].text.as_ref().map(|file| folder.join(file));
        path.map(|path| {
            regular(&path).map_err(Failure::io("cannot read", &path))?;
            audit::read(&loaded[side], &path)
        })
        .transpose()
    };
    let audits = [read(0)?, read(1)?];
    for (row, shown) in diff.structure.arms.iter().zip(&mut report.arms) {
        shown.row.quotes = quotations(audits.each_ref().map(Option::as_ref), row);
    }
    report.terms = loaded.each_ref().map(|loaded| loaded.terms.clone());
    Ok(report)
}
