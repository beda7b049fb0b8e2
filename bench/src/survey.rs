//! Two tables compared on documents, as `diff --input` does it on one core: what is read and printed is not counted.

use std::io;
use std::sync::OnceLock;

use speclex_analysis::engine::Request;
use speclex_analysis::survey::{Name, Surveyor};
use speclex_codegen::machine::Feedback;

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::ours;

/// How documents are taken.
pub const STYLE: &str = "compared with html-living";

/// The comparison of two tables of HTML.
///
/// # Errors
/// When a table has faults, or no tokenizer.
pub fn contender(corpus: &'static Corpus) -> io::Result<Contender> {
    let failed = |what: String| io::Error::other(what);
    let machine = |name| speclex_cli::machine(name).map_err(|e| failed(e.render(false)));
    let engine = |name| {
        let engine = speclex_cli::generated(name);
        engine.ok_or_else(|| failed(format!("there is no tokenizer `{name}`")))
    };
    let [one, other] = ["html-2014", "html-living"];
    let machines = Box::leak(Box::new([machine(one)?, machine(other)?]));
    let reading = Request {
        feedback: Feedback::Scripting,
        skip_bom: true,
        ..Request::default()
    };
    let mut surveyor = Surveyor::new(
        machines.each_ref(),
        [engine(one)?, engine(other)?],
        reading,
        Box::leak(Box::new(OnceLock::new())),
    );
    // What is known of both tables is found out once.
    let mut compare = move |text: &str| surveyor.compare(&Name::default(), text);
    compare("<?a?>").map_err(failed)?;
    Ok(Contender::by_text(
        ours::name(one, STYLE),
        corpus,
        move |text, counts| {
            let differs = compare(text).is_ok_and(|found| found.is_some());
            counts.others += u64::from(differs);
        },
    ))
}
