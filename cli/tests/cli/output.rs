//! What commands do when nobody reads what they print, when the disk is full, and with colours.

use std::fs::File;
use std::process::{Command, Stdio};

/// Commands that print much, or little.
const COMMANDS: [&[&str]; 10] = [
    &["schema"],
    &["check", "html-living"],
    &["completions", "bash"],
    &["analyze", "--spec", "html-2009"],
    &["graph", "--spec", "html-2009"],
    &["diff", "html-2012", "html-2014", "--structure"],
    &[
        "diff",
        "html-2012",
        "html-2014",
        "--structure",
        "--format",
        "json",
    ],
    &[
        "tokenize",
        "--spec",
        "html-living",
        "../tests/pages/hello.html",
    ],
    &[
        "trace",
        "--spec",
        "html-living",
        "../tests/pages/hello.html",
    ],
    &["tree", "--spec", "xml5", "../tests/pages/hello.html"],
];

fn speclex(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_speclex"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// A pipe that nobody reads any more.
#[cfg(unix)]
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

#[test]
#[cfg(unix)]
fn a_closed_pipe_is_no_fault() {
    for arguments in COMMANDS {
        let ran = speclex(arguments)
            .stdout(closed_pipe())
            .output()
            .expect("a program");
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert!(
            errors.is_empty() && ran.status.success(),
            "{arguments:?}: {} {errors}",
            ran.status
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    for arguments in COMMANDS {
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("a device");
        let ran = speclex(arguments).stdout(full).output().expect("a program");
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(
            errors.starts_with("error: ") && !errors.contains("panicked"),
            "{errors}"
        );
    }
}

#[test]
fn colours_are_where_they_are_wanted() {
    let page = [
        "tokenize",
        "--spec",
        "html-living",
        "../tests/pages/hello.html",
    ];
    let has_colours = |variables: &[(&str, &str)]| {
        let mut command = speclex(&page);
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        let ran = command
            .envs(variables.iter().copied())
            .output()
            .expect("a program");
        ran.stdout.contains(&0x1B)
    };
    assert!(!has_colours(&[]));
    assert!(has_colours(&[("CLICOLOR_FORCE", "1")]));
    assert!(!has_colours(&[("CLICOLOR_FORCE", "0")]));
    assert!(!has_colours(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}
