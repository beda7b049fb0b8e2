//! Compiles calls of `tokenizer!`, each as a crate of a user's.
//!
//! `TRYBUILD=overwrite cargo test -p speclex-ui-tests` accepts what the compiler says now; read the difference.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use speclex_codegen::Severity;
use speclex_codegen::diagnostic::Code;

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

/// Puts tables where the cases are compiled: trybuild makes a package of them under the target folder, and
/// a table's path starts at its package.
fn provide_tables() {
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
    provide_tables();
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/*.rs");
    cases.compile_fail("fail/diagnostics/*.rs");
    if is_expected_compiler() {
        cases.compile_fail("fail/compiler/*.rs");
    }
}

#[test]
fn accepted() {
    provide_tables();
    trybuild::TestCases::new().pass("pass/*.rs");
}

/// The names of the cases in `fail/diagnostics`, and what is expected of each.
fn expected() -> Vec<(String, String)> {
    let mut cases: Vec<_> = fs::read_dir(here().join("fail/diagnostics"))
        .expect("the cases")
        .map(|entry| entry.expect("a case").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "stderr")
        })
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read_to_string(path).expect("a text"))
        })
        .collect();
    cases.sort();
    cases
}

/// Many faults in one table say nothing new here.
const LEFT_OUT: &str = "a-hundred-faults";

#[test]
fn every_table_that_the_checker_refuses_has_a_case() {
    let cases: Vec<_> = expected().into_iter().map(|(name, _)| name).collect();
    for entry in fs::read_dir(diagnostics()).expect("the checker's cases") {
        let folder = entry.expect("a case").path();
        let name = folder.file_name().expect("a name").to_string_lossy();
        let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap_or_default();
        let of_tokenizer = !read("table.yaml").lines().any(|l| l.starts_with("tree:"));
        if of_tokenizer && read("expected.txt").contains("error[") && name != LEFT_OUT {
            assert!(
                cases.iter().any(|case| *case == name),
                "fail/diagnostics/{name}.rs is missing"
            );
        }
    }
}

/// Codes that only tables of tree construction have; the macro makes tokenizers.
const OF_TREES: [Code; 2] = [Code::UnknownPhase, Code::UnknownTokenizer];

#[test]
fn every_error_has_a_case() {
    let said: String = expected().into_iter().map(|(_, said)| said).collect();
    for code in Code::ALL {
        let named = format!("error[{}]", code.as_str());
        if code.severity() == Severity::Error && !OF_TREES.contains(code) {
            assert!(said.contains(&named), "no case is refused with {named}");
        }
    }
}

#[test]
fn the_macro_says_what_check_says() {
    for (name, said) in expected() {
        let checked = diagnostics().join(&name).join("expected.txt");
        let checked = fs::read_to_string(checked).expect("a case of the checker's");
        let checked = checked.replace(
            "> table.yaml:",
            &format!("> diagnostics/{name}/table.yaml:"),
        );
        let checked = checked.replace("> base.yaml:", &format!("> diagnostics/{name}/base.yaml:"));
        // The compiler indents what is said, and trybuild takes some of that away.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words(&said).contains(&words(&checked)),
            "{name}: {said}\nis not:\n{checked}"
        );
    }
}
