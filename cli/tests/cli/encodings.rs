//! `tokenize` and `tree`: the encodings of documents.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::program::{folder, run, speclex, stderr, stdout};

/// What `tokenize` prints for a document, and what the standard error says of its encoding.
fn printed(name: &str, bytes: &[u8], options: &[&str]) -> (String, String) {
    printed_by(&["tokenize"], name, bytes, options)
}

/// The same of a command.
fn printed_by(command: &[&str], name: &str, bytes: &[u8], options: &[&str]) -> (String, String) {
    let folder = folder();
    fs::write(folder.path().join(name), bytes).expect("a file");
    let arguments = [command, &[name], options].concat();
    let output = run(speclex(&arguments).current_dir(&folder));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = stderr(&output);
    let told = told
        .lines()
        .filter(|line| !line.ends_with("--spec chooses another table"))
        .map(|line| line.split(';').next().unwrap_or(line));
    (stdout(&output), told.collect::<Vec<_>>().join("\n"))
}

#[test]
fn documents_are_decoded_and_the_standard_error_says_why() {
    let cases: &[(&str, &[u8], &str, &str)] = &[
        (
            "a.html",
            b"\xFF\xFE\xE9\0",
            "\u{e9}",
            "UTF-16LE, because it begins with a byte order mark",
        ),
        (
            "a.html",
            b"\x83X<meta charset=sjis>",
            "\u{30b9}",
            "Shift_JIS, because a <meta> declares it",
        ),
        (
            "a.xml",
            b"<?xml encoding='koi8-r'?><a>\xC1",
            "\u{430}",
            "KOI8-R, because its XML declaration says so",
        ),
        (
            "a.xml",
            b"\0<\0?\0x\0?\0>\0<\0a\0>\0\xE9",
            "\u{e9}",
            "UTF-16BE, because it begins with <? in that encoding",
        ),
        (
            "a.html",
            b"caf\xE9",
            "caf\u{e9}",
            "windows-1252, because it declares no encoding and is not UTF-8",
        ),
        (
            "a.html",
            b"caf\xC3\xA9",
            "caf\u{e9}",
            "UTF-8, because it declares no other encoding",
        ),
        (
            "a.xml",
            b"<a>caf\xC3\xA9",
            "caf\u{e9}",
            "UTF-8, because it declares no other encoding",
        ),
    ];
    for (name, bytes, text, why) in cases {
        let (tokens, told) = printed(name, bytes, &[]);
        assert!(
            tokens.contains(&format!("characters \"{text}\"")),
            "{tokens}"
        );
        assert_eq!(told, format!("{name}: decoded as {why}"));
        let table = if *name == "a.xml" {
            "xml5"
        } else {
            "html-living"
        };
        let (tree, of_tree) = printed_by(&["tree", "--spec", table], name, bytes, &[]);
        assert!(tree.contains(&format!(" \"{text}\"\n")), "{tree}");
        assert_eq!(of_tree, told);
    }
    let (tokens, told) = printed(
        "a.html",
        b"\xC1<meta charset=utf-8>",
        &["--encoding", "koi8"],
    );
    assert!(
        tokens.contains("characters \"\u{430}\"") && told.is_empty(),
        "{tokens}{told}"
    );
    let (_, told) = printed("a.html", b"\xFF\xFE\xE9\0", &["--encoding", "koi8"]);
    let marked = "a.html: decoded as UTF-16LE, because it begins with a byte order mark";
    assert_eq!(told, marked);
    // A <meta> is one in HTML only.
    let (_, told) = printed("a.html", b"<meta charset=koi8-r>", &["--spec", "xml5"]);
    let none = "a.html: decoded as UTF-8, because it declares no other encoding";
    assert_eq!(told, none);
    // Long documents are decoded in pieces.
    let long = b"\x83X".repeat(40_000);
    let (tokens, _) = printed("a.html", &long, &["--encoding", "sjis"]);
    assert!(tokens.contains(&"\u{30b9}".repeat(40_000)));
}

#[test]
fn malformed_bytes_are_told_once_in_every_encoding() {
    let (tokens, told) = printed("a.html", b"\x83X\xFFa\xFF\x83", &["--encoding", "sjis"]);
    assert!(tokens.contains("\u{30b9}\u{FFFD}a\u{FFFD}"), "{tokens}");
    let warning = "warning: a.html is not Shift_JIS everywhere: such bytes are read as U+FFFD";
    assert_eq!(told, warning);
}

#[test]
fn the_places_of_a_tree_are_of_the_decoded_text() {
    let command = [
        "tree",
        "--spec",
        "html-living",
        "--format",
        "json",
        "--fragment",
        "td",
    ];
    let (tree, told) = printed_by(&command, "a.html", b"\xE9<a></b>", &[]);
    assert!(told.contains("windows-1252"), "{told}");
    assert!(tree.contains("\"span\":[2,5]"), "{tree}");
    assert!(tree.contains("\"col\":5,"), "{tree}");
}

#[test]
fn the_help_says_how_documents_are_decoded() {
    for command in ["tokenize", "tree"] {
        let help = stdout(&run(&mut speclex(&[command, "--help"])));
        let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("Places count the decoded text as UTF-8."),
            "{help}"
        );
    }
}

#[test]
fn a_late_meta_is_reported_once() {
    let late = [
        &b" ".repeat(1100)[..],
        b"<meta charset=koi8-r><meta charset=utf-8>\xC1",
    ]
    .concat();
    for command in [&["tokenize"][..], &["tree", "--spec", "html-living"]] {
        let (_, told) = printed_by(command, "a.html", &late, &[]);
        let of_meta = told.lines().filter(|line| {
            line.contains("a <meta> that ends after the first 1024 bytes asks for KOI8-R")
        });
        assert_eq!(of_meta.count(), 1, "{told}");
        let (printed, told) = printed_by(command, "a.html", &late, &["--encoding", "koi8-r"]);
        assert!(printed.contains("\"\u{430}\""), "{printed}");
        assert_eq!(told, "");
    }
}

#[test]
fn an_encoding_that_browsers_do_not_know_is_refused() {
    for command in [&["tokenize"][..], &["tree", "--spec", "html-living"]] {
        let unknown = [command, &["--encoding", "shiftjis", "a.html"]].concat();
        let output = run(&mut speclex(&unknown));
        assert_eq!(output.status.code(), Some(2));
        let told = stderr(&output);
        assert!(told.contains("did you mean `shift_jis`?"), "{told}");
    }
}

#[test]
fn tokens_come_when_the_encoding_is_known() {
    let mut child = speclex(&["tokenize", "--spec", "html-living"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a program");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    stdin
        .write_all(b"<meta charset=koi8-r><p>")
        .expect("a reader");
    for name in ["meta", "\"p\""] {
        let line = lines.next().expect("a line").expect("UTF-8");
        assert!(line.contains(name), "{line}");
    }
    drop(stdin);
    assert!(child.wait().expect("an end").success());
}
