//! What a table or a list names is opened only if it is a file: no pipe, no folder, no socket, no device. What the user names on
//! the command line may be a pipe.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use speclex_codegen::Builder;
use speclex_codegen::files::{Place, Readable, find};

use crate::program::{folder, run, speclex, stderr, stdout};

/// One of each kind, and what is said of it.
const KINDS: [(&str, &str); 4] = [
    ("pipe", "it is a pipe"),
    ("socket", "it is a socket"),
    ("device", "it is a device"),
    ("inner", "it is a folder"),
];

/// Makes one of each kind in a folder.
fn all_kinds(folder: &Path) -> UnixListener {
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.expect("mkfifo").success());
    symlink("/dev/zero", folder.join("device")).expect("a link");
    fs::create_dir(folder.join("inner")).expect("a folder");
    UnixListener::bind(folder.join("socket")).expect("a socket")
}

#[test]
fn a_table_names_files_only() {
    let folder = folder();
    let _socket = all_kinds(folder.path());
    let good = fs::read_to_string(folder.path().join("good.yaml")).expect("a table");
    for (name, kind) in KINDS {
        let tree = format!(
            "tree: named\ntokenizer: {name}\ninitial insertion mode: a\ninsertion modes: {{a: {{}}}}\n"
        );
        let based = format!("tree: named\nextends: {name}\n");
        for text in [
            format!("table: named\nextends: {name}\n"),
            good.replace(
                "states:",
                &format!("named character references: {name}\nstates:"),
            ),
            tree,
            based,
        ] {
            fs::write(folder.path().join("named.yaml"), &text).expect("a file");
            let arguments = ["check", "named.yaml", "--allow-read", "/dev"];
            let output = run(speclex(&arguments).current_dir(&folder));
            let told = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{text}: {told}");
            assert!(told.contains(kind), "{text}: {told}");
        }
        // So is what a macro's call or a build script names.
        let readable = Readable::around(folder.path());
        let refused = find(Place::File(name.into()), folder.path(), &readable);
        assert!(refused.expect_err("a refusal").to_string().contains(kind));
        let built = Builder::new()
            .table(folder.path().join(name))
            .out_dir(folder.path())
            .generate();
        assert!(built.expect_err("a refusal").to_string().contains(kind));
        // Nothing is read there before it is replaced.
        let module = folder.path().join("out/good.rs");
        let _ = fs::remove_dir_all(folder.path().join("out"));
        fs::create_dir(folder.path().join("out")).expect("a folder");
        symlink(format!("../{name}"), &module).expect("a link");
        let built = Builder::new()
            .table(folder.path().join("good.yaml"))
            .out_dir(folder.path().join("out"))
            .generate();
        assert!(built.expect_err("a refusal").to_string().contains(kind));
        let generate = ["gen", "good.yaml", "--out", "out"];
        for more in [&[][..], &["--force"], &["--check"]] {
            let output = run(speclex(&generate).args(more).current_dir(&folder));
            assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
            assert!(stderr(&output).contains(kind), "{}", stderr(&output));
        }
        assert!(module.is_symlink());
    }
}

#[test]
fn a_list_names_files_and_folders_only() {
    let folder = folder();
    let _socket = all_kinds(folder.path());
    fs::write(
        folder.path().join("list"),
        "pipe\nsocket\ndevice\nsite.settings\n",
    )
    .expect("a file");
    let arguments = ["diff", "good.yaml", "other.yaml", "--files-from", "list"];
    let output = run(speclex(&arguments)
        .args(["--format", "json"])
        .current_dir(&folder));
    let survey: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(survey["documents"], 1, "{survey}");
    assert_eq!(
        survey["skipped"]["pipes, sockets and devices"], 3,
        "{survey}"
    );
}

/// `tokenize --spec <(…) <(…)`: a shell puts pipes there.
#[test]
fn the_command_line_may_name_pipes() {
    let folder = folder();
    let _socket = all_kinds(folder.path());
    let output = Command::new("sh")
        .args([
            "-c",
            "cat good.yaml > pipe & exec \"$0\" tokenize --spec pipe site.settings",
        ])
        .arg(env!("CARGO_BIN_EXE_speclex"))
        .current_dir(&folder)
        .output()
        .expect("a shell");
    assert!(stdout(&output).contains("host"), "{}", stderr(&output));
    let output = Command::new("sh")
        .args([
            "-c",
            "cat site.settings > pipe & exec \"$0\" tokenize --spec good.yaml pipe",
        ])
        .arg(env!("CARGO_BIN_EXE_speclex"))
        .current_dir(&folder)
        .output()
        .expect("a shell");
    assert!(stdout(&output).contains("host"), "{}", stderr(&output));
    for input in ["-", "/dev/stdin"] {
        let document = fs::File::open(folder.path().join("site.settings")).expect("a file");
        let arguments = ["tokenize", "--spec", "good.yaml", input];
        let output = run(speclex(&arguments).current_dir(&folder).stdin(document));
        assert!(stdout(&output).contains("host"), "{}", stderr(&output));
    }
}

#[test]
fn links_are_followed_to_their_end_and_modes_are_kept() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let generate = || run(speclex(&["gen", "good.yaml", "--out", "."]).current_dir(&folder));
    let build = || {
        Builder::new()
            .table(path("good.yaml"))
            .out_dir(folder.path())
            .generate()
    };
    for by_builder in [false, true] {
        let write = || match by_builder {
            true => build().expect("a module"),
            false => assert!(generate().status.success()),
        };
        fs::create_dir_all(path("deep/er")).expect("folders");
        for (link, to) in [
            ("good.rs", "deep/b"),
            ("deep/b", "er/c"),
            ("deep/er/c", "../d.rs"),
        ] {
            symlink(to, path(link)).expect("a link");
        }
        write();
        let links = ["good.rs", "deep/b", "deep/er/c"];
        assert!(links.into_iter().all(|link| path(link).is_symlink()));
        let whole = fs::read_to_string(path("deep/d.rs")).expect("a module");
        for mode in [0o600, 0o444, 0o400, 0o755] {
            let stale = format!("{whole}// stale\n");
            fs::remove_file(path("deep/d.rs")).expect("a file");
            fs::write(path("deep/d.rs"), stale).expect("a file");
            let permissions = fs::Permissions::from_mode(mode);
            fs::set_permissions(path("deep/d.rs"), permissions).expect("a mode");
            write();
            let found = fs::read_to_string(path("deep/d.rs")).expect("a module");
            assert_eq!(found, whole, "{mode:o}");
            let now = fs::metadata(path("deep/d.rs"))
                .expect("a file")
                .permissions();
            assert_eq!(now.mode() & 0o7777, mode);
        }
        assert!(links.into_iter().all(|link| path(link).is_symlink()));
        // A circle has no end.
        fs::remove_file(path("good.rs")).expect("a link");
        symlink("good.rs", path("good.rs")).expect("a link");
        match by_builder {
            true => assert!(build().is_err()),
            false => assert_eq!(generate().status.code(), Some(2)),
        }
        fs::remove_file(path("good.rs")).expect("a link");
        fs::remove_dir_all(path("deep")).expect("a folder");
    }
}
