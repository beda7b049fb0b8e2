//! What docs/table-language.md has from the schema, and docs/cheat-sheet.md and docs/tree-language.md from the phrases
//! and guards.
//!
//! `UPDATE_EXPECT=1 cargo test -p speclex-codegen --test codegen reference::` writes it anew.

use serde_yaml::{Mapping, Value};
use speclex_codegen::explain::{Entry, entries};
use speclex_codegen::{Source, load};
use std::fs;
use std::path::{Path, PathBuf};

/// What follows this line on the page is generated.
const HEAD: &str = "## 11. All keys\n";

/// Whose keys: the heading, and the definition in the schema.
const OBJECTS: [(&str, &str); 7] = [
    ("Of a table", "tokenizer-table"),
    ("Of `text`", "text"),
    ("Of `vocabulary`", "vocabulary"),
    ("Of `preprocessing`", "preprocessing"),
    ("Of a procedure", "procedure"),
    ("Of a state", "state"),
    ("Of an erratum", "erratum"),
];

fn keys(schema: &Value, definition: &str) -> Mapping {
    let keys = schema["$defs"][definition]["properties"].as_mapping();
    keys.unwrap_or_else(|| panic!("{definition}")).clone()
}

#[test]
fn the_reference_lists_the_keys_of_the_schema() {
    // JSON is YAML too.
    let schema = serde_yaml::from_str(&speclex_codegen::schema()).expect("a schema");
    let mut lists = format!("{HEAD}\nGenerated from the schema, by a test in `codegen/tests`.\n");
    for (heading, definition) in OBJECTS {
        lists += &format!("\n### {heading}\n\n| key | what it says |\n|---|---|\n");
        for (key, value) in &keys(&schema, definition) {
            let name = key.as_str().expect("a name");
            let about = value["description"].as_str().expect("a description");
            lists += &format!("| `{name}` | {about} |\n");
        }
    }
    compare("table-language.md", HEAD, &lists);
}

#[test]
fn the_example_of_a_key_has_that_key() {
    let keys =
        entries().filter(|entry| entry.kind.starts_with("key of") && entry.example.is_some());
    let mut count = 0;
    for entry in keys {
        let example: Mapping =
            serde_yaml::from_str(entry.example.unwrap_or_default()).expect("a mapping");
        let has: Vec<_> = example.keys().filter_map(Value::as_str).collect();
        assert_eq!(has, [entry.name], "{entry:?}");
        count += 1;
    }
    assert!(count > 40, "{count} keys");
}

/// What follows this line on the cheat sheet is generated, but for the two lines below it.
const PHRASES: &str = "## Phrases\n";

#[test]
fn the_cheat_sheet_lists_phrases_and_guards() {
    let mut lists = format!(
        "{PHRASES}
Words in capitals stand for names. VALUE is a character (`U+FFFD`), a quoted string, `the empty string`, `the current input
character`, `the lowercase of the current input character`, a field or a text register.
"
    );
    let after_if = "They stand after `if`, with `not`, `and` and `or`.";
    let of_trees = "In tables of [tree construction](tree-language.md).";
    for (heading, about, kind, head) in [
        ("", "", "phrase", "phrase"),
        ("## Guards", after_if, "guard", "guard"),
        (
            "## Steps of tree tables",
            of_trees,
            "step of a tree table",
            "step",
        ),
        (
            "## Guards of tree tables",
            of_trees,
            "guard of a tree table",
            "guard",
        ),
    ] {
        if !heading.is_empty() {
            lists += &format!("\n{heading}\n\n{about}\n");
        }
        lists += &format!("\n| {head} | what it means |\n|---|---|\n");
        for entry in entries().filter(|entry| entry.kind == kind) {
            lists += &format!("| `{}` | {} |\n", entry.name, entry.about);
        }
    }
    compare("cheat-sheet.md", PHRASES, &lists);
}

/// What follows this line on the page is generated.
const TREE: &str = "## 9. All keys, phrases and guards\n";

#[test]
fn the_reference_of_the_tree_language_lists_its_words() {
    let mut lists = format!(
        "{TREE}
Words in capitals stand for what the last table lists, for variables, or for names. Articles are free. A guard may be followed by `and` or
`or` and another one. Generated from the rows of the language, by a test in `codegen/tests`.

| key | what it says | for example |
|---|---|---|
"
    );
    for (what, kind) in [
        ("", "key of a tree table"),
        ("key of an insertion mode", "key of an insertion mode"),
        ("phrase", "step of a tree table"),
        ("guard", "guard of a tree table"),
        ("what stands in phrases", "value of a tree table"),
    ] {
        if !what.is_empty() {
            lists += &format!("\n| {what} | what it means | for example |\n|---|---|---|\n");
        }
        for Entry {
            name,
            about,
            example,
            ..
        } in entries().filter(|entry| entry.kind == kind)
        {
            let example = example.filter(|example| *example != name);
            let example = example.map_or(String::new(), |example| format!("`{example}`"));
            lists += &format!("| `{name}` | {about} | {example} |\n");
        }
    }
    compare("tree-language.md", TREE, &lists);
}

#[test]
fn the_table_of_the_cheat_sheet_has_no_fault() {
    let page = page("cheat-sheet.md");
    let table = page.split("```yaml\n").nth(1).expect("a table");
    let table = table.split("```").next().expect("its end");
    let source = Source {
        name: "lists.yaml".to_owned(),
        text: table.to_owned(),
    };
    let loaded = load(source, &|_| None, &|_| None);
    assert!(loaded.is_ok(), "{:?}", loaded.err());
}

fn path(name: &str) -> PathBuf {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    docs.join(name)
}

fn page(name: &str) -> String {
    fs::read_to_string(path(name)).expect("a page")
}

/// Compares what begins with a heading, or writes it.
fn compare(name: &str, heading: &str, lists: &str) {
    let page = page(name);
    let by_hand = page.split(heading).next().unwrap_or_default();
    let expected = format!("{by_hand}{lists}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path(name), &expected).expect("a writable page");
    } else {
        assert!(page == expected, "UPDATE_EXPECT=1 writes {name}");
    }
}
