//! What is suggested runs as it is printed, in the same folder, and tables are called what their user calls them.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use crate::program::{folder, run, speclex, stderr, stdout};

/// A command line, as its user's shell runs it.
#[cfg(unix)]
fn shell(folder: &TempDir, command: &str) -> Output {
    let speclex = Path::new(env!("CARGO_BIN_EXE_speclex"));
    let mut shell = std::process::Command::new("/bin/sh");
    let path = std::env::join_paths(speclex.parent());
    shell.env("PATH", path.expect("a path"));
    run(shell.current_dir(folder).args(["-c", command]))
}

/// The commands in a text.
fn suggested(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|it| it.starts_with("speclex ")).collect()
}

#[cfg(unix)]
#[test]
fn what_check_suggests_runs_as_printed() {
    for (command, code) in [
        ("cover --spec good.yaml --out 'a suite.test'", 0),
        ("gen good.yaml --out src", 0),
        ("schema --out new/schema.json", 0),
        ("schema --force --out page.html", 0),
        ("cover --spec good.yaml --out page.html --force", 0),
        // What is not ours is not overwritten, so no command is suggested.
        ("schema --out page.html", 1),
        ("cover --spec good.yaml --out page.html", 1),
    ] {
        let folder = folder();
        let check = format!("speclex {command} --check");
        let output = shell(&folder, &check);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let told = stderr(&output);
        for suggested in suggested(&told) {
            let output = shell(&folder, suggested);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        }
        assert_eq!(shell(&folder, &check).status.code(), Some(code), "{told}");
    }
}

#[cfg(unix)]
#[test]
fn the_command_in_a_generated_file_makes_the_same() {
    let folder = folder();
    let table = fs::read(folder.path().join("good.yaml")).expect("a table");
    for name in ["good", "my table", "it's"] {
        fs::write(folder.path().join(format!("{name}.yaml")), &table).expect("a table");
        let output = run(speclex(&["gen", &format!("{name}.yaml")]).current_dir(&folder));
        let told = stdout(&output);
        let module = told.lines().next().and_then(|it| it.strip_prefix("wrote "));
        let module = folder.path().join(module.expect("a file"));
        let read = || fs::read_to_string(&module).expect("a module");
        let generated = read();
        fs::remove_file(&module).expect("a module");
        let [command] = suggested(&generated)[..] else {
            panic!("{generated}");
        };
        let output = shell(&folder, command);
        assert_eq!(output.status.code(), Some(0), "{command}");
        assert_eq!(read(), generated, "{command}");
    }
}

/// Two tables with one `table:`, the second of which has a state less: in their own folder each.
fn of_one_name() -> (TempDir, [String; 2]) {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("good.yaml")).expect("a table");
    let before = "switch to before value";
    let (from, to) = (text.find("  before value:"), text.find("  value:"));
    let shorter = text.replace(&text[from.expect("a state")..to.expect("a state")], "");
    let shorter = shorter.replace(before, "switch to value");
    let tables = [("one", &text), ("an other", &shorter)].map(|(place, text)| {
        fs::create_dir(folder.path().join(place)).expect("a folder");
        let name = format!("{place}/my.yaml");
        fs::write(folder.path().join(&name), text).expect("a table");
        name
    });
    (folder, tables)
}

#[test]
fn tables_of_one_name_are_told_apart_by_their_paths() {
    let (folder, [one, other]) = of_one_name();
    fs::write(folder.path().join("a.settings"), "a = b").expect("a document");
    let printed = |arguments: &[&str]| {
        let output = run(speclex(arguments).current_dir(&folder));
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        stdout(&output)
    };
    for more in [
        &["--format", "human"][..],
        &["--format", "markdown"],
        &["--structure"],
        &["--input", "a.settings"],
    ] {
        let page = printed(&[&["diff", &one, &other], more].concat());
        assert!(page.contains(&format!("{one} → {other}")), "{page}");
        assert!(!page.contains("settings →"), "{page}");
    }
    let page = printed(&["diff", &one, &other]).replace('\n', " ");
    assert!(page.contains("(B lacks the state before value)"), "{page}");
    let report = printed(&["diff", &one, &other, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["tables"], serde_json::json!([one, other]));
    assert_eq!(report["only"][0]["table"], *one);
    for arguments in [
        &["trace", "--spec", &one, "--vs", &other, "a.settings"][..],
        &["diff", &one, &other, "--cause", "1"],
    ] {
        let text = printed(arguments);
        assert!(text.contains(&format!("A: {one}\nB: {other}\n")), "{text}");
    }
}

/// Surveys add up if their tables say the same, wherever these lie.
#[test]
fn surveys_are_of_tables_and_not_of_paths() {
    let (folder, [one, other]) = of_one_name();
    fs::copy(folder.path().join(&one), folder.path().join("copy.yaml")).expect("a table");
    fs::write(folder.path().join("a.settings"), "a = b").expect("a document");
    let survey = |to: &str, one: &str, other: &str| {
        let arguments = [
            "diff",
            one,
            other,
            "--input",
            "a.settings",
            "--format",
            "json",
        ];
        let output = run(speclex(&arguments).current_dir(&folder));
        fs::write(folder.path().join(to), output.stdout).expect("a survey");
    };
    survey("1.json", &one, &other);
    survey("2.json", "copy.yaml", &other);
    survey("3.json", &one, &one);
    let merged = |files: [&str; 2]| {
        run(speclex(&[&["diff", "--merge"], &files[..]].concat()).current_dir(&folder))
    };
    let sums = [["1.json", "2.json"], ["2.json", "1.json"]].map(|files| stdout(&merged(files)));
    assert!(sums[0].contains("2 documents compared"), "{}", sums[0]);
    assert_eq!(sums[0], sums[1]);
    assert_eq!(
        stderr(&merged(["1.json", "3.json"])),
        format!(
            "error: 3.json: survey 1: one survey compares {one} with {other}, another {one} with {one}\n"
        )
    );
}
