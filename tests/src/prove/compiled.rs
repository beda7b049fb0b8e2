//! Witnesses of planted changes, run in generated code: what the interpreter makes of a changed table, a tokenizer that is
//! generated from it makes of it too.

use super::report::{Sampled, Summary};
use crate::fuzz::case::Case;
use crate::fuzz::interpreted::Interpreted;
use crate::fuzz::tables::{BATCH, Batch, check};

/// Compiles the changes that a run has chosen, and runs the inputs that show them.
pub fn compile(summary: &mut Summary) {
    let sampled = std::mem::take(&mut summary.sampled);
    for batch in sampled.chunks(BATCH) {
        let machines: Vec<_> = batch.iter().map(|it| it.mutant.clone()).collect();
        let mut compiled = match Batch::start(&machines) {
            Ok(compiled) => compiled,
            Err(what) => {
                summary.fail(what);
                continue;
            }
        };
        for (index, sampled) in batch.iter().enumerate() {
            let mut interpreted = Interpreted::new(&sampled.mutant);
            let case = case(sampled);
            let checked = check(
                &sampled.mutant,
                &mut interpreted,
                &mut compiled,
                index,
                &case,
            );
            summary.count_compiled(sampled, checked);
        }
    }
}

/// A witness as a case.
fn case(sampled: &Sampled) -> Case {
    let setup = &sampled.witness.setup;
    Case {
        input: sampled.witness.input.clone(),
        content: setup.content.clone(),
        last_start_tag: setup.last_start_tag.clone(),
        cdata_allowed: setup.answer,
        ..Case::default()
    }
}
