//! The standard streams: whether they get colours, and output whose reader may be gone.

use std::fmt::Display;
use std::io::{self, Write};

use anstream::AutoStream;
use anstream::stream::RawStream;

use crate::Failure;

/// Whether a stream gets colours: a terminal does, unless `NO_COLOR`, `CLICOLOR` or `CLICOLOR_FORCE` say otherwise.
pub(crate) fn has_colours(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != anstream::ColorChoice::Never
}

/// Writes to the standard output, at once.
pub(crate) fn print(text: impl Display) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = write!(stdout, "{text}").and_then(|()| stdout.flush());
    written.map_err(Failure::output)
}

/// Writes a line to the standard output.
pub(crate) fn line(line: impl Display) -> Result<(), Failure> {
    print(format_args!("{line}\n"))
}

/// Writes to the standard error. A failure is ignored: there is nowhere to report it.
pub(crate) fn tell(text: impl Display) {
    let _ = write!(io::stderr().lock(), "{text}");
}

/// Writes a line to the standard error.
pub(crate) fn note(line: impl Display) {
    tell(format_args!("{line}\n"));
}

/// "1 file", "2 files".
pub(crate) fn count(number: usize, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {one}{plural}")
}
