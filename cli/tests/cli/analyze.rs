//! `analyze` says what `gen` does.

use std::fs;

use speclex_codegen::emit::{self, Paths};
use speclex_codegen::testing::identifiers;
use speclex_codegen::{Source, load};

use crate::program::{run, speclex, stdout};

/// Each way to take a CR, an ASCII-only arm for anything else that ignores runs, and a token that starts with a newline of text.
const TABLE: &str = r#"
table: decisions
vocabulary: markup
preprocessing: {newlines: normalize}
entry states: {data: data, RCDATA: emitting}
hot: [data, space, emitting]
states:
  data:
    look ahead:
      U+000A: [emit the current input character, switch to space]
      U+0021 (!): switch to emitting
      EOF: emit EOF
      anything else: switch to copied
  space:
    consume:
      U+0009, U+000A, U+0020: ignore
      U+0080 to U+10FFFF: [parse error, switch to data]
      EOF: emit EOF
      anything else: ignore
  copied:
    consume:
      U+000A: [emit "x", switch to emitting]
      U+0080 to U+10FFFF: parse error
      U+0022 ("): [if the next input character is U+0061: parse error, ignore]
      U+0023 (#):
        - if the next input character is U+0061: parse error
        - otherwise: parse error
      EOF: emit EOF
      anything else: switch to data
  emitting:
    consume:
      U+0023 (#):
        - if the next input character is U+0061: parse error
        - otherwise: parse error
      U+003C (<): [emit the current input character, switch to data]
      EOF: emit EOF
      anything else: emit the current input character
"#;

/// The state's function.
fn function<'c>(code: &'c str, state: &str) -> &'c str {
    let start = format!("fn {}<", identifiers(state)[0]);
    let (_, body) = code.split_once(&start).expect("a function");
    body.split_once("\n}\n").expect("its end").0
}

#[test]
fn it_says_what_the_generated_code_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("decisions.yaml");
    fs::write(&path, TABLE).expect("a file");
    let output = run(speclex(&["analyze", "--format", "json", "--spec"]).arg(&path));
    let analysis: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let (name, text) = ("decisions.yaml".to_owned(), TABLE.to_owned());
    let loaded = load(Source { name, text }, &|_| None, &|_| None).expect("a table");
    let items = emit::module(&loaded.machine, &Paths::default());
    let code = emit::file(items, &[]).expect("Rust");
    let states = analysis["states"].as_array().expect("states");
    let mut ways = Vec::new();
    for state in states {
        let name = state["state"].as_str().expect("a name");
        let code = function(&code, name);
        let way = state["CR"].as_str().expect("a way to take CR");
        let done = if code.contains("after_newline(") {
            "has its own arm, which looks for an LF after it"
        } else if code.contains("emit_newline(") {
            "emitted as a newline, with an LF after it"
        } else if code.contains(r"Some(b'\r') =>") {
            "has its own arm, which takes it for an LF"
        } else {
            "taken by the arm for LF: an LF after it changes nothing"
        };
        assert_eq!(way, done, "{name}: {code}");
        ways.push(way);
        let skips = state["skip runs"].as_array().expect("labels").len();
        let has_loop = state["fast path"].get("stops").is_some();
        // One scan, with a set for each kind of sink.
        let choices = code.matches("let end = if S::").count();
        let scans = code.matches("scan::find").count() - choices;
        assert_eq!(scans, skips + usize::from(has_loop), "{name}: {code}");
        let waits = state["looks ahead"] != serde_json::json!([]);
        assert_eq!(
            waits,
            code.contains("must_wait(input, end)"),
            "{name}: {code}"
        );
        let starts = state["starts tokens"] == true;
        assert_eq!(starts, code.contains("start_token("), "{name}: {code}");
    }
    ways.sort_unstable();
    ways.dedup();
    assert_eq!(ways.len(), 4);
    // The table gives no sections.
    let output = run(speclex(&["analyze", "--spec"]).arg(&path));
    let told = stdout(&output);
    assert!(told.contains("\ndata: hot, number 1\n"), "{told}");
}
