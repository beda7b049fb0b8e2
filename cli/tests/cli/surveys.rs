//! `diff --merge` with surveys that somebody may have written.

use std::fs;

use crate::program::{folder, run, speclex, stderr, stdout};

#[test]
fn surveys_with_counts_that_no_machine_reaches_are_refused() {
    let folder = folder();
    let arguments = [
        "diff",
        "html-2012",
        "html-living",
        "--input",
        "page.html",
        "--format",
        "json",
    ];
    let survey = stdout(&run(speclex(&arguments).current_dir(&folder)));
    let with = |name: &str, documents: u64| {
        let text = survey.replacen("\"documents\":1", &format!("\"documents\":{documents}"), 1);
        assert!(text != survey || documents == 1, "{survey}");
        fs::write(folder.path().join(name), text).expect("a file");
    };
    with("one.json", 1);
    with("greatest.json", 1 << 53);
    with("too-great.json", u64::MAX);
    let merged = |files: &[&str]| {
        let arguments = [&["diff", "--merge"], files].concat();
        let output = run(speclex(&arguments).current_dir(&folder));
        (output.status.code(), stderr(&output))
    };
    assert_ne!(merged(&["greatest.json"]).0, Some(2));
    let (code, told) = merged(&["one.json", "too-great.json"]);
    assert_eq!(code, Some(2));
    assert!(told.starts_with("error: too-great.json: "), "{told}");
    let reason = "18446744073709551615 is no count: it is greater than 2^53 at line 1 column ";
    assert!(told.contains(reason), "{told}");
    let both = survey.replacen("\"documents\":1", "\"documents\":9007199254740992", 1) + &survey;
    fs::write(folder.path().join("both.json"), both).expect("a file");
    let reason = "the sum of `documents` is greater than 2^53";
    assert_eq!(
        merged(&["both.json"]),
        (Some(2), format!("error: both.json: survey 2: {reason}\n"))
    );
    // Of one reason there may be two rows.
    let rows = survey.replacen("\"causes\":[", "\"causes\":[ROW,", 1);
    let row = survey
        .split("\"causes\":[")
        .nth(1)
        .and_then(|rest| rest.split(",{\"differs\"").next());
    let row = row
        .map(|row| row.split("],\"differences\"").next().unwrap_or(row))
        .expect("a row");
    let row = row.replacen("\"documents\":1", "\"documents\":9007199254740992", 1);
    fs::write(
        folder.path().join("rows.json"),
        rows.replacen("ROW", &row, 1),
    )
    .expect("a file");
    let (code, told) = merged(&["rows.json"]);
    assert_eq!(code, Some(2), "{told}");
    assert!(
        told.contains("the sum of `causes.documents` is greater than 2^53"),
        "{told}"
    );
}
