//! `completions` and `man`: what a shell and `man` know of the commands.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::{Arguments, Completions, Man};
use crate::{Failure, terminal, write};

/// Completes the names of tables and states, which are no arguments that clap knows, before all else.
const NAMES_IN_BASH: &str = include_str!("shell/names.bash");

/// Prints the script of a shell.
pub(crate) fn completions(args: &Completions) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(args.shell, &mut command, "speclex", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if args.shell == Shell::Bash {
        let names = |tables: &[speclex_tables::Table]| {
            let names: Vec<_> = tables.iter().map(|table| table.name).collect();
            names.join(" ")
        };
        let names_of = NAMES_IN_BASH.replace("TOKENIZERS", &names(speclex_tables::all()));
        script += &names_of.replace("TREES", &names(speclex_tables::trees()));
    }
    terminal::print(script)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the page of the whole, or writes that of each command.
pub(crate) fn man(args: &Man) -> Result<ExitCode, Failure> {
    let mut whole = Arguments::command();
    // Gives each command the name of its page: `speclex-check`.
    whole.build();
    let Some(out) = &args.out else {
        terminal::print(page(whole)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    let mut commands: Vec<_> = whole.get_subcommands().cloned().collect();
    commands.retain(|command| command.get_name() != "help");
    commands.push(whole);
    for command in commands {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = out.join(format!("{name}.1"));
        write::write(&path, &page(command)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn page(command: clap::Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command).render(&mut page);
    rendered.map_err(Failure::output)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
