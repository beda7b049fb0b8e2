//! `tokenize --parts`: where the parts of tokens are.

use std::fs;

use serde_json::{Value, json};

use crate::program::{folder, run, speclex, stderr, stdout};

const PAGE: &str = "<!DOCTYPE html PUBLIC \"a\" 'b'>\n<a href='/?b&amp;c' Title=x HREF=/d\n disabled/>é</A ><!-- c --><?p d?>";

fn printed(arguments: &[&str], page: &str) -> String {
    let folder = folder();
    fs::write(folder.path().join("page.html"), page).expect("a file");
    let arguments = [&["tokenize", "--spec"], arguments, &["page.html"]].concat();
    let output = run(speclex(&arguments).current_dir(&folder));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn parts_stand_below_their_token() {
    let expected = r#"1:1          DOCTYPE "html" public identifier="a" system identifier="b"
  1:11-1:15      name      "html"
  1:23-1:26      public id "\"a\""
  1:27-1:30      system id "'b'"
1:31         characters "\n"
2:33         error duplicate-attribute
2:1          start tag "a" [self-closing flag] href="/?b&c" title="x" disabled=""
  2:2-2:3        name      "a"
  2:4-2:8        attribute "href"
  2:9-2:20       value     "'/?b&amp;c'"
  2:21-2:26      attribute "Title"
  2:27-2:28      value     "x"
  2:29-2:33      duplicate "HREF"
  2:34-2:36      value     "/d"
  3:2-3:10       attribute "disabled"
  3:10-3:11      slash     "/"
3:12         characters "é"
3:13         end tag "a"
  3:15-3:16      name      "A"
3:18         comment " c "
  3:22-3:25      data      " c "
3:28         processing instruction "p" "d"
3:35         end of file
"#;
    assert_eq!(printed(&["html-living", "--parts"], PAGE), expected);
    let interpreted = printed(&["html-living", "--parts", "--interpret"], PAGE);
    assert_eq!(interpreted, expected);
}

/// The lines of `json-lines`.
fn lines(arguments: &[&str], page: &str) -> Vec<Value> {
    let arguments = [arguments, &["--parts", "--format", "json-lines"]].concat();
    let printed = printed(&arguments, page);
    let lines = printed.lines().map(serde_json::from_str::<Value>);
    lines.map(|line| line.expect("an object")).collect()
}

/// The offsets of a part.
fn offsets(part: &Value) -> Value {
    match part {
        Value::Null => Value::Null,
        part => json!([part["start"]["offset"], part["end"]["offset"]]),
    }
}

#[test]
fn programs_get_names_values_and_places() {
    let lines = lines(&["html-living"], "<a B=1 b='&lt;' c>");
    let parts = &lines[1]["parts"];
    assert_eq!(offsets(&parts["name"]), json!([1, 2]));
    assert_eq!(parts["slash"], Value::Null);
    let attributes: Vec<Value> = parts["attributes"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| {
            json!([
                it["name"],
                it["value"],
                it["duplicate"],
                offsets(&it["nameAt"]),
                offsets(&it["valueAt"]),
                offsets(&it["quotedAt"]),
            ])
        })
        .collect();
    let expected = json!([
        ["b", "1", false, [3, 4], [5, 6], null],
        ["b", "<", true, [7, 8], [10, 14], [9, 15]],
        ["c", "", false, [16, 17], null, null],
    ]);
    assert_eq!(json!(attributes), expected);
    // Text, errors and other tokens have no parts.
    let have = |line: &Value| line.get("parts").is_some();
    assert_eq!(lines.iter().filter(|line| have(line)).count(), 1);
}

#[test]
fn a_token_that_the_table_reads_in_another_way_has_no_parts() {
    for (table, page) in [
        // U+000C is no white space there, and a `:` in front of a name is left out.
        ("xml5", "<a x=1\u{C}y=2>"),
        ("xml5", "<a :x=1>"),
    ] {
        let lines = lines(&[table], page);
        let parts: Vec<_> = lines.iter().filter_map(|it| it.get("parts")).collect();
        assert_eq!(parts, [&Value::Null], "{page:?}: {lines:?}");
        let told = "  no parts: the table reads this token in another way, or a limit has cut it\n";
        assert!(printed(&[table, "--parts"], page).contains(told));
    }
    // Of a tag that a limit has cut, too.
    let cut = lines(
        &["html-living", "--attributes", "1", "--excess", "truncate"],
        "<a b=1 c=2><a b=1>",
    );
    let parts: Vec<bool> = cut
        .iter()
        .filter_map(|it| it.get("parts"))
        .map(Value::is_null)
        .collect();
    assert_eq!(parts, [true, false]);
}

#[test]
fn tokens_of_a_table_of_its_own_have_no_parts() {
    let folder = folder();
    let output = run(speclex(&[
        "tokenize",
        "--spec",
        "good.yaml",
        "--parts",
        "site.settings",
    ])
    .current_dir(&folder));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: table `settings` has tokens of its own, and only those of markup have parts: leave out --parts\n"
    );
}
