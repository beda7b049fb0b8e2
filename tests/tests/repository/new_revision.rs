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

/// Cargo reads features from the manifest alone: the one thing that a new table must add by hand.
#[test]
fn every_table_has_a_feature() {
    let manifest = fs::read_to_string(workspace().join("tokenizers/Cargo.toml")).expect("a file");
    let lines: Vec<_> = manifest.lines().collect();
    let all = lines.iter().find_map(|line| line.strip_prefix("all = "));
    let names: Vec<_> = speclex_tables::all()
        .iter()
        .map(|table| table.name)
        .collect();
    // What is in the runtime, since `speclex::parse` needs it.
    let machine = |name: &str| {
        speclex_cli::machine(name).unwrap_or_else(|failure| panic!("{}", failure.render(false)))
    };
    let tokenizer = |name| {
        let table = speclex_tables::tree(name).expect("a table");
        speclex_codegen::tree::tokenizer(table.text).expect("its tokenizer")
    };
    let parsed = speclex_tables::PARSED;
    let parsed_machine = machine(&tokenizer(parsed));
    let tokenizers = names.iter().map(|name| match machine(name) {
        machine if machine.name == parsed_machine.name => {
            format!("{name} = [\"speclex/parse-tokenizer\"]")
        }
        machine
            if machine.references.is_empty() || machine.references != parsed_machine.references =>
        {
            format!("{name} = []")
        }
        _ => format!("{name} = [\"speclex/parse-references\"]"),
    });
    let trees = speclex_tables::trees().iter().map(|table| table.name);
    let trees = trees.filter(|name| tokenizer(name).starts_with("html"));
    let trees = trees.map(|name| {
        let needed = if name == parsed { "parse" } else { "trees" };
        format!("{name} = [{:?}, \"speclex/{needed}\"]", tokenizer(name))
    });
    let missing: Vec<_> = tokenizers
        .chain(trees)
        .filter(|line| !lines.contains(&line.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "tokenizers/Cargo.toml, [features], lacks\n{}",
        missing.join("\n")
    );
    let wanted = format!("{names:?}");
    assert_eq!(all, Some(wanted.as_str()), "tokenizers/Cargo.toml: all");
}

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
