//! What is said about each faulty table: `tests/ui` has a case of the macro's for each, and `codegen/tests` one of the
//! checker's. Not beside the macro's: what its package depends on is built again for the cases.

use std::fs;
use std::path::PathBuf;

use speclex_codegen::Severity;
use speclex_codegen::diagnostic::Code;
use speclex_tests::workspace;

/// The tables that test the checker.
fn diagnostics() -> PathBuf {
    workspace().join("codegen/tests/diagnostics")
}

/// The names of the cases in `fail/diagnostics`, and what is expected of each.
fn expected() -> Vec<(String, String)> {
    let mut cases: Vec<_> = fs::read_dir(workspace().join("tests/ui/fail/diagnostics"))
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
    let messages: String = expected()
        .into_iter()
        .map(|(_, messages)| messages)
        .collect();
    for code in Code::ALL {
        let named = format!("error[{}]", code.as_str());
        if code.severity() == Severity::Error && !OF_TREES.contains(code) {
            assert!(messages.contains(&named), "no case is refused with {named}");
        }
    }
}

#[test]
fn the_macro_says_what_check_says() {
    for (name, messages) in expected() {
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
            words(&messages).contains(&words(&checked)),
            "{name}: {messages}\nis not:\n{checked}"
        );
    }
}
