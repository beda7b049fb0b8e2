//! The standard streams: whether they get colours, and output whose reader may be gone.

use std::env;
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use clap::builder::StyledStr;
#[cfg(feature = "analysis")]
use indicatif::{ProgressBar, ProgressStyle};

use crate::Failure;
use crate::json_text;
#[cfg(feature = "analysis")]
use crate::json_text::JsonText;

/// Whether a stream gets colours: a terminal does, unless `NO_COLOR`, `CLICOLOR` or `CLICOLOR_FORCE` say otherwise. An empty
/// variable says nothing.
pub(crate) fn has_colours(stream: &impl IsTerminal) -> bool {
    let value = |name| env::var_os(name).filter(|value| !value.is_empty());
    let is_set = |name| value(name).is_some_and(|value| value != "0");
    let is_off = |name| value(name).is_some_and(|value| value == "0");
    if value("NO_COLOR").is_some() {
        return false;
    }
    let is_dumb = value("TERM").is_some_and(|terminal| terminal == "dumb");
    is_set("CLICOLOR_FORCE") || stream.is_terminal() && !is_dumb && !is_off("CLICOLOR")
}

/// A text of clap's for a stream: it asks the environment other questions than [`has_colours`] does.
pub(crate) fn styled(text: &StyledStr, stream: &impl IsTerminal) -> String {
    match has_colours(stream) {
        true => text.ansi().to_string(),
        false => text.to_string(),
    }
}

/// Refuses words of which two name the standard input.
pub(crate) fn read_once(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<(), Failure> {
    let all = words.into_iter();
    match all.filter(|word| word.as_ref() == "-").count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::Other(
            "the standard input (-) can be read only once".to_owned(),
        )),
    }
}

/// Writes to the standard output, at once.
pub(crate) fn print(text: impl Display) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = write!(stdout, "{text}").and_then(|()| stdout.flush());
    written.map_err(Failure::output)
}

/// Writes JSON to the standard output, at once.
pub(crate) fn print_json(json: &str) -> Result<(), Failure> {
    print(json_text::escaped(json))
}

/// The standard output, for much text, or for much JSON.
#[cfg(feature = "analysis")]
pub(crate) fn writer(is_json: bool) -> Box<dyn Write> {
    let out = io::stdout().lock();
    match is_json {
        true => Box::new(io::BufWriter::new(JsonText::new(out))),
        false => Box::new(io::BufWriter::new(out)),
    }
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

/// A heading, on a terminal with colours or not.
#[cfg(feature = "analysis")]
pub(crate) fn bold(text: &str, colour: bool) -> String {
    match colour {
        true => format!("\x1b[1m{text}\x1b[0m"),
        false => text.to_owned(),
    }
}

/// A bar on the standard error; nothing if that is no terminal.
#[cfg(feature = "analysis")]
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    match io::stderr().is_terminal() {
        true => with_template(ProgressBar::new(length), template),
        false => ProgressBar::hidden(),
    }
}

/// A bar that looks so.
#[cfg(feature = "analysis")]
pub(crate) fn with_template(bar: ProgressBar, template: &str) -> ProgressBar {
    // The template is ours: were it malformed, the usual one would do.
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// "1 file", "2 files".
pub(crate) fn count(number: usize, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {one}{plural}")
}
