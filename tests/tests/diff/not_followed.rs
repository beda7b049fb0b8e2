//! What the search does not follow: no two tables that differ in it are called equal.

use std::fs;
use std::path::Path;

use speclex_analysis::diff::{self, Diff, Role};
use speclex_codegen::machine::Machine;

use super::table;

/// A table of the folder, and what stands there in another one: an input tells the two apart.
const PAIRS: &[(&str, &[[&str; 2]])] = &[
    (
        "waiting-text",
        &[
            [
                r#"emit U+0078 (x), set the name to "y""#,
                r#"set the name to "xy""#,
            ],
            [
                r#"emit U+0078 (x), set the name to "z""#,
                r#"set the name to "xy""#,
            ],
        ],
    ),
    (
        "name-or-value",
        &[
            [
                r#"append "x" to the attribute value"#,
                "append the empty string to the attribute value",
            ],
            [
                r#"[append "x" to the attribute name, switch to end]"#,
                "switch to end",
            ],
        ],
    ),
    (
        "attribute-and-word",
        &[[r#""abc": error dup"#, r#""abc": error odd"#]],
    ),
    ("literal-read-again", &[[r#"emit "one""#, r#"emit "two""#]]),
    ("copied-text", &[["error odd", "error other"]]),
    (
        "kind-of-start-tag",
        &[
            ["start tag: start tag", "start tag: end tag"],
            ["answering: [start tag]", "answering: [start tag, end tag]"],
        ],
    ),
    (
        "two-questions",
        &[["if ahas are allowed", "if bees are allowed"]],
    ),
    ("long-end-tag", &[["[error one", "[error two"]]),
    (
        "waiting-token",
        &[
            [
                "[create a word token, emit the word token, switch to wait]",
                "[switch to wait]",
            ],
            [
                "[reconsume in after]",
                "[create a word token, emit the word token, reconsume in after]",
            ],
            [
                "[reconsume in start]",
                "[create a word token, emit the word token, reconsume in start]",
            ],
        ],
    ),
    (
        "text-in-two-ways",
        &[[
            r#"[emit "x", switch"#,
            r#"[append "x" to the buffer, switch"#,
        ]],
    ),
    ("long-name-ahead", &[[r#"emit "one""#, r#"emit "two""#]]),
    ("initial-word", &[["[x, y]", "[y, x]"]]),
    ("start-tag-named", &[["error one", "error two"]]),
    ("attribute-states", &[["error other", "error odd"]]),
    ("copied-name", &[["error one", "error two"]]),
    ("word-in-capitals", &[["error one", "error two"]]),
    (
        "content-of-one",
        &[["{data: start}", "{data: start, RCDATA: start}"]],
    ),
    (
        "other-letters",
        &[[
            "U+00E9: append the current input character",
            "U+00E9: append U+00EB",
        ]],
    ),
    (
        "word-on-emitting",
        &[[r#""abc": error odd"#, r#""abc": error other"#]],
    ),
    // The same actions and the same question, but not in the same order.
    (
        "asked-before",
        &[
            [
                "        - append \"p\" to the buffer\n        - if the buffer is \"p\": [create",
                "        - if the buffer is \"p\": [append \"p\" to the buffer, create",
            ],
            [
                "otherwise: [create",
                "otherwise: [append \"p\" to the buffer, create",
            ],
        ],
    ),
    // Both are said as "switch to the return state".
    (
        "state-or-register",
        &[[
            "to other, switch to the return state",
            "to other, switch to return",
        ]],
    ),
    (
        "strings-in-order",
        &[
            ["\"aB\"", "\"x\""],
            [
                "\"abc\" ASCII case-insensitively': [create a mark token, emit the mark",
                "\"aB\"': [create a word token, emit the word",
            ],
            [
                "'\"x\"': [create a word token, emit the word",
                "'\"abc\" ASCII case-insensitively': [create a mark token, emit the mark",
            ],
        ],
    ),
    // `peq` tells them apart.
    (
        "mode-on-emitting",
        &[[r#"[append "p" to the buffer, stay]"#, "stay"]],
    ),
];

/// States of `html-2026-06` and their arms, in another table.
const ARMS: &[(&str, &str)] = &[
    (
        "tag name",
        r#"[set the temporary buffer to the tag name, {if the temporary buffer is "image": error eof-in-cdata}, switch to data, emit the tag token]"#,
    ),
    (
        "RCDATA end tag name",
        r#"[{if appropriate end tag token and the temporary buffer is "t": [error eof-in-cdata, switch to data, emit the tag token], otherwise if appropriate end tag token: [switch to data, emit the tag token], otherwise: as anything else}]"#,
    ),
    (
        "RAWTEXT end tag name",
        r#"[{if appropriate end tag token: [{if the temporary buffer is "noframes": error eof-in-cdata}, switch to data, emit the tag token], otherwise: as anything else}]"#,
    ),
];

pub(super) fn load(file: &Path) -> Machine {
    let file = file.to_str().expect("a path that is text");
    let loaded = speclex_cli::load(file).unwrap_or_else(|e| panic!("{}", e.render(false)));
    loaded.machine
}

fn is_not_proven(what: &str, one: &Machine, other: &Machine) {
    let diff = diff::compare(one, other, true);
    assert!(!diff.proven_equal(), "{what}");
}

#[test]
fn small_tables_are_not_proven_equal() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diff/not-followed");
    let scratch = tempfile::tempdir().expect("a folder");
    for (name, changes) in PAIRS {
        let file = folder.join(format!("{name}.yaml"));
        let mut text = fs::read_to_string(&file).expect("a table");
        for [from, to] in *changes {
            assert_eq!(text.matches(from).count(), 1, "{name}: {from}");
            text = text.replace(from, to);
        }
        let other = scratch.path().join("other.yaml");
        fs::write(&other, text).expect("a file");
        is_not_proven(name, &load(&file), &load(&other));
    }
    assert_eq!(fs::read_dir(folder).expect("tables").count(), PAIRS.len());
}

#[test]
#[ignore = "takes long; .ci/run runs it"]
fn words_in_html_are_not_proven_equal() {
    let base = super::machine("html-2026-06");
    let scratch = tempfile::tempdir().expect("a folder");
    for (state, arm) in ARMS {
        let text = format!(
            "table: other\nextends: html-2026-06\nstates:\n  {state}:\n    consume:\n      U+003E (>): {arm}\n"
        );
        let file = scratch.path().join("other.yaml");
        fs::write(&file, text).expect("a file");
        is_not_proven(state, &base, &load(&file));
    }
}

/// A table with this many text registers, which no input sets, and this many modes, which only an unreachable state sets.
fn with_registers(texts: usize, modes: usize) -> String {
    let registers: String = (0..texts).map(|it| format!("  text{it}: text\n")).collect();
    let names: String = (0..modes)
        .map(|it| format!("  mode{it}: [off, on]\n"))
        .collect();
    let arms = (0xE000..).zip(0..modes);
    let arms: String = arms
        .map(|(c, it)| format!("      U+{c:04X}: [set mode{it} to on, ignore]\n"))
        .collect();
    format!(
        "table: many\ntitle: Many\nvocabulary: {{tokens: {{end: {{}}}}}}\nregisters:\n  nobody: text\n{registers}{names}\
         entry states: {{data: data}}\nstates:\n  data:\n    consume:\n      U+002A (*):\n        \
         - if text0 is \"a\": switch to modes\n        - otherwise: ignore\n      \
         EOF: [set nobody to \"x\", emit EOF]\n      anything else: emit the current input character\n  \
         modes:\n    consume:\n{arms}      EOF: reconsume in data\n      anything else: switch to data\n"
    )
}

#[test]
fn what_no_table_reads_is_proven_without_effect_in_a_large_table_too() {
    for (texts, modes) in [(1, 1), (121, 1), (1, 16)] {
        let text = with_registers(texts, modes);
        let other = text.replace("set nobody to \"x\", ", "");
        assert_ne!(text, other);
        let [one, other] = [text, other].map(|text| table(&text));
        let diff = diff::compare(&one, &other, true);
        assert!(diff.proven_equal(), "{texts} texts, {modes} modes");
    }
}

#[test]
fn what_attacks_had_broken_is_not_called_without_effect() {
    let is_silent = |diff: &Diff| {
        let causes = &diff.behaviour.as_ref().expect("a search").causes;
        causes.iter().any(|cause| cause.role == Role::NoEffect)
    };
    assert_no_pair("wrongly-without-effect", is_silent);
}

/// Of no pair of tables of a folder is this true.
fn assert_no_pair(folder: &str, is_wrong: impl Fn(&Diff) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/diff")
        .join(folder);
    let mut wrong = Vec::new();
    for file in fs::read_dir(&folder).expect("tables") {
        let file = file.expect("a file").path();
        let name = file.file_name().and_then(|name| name.to_str());
        if let Some(name) = name.and_then(|name| name.strip_suffix("-a.yaml")) {
            let [one, other] =
                ["a", "b"].map(|side| load(&folder.join(format!("{name}-{side}.yaml"))));
            if is_wrong(&diff::compare(&one, &other, true)) {
                wrong.push(name.to_owned());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
