//! How large a table can be. HTML's of June 2026 has 21 insertion modes, 25 procedures and 214 arms.

use super::written::Table;
use crate::diagnostic::Faults;
use crate::written::limit;

/// How many names of one sort a table can declare.
const MOST_NAMES: usize = 500;
/// How many arms all its insertion modes can have.
const MOST_ARMS: usize = 10_000;
/// How many variables one list of steps can declare, and how many labels it can have.
pub(super) const MOST_LOCALS: usize = 500;

/// Refuses a table that is too large.
pub(super) fn check(table: &Table, faults: &mut Faults) {
    let arms = table.rules().map(|rules| rules.arms.len()).sum();
    let at = table.at;
    limit(table.modes.len(), "insertion modes", MOST_NAMES, at, faults);
    limit(arms, "arms", MOST_ARMS, at, faults);
    for section in table.sections() {
        section.limit(MOST_NAMES, at, faults);
    }
}
