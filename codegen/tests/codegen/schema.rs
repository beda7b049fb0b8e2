//! The schema takes all shipped tables of both languages, and refuses mistakes in them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn faults(table: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(&speclex_codegen::schema()).expect("JSON");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let table: Value = serde_yaml::from_str(table).expect("YAML");
    let faults = schema.iter_errors(&table);
    faults
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect()
}

fn shipped(name: &str) -> String {
    let path = folder("../spec-tables").join(format!("{name}.yaml"));
    fs::read_to_string(path).expect("a table")
}

#[test]
fn every_table_is_valid() {
    let mut count = 0;
    for place in ["../spec-tables", "../cli/src/init", "tests/tree"] {
        for entry in fs::read_dir(folder(place)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|end| end == "yaml") {
                let text = fs::read_to_string(&path).expect("a table");
                assert_eq!(faults(&text), [""; 0], "{}", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 15, "{count} tables");
}

#[test]
fn mistakes_are_refused() {
    for (table, from, to) in [
        ("html-2026-06", "states:\n", "state:\n"),
        ("html-2026-06", "      EOF: ", "      EOF: 3 #"),
        (
            "html-tree-2026-06",
            "insertion modes:\n",
            "insertion mods:\n",
        ),
        ("html-tree-2026-06", "tokenizer: html-2026-06\n", ""),
        (
            "html-tree-2026-06",
            "        - otherwise:\n",
            "        - otherwize:\n",
        ),
        ("html-tree-2026-06", "- Loop:\n", "- loop:\n"),
        (
            "html-tree-2026-06",
            "comment token: insert a comment\n",
            "comment token: 3\n",
        ),
        (
            "html-tree-2026-06",
            "[parse error, ignore the token]",
            "[parse error, [ignore the token]]",
        ),
        (
            "html-tree-2026-06",
            "frameset-ok flag: [ok, not ok]",
            "frameset-ok flag: {ok: 1}",
        ),
        (
            "html-tree-2026-06",
            "  result: the child",
            "  results: the child",
        ),
        ("html-tree-2026-06", "section: 13.2.6.4.1 ", "section: [1] "),
        (
            "html-tree-2022-10",
            "on popping: removed",
            "on popping: gone",
        ),
    ] {
        let text = shipped(table);
        assert!(text.contains(from), "{from}");
        let wrong = text.replacen(from, to, 1);
        assert_ne!(faults(&wrong), [""; 0], "{table}: {to}");
    }
}
