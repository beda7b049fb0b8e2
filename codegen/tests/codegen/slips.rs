//! Slips that people make in tables, one each: those of YAML, and words of other languages.
//!
//! `UPDATE_EXPECT=1 cargo test -p speclex-codegen --test codegen slips::` writes what is said now to `slips.txt`; read the
//! difference before you keep it.

use crate::support::{self, mistakes};
use speclex_codegen::diagnostic::{Code, Diagnostic};
use speclex_codegen::{Report, Source, tree};
use std::fs;
use std::path::{Path, PathBuf};

/// The most slips for which a guess is made of what faulty YAML may have meant.
const MOST_SLIPS: usize = 60;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A shipped table, or that of the page "Your first table".
fn table(name: &str) -> String {
    let shipped = root().join(format!("spec-tables/{name}.yaml"));
    if let Ok(text) = fs::read_to_string(shipped) {
        return text;
    }
    let page = fs::read_to_string(root().join("docs/your-first-table.md")).expect("the page");
    let table = page.split("```yaml file=tables/settings.yaml\n").nth(1);
    let table = table.and_then(|rest| rest.split("```").next());
    table.expect("the table").to_owned()
}

fn report(text: String) -> Report {
    let path = root().join("spec-tables/table.yaml");
    let is_tree = tree::is_tree(&text);
    let source = Source {
        name: "table.yaml".to_owned(),
        text,
    };
    match is_tree {
        true => support::load_tree_beside(source, &path).map(|loaded| loaded.warnings),
        false => support::load_beside(source, &path).map(|loaded| loaded.warnings),
    }
    .unwrap_or_else(|report| report)
}

#[test]
fn every_slip_is_said_at_its_line_with_a_help() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slips.txt");
    let mut shown = 0;
    let count = mistakes::compare(&path, |slip| {
        let (text, line) = slip.made_in(&table(slip.table));
        let report = report(text.clone());
        let first = report.diagnostics.first().expect("a fault");
        assert!(first.line.abs_diff(line) <= 1, "line {line}: {report}");
        shown += usize::from(is_right(first, &text));
        report
    });
    assert!((40..=MOST_SLIPS).contains(&count), "{count} slips");
    assert!(shown > 15, "{shown} lines");
}

/// Whether a help shows how to write the line. Written so, it is not refused.
fn is_right(fault: &Diagnostic, text: &str) -> bool {
    let shows_lines = matches!(
        fault.code,
        Code::YamlSyntax | Code::HiddenInComment | Code::BadText
    );
    let Some((words, written)) = fault.help.split_once('\n').filter(|_| shows_lines) else {
        return false;
    };
    if written.contains('\n') || words.contains("for example") {
        return false;
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = &mut lines[fault.line - 1];
    let indent = match words.starts_with("indent it by ") {
        true => 0,
        false => line.len() - line.trim_start().len(),
    };
    *line = " ".repeat(indent) + written;
    let said = report(lines.join("\n") + "\n");
    let mut same = said
        .diagnostics
        .iter()
        .filter(|it| it.line == fault.line && it.message == fault.message);
    assert!(same.next().is_none(), "{written}\n{said}");
    true
}
