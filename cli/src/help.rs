//! What follows the options of each command: examples, the shipped tables, exit codes.

use std::fmt::Write;

/// Whether the command takes tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    Tables,
    TablesOfEither,
    NoTables,
}

/// The text: examples with what they do, and what the exit codes mean.
pub(crate) fn after(examples: [(&str, &str); 2], of: Of, exits: &[&str]) -> String {
    let mut text = "Examples:\n".to_owned();
    for (command, about) in examples {
        let _ = writeln!(text, "  speclex {command}\n      {about}");
    }
    let names = |tables: &[speclex_tables::Table]| {
        let names: Vec<_> = tables.iter().map(|table| table.name).collect();
        names.join(", ")
    };
    let shipped = match of {
        Of::Tables => Some(names(speclex_tables::all())),
        Of::TablesOfEither => Some(format!(
            "{}\n\nShipped tables of tree construction:\n  {}",
            names(speclex_tables::all()),
            names(speclex_tables::trees())
        )),
        Of::NoTables => None,
    };
    if let Some(names) = shipped {
        let _ = writeln!(text, "\nShipped tables:\n  {names}");
    }
    text += "\nExit codes:";
    let used = exits.iter().enumerate();
    for (code, meaning) in used.filter(|(_, meaning)| **meaning != UNUSED) {
        let _ = write!(text, "\n  {code}  {meaning}");
    }
    text
}

/// What 2 means for most commands.
pub(crate) const COULD_NOT: &str = "the command could not run; the message says why";
/// What 1 means for commands that have nothing to say with it.
pub(crate) const UNUSED: &str = "";
