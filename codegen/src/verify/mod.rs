//! Checks that need the whole machine.

mod created;
mod flow;
mod look_ahead;
mod reach;
mod terminate;

use crate::check::model::Checked;
use crate::diagnostic::Faults;
use crate::lower::Lowered;

/// Runs all of them on a machine without other faults.
pub(crate) fn verify(checked: &Checked, lowered: &Lowered, faults: &mut Faults) {
    look_ahead::check(lowered, faults);
    terminate::check(lowered, faults);
    created::check(checked, lowered, faults);
    reach::check(checked, lowered, faults);
}
