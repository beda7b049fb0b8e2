//! Checks that need the whole machine.

mod checkpoints;
mod created_before_use;
mod element_names;
mod look_ahead;
mod put_back;
mod self_append;
mod successors;
mod terminate;
mod unreachable;

use crate::check::model::Checked;
use crate::diagnostic::Faults;
use crate::lower::Lowered;
use crate::written::Table;

pub(crate) use checkpoints::{check as check_checkpoints, emissions};

/// Runs all of them on a machine without other faults.
pub(crate) fn verify(table: &Table, checked: &Checked, lowered: &Lowered, faults: &mut Faults) {
    look_ahead::check(lowered, faults);
    self_append::check(lowered, faults);
    terminate::check(checked, lowered, faults);
    put_back::check(checked, lowered, faults);
    created_before_use::check(checked, lowered, faults);
    element_names::check(&table.contents_after, checked, lowered, faults);
    unreachable::check(checked, lowered, faults);
}
