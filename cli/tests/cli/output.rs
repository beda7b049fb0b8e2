//! Commands whose output is a closed pipe, a full disk or a terminal with colours.

use std::fs;
use std::path::Path;

use crate::program::{folder, run, speclex, stderr, stdout};

/// Every command with something to print.
const COMMANDS: &[&[&str]] = &[
    &["--help"],
    &["--version"],
    &["help", "diff"],
    &["gen", "good.yaml", "--out", "generated"],
    &["gen", "good.yaml", "--out", "fresh", "--check"],
    &["check", "good.yaml"],
    &["check", "good.yaml", "--format", "json", "faulty.yaml"],
    &["schema"],
    &["schema", "--out", "new/schema.json"],
    &["analyze", "--spec", "good.yaml"],
    &["profile", "--spec", "good.yaml", "site.settings"],
    &["tokenize", "--spec", "html-living", "page.html"],
    &[
        "tokenize",
        "--spec",
        "good.yaml",
        "--format",
        "json",
        "site.settings",
    ],
    &[
        "tokenize",
        "--spec",
        "good.yaml",
        "--format",
        "json-lines",
        "site.settings",
    ],
    &["tree", "--spec", "xml5", "page.html"],
    &["cover", "--spec", "good.yaml"],
    &["audit", "--spec", "good.yaml", "--text", "site.settings"],
    &["diff", "good.yaml", "other.yaml"],
    &["diff", "good.yaml", "other.yaml", "--format", "markdown"],
    &[
        "diff",
        "good.yaml",
        "other.yaml",
        "--input",
        "site.settings",
    ],
    &["graph", "--spec", "good.yaml"],
    &["trace", "--spec", "good.yaml", "site.settings"],
    &[
        "trace",
        "--spec",
        "good.yaml",
        "--vs",
        "other.yaml",
        "site.settings",
    ],
    &["init", "started"],
    &["explain"],
    &["explain", "unknown-state"],
    &["completions", "bash"],
    &["man"],
];

#[test]
fn a_closed_pipe_is_the_end_of_the_work() {
    for arguments in COMMANDS {
        let folder = folder();
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = speclex(arguments);
        let output = run(command.current_dir(&folder).stdout(writer));
        if arguments[0] == "audit" {
            // A text without states is refused before anything is printed.
            continue;
        }
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}\n{}",
            stderr(&output)
        );
        assert!(
            !stderr(&output).contains("error"),
            "{arguments:?}\n{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_full_disk_is_told() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let open = || {
        fs::OpenOptions::new()
            .write(true)
            .open(full)
            .expect("a device")
    };
    for arguments in COMMANDS {
        let folder = folder();
        let output = run(speclex(arguments).current_dir(&folder).stdout(open()));
        assert_eq!(
            output.status.code(),
            Some(2),
            "{arguments:?}\n{}",
            stderr(&output)
        );
        assert!(stderr(&output).contains("error: "), "{arguments:?}");
        // A message that cannot be written does not stop the command.
        let output = run(speclex(arguments).current_dir(&folder).stderr(open()));
        assert!(
            output.status.code() < Some(3),
            "{arguments:?}: {:?}",
            output.status
        );
    }
}

#[cfg(unix)]
#[test]
fn only_files_are_replaced() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    use std::os::unix::net::UnixListener;

    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let written = |arguments: &[&str]| {
        let output = run(speclex(arguments).current_dir(&folder));
        output.status.code()
    };
    let schema = ["schema", "--out"];
    for (link, to) in [("link.json", "file.json"), ("dangling.json", "new.json")] {
        symlink(to, path(link)).expect("a link");
    }
    assert_eq!(written(&["schema", "--out", "file.json"]), Some(0));
    let whole = fs::read(path("file.json")).expect("a file");
    let stale = String::from_utf8_lossy(&whole).replace("A tokenizer table.", "Stale.");
    fs::write(path("file.json"), stale).expect("a file");
    for link in ["link.json", "dangling.json"] {
        assert_eq!(written(&[&schema[..], &[link]].concat()), Some(0), "{link}");
        assert!(path(link).is_symlink(), "{link}");
        assert_eq!(fs::read(path(link)).expect("a file"), whole, "{link}");
    }

    // The module of a table, too, is written through a link.
    assert_eq!(written(&["gen", "good.yaml", "--out", "."]), Some(0));
    let module = fs::read_to_string(path("good.rs")).expect("a module");
    fs::write(path("real.rs"), module.clone() + "// stale\n").expect("a file");
    fs::remove_file(path("good.rs")).expect("a file");
    symlink("real.rs", path("good.rs")).expect("a link");
    assert_eq!(written(&["gen", "good.yaml", "--out", "."]), Some(0));
    assert!(path("good.rs").is_symlink());
    assert_eq!(
        fs::read_to_string(path("real.rs")).expect("a module"),
        module
    );

    // What never ends is not read to its end.
    let zero = Path::new("/dev/zero");
    if zero.exists() {
        assert_eq!(
            written(&["schema", "--out", "/dev/zero", "--check"]),
            Some(1)
        );
        assert_eq!(written(&["schema", "--out", "/dev/zero"]), Some(0));
    }
    // Nothing can be written to a socket in this way.
    let _listener = UnixListener::bind(path("socket.json")).expect("a socket");
    assert_eq!(written(&["schema", "--out", "socket.json"]), Some(2));
    let kind = fs::metadata(path("socket.json"))
        .expect("a socket")
        .file_type();
    assert!(kind.is_socket());
}

#[test]
fn colours_are_as_the_environment_says() {
    let folder = folder();
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = speclex(&["check", "faulty.yaml"]);
        let output = run(command.current_dir(&folder).envs(variables.iter().copied()));
        let checked = stderr(&output).contains('\x1b');
        let mut command = speclex(&["tokenize", "--spec", "good.yaml", "site.settings"]);
        let output = run(command.current_dir(&folder).envs(variables.iter().copied()));
        assert_eq!(stdout(&output).contains('\x1b'), checked, "{variables:?}");
        let mut command = speclex(&["--help"]);
        let output = run(command.envs(variables.iter().copied()));
        assert_eq!(stdout(&output).contains('\x1b'), checked, "{variables:?}");
        let mut command = speclex(&["--no-such-option"]);
        let output = run(command.envs(variables.iter().copied()));
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stderr(&output).contains('\x1b'), checked, "{variables:?}");
        checked
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "0")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&[("CLICOLOR", "1")]));
}
