//! `tokenize` with limits: what happens to larger tokens.

use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::program::{folder, run, speclex, stderr, stdout};

/// A page with a comment of 1,007 bytes, and a tag of more than two attributes.
fn page() -> String {
    format!("a<!--{}-->b<i x=1 y=2 z=3>c", "-d".repeat(500))
}

fn tokenized(arguments: &[&str]) -> Output {
    let folder = folder();
    fs::write(folder.path().join("page.html"), page()).expect("a file");
    let arguments = [&["tokenize", "--spec"], arguments, &["page.html"]].concat();
    run(speclex(&arguments).current_dir(&folder))
}

#[test]
fn larger_tokens_are_truncated_or_dropped_and_the_rest_is_read() {
    let output = tokenized(&[
        "html-living",
        "--token-bytes=100",
        "--attributes=2",
        "--excess=truncate",
        "--excess=comments=drop",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let expected = r#"1:1          characters "a"
1:2          limit token-bytes=100 (drop)
1:1009       characters "b"
1:1010       limit attributes=2 (truncate)
1:1010       start tag "i" x="1" y="2"
1:1025       characters "c"
1:1026       end of file
"#;
    assert_eq!(stdout(&output), expected);
}

#[test]
fn programs_learn_of_larger_tokens() {
    let arguments = [
        "html-2014",
        "--attributes",
        "1",
        "--excess",
        "tags=drop",
        "--format",
    ];
    let output = tokenized(&[&arguments[..], &["json-lines"]].concat());
    let lines: Vec<&str> = [
        r#"{"exceeded":"attributes","allowed":1,"excess":"drop","at":{"offset":1009,"line":1,"col":1010}}"#,
        r#"{"token":["StartTag","i",{}],"start":{"offset":1009,"line":1,"col":1010},"end":{"offset":1024,"line":1,"col":1025}}"#,
    ]
    .to_vec();
    assert!(
        stdout(&output).contains(&lines.join("\n")),
        "{}",
        stdout(&output)
    );
    let output = tokenized(&[&arguments[..], &["json"]].concat());
    let value: Value = serde_json::from_str(&stdout(&output)).expect("an object");
    assert_eq!(value["exceeded"][0]["at"]["col"], 1010);
    assert_eq!(value["exceeded"].as_array().map(Vec::len), Some(1));
    // Without limits there is no such key.
    let output = tokenized(&["html-2014", "--format", "json"]);
    let value: Value = serde_json::from_str(&stdout(&output)).expect("an object");
    assert_eq!(value.get("exceeded"), None);
}

#[test]
fn what_stands_in_front_of_a_token_that_stops_the_stream_is_printed() {
    let output = tokenized(&["html-living", "--token-bytes", "100"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "1:1          characters \"a\"\n");
    let told = "error: page.html: the token at offset 1 has more than 100 bytes: --token-bytes raises the limit; --help says what --excess may do\n";
    assert!(stderr(&output).ends_with(told), "{}", stderr(&output));
}

#[test]
fn limits_that_cannot_be_are_refused() {
    for (arguments, told) in [
        (
            &["html-living", "--excess", "comment=drop"][..],
            "`comment` is none of tags, comments, doctypes, others; did you mean `comments`?",
        ),
        (
            &["html-living", "--excess", "tags=Drop"],
            "`Drop` is none of stop, truncate, drop; did you mean `drop`?",
        ),
        (
            &["html-living", "--token-bytes", "-1"],
            "a limit is a number from 1",
        ),
        (
            &["html-living", "--token-bytes", "99999999999999999999"],
            "no limit is larger than ",
        ),
        (
            &[
                "html-living",
                "--token-bytes",
                "63",
                "--excess",
                "tags=drop",
            ],
            "error: --token-bytes 63 is too few with --excess: in fewer than 64 bytes it is not always known what a token is",
        ),
        (
            &["html-living", "--attributes", "1", "--interpret"],
            "cannot be used with '--interpret'",
        ),
        (
            &["good.yaml", "--token-bytes", "9"],
            "error: only generated tokenizers have limits, and a table that is given by its path runs in the interpreter",
        ),
    ] {
        let output = tokenized(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
}

/// Of several documents, the second stops: the error names it, JSON is whole, and the third is read.
#[test]
fn a_document_that_stops_keeps_no_other_from_being_read() {
    let folder = folder();
    for (name, text) in [("a.html", "a"), ("b.html", &*page()), ("c.html", "c")] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let files = ["--token-bytes", "100", "a.html", "b.html", "c.html"];
    let printed = |format: &str| {
        let arguments = [&["tokenize", "--format", format], &files[..]].concat();
        let output = run(speclex(&arguments).current_dir(&folder));
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let told = stderr(&output);
        let why = "error: b.html: the token at offset 1 has more than 100 bytes";
        assert!(told.contains(why), "{told}");
        stdout(&output)
    };
    let ends = printed("human");
    assert!(
        ends.contains("==> c.html <==\n1:1          characters \"c\"\n1:2          end of file\n")
    );
    assert_eq!(ends.matches("end of file").count(), 2, "{ends}");
    let json = printed("json");
    let values = serde_json::Deserializer::from_str(&json).into_iter::<Value>();
    let values: Vec<Value> = values.map(|value| value.expect("JSON")).collect();
    let stopped: Vec<bool> = values
        .iter()
        .map(|it| it.get("stopped").is_some())
        .collect();
    assert_eq!(stopped, [false, true, false]);
    assert_eq!(values[1]["tokens"].as_array().map(Vec::len), Some(1));
    let lines = printed("json-lines");
    let last = |file: &str| {
        let mut lines = lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        lines.rfind(|it| it["file"] == file).expect("a line")
    };
    assert!(last("b.html")["stopped"].is_string(), "{lines}");
    assert!(last("c.html")["end"].is_object(), "{lines}");
    // Nothing is read below the least limit without a word.
    for (bytes, code) in [("63", 2), ("64", 0)] {
        let output = tokenized(&["html-living", "--token-bytes", bytes, "--excess", "drop"]);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    }
}
