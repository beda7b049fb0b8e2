//! `check`: the faults of tables.

use std::process::ExitCode;

use speclex_codegen::{Report, statistics::statistics};

use crate::args::{Check, Format};
use crate::source::Spec;
use crate::tree_source::TreeSpec;
use crate::{Failure, Home, terminal};

/// Checks; exits with 1 if a table has faults.
pub(crate) fn run(home: &Home, args: &Check) -> Result<ExitCode, Failure> {
    let specs = if args.tables.is_empty() {
        if home.repository.is_none() {
            return Err(Failure::Other(
                "which table? Name one: `speclex check tables/my.yaml`".to_owned(),
            ));
        }
        let tables = speclex_tables::all().iter().map(Spec::Shipped);
        let trees = speclex_tables::trees().iter().map(Spec::Shipped);
        let tables = tables.map(Table::States);
        tables
            .chain(trees.map(TreeSpec).map(Table::Phases))
            .collect()
    } else {
        args.tables
            .iter()
            .map(|word| Table::parse(word))
            .collect::<Result<Vec<_>, _>>()?
    };
    let colour = terminal::has_colours(&std::io::stderr());
    let mut faulty = false;
    for spec in &specs {
        let report = match spec.load() {
            Ok((summary, warnings)) => {
                if args.format == Format::Human {
                    terminal::line(summary)?;
                }
                warnings
            }
            Err(Failure::Table(report)) => {
                faulty = true;
                *report
            }
            Err(other) => return Err(other),
        };
        match args.format {
            Format::Human => eprint!("{}", report.render(colour)),
            Format::Json => {
                for diagnostic in &report.diagnostics {
                    terminal::line(json(diagnostic))?;
                }
            }
        }
    }
    Ok(ExitCode::from(u8::from(faulty)))
}

/// What can be checked.
enum Table {
    /// A tokenizer.
    States(Spec),
    /// Tree construction.
    Phases(TreeSpec),
}

impl Table {
    fn parse(word: &str) -> Result<Self, Failure> {
        if TreeSpec::is_meant_by(word) {
            return TreeSpec::parse(word).map(Self::Phases);
        }
        Spec::parse(word).map(Self::States)
    }

    /// A line about it, and its warnings.
    fn load(&self) -> Result<(String, Report), Failure> {
        Ok(match self {
            Self::States(spec) => {
                let loaded = spec.load()?;
                let s = statistics(&loaded);
                let summary = format!(
                    "{}: {} states, {} arms, {} actions",
                    loaded.machine.name, s.states, s.arms, s.actions
                );
                (summary, loaded.warnings)
            }
            Self::Phases(spec) => {
                let tree = spec.load()?.tree;
                let phases = tree.machine.phases.len();
                let summary = format!("{}: {phases} phases, {} arms", tree.machine.name, tree.arms);
                (summary, tree.warnings)
            }
        })
    }
}

fn json(d: &speclex_codegen::Diagnostic) -> serde_json::Value {
    serde_json::json!({
        "severity": d.severity.to_string(),
        "code": d.code.as_str(),
        "message": d.message,
        "file": d.file,
        "line": d.line,
        "column": d.col,
        "length": d.len,
        "label": d.label,
        "help": d.help,
    })
}
