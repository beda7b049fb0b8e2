//! Running a case with one of the engines, in all ways of cutting.

use speclex_analysis::engine::{Engine, Request};
use speclex_analysis::html5lib::Case;

use crate::random::Random;
use crate::revision::Revision;
use crate::splits;

/// Both engines: what they are called, and whether it is the generated one.
pub const ENGINES: [(&str, bool); 2] = [("generated", true), ("interpreted", false)];

/// Runs a case whole, byte by byte and at random splits.
///
/// # Errors
/// What differs, and how the input was cut.
pub fn run(revision: &Revision, case: &Case, generated: bool) -> Result<(), String> {
    let mut engine = engine(revision, generated);
    check(revision, case, &mut *engine, &[])?;
    let length = case.input.len();
    check(revision, case, &mut *engine, &splits::bytes(length))?;
    let mut random = Random::named(&case.name());
    for longest in [3, 7] {
        let chunks = splits::random(length, longest, &mut random);
        check(revision, case, &mut *engine, &chunks)?;
    }
    Ok(())
}

/// Runs a case whole.
///
/// # Errors
/// What differs.
pub fn run_whole(revision: &Revision, case: &Case, generated: bool) -> Result<(), String> {
    check(revision, case, &mut *engine(revision, generated), &[])
}

fn engine(revision: &Revision, generated: bool) -> Box<dyn Engine + '_> {
    if generated {
        revision.generated()
    } else {
        revision.interpreter()
    }
}

fn check(
    revision: &Revision,
    case: &Case,
    engine: &mut dyn Engine,
    chunks: &[usize],
) -> Result<(), String> {
    let request = case
        .request(&revision.starts)
        .ok_or_else(|| format!("{} has no entry for {}", revision.machine.name, case.start))?;
    let output = engine.tokenize(&Request { chunks, ..request })?;
    case.check(output, revision.form)
        .map_err(|what| format!("{what}\n  chunks   {chunks:?}"))
}
