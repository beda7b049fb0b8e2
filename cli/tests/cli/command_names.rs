//! The options of all commands, the values that they take, and the keys of the JSON that they read and print:
//! docs/command-names.txt. Who changes one does so knowingly.
//!
//! `UPDATE_EXPECT=1 cargo test -p speclex-cli --test cli command_names` writes it anew.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::program::{folder, run, speclex, stderr, stdout};

/// The words of `speclex --help` under "Commands".
fn commands() -> Vec<String> {
    let help = stdout(&run(&mut speclex(&["--help"])));
    let list = help.split("Commands:\n").nth(1).expect("commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(Into::into)
        .collect()
}

/// Options and their values, as `--help` writes them.
fn options(command: &str, names: &mut BTreeSet<String>) {
    let help = stdout(&run(&mut speclex(&[command, "--help"])));
    let mut option = String::new();
    for line in help.lines().map(str::trim_start) {
        let words = line.split([' ', ',', '.']).filter(|word| !word.is_empty());
        let long = words.clone().take(2).find(|word| word.starts_with("--"));
        if line.starts_with('-')
            && let Some(long) = long
        {
            option = long.to_owned();
            names.insert(format!("option {command} {option}"));
        } else if let Some(value) = line
            .strip_prefix("- ")
            .and_then(|line| line.split(':').next())
        {
            names.insert(format!("value {command} {option} {value}"));
        }
    }
}

/// The keys of a value, with those that lead to it. Of tokens, the keys are attributes.
fn keys(of: &str, value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let path = format!("{of}.{key}");
                names.insert(format!("key {path}"));
                if key != "tokens" && key != "token" {
                    keys(&path, value, names);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(of, item, names)),
        _ => {}
    }
}

fn with_input(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = speclex(arguments);
    command
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("a program");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("a reader");
    drop(stdin);
    child.wait_with_output().expect("its end")
}

#[test]
fn command_names() {
    let mut names = BTreeSet::new();
    for command in commands() {
        options(&command, &mut names);
    }
    let folder = folder();
    let page = "<!doctype html><title>&amp;</title><p a=b a><!-- \0 --></p x>&lt";
    let differing = "<?xml v?><p>&b<!-- a --!><a b='c\u{1}'>\0<!--->";
    let child = env!("CARGO_BIN_EXE_speclex");
    for (of, arguments, input) in [
        (
            "conform json",
            &[
                "conform",
                "--spec",
                "html-living",
                "--format",
                "json",
                "--",
                child,
                "tokenize",
                "--spec",
                "html-2026-06",
                "--jsonl",
            ][..],
            "",
        ),
        (
            "conform trees json",
            &[
                "conform",
                "--spec",
                "xml5-tree",
                "--random",
                "0",
                "--format",
                "json",
                "--",
                "sh",
                "-c",
                "while read line; do echo '{\"tree\": \"\"}'; done",
            ],
            "",
        ),
        (
            "tokenize json",
            &["tokenize", "--spec", "html-living", "--format", "json"],
            page,
        ),
        (
            "tokenize json-lines",
            &[
                "tokenize",
                "--spec",
                "html-living",
                "--format",
                "json-lines",
            ],
            page,
        ),
        (
            "tokenize json",
            &[
                "tokenize",
                "--spec",
                "html-living",
                "--format",
                "json",
                "good.yaml",
                "other.yaml",
            ],
            "",
        ),
        (
            "tokenize json-lines",
            &[
                "tokenize",
                "--spec",
                "html-living",
                "--format",
                "json-lines",
                "good.yaml",
                "other.yaml",
            ],
            "",
        ),
        (
            "tokenize json",
            &["tokenize", "--token-bytes=1", "--format=json"],
            "a<b>",
        ),
        (
            "tokenize json-lines",
            &["tokenize", "--token-bytes=1", "--format=json-lines"],
            "a<b>",
        ),
        (
            "trace json",
            &["trace", "--spec", "html-living", "--format", "json"],
            "<script>",
        ),
        (
            "tokenize --parts json-lines",
            &[
                "tokenize",
                "--spec",
                "html-living",
                "--parts",
                "--attributes=1",
                "--excess=drop",
                "--format=json-lines",
            ],
            "<!doctype a public 'b'><!--c--><d e='f'/><g h i>",
        ),
        (
            "tokenize --excess json",
            &[
                "tokenize",
                "--spec",
                "html-living",
                "--attributes=1",
                "--excess=drop",
                "--format=json",
            ],
            "<g h i>",
        ),
        (
            "tokenize --jsonl",
            &["tokenize", "--spec", "html-living", "--jsonl"],
            "{\"input\":\"<a \"}\n{\"id\":1}\n",
        ),
        (
            "tree json",
            &["tree", "--spec", "xml5", "--format", "json"],
            "<?xml version='1.0'?><!DOCTYPE a><a b='c'>&x;<?d e?><!--f--><g></a>h",
        ),
        (
            "tree json",
            &["tree", "--spec", "html-living", "--format", "json"],
            "<!DOCTYPE a><?b c?><template a=b>x</template><svg xlink:href=c>&",
        ),
        (
            "trace json",
            &["trace", "--spec", "html-living", "--format", "json"],
            page,
        ),
        (
            "trace --vs json",
            &[
                "trace",
                "--spec",
                "html-2026-06",
                "--vs",
                "html-living",
                "--format",
                "json",
            ],
            differing,
        ),
        (
            "trace tree json",
            &["trace", "--spec", "html-tree-living", "--format", "json"],
            page,
        ),
        (
            "trace --vs tree json",
            &[
                "trace",
                "--spec",
                "html-tree-2026-06",
                "--vs",
                "html-tree-living",
                "--format",
                "json",
            ],
            "<?a b?>",
        ),
        (
            "analyze json",
            &["analyze", "--spec", "html-living", "--format", "json"],
            "",
        ),
        (
            "analyze tree json",
            &["analyze", "--spec", "html-tree-living", "--format", "json"],
            "",
        ),
        (
            "diff json",
            &["diff", "html-2026-06", "html-living", "--format", "json"],
            "",
        ),
        (
            "diff json",
            &["diff", "html-2012", "html-2014", "--format", "json"],
            "",
        ),
        (
            "diff json",
            &["diff", "good.yaml", "other.yaml", "--format", "json"],
            "",
        ),
        (
            "diff --input json",
            &[
                "diff",
                "html-2026-06",
                "html-living",
                "--input",
                "-",
                "--format",
                "json",
            ],
            differing,
        ),
    ] {
        let output = with_input(folder.path(), arguments, input);
        let printed = stdout(&output);
        assert!(!printed.is_empty(), "{of}: {}", stderr(&output));
        let values = serde_json::Deserializer::from_str(&printed).into_iter::<Value>();
        for value in values {
            keys(
                of,
                &value.unwrap_or_else(|e| panic!("{of}: {e}")),
                &mut names,
            );
        }
    }
    // What can be asked is named where it is refused.
    let refused = with_input(
        folder.path(),
        &["tokenize", "--spec", "xml5", "--jsonl"],
        "{\"?\":1}\n",
    );
    let refused = stdout(&refused);
    let known = refused.split("expected one of ").nth(1).expect("a list");
    for key in known.split('`').skip(1).step_by(2) {
        names.insert(format!("key request.{key}"));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/command-names.txt");
    let expected: String = names.iter().map(|name| format!("{name}\n")).collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, expected).expect("a writable file");
    } else {
        let recorded = fs::read_to_string(path).unwrap_or_default();
        assert!(
            recorded == expected,
            "UPDATE_EXPECT=1 writes docs/command-names.txt; read the difference"
        );
    }
}
