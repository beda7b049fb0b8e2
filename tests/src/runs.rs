//! Running a case with one of the engines, in all ways of cutting.

use std::cell::RefCell;

use speclex_analysis::engine::{Engine, Request};
use speclex_analysis::html5lib::Case;

use crate::random::Random;
use crate::revision::Revision;
use crate::splits;

/// Both engines: what they are called, and whether it is the generated one.
pub const ENGINES: [(&str, bool); 2] = [("generated", true), ("interpreted", false)];

/// A table's name, whether its engine is the generated one, and that engine.
type Named = (&'static str, bool, Box<dyn Engine>);

thread_local! {
    /// The engine of the case before, which the next one mostly needs too: making an interpreter takes longer than most
    /// cases.
    static LAST: RefCell<Option<Named>> = const { RefCell::new(None) };
}

/// Runs a case whole, byte by byte and at random splits.
///
/// # Errors
/// What differs, and how the input was cut.
pub fn run(revision: &'static Revision, case: &Case, generated: bool) -> Result<(), String> {
    with_engine(revision, generated, |engine| {
        check(revision, case, engine, &[])?;
        let length = case.input.len();
        check(revision, case, engine, &splits::bytes(length))?;
        let mut random = Random::named(&case.name());
        for longest in [3, 7] {
            let chunks = splits::random(length, longest, &mut random);
            check(revision, case, engine, &chunks)?;
        }
        Ok(())
    })
}

/// Runs a case whole.
///
/// # Errors
/// What differs.
pub fn run_whole(revision: &'static Revision, case: &Case, generated: bool) -> Result<(), String> {
    with_engine(revision, generated, |engine| {
        check(revision, case, engine, &[])
    })
}

/// Runs something with an engine. After a panic that engine is not used again.
fn with_engine<T>(
    revision: &'static Revision,
    generated: bool,
    run: impl FnOnce(&mut dyn Engine) -> T,
) -> T {
    let name = revision.machine.name.as_str();
    let mut engine = match LAST.take() {
        Some((last, was_generated, engine)) if last == name && was_generated == generated => engine,
        _ if generated => revision.generated(),
        _ => revision.interpreter(),
    };
    let result = run(&mut *engine);
    LAST.set(Some((name, generated, engine)));
    result
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
