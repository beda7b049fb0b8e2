//! `check`: the faults of tables.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use speclex_codegen::files::{self, FoundTree};
use speclex_codegen::{Either, Loaded, Report, statistics::statistics};

use crate::args::{Check, Format};
use crate::source::{Spec, is_stream};
use crate::terminal::{self, count};
use crate::tree_source::TreeSpec;
use crate::{Failure, Home, tree_source};

/// Checks; exits with 1 if a table has faults.
pub(crate) fn run(home: &Home, args: &Check) -> Result<ExitCode, Failure> {
    terminal::read_once(&args.tables)?;
    let specs = if args.tables.is_empty() {
        if home.repository.is_none() {
            return Err(Failure::Other(
                "which table? Name one: `speclex check tables/my.yaml`".to_owned(),
            ));
        }
        let tables = speclex_tables::all().iter().map(Spec::Shipped);
        let trees = speclex_tables::trees().iter().map(Spec::Shipped);
        let tables = tables.map(Table::States);
        tables.chain(trees.map(TreeSpec).map(Table::Tree)).collect()
    } else {
        args.tables
            .iter()
            .map(|word| Table::parse(word))
            .collect::<Result<Vec<_>, _>>()?
    };
    let colour = terminal::has_colours(&io::stderr());
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
            Format::Human => terminal::tell(report.render(colour)),
            Format::Json => {
                for diagnostic in &report.diagnostics {
                    terminal::print_json(&format!("{}\n", json(diagnostic)))?;
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
    Tree(TreeSpec),
    /// Either of them. It can be read only once: the standard input, which is `-`, a pipe or a device.
    Stream(PathBuf),
}

impl Table {
    fn parse(word: &str) -> Result<Self, Failure> {
        let path = Path::new(word);
        if word == "-" || is_stream(path) {
            return Ok(Self::Stream(path.to_owned()));
        }
        if TreeSpec::is_meant_by(word) {
            return TreeSpec::parse(word).map(Self::Tree);
        }
        Spec::parse(word).map(Self::States)
    }

    /// A line about it, and its warnings.
    fn load(&self) -> Result<(String, Report), Failure> {
        let path = match self {
            Self::States(spec) => return Ok(states(spec.load()?)),
            Self::Tree(spec) => return Ok(tree(spec.load()?)),
            Self::Stream(path) => path,
        };
        let source = match path == Path::new("-") {
            true => files::text("<standard input>", io::stdin().lock())?,
            false => tree_source::read(path)?,
        };
        Ok(match tree_source::of_text(source)? {
            Either::States(found) => states(found.loaded),
            Either::Tree(found) => tree(*found),
        })
    }
}

fn states(loaded: Loaded) -> (String, Report) {
    let s = statistics(&loaded);
    let summary = format!(
        "{}: {}, {}, {}",
        loaded.machine.name,
        count(s.states, "state"),
        count(s.arms, "arm"),
        count(s.actions, "action")
    );
    (summary, loaded.warnings)
}

fn tree(FoundTree { tree, .. }: FoundTree) -> (String, Report) {
    let summary = format!(
        "{}: {}, {}",
        tree.machine.name,
        count(tree.insertion_modes, &tree.machine.called),
        count(tree.arms, "arm")
    );
    (summary, tree.warnings)
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
