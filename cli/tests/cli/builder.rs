//! `Builder` writes what `gen` writes.

use std::fs;
use std::path::Path;
use std::process::Command;

use speclex_codegen::Builder;

#[test]
fn the_builder_and_the_command_write_the_same_files() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let (built, generated) = (tempfile::tempdir(), tempfile::tempdir());
    let (built, generated) = (built.expect("a folder"), generated.expect("a folder"));
    let tables =
        ["csv/tables/csv.yaml", "webvtt/tables/webvtt.yaml"].map(|file| examples.join(file));
    let builder = Builder::new().out_dir(built.path()).builtin("html-2012");
    let builder = tables.iter().fold(builder, Builder::table);
    builder.generate().expect("sound tables");
    let status = Command::new(env!("CARGO_BIN_EXE_speclex"))
        .args(["gen", "--spec", "html-2012", "--out"])
        .arg(generated.path())
        .args(&tables)
        .status();
    assert!(status.expect("the command").success());
    for file in ["csv.rs", "webvtt.rs", "html_2012.rs"] {
        let read = |folder: &Path| fs::read_to_string(folder.join(file)).expect("a module");
        assert_eq!(read(built.path()), read(generated.path()), "{file}");
    }
}

#[test]
fn the_builder_says_all_that_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = folder.path().join("wrong.yaml");
    fs::write(
        &table,
        "table: Wrong\nvocabulary: markup\nentry states: {data: dta}\nstates: {}\n",
    )
    .expect("a file");
    let error = Builder::new()
        .out_dir(folder.path())
        .table(&table)
        .generate();
    let error = format!("{:?}", error.expect_err("a report"));
    assert!(
        error.contains("wrong.yaml:1:8") && error.contains("wrong.yaml:3:22"),
        "{error}"
    );
}
