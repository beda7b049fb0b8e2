//! A new revision needs no Rust: a table that extends a shipped one is generated and run, by the interpreter
//! from its path and by a crate that has nothing but what `gen` wrote.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use speclex_cli::{Home, run_from};
use speclex_tests::workspace;

use crate::cargo;

/// Tomorrow's standard, made up: processing instructions are taken back, and `<%` starts a comment.
const TABLE: &str = "\
table: html-tomorrow
title: HTML Living Standard, tomorrow
extends: html-living
states:
  tag open:
    consume:
      U+003F (?):
        - error invalid-first-character-of-tag-name
        - create a comment token
        - reconsume in bogus comment
      U+0025 (%): {after arm: U+003F (?), then: [create a comment token, switch to bogus comment]}
";

const PROGRAM: &str = r#"
mod html_tomorrow;

fn main() {
    for (token, _) in html_tomorrow::tokens("<?a b?><% c ><p>&notin;") {
        println!("{token:?}");
    }
}
"#;

#[test]
fn a_table_is_all_that_a_revision_needs() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new-revision");
    let source = folder.join("src");
    fs::create_dir_all(&source).expect("a folder");
    let table = folder.join("html-tomorrow.yaml");
    let table_name = table.to_str().expect("a path that is text");
    fs::write(&table, TABLE).expect("a file");
    let gen_arguments = ["speclex", "gen", table_name, "--out"];
    let arguments = gen_arguments
        .iter()
        .map(Into::into)
        .chain([source.clone().into()]);
    assert_eq!(run_from(&Home::default(), arguments), ExitCode::SUCCESS);

    fs::write(source.join("main.rs"), PROGRAM).expect("a file");
    let manifest = format!(
        "[package]\nname = \"tomorrow\"\nedition = \"2024\"\n[dependencies]\n\
         speclex = {{ path = {:?}, default-features = false }}\n[workspace]\n",
        workspace().join("runtime")
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    let output = cargo(&folder, &["run"]).output().expect("cargo");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let expected = [
        r#"Comment { data: "?a b?" }"#,
        r#"Comment { data: " c " }"#,
        r#"StartTag { name: "p", self_closing_flag: false, attributes: [] }"#,
        r#"Characters("∉")"#,
        "EndOfFile",
    ];
    assert_eq!(stdout.lines().collect::<Vec<_>>(), expected);

    let request = speclex_analysis::engine::Request {
        input: "<?a b?><% c ><p>&notin;",
        ..Default::default()
    };
    let printed = speclex_cli::printed(table_name, &request)
        .unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    assert!(
        printed.contains("comment \"?a b?\"") && printed.contains("characters \"∉\""),
        "{printed}"
    );
}
