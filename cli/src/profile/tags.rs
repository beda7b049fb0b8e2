//! How many start tags of each name documents have.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use speclex_analysis::interpreter::{Answer, Host, Interpreter};
use speclex_analysis::token::{Token, Value};
use speclex_codegen::files::FoundTree;

use super::LEAST;
use crate::args::{Format, Profile};
use crate::{Failure, terminal};

/// The names of start tags, each with how many there are.
#[derive(Debug, Default)]
struct Counts(BTreeMap<String, u64>);

impl Host for Counts {
    fn emitted(&mut self, token: &Token) -> Answer {
        if let Token::Declared { kind, fields } = token
            && kind == "start tag"
            && let Some(Value::Text(name)) = fields.first()
        {
            *self.0.entry(name.clone()).or_default() += 1;
        }
        Answer::Nothing
    }

    fn question(&mut self, _: &str) -> bool {
        false
    }
}

/// Runs the documents and prints.
pub(super) fn run(args: &Profile, found: &FoundTree, documents: &[PathBuf]) -> Result<(), Failure> {
    let mut counts = Counts::default();
    for path in documents {
        let bytes = fs::read(path).map_err(Failure::io("cannot read", path))?;
        let fault = |e: speclex_analysis::interpreter::Fault| Failure::Other(e.to_string());
        let mut interpreter = Interpreter::with_host(&found.tokenizer.machine, counts);
        interpreter.set_feedback(args.pages.feedback());
        if !args.pages.keep_bom {
            interpreter.skip_bom();
        }
        interpreter
            .feed(&String::from_utf8_lossy(&bytes))
            .map_err(fault)?;
        interpreter.end().map_err(fault)?;
        counts = std::mem::take(interpreter.host());
    }
    let table = &found.tree.machine;
    let all: u64 = counts.0.values().sum();
    let mut tags: Vec<(u64, String)> = counts.0.into_iter().map(|(name, n)| (n, name)).collect();
    tags.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    let known = table.element_names();
    let hot = tags
        .iter()
        .filter(|(n, name)| known.contains(name.as_str()) && *n as f64 > LEAST * all as f64);
    let most = args.most.unwrap_or(48);
    let hot: Vec<&str> = hot.take(most).map(|(_, name)| name.as_str()).collect();
    let out = terminal::writer(args.format == Format::Json);
    let written = match args.format {
        Format::Human => human(out, &table.name, (&tags, all), &hot, documents.len()),
        Format::Json => json(out, &table.name, &tags, &hot),
    };
    written.map_err(Failure::output)
}

fn human(
    mut out: impl Write,
    table: &str,
    (tags, all): (&[(u64, String)], u64),
    hot: &[&str],
    documents: usize,
) -> io::Result<()> {
    let documents = terminal::count(documents, "document");
    writeln!(out, "# {table}: {documents}, {all} start tags")?;
    writeln!(out, "# {:>10} {:>7}  name", "tags", "%")?;
    for (count, name) in tags {
        let part = 100.0 * *count as f64 / all.max(1) as f64;
        writeln!(out, "# {count:>10} {part:>7.3}  {name}")?;
    }
    writeln!(out, "hot: [{}]", hot.join(", "))?;
    out.flush()
}

fn json(mut out: impl Write, table: &str, tags: &[(u64, String)], hot: &[&str]) -> io::Result<()> {
    let tags = tags.iter();
    let tags = tags.map(|(count, name)| serde_json::json!({"name": name, "count": count}));
    let tags: Vec<_> = tags.collect();
    let whole = serde_json::json!({"table": table, "tags": tags, "hot": hot});
    serde_json::to_writer_pretty(&mut out, &whole)?;
    writeln!(out)?;
    out.flush()
}
