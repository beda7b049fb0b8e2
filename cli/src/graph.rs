//! `graph`: the state diagram of a table.

use std::process::ExitCode;

use speclex_analysis::graph::{self, Form};

use crate::args::{Graph, GraphFormat};
use crate::source::Spec;
use crate::{Failure, terminal, write};

/// Draws.
pub(crate) fn run(args: &Graph) -> Result<ExitCode, Failure> {
    let spec = Spec::parse(&args.spec)?;
    if let (Spec::File(table), Some(out)) = (&spec, &args.out)
        && write::is_same(table, out)
    {
        return Err(Failure::Other(
            "the diagram would replace the table: write it to another file".to_owned(),
        ));
    }
    let machine = spec.load()?.machine;
    let form = match args.format {
        GraphFormat::Svg => Form::Svg,
        GraphFormat::Dot => Form::Dot,
        GraphFormat::Mermaid => Form::Mermaid,
    };
    let drawn = match &args.state {
        None => graph::diagram(&machine, form),
        Some(name) => graph::state(&machine, name, form)
            .ok_or_else(|| Failure::unknown_state(name, &machine))?,
    };
    match &args.out {
        Some(path) => write::write(path, &drawn)?,
        None => terminal::print(&drawn)?,
    }
    Ok(ExitCode::SUCCESS)
}
