//! `audit`: a table against the text it was made from.

use std::fs;
use std::process::ExitCode;

use speclex_audit as audit;
use speclex_codegen::escape;

use crate::args::{Audit, Format};
use crate::engine::engine;
use crate::source::Spec;
use crate::{Failure, terminal};

/// The table that tokenizes texts in HTML. What they use of it is the same in every revision.
const HTML: &str = "html-living";

/// Audits; exits with 1 if something is not accounted for.
pub(crate) fn run(args: &Audit) -> Result<ExitCode, Failure> {
    let loaded = Spec::parse(&args.spec)?.load()?;
    let text = fs::read_to_string(&args.text).map_err(Failure::io("cannot read", &args.text))?;
    let html = Spec::parse(HTML)?;
    let machine = html.load()?.machine;
    let mut html = engine(&html, &machine, false);
    let name = args.text.display().to_string();
    let audit = audit::Audit::new(&loaded, &name, &text, &mut *html)
        .map_err(|why| Failure::Other(format!("{name}: {why}")))?;
    let report = audit.report();
    let out = match args.format {
        Format::Human => escape::lines(&report.render()),
        Format::Json => serde_json::to_string_pretty(&report)
            .map(|json| json + "\n")
            .map_err(|e| Failure::Other(e.to_string()))?,
    };
    terminal::print(out)?;
    Ok(ExitCode::from(u8::from(!report.is_clean())))
}
