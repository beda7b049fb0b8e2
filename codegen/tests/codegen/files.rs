//! What is said about files that are no text, or no data: a folder of `files/` has a table and what it names.
//!
//! `UPDATE_EXPECT=1 cargo test -p speclex-codegen --test codegen files::` writes what is said now; read the difference
//! before you keep it.

use speclex_codegen::files::{Failure, Place, Readable, find};
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
