//! Bad input: deep, wide, cut off anywhere. No panic, no overflow of the stack.

use speclex_tests::cases::Cases;

/// Adds the cases.
pub(crate) fn add(_: &mut Cases) {}
