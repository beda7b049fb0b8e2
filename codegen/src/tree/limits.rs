//! How large a table can be. HTML's of June 2026 has 21 insertion modes, 25 procedures and 214 arms.

use super::written::Table;
use crate::diagnostic::{Code, Faults};

/// How many names of one sort a table can declare.
const MOST_NAMES: usize = 500;
/// How many arms all its insertion modes can have.
const MOST_ARMS: usize = 10_000;
/// How many variables one list of steps can declare, and how many labels it can have.
pub(super) const MOST_LOCALS: usize = 500;

/// Refuses a table that is too large.
pub(super) fn check(table: &Table, faults: &mut Faults) {
    let arms = table.rules().map(|rules| rules.arms.len()).sum();
    let all = [
        ("insertion modes", table.modes.len(), MOST_NAMES),
        ("arms", arms, MOST_ARMS),
        ("variables", table.variables.len(), MOST_NAMES),
        ("questions", table.questions.len(), MOST_NAMES),
        ("properties", table.properties.len(), MOST_NAMES),
        ("host steps", table.hosts.len(), MOST_NAMES),
        ("conditions", table.conditions.len(), MOST_NAMES),
        ("classes", table.classes.len(), MOST_NAMES),
        ("sets of elements", table.sets.len(), MOST_NAMES),
        ("scopes", table.scopes.len(), MOST_NAMES),
        ("lists of names", table.names.len(), MOST_NAMES),
        ("procedures", table.procedures.len(), MOST_NAMES),
    ];
    for (what, count, most) in all {
        if count > most {
            let message = format!("the table has {count} {what}");
            let help = format!("a table has at most {most} {what}");
            faults.add(Code::TooLarge, table.at, message).help(help);
        }
    }
}
