//! `schema`: the JSON Schema of the table language.

use std::process::ExitCode;

use speclex_codegen::escape;

use crate::args::Schema;
use crate::output::is_schema;
use crate::write::{Fate, ensure, is_foreign, keep};
use crate::{Failure, Home, terminal};

/// Prints it, or makes sure that a file has it.
pub(crate) fn run(home: &Home, args: &Schema) -> Result<ExitCode, Failure> {
    let schema = speclex_codegen::schema();
    let checked_in = home
        .repository
        .as_ref()
        .map(|root| root.join("spec-tables/schema.json"));
    let path = match (&args.out, args.check) {
        (Some(path), _) => path.clone(),
        (None, true) => checked_in
            .ok_or_else(|| Failure::Other("which file? Say `--check --out FILE`".to_owned()))?,
        (None, false) => {
            terminal::print(&schema)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    if !args.force && is_foreign(&path, is_schema)? {
        let why = "was not written by `schema`: it does not begin as a schema of tables does";
        return Ok(keep(&[&path], why));
    }
    if ensure(&path, &schema, args.check)? == Fate::Fresh {
        return Ok(ExitCode::SUCCESS);
    }
    if args.check {
        terminal::note(format_args!(
            "{} is stale: run `{} schema --out {}{}`",
            escape::line(&path.display().to_string()),
            home.command(),
            escape::shell_word(&path.display().to_string()),
            ["", " --force"][usize::from(args.force)]
        ));
        return Ok(ExitCode::from(1));
    }
    terminal::line(format_args!(
        "wrote {}",
        escape::line(&path.display().to_string())
    ))?;
    Ok(ExitCode::SUCCESS)
}
