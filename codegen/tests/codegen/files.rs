//! What is said about files that are no text, or no data: a folder of `files/` has a table and what it names.
//!
//! `UPDATE_EXPECT=1 cargo test -p speclex-codegen --test codegen files::` writes what is said now; read the difference
//! before you keep it.

use speclex_codegen::files::{Failure, Place, Readable, find, text};
use speclex_codegen::testing;
use std::fs;
use std::path::{Path, PathBuf};

fn said(case: &Path) -> String {
    let table = Place::File(PathBuf::from("table.yaml"));
    match find(table, case, &Readable::default()) {
        Ok(found) => found.loaded.warnings.to_string(),
        Err(Failure::Faults(report)) => report.to_string(),
        Err(other) => other.to_string(),
    }
}

#[test]
fn every_file_is_refused_with_a_place_and_a_reason() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for case in fs::read_dir(folder).expect("the folder of cases") {
        let case = case.expect("a case").path();
        let (said, expected) = (said(&case), case.join("expected.txt"));
        if update {
            fs::write(&expected, &said).expect("a writable case");
        } else if fs::read_to_string(&expected).unwrap_or_default() != said {
            wrong.push(format!("{}:\n{said}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_never_ends_is_refused() {
    let failure = text("<standard input>", std::io::repeat(0)).expect_err("a refusal");
    let told = failure.to_string();
    assert!(
        told.starts_with("error[too-large]: this has more than 64 MiB\n"),
        "{told}"
    );
    let device = Path::new("/dev/zero");
    if device.exists() {
        let place = Place::File(device.to_owned());
        let failure = find(place, Path::new(""), &Readable::default()).expect_err("a refusal");
        let told = failure.to_string();
        assert_eq!(told, "cannot read /dev/zero: it is a device");
    }
    let read = text("x", "a: b".as_bytes()).expect("a text");
    assert_eq!((&*read.name, &*read.text), ("x", "a: b"));
}

#[test]
fn references_are_read_from_json() {
    let list = testing::references_in(r#"{"amp": [38], "acE;": [8766, 819]}"#).expect("a list");
    assert_eq!(list[1], ("acE;".to_owned(), "\u{223E}\u{333}".to_owned()));
    assert_eq!(list.len(), 2);
}

#[test]
fn more_references_than_a_table_has_are_refused() {
    let many = |count| {
        let list: Vec<_> = (0..count).map(|n| format!("\"{n}\": [65]")).collect();
        testing::references_in(&format!("{{{}}}", list.join(", ")))
    };
    assert_eq!(many(65_534).map(|list| list.len()), Some(65_534));
    assert_eq!(many(65_535), None);
}

#[test]
fn text_is_told_from_what_is_none() {
    assert_eq!(testing::not_text(b"\xC3\xA9"), None);
    assert_eq!(testing::not_text(b"\xFF\xFEa\0"), Some((1, 1)));
    assert_eq!(testing::not_text(b"\xC3\xA9\nab\xE9"), Some((2, 3)));
}

#[test]
fn one_file_has_one_name() {
    for (path, expected) in [
        ("./a.yaml", "a.yaml"),
        ("tables/../a.yaml", "a.yaml"),
        ("tables/./b/../a.yaml", "tables/a.yaml"),
        ("../a.yaml", "../a.yaml"),
        ("../../a/../b", "../../b"),
        ("/x/../a", "/a"),
    ] {
        assert_eq!(
            testing::normalized(Path::new(path)),
            Path::new(expected),
            "{path}"
        );
    }
}

#[test]
fn a_shipped_name_that_is_nearly_right_gets_a_suggestion() {
    let name = speclex_tables::all()[0].name;
    let failure = find(
        Place::Shipped(format!("{name}x")),
        Path::new(""),
        &Readable::default(),
    );
    let message = failure.err().map(|f| f.to_string()).unwrap_or_default();
    assert!(
        message.contains(&format!("did you mean `{name}`?")),
        "{message}"
    );
}
