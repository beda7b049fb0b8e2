//! `graph`: the diagram of a table's states or insertion modes.

use std::path::Path;
use std::process::ExitCode;

use speclex_analysis::graph::{self, Form};
use speclex_codegen::Either;

use crate::args::{Graph, GraphFormat};
use crate::tree_source;
use crate::{Failure, terminal, write};

/// Draws.
pub(crate) fn run(args: &Graph) -> Result<ExitCode, Failure> {
    if let Some(out) = &args.out
        && write::is_same(Path::new(&args.spec), out)
    {
        return Err(Failure::Other(
            "the diagram would replace the table: write it to another file".to_owned(),
        ));
    }
    let form = match args.format {
        GraphFormat::Svg => Form::Svg,
        GraphFormat::Dot => Form::Dot,
        GraphFormat::Mermaid => Form::Mermaid,
    };
    let drawn = match (tree_source::load(&args.spec)?, &args.state) {
        (Either::States(table), None) => graph::diagram(&table.loaded.machine, form),
        (Either::States(table), Some(name)) => graph::state(&table.loaded.machine, name, form)
            .ok_or_else(|| Failure::unknown_state(name, &table.loaded.machine))?,
        (Either::Tree(table), None) => graph::tree_diagram(&table.tree.machine, form),
        (Either::Tree(table), Some(name)) => {
            let machine = &table.tree.machine;
            graph::insertion_mode(machine, name, form)
                .ok_or_else(|| Failure::unknown_mode(name, machine))?
        }
    };
    match &args.out {
        Some(path) => write::write(path, &drawn)?,
        None => terminal::print(&drawn)?,
    }
    Ok(ExitCode::SUCCESS)
}
