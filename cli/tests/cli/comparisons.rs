//! The forms in which `diff` prints what it found, and which inputs it shows.

use std::fs;

use serde_json::Value;

use crate::program::{folder, run, speclex, stderr, stdout};

/// What a comparison prints, which finds differences; with colours or not.
fn printed(arguments: &[&str], colours: bool) -> String {
    let folder = folder();
    fs::write(folder.path().join("blank.settings"), " # a").expect("a document");
    let mut command = speclex(&["diff"]);
    command.args(arguments).current_dir(&folder);
    if colours {
        command.env("CLICOLOR_FORCE", "1");
    }
    let output = run(&mut command);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    stdout(&output)
}

/// A text without what makes a terminal write in bold or in a colour.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    let shown = parts.filter_map(|part| Some(part.split_once('m')?.1));
    first + &shown.collect::<String>()
}

#[test]
fn markup_is_in_markdown_and_bold_is_on_terminals() {
    const TABLES: [&str; 2] = ["good.yaml", "other.yaml"];
    for more in [
        &[][..],
        &["--structure"],
        &["--witness"],
        &["--cause", "1"],
        &["--input", "blank.settings"],
    ] {
        let arguments = [&TABLES, more].concat();
        let plain = printed(&arguments, false);
        for markup in ["`", "**", "<details>", "](", "\\<", "\x1b"] {
            assert!(!plain.contains(markup), "{markup} in {plain}");
        }
        assert!(!plain.lines().any(|line| line.starts_with('#')), "{plain}");
        let coloured = printed(&arguments, true);
        assert!(coloured.contains("\x1b[1m"), "{coloured}");
        let said = " Differences are marked.";
        let shown = without_colours(&coloured).replace(said, "");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&shown), words(&plain));
        assert!(!plain.contains(said), "{plain}");
    }
    let page = printed(&[&TABLES[..], &["--format", "markdown"]].concat(), true);
    for markup in ["# good.yaml → other.yaml\n", "\n## 1. `", "**`"] {
        assert!(page.contains(markup), "{markup} is not in {page}");
    }
    assert!(!page.contains('\x1b'), "{page}");
}

#[test]
fn the_shortest_inputs_that_can_be_read_are_shown() {
    let report = printed(&["good.yaml", "other.yaml", "--format", "json"], false);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let witnesses = report["witnesses"].as_array().expect("witnesses");
    let inputs: Vec<Value> = witnesses.iter().map(|it| it["input"].clone()).collect();
    assert_eq!(inputs, [" ", " ="]);
    let text = printed(&["good.yaml", "other.yaml"], false).replace('\n', " ");
    let said = "Each example is a short, readable input with ";
    assert!(text.contains(said), "{text}");
}
