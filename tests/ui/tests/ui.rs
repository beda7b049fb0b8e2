//! Compiles calls of `tokenizer!` that are refused, each as a crate of a user's. Those that are accepted are tests of their
//! own: `pass`.
//!
//! `TRYBUILD=overwrite cargo test -p speclex-ui-tests` accepts what the compiler says now; read the difference.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes a folder like another one: without what an earlier run has left.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder for copies");
    for entry in fs::read_dir(to).expect("a folder") {
        let path = entry.expect("an entry").path();
        let original = from.join(path.file_name().expect("a name"));
        if path.is_dir() && !original.is_dir() {
            fs::remove_dir_all(path).expect("a folder of copies");
        } else if path.is_file() && !original.is_file() {
            fs::remove_file(path).expect("a copy");
        }
    }
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            let old = fs::read(&target).ok();
            let new = fs::read(&path).expect("a file");
            // The compiler looks at times.
            if old.as_ref() != Some(&new) {
                fs::write(&target, new).expect("a copy");
            }
        }
    }
}

/// The folder of this package.
fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The tables that test the checker.
fn diagnostics() -> PathBuf {
    here().join("../../codegen/tests/diagnostics")
}

/// Puts tables and a configuration where the cases are compiled: trybuild makes a package of them under
/// the target folder, and a table's path starts at its package.
fn provide_files() {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(here())
        .output()
        .expect("cargo metadata");
    let metadata = String::from_utf8(metadata.stdout).expect("UTF-8");
    let (_, target) = metadata
        .split_once("\"target_directory\":\"")
        .expect("a target folder");
    let target = target.split('"').next().expect("its end");
    let package = PathBuf::from(target).join("tests/trybuild/speclex-ui-tests");
    copy(&here().join("tables"), &package.join("tables"));
    copy(&diagnostics(), &package.join("diagnostics"));
    copy(
        &here().join("../../codegen/tests/tree"),
        &package.join("tree"),
    );
    // Debug information would only make the build of the macro slower.
    fs::create_dir_all(package.join(".cargo")).expect("a folder");
    fs::write(
        package.join(".cargo/config.toml"),
        "[profile.dev]\ndebug = false\n",
    )
    .expect("a configuration");
}

/// Whose words the cases in `fail/compiler` expect.
const COMPILER: &str = "rustc 1.95.";

/// Others put the same into other words.
fn is_expected_compiler() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.expect("the compiler").stdout;
    let expected = version.starts_with(COMPILER.as_bytes());
    if !expected {
        eprintln!("LEFT OUT: fail/compiler/*.rs, which expect what {COMPILER}x says");
    }
    expected
}

#[test]
fn refused() {
    provide_files();
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/*.rs");
    if is_expected_compiler() {
        cases.compile_fail("fail/compiler/*.rs");
    }
}

/// A table's faults in a file and in its base, word for word as the checker reports them.
#[test]
fn the_macro_says_what_the_checker_says() {
    for (case, table) in [
        ("file-faults", "unknown-state"),
        ("base-faults", "fault-in-base"),
    ] {
        let read = |path: PathBuf| fs::read_to_string(path).expect("an expected text");
        let refused = read(here().join(format!("fail/{case}.stderr")));
        let checked = read(diagnostics().join(table).join("expected.txt"))
            .replace(
                "> table.yaml:",
                &format!("> diagnostics/{table}/table.yaml:"),
            )
            .replace("> base.yaml:", &format!("> diagnostics/{table}/base.yaml:"));
        // The compiler indents what is said, and trybuild takes some of that away.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words(&refused).contains(&words(&checked)),
            "{case}: {refused}"
        );
    }
}

/// Cargo.toml names them.
#[test]
fn every_program_that_is_accepted_is_a_test() {
    let manifest = fs::read_to_string(here().join("Cargo.toml")).expect("the manifest");
    for entry in fs::read_dir(here().join("pass")).expect("the cases") {
        let name = entry.expect("an entry").file_name();
        let path = format!("path = \"pass/{}\"", name.display());
        assert!(manifest.contains(&path), "{path} is not in Cargo.toml");
    }
}
