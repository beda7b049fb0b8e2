//! Every diagnostic, word for word: a folder of `diagnostics/` is a table and what is said about it.
//!
//! `UPDATE_EXPECT=1 cargo test -p speclex-codegen --test codegen diagnostics::` writes what is said now to the
//! `expected.txt` files and to the page of codes; read the difference before you keep it.

use crate::support;
use speclex_codegen::diagnostic::{Code, Diagnostic};
use speclex_codegen::{Report, Severity, Source};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the folder of cases")
        .map(|entry| entry.expect("a case").path())
        .collect();
    cases.sort();
    cases
}

/// The report of a case: the refusal, or the warnings.
fn report(case: &Path) -> Report {
    match support::load(&case.join("table.yaml")) {
        Ok(loaded) => loaded.warnings,
        Err(report) => report,
    }
}

#[test]
fn every_case_says_what_is_expected() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for case in cases() {
        let said = report(&case).to_string();
        let expected = case.join("expected.txt");
        if update {
            fs::write(&expected, &said).expect("a writable case");
        } else if fs::read_to_string(&expected).unwrap_or_default() != said {
            wrong.push(format!("{}:\n{said}", case.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cases say something else; UPDATE_EXPECT=1 accepts it:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Also those of the other folders of cases: one list of codes serves all tables.
#[test]
fn every_code_has_a_case() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folders = fs::read_dir(tests).expect("the tests");
    let folders = folders.map(|entry| entry.expect("a folder").path());
    let mut all = String::new();
    for case in folders.filter(|p| p.is_dir()).flat_map(fs::read_dir) {
        for case in case {
            let case = case.expect("a case").path();
            let file = if case.is_dir() {
                case.join("expected.txt")
            } else {
                case
            };
            all.push_str(&fs::read_to_string(file).unwrap_or_default());
        }
    }
    let missing: Vec<&str> = Code::ALL
        .iter()
        .filter(|code| !all.contains(&format!("{}[{}]", code.severity(), code.as_str())))
        .map(|code| code.as_str())
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

#[test]
fn the_page_of_codes_is_fresh() {
    let mut page = String::from(
        "# Diagnostics\n\nEverything that `check` reports about a table. The codes are stable. `codegen/tests` has \
         examples of each;\nthe test there writes this page.\n\n| code | | what it reports |\n|---|---|---|\n",
    );
    for code in Code::ALL {
        let line = format!(
            "| `{}` | {} | {} |\n",
            code.as_str(),
            code.severity(),
            code.about()
        );
        page.push_str(&line);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &page).expect("a writable page");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, page, "UPDATE_EXPECT=1 writes {}", path.display());
}

#[test]
fn every_diagnostic_shows_what_it_is_about() {
    for case in cases() {
        for diagnostic in report(&case).diagnostics {
            let line = diagnostic.snippet.chars().count();
            let end = diagnostic.col - 1 + diagnostic.len;
            // A text that ends too early is refused after its last character.
            let past = usize::from(diagnostic.code == Code::YamlSyntax);
            assert!(end <= line + past, "{}: {diagnostic}", case.display());
            assert!(!diagnostic.message.ends_with('.'), "{diagnostic}");
        }
    }
}

/// The line that a help text shows, with the indentation of the line that it replaces.
fn proposed(diagnostic: &Diagnostic, line: &str) -> Option<String> {
    let (words, written) = diagnostic.help.split_once('\n')?;
    let shows_lines = matches!(
        diagnostic.code,
        Code::YamlSyntax | Code::HiddenInComment | Code::BadText
    );
    // Where the indentation itself is wrong, the line is shown with the right one.
    let is_whole = written.starts_with(' ') || words.starts_with("indent it by ");
    let own = line.len() - line.trim_start().len();
    let indent = if is_whole { 0 } else { own };
    shows_lines.then(|| " ".repeat(indent) + written)
}

#[test]
fn a_line_that_is_shown_is_right() {
    let mut tried = 0;
    for case in cases() {
        let path = case.join("table.yaml");
        let text = fs::read_to_string(&path).expect("a table");
        for diagnostic in report(&case).diagnostics {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let typed = lines.get_mut(diagnostic.line - 1);
            let Some((typed, line)) = typed.and_then(|typed| {
                let line = proposed(&diagnostic, typed)?;
                Some((typed, line))
            }) else {
                continue;
            };
            typed.clone_from(&line);
            let source = Source {
                name: "table.yaml".to_owned(),
                text: lines.join("\n") + "\n",
            };
            let said = match support::load_beside(source, &path) {
                Ok(loaded) => loaded.warnings,
                Err(report) => report,
            };
            let still = said.diagnostics.iter().find(|other| {
                other.line == diagnostic.line
                    && (other.code, &other.message) == (diagnostic.code, &diagnostic.message)
            });
            assert!(still.is_none(), "{}: {line}\n{said}", case.display());
            tried += 1;
        }
    }
    // `slips.rs` tries those of most slips.
    assert!(tried > 5, "{tried} lines");
}

#[test]
fn a_hundred_faults_are_reported_at_once() {
    let case = folder().join("a-hundred-faults");
    let report = report(&case);
    assert_eq!(report.count(Severity::Error), 100);
    assert_eq!(report.diagnostics.len(), 100);
}
