//! What goes to the standard output, and whether it has colours.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use crate::Failure;

/// Whether output to this stream has colours: on a terminal, unless `NO_COLOR` is set or `CLICOLOR` is 0. `CLICOLOR_FORCE`
/// wants them everywhere.
pub(crate) fn has_colours(stream: &impl IsTerminal) -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_zero = |name| env::var_os(name).is_some_and(|value| value == "0");
    if is_set("NO_COLOR") {
        false
    } else if is_set("CLICOLOR_FORCE") && !is_zero("CLICOLOR_FORCE") {
        true
    } else {
        !is_zero("CLICOLOR") && stream.is_terminal()
    }
}

/// Prints a line.
///
/// # Errors
/// When nobody reads it, or the disk is full.
pub(crate) fn line(text: impl Display) -> Result<(), Failure> {
    writeln!(io::stdout(), "{text}").map_err(Failure::output)
}
