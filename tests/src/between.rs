//! Machines between two tables.

use speclex_analysis::diff::{Blame, Cause, Role};
use speclex_codegen::machine::Machine;

/// The first table, and the same with all changes that are called without effect; the second with those taken back, and the
/// second.
pub fn without_effect(tables: [&Machine; 2], causes: &[Cause]) -> [[Machine; 2]; 2] {
    let blame = Blame::new(tables[0], tables[1]);
    let all: Vec<&Cause> = causes.iter().collect();
    let is_silent = |cause: &&Cause| cause.role == Role::NoEffect;
    let (silent, others): (Vec<&Cause>, Vec<&Cause>) = all.iter().partition(|it| is_silent(it));
    [
        [blame.between(&[]), blame.between(&silent)],
        [blame.between(&others), blame.between(&all)],
    ]
}
