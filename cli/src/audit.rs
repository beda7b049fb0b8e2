//! `audit`: a table against the text it was made from.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use speclex_audit::Audit;
use speclex_codegen::{Loaded, escape};

use crate::args::{self, Format};
use crate::engine::engine;
use crate::source::Spec;
use crate::{Failure, terminal};

/// The table that tokenizes texts in HTML. What they use of it is the same in every revision.
const HTML: &str = "html-living";

/// Audits; exits with 1 if something is not accounted for.
pub(crate) fn run(args: &args::Audit) -> Result<ExitCode, Failure> {
    let loaded = Spec::parse(&args.spec)?.load()?;
    let report = read(&loaded, &args.text)?.report();
    match args.format {
        Format::Human => terminal::print(escape::lines(&report.render())),
        Format::Json => {
            let json = serde_json::to_string_pretty(&report);
            terminal::print_json(&(json.map_err(|e| Failure::Other(e.to_string()))? + "\n"))
        }
    }?;
    Ok(ExitCode::from(u8::from(!report.is_clean())))
}

/// Reads a text, to be compared with its table.
pub(crate) fn read<'l>(loaded: &'l Loaded, path: &Path) -> Result<Audit<'l>, Failure> {
    let text = fs::read_to_string(path).map_err(Failure::io("cannot read", path))?;
    let html = Spec::parse(HTML)?;
    let machine = html.load()?.machine;
    let mut html = engine(&html, &machine, false);
    let name = path.display().to_string();
    Audit::new(loaded, &name, &text, &mut *html)
        .map_err(|why| Failure::Other(format!("{name}: {why}")))
}
