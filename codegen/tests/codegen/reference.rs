//! The part of docs/table-language.md that the schema writes.
//!
//! `UPDATE_EXPECT=1 cargo test -p speclex-codegen --test codegen reference::` writes it anew.

use serde_yaml::{Mapping, Value};
use std::fs;
use std::path::Path;

/// What follows this line on the page is generated.
const HEAD: &str = "## 11. All keys\n";

/// Whose keys: the heading, and the definition in the schema; none for the table itself.
const OBJECTS: [(&str, Option<&str>); 6] = [
    ("Of a table", None),
    ("Of `vocabulary`", Some("vocabulary")),
    ("Of `preprocessing`", Some("preprocessing")),
    ("Of a procedure", Some("procedure")),
    ("Of a state", Some("state")),
    ("Of an erratum", Some("erratum")),
];

fn keys(schema: &Value, definition: Option<&str>) -> Mapping {
    let object = match definition {
        Some(name) => &schema["$defs"][name],
        None => schema,
    };
    let keys = object["properties"].as_mapping();
    keys.unwrap_or_else(|| panic!("{definition:?}")).clone()
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
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/table-language.md");
    let page = fs::read_to_string(&path).expect("the page");
    let by_hand = page.split(HEAD).next().unwrap_or_default();
    let expected = format!("{by_hand}{lists}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &expected).expect("a writable page");
    } else {
        assert!(
            page == expected,
            "UPDATE_EXPECT=1 writes {}",
            path.display()
        );
    }
}
