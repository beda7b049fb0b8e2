//! `conform`: tokenizers of someone else, which may do anything.

use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::program::{folder, run, speclex, stderr, stdout};

const SPECLEX: &str = env!("CARGO_BIN_EXE_speclex");

/// A table beside a command.
fn beside(table: &str, options: &[&str], command: &[&str]) -> Output {
    let start = ["conform", "--spec", table];
    let arguments: Vec<&str> = [&start, options, &["--"], command].concat();
    run(&mut speclex(&arguments))
}

fn conform(options: &[&str], command: &[&str]) -> Output {
    beside("html-living", options, command)
}

/// A table that is small, so that its cover suite is found at once.
fn small(options: &[&str], command: &[&str]) -> Output {
    beside(
        concat!(env!("CARGO_MANIFEST_DIR"), "/src/init/settings.yaml"),
        options,
        command,
    )
}

fn tokenize(table: &str) -> Vec<&str> {
    vec![SPECLEX, "tokenize", "--spec", table, "--jsonl"]
}

fn report(output: &Output) -> Value {
    let printed = stdout(output);
    serde_json::from_str(&printed).unwrap_or_else(|e| panic!("{e}: {printed}{}", stderr(output)))
}

#[test]
fn a_tokenizer_that_does_what_the_table_says() {
    for options in [&["--random", "300"][..], &["--random", "300", "--feedback"]] {
        let output = conform(options, &tokenize("html-living"));
        let told = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{told}{}", stderr(&output));
        assert!(told.ends_with("compared\nno input deviates\n"), "{told}");
    }
}

#[test]
fn arms_that_another_table_has_otherwise() {
    let options = ["--format", "json", "--seed", "1"];
    let output = conform(&options, &tokenize("html-2026-06"));
    assert_eq!(output.status.code(), Some(1));
    let report = report(&output);
    let deviations = report["deviations"].as_array().expect("a list");
    // The tables differ in what follows `<?` only.
    for deviation in deviations {
        let example = &deviation["example"];
        assert!(
            example["input"].as_str().expect("text").starts_with("<?"),
            "{deviation}"
        );
        assert_ne!(example["expected"], example["given"]);
    }
    let shown = |deviation: &Value| {
        let example = &deviation["example"];
        format!(
            "{} {} {}",
            deviation["arm"], deviation["differs"], example["input"]
        )
    };
    let shown: Vec<String> = deviations.iter().map(shown).collect();
    let tag_open = r#""13.2.5.6 tag open: U+003F (?)" "errors" "<?0""#;
    assert!(shown.iter().any(|line| line == tag_open), "{shown:#?}");
    assert_eq!(report["unreached"], Value::Array(Vec::new()));
}

#[test]
fn tests_give_inputs_and_the_table_says_what_is_right() {
    let folder = folder();
    let path = folder.path().join("a.test");
    let test = r#"{"tests": [{"description": "", "input": "<?\u00E9x?>", "output": [["Comment", "wrong"]]}]}"#;
    fs::write(&path, test).expect("a file");
    for tests in [&path, folder.path()] {
        let tests = tests.to_str().expect("UTF-8");
        let options = ["--random", "0", "--tests", tests];
        let output = conform(&options, &tokenize("html-living"));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains(" 1 of tests, 0 random)"));
    }
    let output = conform(&["--tests", "nowhere.test"], &tokenize("html-living"));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("error: cannot read nowhere.test: "));
}

#[test]
fn what_cannot_run_is_no_deviation() {
    let output = small(&[], &["./no-such-tokenizer"]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(
        told.starts_with("error: cannot run `./no-such-tokenizer`: "),
        "{told}"
    );
    assert_eq!(small(&[], &[]).status.code(), Some(2));
}

#[test]
fn a_command_that_is_no_tokenizer_deviates() {
    // It prints and ends.
    let output = small(&["--random", "0"], &[SPECLEX, "--version"]);
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    // Whether its line came before the request is chance.
    assert!(told.contains("  answer    none: the"), "{told}");
    assert!(told.contains(": speclex "), "{told}");
    // It says why it ends.
    let output = conform(
        &["--random", "0"],
        &[SPECLEX, "tokenize", "--spec", "nothing", "--jsonl"],
    );
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("stopped early: the command gives no answer"),
        "{told}"
    );
    assert!(
        told.contains(
            "answer    none: it ended (exit status: 2): error: there is no table `nothing`"
        ),
        "{told}"
    );
}

#[cfg(unix)]
mod scripts {
    use super::*;

    fn sh(options: &[&str], script: &str) -> (Option<i32>, String) {
        let output = small(options, &["sh", "-c", script]);
        let told = stdout(&output) + &stderr(&output);
        (output.status.code(), told)
    }

    /// A tokenizer that reads one input only.
    fn reads_one(input: &str, then: &str) -> String {
        let refuses = r#"echo '{"error":"too hard"}'"#;
        format!(
            r#"while read -r line; do case "$line" in *'"input":"{input}","initialState":"Data state"'*) {then};; *) {refuses};; esac; done"#
        )
    }

    #[test]
    fn one_that_names_no_kind_of_token() {
        let script = r#"while read -r line; do echo '{"tokens":[["Foo","a"]]}'; done"#;
        let output = conform(&["--random", "0"], &["sh", "-c", script]);
        let says = "none: the answer has what is not a token: [\"Foo\",\"a\"]: {";
        assert!(stdout(&output).contains(says), "{}", stdout(&output));
    }

    #[test]
    fn one_that_fails_on_an_input() {
        for (then, says) in [
            (
                "echo oh no >&2; exit 3",
                "none: it ended (exit status: 3): oh no\n",
            ),
            ("kill -9 $$", "none: it ended (signal: 9"),
            (
                "exec sleep 60",
                "none: it did not answer within 1 s (or did not flush its output)\n",
            ),
            ("exec >&-; exec sleep 60", "none: it closed its output\n"),
            ("echo '[]'", "none: the answer is not a JSON object: []\n"),
            ("echo '{}'", "none: the answer has no `tokens`: {}\n"),
            (
                "echo '{\"tokens\":[[1]]}'",
                "none: the answer has what is not a token: [1]: {",
            ),
            (
                "echo '{\"tokens\":[\"\\ud800\"]}'",
                "none: the answer has a lone surrogate: {",
            ),
            (
                "echo '{\"tokens\":[]'",
                "none: the answer cannot be read (EOF while parsing an object): {",
            ),
            ("printf '\\377\\n'", "none: the answer is not UTF-8\n"),
            (
                "echo '{\"id\":\"7\",\"tokens\":[]}'",
                "none: the answer is to another request, not to ",
            ),
            (
                "head -c 20000000 /dev/zero; echo",
                "none: the answer has more than 16 MiB\n",
            ),
            ("yes", "none: the answer is not a JSON object: y\n"),
            ("echo '{\"tokens\":[[\"x\"]]}'", "[\"x\"]\n"),
        ] {
            let options = ["--random", "0", "--timeout", "1"];
            let (code, told) = sh(&options, &reads_one("#", then));
            assert_eq!(code, Some(1), "{then}: {told}");
            assert!(told.contains("  input     \"#\""), "{then}: {told}");
            assert!(
                told.contains(&format!("  answer    {says}")),
                "{then}: {told}"
            );
            assert!(told.contains("since too hard\n"), "{told}");
        }
    }

    #[test]
    fn one_that_answers_twice_or_never_or_reads_nothing() {
        let (code, told) = sh(
            &["--random", "0"],
            &reads_one("#", "echo '{\"error\":\"\"}'; echo more"),
        );
        assert_eq!(code, Some(1));
        assert!(told.contains("more\n"), "{told}");
        let (code, told) = sh(&["--timeout", "1"], "exec sleep 60");
        assert_eq!(code, Some(1));
        assert!(
            told.contains("stopped early: the command gives no answer\n"),
            "{told}"
        );
        let (code, told) = sh(&["--random", "0"], &reads_one("?", ""));
        assert_eq!(code, Some(1));
        assert!(
            told.contains("nothing is known: no input was read\n"),
            "{told}"
        );
    }
}

/// A shell that has started something and ends: what it started has the output open.
#[cfg(unix)]
#[test]
fn a_child_that_ends_and_leaves_its_output_open() {
    let options = ["--random", "0", "--timeout", "3600"];
    let output = small(&options, &["sh", "-c", "sleep 60 & exit 3"]);
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("it ended (exit status: 3)"), "{told}");
    assert!(!told.contains("did not answer"), "{told}");
}
