//! A new revision needs no Rust: a table that extends a shipped one is generated and run, by the interpreter
//! from its path and by a crate that has nothing but what `gen` wrote. `cargo xtask revision` makes what this repository has for one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use speclex_cli::{Home, new_revision, run_from};
use speclex_tests::workspace;

use crate::cargo;
use crate::generate::{FOLDERS, copy};

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

/// What `revision` writes to, and what is next to that.
const WRITTEN: [&str; 9] = [
    "docs/conformance.md",
    "runtime/src/generated",
    "runtime/src/markup",
    "spec-tables",
    "tests/suites",
    "tests/tests/conformance.rs",
    "tests/tests/tree/html.rs",
    "tests/tree-construction",
    "tests/ui/pass",
];

/// A copy of these files, and of `tokenizers/`.
fn written() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for part in WRITTEN.into_iter().chain(["tokenizers"]) {
        let (from, to) = (workspace().join(part), folder.path().join(part));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            fs::copy(from, to).expect("a copy");
        }
    }
    folder
}

fn revision(root: &Path, arguments: &[&str]) -> ExitCode {
    let home = Home {
        repository: Some(root.to_owned()),
    };
    let arguments = ["cargo xtask revision"].iter().chain(arguments);
    new_revision(&home, arguments.map(Into::into))
}

/// All files below a folder.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all.extend(contents(&path));
        } else {
            all.insert(path.clone(), fs::read(&path).expect("a file"));
        }
    }
    all
}

/// The lines of a file that are not in the repository's.
fn added(root: &Path, file: &str) -> String {
    let read = |root: &Path| fs::read_to_string(root.join(file)).expect("a file");
    let (before, after) = (read(workspace()), read(root));
    let mut before = before.lines().peekable();
    let mut added = String::new();
    for line in after.lines() {
        if before.next_if_eq(&line).is_none() {
            added += &format!("{line}\n");
        }
    }
    assert_eq!(before.next(), None, "{file} has lost a line:\n{added}");
    added
}

#[test]
fn revision_makes_all_that_the_repository_has_for_a_tokenizer() {
    let folder = written();
    let root = folder.path();
    let title = "HTML Living Standard, one day";
    let arguments = [
        "html-2027-01",
        "--extends",
        "html-2026-06",
        "--title",
        title,
    ];
    assert_eq!(revision(root, &arguments), ExitCode::SUCCESS);

    let table = root.join("spec-tables/html-2027-01.yaml");
    let loaded = speclex_cli::load(table.to_str().expect("a path that is text"));
    let loaded = loaded.unwrap_or_else(|e| panic!("{}", e.render(false)));
    assert_eq!(loaded.machine.title, title);
    assert_eq!(loaded.text.as_deref(), Some("html-2027-01.txt"));
    let base =
        speclex_cli::machine("html-2026-06").unwrap_or_else(|e| panic!("{}", e.render(false)));
    assert_eq!(loaded.machine.states, base.states);

    // The line before it is as that of the plan that follows.
    assert_eq!(
        added(root, "tests/tests/conformance.rs"),
        "        revision: \"html-2027-01\",\n        folder: \"html5lib-tests/tokenizer\",\n        runs: 7028,\n        \
         deviations: &[],\n    },\n    Plan {\n"
    );
    assert_eq!(
        added(root, "tests/ui/pass/every-revision.rs"),
        "    mod html_2027_01 = builtin \"html-2027-01\";\n        html_2027_01;\n"
    );
    let rows = added(root, "docs/conformance.md");
    let rows: Vec<_> = rows.lines().collect();
    let statistics = speclex_codegen::statistics::statistics(&loaded);
    let sizes = format!(
        "| `html-2027-01` | {title} | {} | {} | {} |",
        statistics.states, statistics.arms, statistics.actions
    );
    assert_eq!(rows.len(), 4, "{rows:#?}");
    assert_eq!(rows[0], sizes);
    assert!(rows[1].starts_with("| `html-2027-01` | html5lib-tests | "));
    assert!(rows[2].starts_with("html-2027-01 against html-2027-01.txt (arm notation): "));
    let suites = ["html-2026-06", "html-2027-01"]
        .map(|name| fs::read(root.join(format!("tests/suites/{name}.test"))).expect("a suite"));
    assert!(suites[0] == suites[1]);

    let manifest = fs::read_to_string(root.join("tokenizers/Cargo.toml")).expect("a manifest");
    assert!(manifest.contains("\nhtml-2027-01 = [\"speclex/parse-references\"]\n"));
    assert!(manifest.contains("\"html-2026-06\", \"html-2027-01\", \"html-living\""));
    let module = fs::read_to_string(root.join(FOLDERS[1]).join("html_2027_01.rs"));
    assert!(module.expect("a module").contains(title));
    let list = fs::read_to_string(root.join(FOLDERS[1]).join("mod.rs"));
    assert!(list.expect("a list").contains("pub mod html_2027_01;"));
}

#[test]
fn revision_makes_all_that_the_repository_has_for_tree_construction() {
    let folder = written();
    let root = folder.path();
    let arguments = ["html-tree-2027-01", "--extends", "html-tree-living"];
    assert_eq!(revision(root, &arguments), ExitCode::SUCCESS);
    let table = root.join("spec-tables/html-tree-2027-01.yaml");
    let machines = speclex_cli::tree_machines(table.to_str().expect("a path that is text"));
    let (tree, tokenizer) = machines.unwrap_or_else(|e| panic!("{}", e.render(false)));
    assert_eq!(
        (&*tree.name, &*tokenizer.name),
        ("html-tree-2027-01", "html-living")
    );
    let plans = added(root, "tests/tests/tree/html.rs");
    let name = "        tree: \"html-tree-2027-01\",\n";
    let of_base = fs::read_to_string(workspace().join("tests/tests/tree/html.rs")).expect("a file");
    let of_base = of_base.matches("        tree: \"html-tree-living\",\n");
    assert_eq!(plans.matches(name).count(), of_base.count());
    assert!(added(root, "docs/conformance.md").starts_with("| `html-tree-2027-01` | "));
    let others = added(root, "tests/tree-construction/other-trees.txt");
    assert!(
        others
            .lines()
            .all(|line| line.starts_with("html-tree-2027-01 | "))
            && !others.is_empty()
    );
    let manifest = fs::read_to_string(root.join("tokenizers/Cargo.toml")).expect("a manifest");
    assert!(manifest.contains("\nhtml-tree-2027-01 = [\"html-living\", \"speclex/trees\"]\n"));
}

#[test]
fn a_revision_that_cannot_be_made_changes_nothing() {
    let folder = written();
    let root = folder.path();
    let before = contents(root);
    for arguments in [
        &["html-2012", "--extends", "html-living"][..],
        &["html-2027-01", "--extends", "html-lving"],
        &["html-2027-01", "--extends", "html-tree-living"],
        &["html-tree-2027-01", "--extends", "html-living"],
        &[
            "html-tree-2027-01",
            "--extends",
            "html-tree-living",
            "--tokenizer",
            "html",
        ],
        &["HTML 2027", "--extends", "html-living"],
        &["default", "--extends", "html-living"],
        &["../html-2027", "--extends", "html-living"],
        &[
            "html-2027-01",
            "--extends",
            "html-living",
            "--title",
            "one\ntwo",
        ],
        &["html-2027-01"],
    ] {
        assert_eq!(
            revision(root, arguments),
            ExitCode::from(2),
            "{arguments:?}"
        );
        assert!(contents(root) == before, "{arguments:?}");
    }
    fs::remove_file(root.join("tests/suites/html-living.test")).expect("a file");
    let before = contents(root);
    let arguments = ["html-2027-01", "--extends", "html-living"];
    assert_eq!(revision(root, &arguments), ExitCode::from(2));
    assert!(contents(root) == before, "a file that is missing");
    assert_eq!(revision(root, &["--help"]), ExitCode::SUCCESS);

    let folder = written();
    let root = folder.path();
    fs::write(root.join("spec-tables/html-tomorrow.yaml"), TABLE).expect("a file");
    let before = contents(root);
    assert_eq!(revision(root, &arguments), ExitCode::from(2));
    assert!(
        contents(root) == before,
        "a table that came after the program"
    );
}

/// With the new tables in it, the generator finds nothing to do.
#[test]
#[ignore = "builds for 20 seconds; .ci/run runs it"]
fn what_revision_makes_is_fresh() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let root = scratch.join("with-new-revisions");
    if root.exists() {
        fs::remove_dir_all(&root).expect("an earlier run's folder");
    }
    copy(workspace(), &root);
    fs::create_dir(root.join("docs")).expect("a folder");
    let page = "docs/conformance.md";
    fs::copy(workspace().join(page), root.join(page)).expect("a copy");
    let cargo = |arguments: &[&str]| {
        let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(arguments)
            .env(speclex_cli::REPOSITORY, &root)
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TARGET_DIR", scratch.join("generator"))
            .env("CARGO_INCREMENTAL", "0")
            .current_dir(&root)
            .status();
        assert!(status.expect("cargo").success(), "{arguments:?}");
    };
    let xtask = [
        "run",
        "--quiet",
        "--package",
        "speclex-cli",
        "--no-default-features",
        "--profile",
        "generate",
    ];
    let new = [
        "--features",
        "repository",
        "--bin",
        "revision",
        "--",
        "html-2027-01",
        "--extends",
        "html-living",
    ];
    cargo(&[&xtask[..], &new].concat());
    let new = [
        "--features",
        "repository",
        "--bin",
        "revision",
        "--",
        "html-tree-2027-01",
        "--extends",
        "html-tree-living",
        "--tokenizer",
        "html-2027-01",
    ];
    cargo(&[&xtask[..], &new].concat());
    let check = [
        "--features",
        "repository",
        "--bin",
        "speclex",
        "--",
        "gen",
        "--check",
    ];
    cargo(&[&xtask[..], &check].concat());
    cargo(&[
        "check",
        "--quiet",
        "--package",
        "speclex-tokenizers",
        "--features",
        "all",
    ]);
}
