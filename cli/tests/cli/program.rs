//! The command as a shell runs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub(crate) fn speclex(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_speclex"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR")
        .env_remove("CLICOLOR_FORCE");
    command
}

/// `cargo` in a folder of a user. It builds where other tests build downstream crates, with the same versions.
pub(crate) fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    // Each time: cargo drops the versions that a crate does not need yet.
    if folder.join("Cargo.toml").exists() {
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
        fs::copy(lock, folder.join("Cargo.lock")).expect("the versions that are here");
    }
    let mut command = Command::new(env!("CARGO"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_NET_OFFLINE", "true")
        .env(
            "CARGO_TARGET_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests/trybuild"),
        )
        // The program is built once and not debugged.
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("CARGO_INCREMENTAL", "0");
    command
}

pub(crate) fn run(command: &mut Command) -> Output {
    command.output().expect("a program")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A table without sections, one with a fault, and a document.
pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let good = include_str!("../../src/init/settings.yaml");
    let save = |file: &str, text: &str| fs::write(folder.path().join(file), text).expect("a file");
    save("good.yaml", good);
    save(
        "other.yaml",
        &good.replace("U+0020, U+000A: ignore", "U+000A: ignore"),
    );
    save(
        "faulty.yaml",
        &good.replace("before value\n", "before vlaue\n"),
    );
    save("site.settings", "# where\nhost = example.org\nverbose\n");
    save("page.html", "<p id=a>b&c;</p\n><!-- d\0 -->");
    folder
}
