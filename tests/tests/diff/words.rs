//! Words that registers and names are compared with, in whole tables: what reads them is not proven equal, what nothing reads is.

use std::fs;
use std::path::Path;

use speclex_analysis::diff;
use speclex_codegen::machine::Machine;

use super::table;

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

fn load(file: &Path) -> Machine {
    let file = file.to_str().expect("a path that is text");
    let loaded = speclex_cli::load(file).unwrap_or_else(|e| panic!("{}", e.render(false)));
    loaded.machine
}

fn is_not_proven(what: &str, one: &Machine, other: &Machine) {
    let diff = diff::compare(one, other, true);
    assert!(!diff.proven_equal(), "{what}");
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
